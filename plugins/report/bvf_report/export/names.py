"""Makes names and warnings fit for publication: no folders of this machine, and safe in a line of markup."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from bvf import ResultBase
from bvf.domain import last_part, parts_of_path
from bvf.errors import in_one_line
from bvf.files import CONTEXT_ENDINGS
from bvf.results import names_of, of_risk
from bvf.tables import undirected

WORD = re.compile(r"[^\s()]*[^\s(),:;]")
HUB_ID = re.compile(r"\w[\w.-]*/\w[\w.-]*", re.ASCII)
OF_HUB = re.compile(rf"(?:[A-Za-z][\w.-]+:)?({HUB_ID.pattern})", re.ASCII)
"""A hub id, after the name of a backend or without one."""
SNAPSHOT = re.compile(r"[/\\]models--([^/\\]+)[/\\]snapshots[/\\][^/\\]+[/\\]?$")
NOT_PORTABLE = re.compile(r"[^\w.-]+")


def hub_id(path: str) -> str:
    """Return the id of a model on the Hugging Face hub; empty if a path is not one.

    >>> hub_id("facebook/opt-1.3b"), hub_id("openai:meta-llama/Llama-3.2-1B"), hub_id("llama:models/tuned.gguf")
    ('facebook/opt-1.3b', 'meta-llama/Llama-3.2-1B', '')
    >>> hub_id("/cache/models--openai--gpt2/snapshots/607a30d783dfa663caf39e06633721c8d4cfcd7e")
    'openai/gpt2'
    """
    if cached := SNAPSHOT.search(path):
        return cached[1].replace("--", "/")
    found = OF_HUB.fullmatch(path)
    return found[1] if found and parts_of_path(found[1]) == found[1].split("/") else ""


def without_folder(name: str) -> str:
    """Return the last part of a path. Other names are returned unchanged.

    >>> without_folder("/home/me/models/tuned"), without_folder("facebook/opt-1.3b"), without_folder("data/mine.csv")
    ('tuned', 'facebook/opt-1.3b', 'mine.csv')
    """
    path = Path(name)
    is_path = path.is_absolute() or name.startswith((".", "~")) or path.suffix in CONTEXT_ENDINGS
    return path.name if is_path and path.name else name


def public_model(path: str) -> str:
    """Return a value of ``--model`` that can be published: a hub id, or the last part of a path.

    >>> public_model("facebook/opt-1.3b"), public_model("llama:/home/me/tuned.gguf"), public_model("bundled:en-causal")
    ('facebook/opt-1.3b', 'tuned', 'bundled:en-causal')
    """
    return hub_id(path) or last_part(path)


def without_folders(text: str) -> str:
    """Return a text in which every path is replaced by its last part.

    >>> without_folders("1 name of /home/me/p.csv is not a group of gender: clerk")
    '1 name of p.csv is not a group of gender: clerk'
    >>> without_folders("sets/mine.csv, mined from ~/letters.txt: 3 documents")
    'mine.csv, mined from letters.txt: 3 documents'
    """
    return WORD.sub(lambda match: without_folder(match[0]), text)


def one_line(text: str) -> str:
    r"""Return a text in one line. Control characters and direction marks are escaped.

    >>> one_line("nurse\n\u202e12")
    'nurse \\u202e12'
    """
    return undirected(in_one_line(text))


def portable(name: str) -> str:
    """Return a name that every file system takes: letters, digits, dots, hyphens and underscores.

    >>> portable("baseline:random"), portable("知识/首都")
    ('baseline-random', '知识-首都')
    """
    return NOT_PORTABLE.sub("-", name).strip("-.") or "unnamed"


def in_a_cell(warnings: Iterable[str]) -> str:
    """Return warnings as the text of one cell; empty if there are none."""
    return "; ".join(map(without_folders, warnings))


def warning_sentences(results: Sequence[ResultBase]) -> list[str]:
    """Return a sentence per warning of each result, including the model's name."""
    named = zip(names_of(results), results, strict=True)
    return [_sentence(name, warning) for name, result in named for warning in result.warnings]


def control_sentences(results: Sequence[ResultBase]) -> list[str]:
    """Return a sentence per warning of each control, including the names of model and control topic."""
    studies = of_risk(results)
    return [
        _sentence(name, f"control {control.topic}: {warning}")
        for name, study in zip(names_of(studies), studies, strict=True)
        for control in study.controls
        for warning in control.warnings
    ]


def _sentence(name: str, warning: str) -> str:
    return f"Warning, {without_folders(name)}: {without_folders(warning)}."
