"""Makes a context set of a corpus: draws a sample, mines blocks of documents, counts templates, writes files."""

from collections.abc import Callable
from typing import Any

from bvf import Provider, hookimpl

BVF_API = 1


@hookimpl
def bvf_commands() -> list[Provider[Any]]:
    return [
        Provider(
            "mine",
            "bvf_mining.command:mine",
            "Mine contexts from a corpus: templates in which a word of the topic means the subject, with their counts.",
            example="bvf mine corpus.jsonl --lang en --topic gender -o my-contexts.csv",
            common="--out --lang --topic --text-column --sample --miner --max-words --min-confidence "
            "--workers --plugin --matches --config",
        )
    ]


@hookimpl
def bvf_functions() -> list[Provider[Callable[..., Any]]]:
    return [
        Provider("mine", "bvf_mining.job:mine", "a context set mined from a corpus"),
        Provider("MineConfig", "bvf_mining.config:MineConfig", "what is mined, and how"),
    ]
