"""Figures of an analysis of factors. Each function draws one kind and returns its axes.

Without ``ax``, a new figure is made, of one column (3.5 inches wide) or of two (7.16 inches).
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bvf import Picture
from bvf.interfaces import ROWS_SHOWN, Columns
from bvf_factors.pictures.coverage import coverage_of
from bvf_factors.pictures.forest import forest_of
from bvf_factors.pictures.sunburst import sunburst_of
from bvf_factors.run import FactorsResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def coverage(
    analysis: FactorsResult, ax: "Axes | None" = None, *, first: str = "", second: str = "", columns: Columns = 2
) -> "Axes":
    """Draw the number of prompts of each pair of levels of two factors. Levels of ``first`` are rows.

    By default, the first two factors of the analysis are drawn.
    """
    return _drawn(coverage_of(analysis, first, second), ax, columns)


def sunburst(
    analysis: FactorsResult, ax: "Axes | None" = None, *, first: str = "", second: str = "", columns: Columns = 1
) -> "Axes":
    """Draw prompts by two factors as two rings. The colour is how much more the model deviates.

    ``ax`` are polar axes; ``first`` is the factor of the inner ring. By default, the first two factors are drawn.
    """
    return _drawn(sunburst_of(analysis, first, second), ax, columns)


def forest(
    analysis: FactorsResult,
    ax: "Axes | None" = None,
    *,
    show: int = ROWS_SHOWN,
    factors: Sequence[str] = (),
    columns: Columns = 1,
) -> "Axes":
    """Draw coefficients and intervals of the ``show`` levels furthest from 0 (0: all levels).

    Levels are those of ``factors``, or of all factors.
    """
    return _drawn(forest_of(analysis, show, factors), ax, columns)


def _drawn(picture: Picture, ax: "Axes | None", columns: Columns) -> "Axes":
    return picture.draw(ax, columns)
