"""The fields of `RunConfig` as keywords of functions, for editors and type checkers."""

from pathlib import Path

from bvf.domain.context import ContextSet
from bvf.domain.keywords import File
from bvf.measuring.keywords import AskedKeywords
from bvf.study.config import AnalysisKeywords


class ManyKeywords(AskedKeywords, AnalysisKeywords, total=False):
    """Fields of `RunConfig` but for those that may have several values, each of which is a run."""

    controls: bool


class RunKeywords(ManyKeywords, total=False):
    """Fields of `RunConfig`."""

    model: File
    name: str
    contexts: str | Path | ContextSet
