"""The functions of `bvf.plot` for type checkers: a function per kind of picture, by what is drawn."""

from collections.abc import Sequence
from typing import Protocol

from bvf_insights.asking import AskingComparison
from bvf_insights.contexts import ContextComparison
from bvf_insights.explain.result import Explanation
from bvf_insights.regress.result import Regressions
from matplotlib.axes import Axes

from bvf import Comparison, ResultBase
from bvf.interfaces import Columns

class OfResult(Protocol):
    def __call__(self, result: ResultBase, ax: Axes | None = None, *, columns: Columns = 1) -> Axes: ...

class OfRows(Protocol):
    def __call__(
        self, result: ResultBase, ax: Axes | None = None, *, show: int = 24, columns: Columns = ...
    ) -> Axes: ...

class OfResults(Protocol):
    def __call__(
        self, results: ResultBase | Sequence[ResultBase], ax: Axes | None = None, *, columns: Columns = 1
    ) -> Axes: ...

class OfTopic(Protocol):
    def __call__(
        self, compared: Comparison, ax: Axes | None = None, *, topic: str = "", columns: Columns = 1
    ) -> Axes: ...

class OfExplanation(Protocol):
    def __call__(self, explanation: Explanation, ax: Axes | None = None, *, columns: Columns = 1) -> Axes: ...

heatmap: OfRows
subjects: OfRows
certainty: OfRows
wordings: OfRows
scatter: OfResult
controls: OfResult
words: OfResult
density: OfResults
scale: OfResults
mastery: OfResults
confidence: OfResults
compare: OfTopic
said: OfTopic
variance: OfExplanation
frames: OfExplanation

def lean(
    result: ResultBase | Sequence[ResultBase],
    ax: Axes | None = None,
    *,
    rank: str | None = None,
    show: int = 24,
    columns: Columns = 1,
) -> Axes: ...
def distribution(
    result: ResultBase,
    ax: Axes | None = None,
    *,
    groups: Sequence[str] | None = None,
    show: int = 24,
    columns: Columns = 1,
) -> Axes: ...
def curve(result: ResultBase, ax: Axes | None = None, *, group: str = "", columns: Columns = 1) -> Axes: ...
def trend(
    compared: Comparison, ax: Axes | None = None, *, by: str = "", topic: str = "", columns: Columns = 1
) -> Axes: ...
def contexts(compared: ContextComparison, ax: Axes | None = None, *, columns: Columns = 1) -> Axes: ...
def asking(compared: AskingComparison, ax: Axes | None = None, *, columns: Columns = 1) -> Axes: ...
def regression(regressions: Regressions, ax: Axes | None = None, *, number: int = 0, columns: Columns = 1) -> Axes: ...

__all__: list[str]
