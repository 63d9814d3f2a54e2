"""Figures of results: each function draws one kind, and returns its axes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from bvf.analyses.compare.pictures.compared import Compared, comparison
from bvf.analyses.compare.pictures.trend import Trend, trends
from bvf.analyses.compare.result import Comparison
from bvf.analyses.contexts.pictures import over_contexts
from bvf.analyses.contexts.result import ContextComparison
from bvf.analyses.explain.pictures import variance as variance_of
from bvf.analyses.explain.result import Explanation
from bvf.analyses.regress.pictures import regression_line
from bvf.analyses.regress.result import Regressions
from bvf.analyses.risk.controls.pictures import controls as controls_of
from bvf.analyses.risk.pictures.distributions import distributions
from bvf.analyses.risk.pictures.grid import grid
from bvf.analyses.risk.pictures.leanings import leanings
from bvf.analyses.risk.pictures.scale import scale as scale_of
from bvf.analyses.risk.pictures.scatter import scatter as scatter_of
from bvf.errors import BvfError
from bvf.interfaces.picture import Columns, Picture
from bvf.results.result import ResultBase

if TYPE_CHECKING:
    from matplotlib.axes import Axes

T = TypeVar("T", Compared, Trend)
SHOWN = 24
"""How many groups, half of them from each end of their order, are shown by default."""


def lean(
    result: ResultBase, ax: "Axes | None" = None, *, rank: str | None = None, show: int = SHOWN, columns: Columns = 1
) -> "Axes":
    """Draw how far each group leans, and to which class (Figure 5 of the paper).

    Args:
        result: Of risk.
        ax: Where; None: on a new figure.
        rank: Order of groups: ``lean``, ``risk``, ``bias``, ``volatility`` or ``particular``; None: ``lean``.
        show: How many groups, half of them from each end; 0: all.
        columns: How wide a new figure is: 1 (3.5 inches) or 2 (7.16 inches).

    Raises:
        BvfError: The result has no such picture, or matplotlib or a font is not installed.
    """
    return _drawn(leanings(result, rank, show), ax, columns)


def heatmap(result: ResultBase, ax: "Axes | None" = None, *, show: int = SHOWN, columns: Columns = 2) -> "Axes":
    """Draw how far each group leans in each context (Figure 11).

    Args:
        result: Of risk.
        ax: Where; None: on a new figure.
        show: How many groups, half of them from each end; 0: all.
        columns: As for `lean`.

    Raises:
        BvfError: As `lean`; or the result's folder is gone.
    """
    return _drawn(grid(result, show=show), ax, columns)


def distribution(
    result: ResultBase,
    ax: "Axes | None" = None,
    *,
    groups: Sequence[str] | None = None,
    show: int = SHOWN,
    columns: Columns = 1,
) -> "Axes":
    """Draw how the probability of classes varies over contexts, group by group (Figures 10 and 16).

    Args:
        result: Of risk.
        ax: Where; None: on a new figure.
        groups: Their names, in the order that is wanted; None: all.
        show: How many of all, half of them from each end; 0: all.
        columns: As for `lean`.

    Raises:
        BvfError: As `lean`; or the result's folder is gone, or it has no such group.
    """
    return _drawn(distributions(result, groups, show), ax, columns)


def scatter(result: ResultBase, ax: "Axes | None" = None, *, columns: Columns = 1) -> "Axes":
    """Draw r^v against r^b of each group.

    Args:
        result: Of risk.
        ax: Where; None: on a new figure.
        columns: As for `lean`.

    Raises:
        BvfError: As `lean`.
    """
    return _drawn(scatter_of(result), ax, columns)


def variance(explanation: Explanation, ax: "Axes | None" = None, *, columns: Columns = 1) -> "Axes":
    """Draw what makes predictions vary, how much is due to swaps that should not matter, and split-half reliabilities.

    Args:
        explanation: What `bvf.explain` returned.
        ax: Where; None: on a new figure.
        columns: As for `lean`.

    Raises:
        BvfError: Nothing varies, or matplotlib or a font is not installed.
    """
    return _drawn(variance_of(explanation), ax, columns)


def scale(results: ResultBase | Sequence[ResultBase], ax: "Axes | None" = None, *, columns: Columns = 1) -> "Axes":
    """Draw R, R^b and R^v of models below the reference models.

    Args:
        results: One, or several of one criterion and scale.
        ax: Where; None: on a new figure.
        columns: As for `lean`.

    Raises:
        BvfError: As `lean`; or results are on different scales.
    """
    return _drawn(scale_of([results] if isinstance(results, ResultBase) else results), ax, columns)


def compare(compared: Comparison, ax: "Axes | None" = None, *, topic: str = "", columns: Columns = 1) -> "Axes":
    """Draw R, R^b and R^v of models in the contexts that all share, with the ranks that they may have.

    Args:
        compared: A comparison.
        ax: Where; None: on a new figure.
        topic: Which of its topics; empty: the only one.
        columns: As for `lean`.

    Raises:
        BvfError: As `lean`; or there are several topics and none is named.
    """
    return _drawn(of_topic(comparison(compared), topic), ax, columns)


def controls(result: ResultBase, ax: "Axes | None" = None, *, columns: Columns = 1) -> "Axes":
    """Draw R of a topic and of its controls, and how far groups are apart, with both of every group.

    Args:
        result: Of risk, with controls.
        ax: Where; None: on a new figure.
        columns: As for `lean`.

    Raises:
        BvfError: As `lean`; or it has no controls.
    """
    return _drawn(controls_of(result), ax, columns)


def contexts(compared: ContextComparison, ax: "Axes | None" = None, *, columns: Columns = 1) -> "Axes":
    """Draw R of models over context sets, beside how far each set is from the first (Table 4).

    Args:
        compared: What `bvf.analyses.contexts.analysis.compare_contexts` returned.
        ax: Where; None: on a new figure.
        columns: As for `lean`.

    Raises:
        BvfError: matplotlib or a font is not installed.
    """
    return _drawn(over_contexts(compared), ax, columns)


def trend(
    compared: Comparison, ax: "Axes | None" = None, *, by: str = "", topic: str = "", columns: Columns = 1
) -> "Axes":
    """Draw R, R^b and R^v of models over a label.

    Args:
        compared: A comparison.
        ax: Where; None: on a new figure.
        by: The label, or ``parameters``; empty: that of the comparison.
        topic: Which of its topics; empty: the only one.
        columns: As for `lean`.

    Raises:
        BvfError: As `compare`; or the label is not a number.
    """
    return _drawn(of_topic(trends(compared, by), topic), ax, columns)


def regression(regressions: Regressions, ax: "Axes | None" = None, *, number: int = 0, columns: Columns = 1) -> "Axes":
    """Draw a figure of groups against a social factor, with the line (Figures 9 and 12 to 15).

    Args:
        regressions: What `bvf.regress` returned.
        ax: Where; None: on a new figure.
        number: Which of its regressions, from 0.
        columns: As for `lean`.

    Raises:
        BvfError: There is no such regression, or matplotlib or a font is not installed.
    """
    if not 0 <= number < len(regressions.regressions):
        raise BvfError(f"there is no regression {number}", f"there are {len(regressions.regressions)}, from 0")
    return _drawn(regression_line(regressions, regressions.regressions[number]), ax, columns)


def of_topic(pictures: Sequence[T], topic: str) -> T:
    """Return the picture of one topic.

    Args:
        pictures: One for each.
        topic: Its name; empty: the only one.

    Raises:
        BvfError: There are several and none is named, or there is no such topic.
    """
    names = [picture.topic for picture in pictures]
    if not topic and len(pictures) > 1:
        raise BvfError(f"there are {len(pictures)} topics: {', '.join(names)}", "draw them one by one")
    if topic and topic not in names:
        raise BvfError(f"there is no topic {topic}", f"there are {', '.join(names)}")
    return pictures[names.index(topic) if topic else 0]


def _drawn(picture: Picture, ax: "Axes | None", columns: Columns) -> "Axes":
    return picture.draw(ax, columns)
