"""The scatter plot of a figure of groups against a social factor (Figures 9 and 12 to 15 of the paper)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bvf.drawing import (
    FIRST,
    GREY,
    INK,
    Axis,
    Band,
    Dots,
    Line,
    Mark,
    MarkedPicture,
    Marks,
    PointNames,
    caption_of,
    shown_name,
    whole_name,
)
from bvf.stats import FloatArray
from bvf.tables import counted
from bvf_insights.regress.result import Regression, Regressions, figure_called, unit_of
from bvf_insights.stats.weighted_line import weighted_line

STEPS = 60
"""Number of points at which the regression line and its band are computed."""
NAMED = 12
"""The most groups whose names are written: those with the largest influence on the slope."""
AREA, SMALLEST_AREA, LARGEST_AREA = 14.0, 5.0, 320.0
"""Dot areas in square points: for a group of mean weight, the smallest, and the largest."""

LONGEST = 60
"""The most columns of the title of an axis."""


@dataclass(frozen=True)
class RegressionLine(MarkedPicture):
    """The picture of a regression: groups as points, the regression line, and its confidence band."""

    kind: ClassVar[str] = "regression"
    title: ClassVar[str] = "A figure of groups against a social factor"

    model: str
    topic: str
    figure: str
    label: str  # of the factor
    unit: str  # of the factor
    year: int | None  # of the factor; None: not known
    weighted_by: str  # the value of ``--weights``
    groups: tuple[str, ...]  # N
    x: FloatArray  # (N,)
    y: FloatArray  # (N,)
    weights: FloatArray  # shares, (N,)
    named: tuple[int, ...]  # places of the groups that get a name, those first that move the slope most
    at: FloatArray  # places on the axis, ascending, (M,)
    line: FloatArray  # y at these places, (M,)
    low: FloatArray  # of the band, by HC2, (M,)
    high: FloatArray  # (M,)
    regression: Regression
    level: float  # of the band

    def caption(self) -> str:
        fitted, per = self.regression, f" per {self.unit}" if self.unit else ""
        label, year = shown_name(self.label), f" ({self.year})" if self.year else ""
        areas = "" if self.weighted_by == "uniform" else f", as large as its weight ({shown_name(self.weighted_by)})"
        decided = {"rises": "it rises", "falls": "it falls", "cannot tell": "it may rise or fall"}[fitted.decision]
        return caption_of(
            f"The {shown_name(self.figure)} of {counted(len(self.groups), 'group')} of {shown_name(self.topic)} "
            f"against {label}{year}, for {whole_name(self.model)}. A point is a group{areas}.",
            f"Slope{per} {fitted.slope:.4g} ({self.level:.0%} for other groups of the kind: {fitted.low:.4g} to "
            f"{fitted.high:.4g}): {decided}; "
            f"unweighted {fitted.unweighted:.4g}.",
            f"The weights are worth {fitted.effective:.1f} equal ones." if areas else "",
            f"Band: intervals of {self.level:.0%} of the line, by HC2.",
        )

    def marks(self) -> Marks:
        """A point per group, the regression line and its confidence band. Larger points have larger weights."""
        areas = np.clip(AREA * self.weights * len(self.weights), SMALLEST_AREA, LARGEST_AREA)
        texts = [f"{group}, weight {share:.2%}" for group, share in zip(self.groups, self.weights, strict=True)]
        marks: list[Mark] = [
            Band(self.at, self.low, self.high, GREY, 0.18),
            Line(self.at, self.line, INK, 1.2),
            Dots(self.x, self.y, FIRST, areas=areas, alpha=0.55, texts=texts, hover="%{text}<br>%{x}, %{y}"),
            PointNames(self.x, self.y, self.groups, self.named, np.sqrt(areas / np.pi)),
        ]
        spread = np.concatenate([self.y, [self.line.min(), self.line.max()]])
        margin = 0.08 * float(np.ptp(spread) or 1.0)
        upwards = Axis(shown_name(self.figure, LONGEST), (float(spread.min()) - margin, float(spread.max()) + margin))
        label = f"{self.label} ({self.year})" if self.year else self.label
        across = shown_name(f"{label}, {self.unit}" if self.unit else label, LONGEST)
        return Marks(marks, Axis(across), upwards, grid="both")


def regression_line(regressions: Regressions, regression: Regression) -> RegressionLine:
    """Return the picture of one of the regressions."""
    x, y, weights, without = (
        np.array([getattr(group, field) for group in regression.groups]) for field in ("x", "y", "weight", "without")
    )
    factor, line = regressions.factor_of(regression), weighted_line(x, y, weights)
    at = np.linspace(x.min(), x.max(), STEPS)
    reach = line.reach_at(at, regressions.level)
    furthest = np.argsort(-np.abs(without - regression.slope), kind="stable")[:NAMED]
    unit = unit_of(factor)
    return RegressionLine(
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
