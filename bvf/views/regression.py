"""A figure of groups against a social factor, with the line through it (Figures 9 and 12 to 15 of the paper)."""

from dataclasses import dataclass

import numpy as np

from bvf.analyses.regress.result import Regression, Regressions
from bvf.analyses.regress.tables import figure_called, told_unit
from bvf.arrays import FloatArray
from bvf.stats.quantiles import student_quantile
from bvf.stats.weighted_line import weighted_line

STEPS = 60
"""Places at which the line and its band are known."""
NAMED = 12
"""The most groups with a name: those whose removal changes the slope most."""


@dataclass(frozen=True)
class RegressionView:
    """Groups as points, a line, and its band.

    Args:
        model: Whose figures they are.
        topic: Of the groups.
        figure: Name of the figure, such as r.
        label: Name of the factor that it is regressed on.
        unit: Unit of the factor, which the slope is per; empty: none.
        year: Year of the factor; None: not known.
        weighted_by: What ``--weights`` said.
        groups: Names, shape (N,).
        x: Shape (N,).
        y: Shape (N,).
        weights: Shares, shape (N,).
        named: Places of the groups that have a name, those first that move the slope most.
        at: Places on the axis, in order, shape (M,).
        line: y there, shape (M,).
        low: Lower end of its band, by HC3, shape (M,).
        high: Upper end.
        regression: The slope, its errors, and what is decided.
        level: Of the band.
    """

    model: str
    topic: str
    figure: str
    label: str
    unit: str
    year: int | None
    weighted_by: str
    groups: tuple[str, ...]
    x: FloatArray
    y: FloatArray
    weights: FloatArray
    named: tuple[int, ...]
    at: FloatArray
    line: FloatArray
    low: FloatArray
    high: FloatArray
    regression: Regression
    level: float


def regression_view(regressions: Regressions, regression: Regression) -> RegressionView:
    """Return what a picture of one of the regressions shows.

    Args:
        regressions: All of them.
        regression: One of these.
    """
    x, y, weights, without = (
        np.array([getattr(group, field) for group in regression.groups]) for field in ("x", "y", "weight", "without")
    )
    factor, line = regressions.factor_of(regression), weighted_line(x, y, weights)
    at = np.linspace(x.min(), x.max(), STEPS)
    reach = student_quantile(0.5 + regressions.level / 2.0, line.freedom) * line.errors_at(at)
    furthest = np.argsort(-np.abs(without - regression.slope), kind="stable")[:NAMED]
    unit = told_unit(factor)
    return RegressionView(
        model=regression.model,
        topic=regressions.topic,
        figure=figure_called(regression.figure),
        label=factor.label,
        unit="" if unit == "1" else unit,
        year=factor.year,
        weighted_by=regressions.weights,
        groups=tuple(group.group for group in regression.groups),
        x=x,
        y=y,
        weights=weights,
        named=tuple(map(int, furthest)),
        at=at,
        line=line.at(at),
        low=line.at(at) - reach,
        high=line.at(at) + reach,
        regression=regression,
        level=regressions.level,
    )
