"""The fields of `MeasureConfig` as keywords of functions, for editors and type checkers."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypedDict

from bvf.domain.config import File, Names
from bvf.domain.context import ContextSet
from bvf.domain.topic import Topic


class AskedKeywords(TypedDict, total=False):
    """Fields of `MeasureConfig` not in `MeasureKeywords`, and options that have a short name."""

    topic: str | Path | Topic
    cross: Names
    phrase: str
    lang: str
    sample_contexts: int | None
    precision: float | None
    limit_contexts: int
    limit_groups: int
    openings: File
    formats: Names
    backend: str | Mapping[str, Any]
    engine: str | Mapping[str, Any]
    reading: str
    samples: int | None
    thoughts: int | None
    tokens: int | None
    temperature: float | None
    threads: int | None
    tolerance: float
    mass_sample: int | Literal["all"]
    keep_words: bool
    order: Literal["groups", "contexts"]
    backend_options: Mapping[str, Any]
    engine_options: Mapping[str, Any]
    topic_options: Mapping[str, Any]
    plugin: Names
    without: Names
    label: Mapping[str, str]
    out: File
    part: str
    device: str
    dtype: str
    revision: str
    trust_remote_code: bool
    allow_pickle: bool
    chat_template: bool | str
    chat_turn: Literal["user", "assistant"]
    user: str
    system: str
    chat_variable: Mapping[str, Any]
    word_boundary: bool
    batch_tokens: int | str
    no_cache: bool
    relation: str


class MeasureKeywords(AskedKeywords, total=False):
    """All fields of `MeasureConfig`, and also the options that have a short name."""

    model: File
    name: str
    contexts: str | Path | ContextSet
    groups: Names
    words: Mapping[str, Sequence[str]]
    seed: int
