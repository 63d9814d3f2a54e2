"""The fields of `RunConfig` as keywords of functions, for editors and type checkers."""

from pathlib import Path

from bvf.domain.context import ContextSet
from bvf.domain.keywords import File
from bvf.measuring.keywords import AskedKeywords
from bvf.study.config import AnalysisKeywords


class ManyKeywords(AskedKeywords, AnalysisKeywords, total=False):
    """Fields of `RunConfig` without those that may be lists with a run per item."""

    controls: bool


class RunKeywords(ManyKeywords, total=False):
    """All fields of `RunConfig`."""

    model: File
    name: str
    contexts: str | Path | ContextSet
