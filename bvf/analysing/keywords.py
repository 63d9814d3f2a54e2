"""The fields of configurations as keywords of functions, for editors and type checkers."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, TypedDict

from bvf.domain.context import ContextSet
from bvf.measuring.keywords import AskedKeywords, File, Names


class AnalysisKeywords(TypedDict, total=False):
    """Fields of `AnalysisConfig`."""

    analysis: str
    criterion: str
    distractors: int
    scale: Literal["unit", "raw"]
    reference: File
    group_weights: File
    margin: str
    words: Mapping[str, Sequence[str]]
    unit: Literal["", "document", "occurrence", "template"]
    level: float
    seed: int


class ManyKeywords(AskedKeywords, AnalysisKeywords, total=False):
    """Fields of `RunConfig` but for those that may have several values, each of which is a run."""

    controls: bool


class RunKeywords(ManyKeywords, total=False):
    """Fields of `RunConfig`."""

    model: File
    name: str
    contexts: str | Path | ContextSet


class GateKeywords(AnalysisKeywords, total=False):
    """Fields of `GateConfig`."""

    max: Mapping[str, float]
    min: Mapping[str, float]
    baseline: File
    no_worse: Mapping[str, float]
    as_is: bool


class RegressKeywords(TypedDict, total=False):
    """Fields of `RegressConfig`."""

    against: Names
    weights: File
    of: Names
    corpus: Names
    level: float
