"""The fields of `MineConfig` as keywords of `bvf.mine`, for editors and type checkers."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypedDict

from bvf import Topic
from bvf.domain import File, Names


class MineKeywords(TypedDict, total=False):
    """All fields of `MineConfig`."""

    corpus: Names
    out: File
    lang: str
    topic: str | Path | Topic
    text_column: str
    encoding: str
    sample: int
    seed: int
    max_words: int
    min_confidence: float
    workers: int
    engine: str | Mapping[str, Any]
    engine_options: Mapping[str, Any]
    miner_options: Mapping[str, Any]
    topic_options: Mapping[str, Any]
    matches: File
    examples: bool
    part: str
    force: bool
    plugin: Names
    without: Names
