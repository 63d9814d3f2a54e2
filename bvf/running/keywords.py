"""The fields of `RunConfig` as keywords of functions, for editors and type checkers."""

from pathlib import Path

from bvf.domain.context import ContextSet
from bvf.domain.keywords import File
from bvf.measuring.keywords import AskedKeywords
from bvf.study.config import AnalysisKeywords


class ManyKeywords(AskedKeywords, AnalysisKeywords, total=False):
    """The fields of `RunConfig` except ``model``, ``name`` and ``contexts``. `bvf.run` takes lists for these three."""

    controls: bool


class RunKeywords(ManyKeywords, total=False):
    """All fields of `RunConfig`."""

    model: File
    name: str
    contexts: str | Path | ContextSet
