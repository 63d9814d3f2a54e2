"""Figures of an analysis of factors: each function draws one kind, and returns its axes."""

from typing import TYPE_CHECKING

from bvf.interfaces.picture import Columns, Picture
from bvf.interfaces.reported_file import ROWS_SHOWN
from bvf_factors.pictures.coverage import coverage_of
from bvf_factors.pictures.forest import forest_of
from bvf_factors.pictures.sunburst import sunburst_of
from bvf_factors.run import FactorsResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def coverage(
    analysis: FactorsResult, ax: "Axes | None" = None, *, first: str = "", second: str = "", columns: Columns = 2
) -> "Axes":
    """Draw how many prompts there are of each pair of levels of two factors.

    Args:
        analysis: An analysis of factors.
        ax: Where; None: on a new figure.
        first: The factor of the rows; empty: the first.
        second: That of the columns; empty: the next.
        columns: How wide a new figure is: 1 (3.5 inches) or 2 (7.16 inches).

    Raises:
        BvfError: There are no such factors, or matplotlib or a font is not installed.
    """
    return _drawn(coverage_of(analysis, first, second), ax, columns)


def sunburst(
    analysis: FactorsResult, ax: "Axes | None" = None, *, first: str = "", second: str = "", columns: Columns = 1
) -> "Axes":
    """Draw prompts by two factors as two rings, coloured by how much more the model deviates.

    Args:
        analysis: An analysis of factors.
        ax: Where, polar axes; None: on a new figure.
        first: The factor of the inner ring; empty: the first.
        second: That of the outer one; empty: the next.
        columns: How wide a new figure is: 1 (3.5 inches) or 2 (7.16 inches).

    Raises:
        BvfError: As `coverage`.
    """
    return _drawn(sunburst_of(analysis, first, second), ax, columns)


def forest(
    analysis: FactorsResult, ax: "Axes | None" = None, *, show: int = ROWS_SHOWN, columns: Columns = 1
) -> "Axes":
    """Draw which levels of factors make a model deviate, with intervals.

    Args:
        analysis: An analysis of factors.
        ax: Where; None: on a new figure.
        show: How many levels, those furthest from 0; 0: all.
        columns: How wide a new figure is: 1 (3.5 inches) or 2 (7.16 inches).

    Raises:
        BvfError: The analysis has no regression, or matplotlib or a font is not installed.
    """
    return _drawn(forest_of(analysis, show), ax, columns)


def _drawn(picture: Picture, ax: "Axes | None", columns: Columns) -> "Axes":
    return picture.draw(ax, columns)
