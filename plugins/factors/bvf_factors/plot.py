"""Figures of an analysis of factors. Each function draws one kind and returns its axes.

Without ``ax``, a new figure is made, of one column (3.5 inches wide) or of two (7.16 inches).
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bvf.interfaces import ROWS_SHOWN, Columns
from bvf_factors.pictures import coverage_of, forest_of, sunburst_of
from bvf_factors.run import FactorsResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def coverage(
    analysis: FactorsResult, ax: "Axes | None" = None, *, first: str = "", second: str = "", columns: Columns = 2
) -> "Axes":
    """Draw the number of prompts of each pair of levels of two factors (rows: ``first``), or of the first two."""
    axes: Axes = coverage_of(analysis, first, second).draw(ax, columns)
    return axes


def sunburst(
    analysis: FactorsResult, ax: "Axes | None" = None, *, first: str = "", second: str = "", columns: Columns = 1
) -> "Axes":
    """Draw prompts by two factors as two rings. The colour is how much more the model deviates.

    ``ax`` are polar axes; ``first`` is the factor of the inner ring. By default, the first two factors are drawn.
    """
    axes: Axes = sunburst_of(analysis, first, second).draw(ax, columns)
    return axes


def forest(
    analysis: FactorsResult,
    ax: "Axes | None" = None,
    *,
    show: int = ROWS_SHOWN,
    factors: Sequence[str] = (),
    columns: Columns = 1,
) -> "Axes":
    """Draw coefficients and intervals of the ``show`` levels (0: all) of ``factors`` (or of all) furthest from 0."""
    axes: Axes = forest_of(analysis, show, factors).draw(ax, columns)
    return axes
