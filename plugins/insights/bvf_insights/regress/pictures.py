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
from bvf.tables import counted, percent
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
    """The picture of one of several regressions: groups as points, the regression line, and its confidence band."""

    kind: ClassVar[str] = "regression"
    title: ClassVar[str] = "A figure of groups against a social factor"

    regressions: Regressions
    regression: Regression

    @property
    def unit(self) -> str:
        """The unit to which the slope refers; empty: none."""
        unit = unit_of(self.regressions.factor_of(self.regression))
        return "" if unit == "1" else unit

    def caption(self) -> str:
        of_all, fitted, per = self.regressions, self.regression, f" per {self.unit}" if self.unit else ""
        factor = of_all.factor_of(fitted)
        label, year = shown_name(factor.label), f" ({factor.year})" if factor.year else ""
        areas = "" if of_all.weights == "uniform" else f", as large as its weight ({shown_name(of_all.weights)})"
        decided = {"rises": "it rises", "falls": "it falls", "cannot tell": "it may rise or fall"}[fitted.decision]
        return caption_of(
            f"The {shown_name(figure_called(fitted.figure))} of {counted(len(fitted.groups), 'group')} of "
            f"{shown_name(of_all.topic)} against {label}{year}, for {whole_name(fitted.model)}. A point is a "
            f"group{areas}.",
            f"Slope{per} {fitted.slope:.4g} ({percent(of_all.level)} for other groups of the kind: {fitted.low:.4g} to "
            f"{fitted.high:.4g}): {decided}; "
            f"unweighted {fitted.unweighted:.4g}.",
            f"The weights are worth {fitted.effective:.1f} equal ones." if areas else "",
            f"Band: intervals of {percent(of_all.level)} of the line, by HC2.",
        )

    def marks(self) -> Marks:
        """A point per group, the regression line and its confidence band. Larger points have larger weights."""
        groups, factor = self.regression.groups, self.regressions.factor_of(self.regression)
        x, y, weights = (np.array([getattr(group, field) for group in groups]) for field in ("x", "y", "weight"))
        moved = np.array([abs(group.without - self.regression.slope) for group in groups])
        fitted, at = weighted_line(x, y, weights), np.linspace(x.min(), x.max(), STEPS)
        line, reach = fitted.at(at), fitted.reach_at(at, self.regressions.level)
        areas = np.clip(AREA * weights * len(weights), SMALLEST_AREA, LARGEST_AREA)
        names = [group.group for group in groups]
        texts = [f"{name}, weight {share:.2%}" for name, share in zip(names, weights, strict=True)]
        named = np.argsort(-moved, kind="stable")[:NAMED].tolist()  # those first that move the slope most
        marks: list[Mark] = [
            Band(at, line - reach, line + reach, GREY, 0.18),
            Line(at, line, INK, 1.2),
            Dots(x, y, FIRST, areas=areas, alpha=0.55, texts=texts, hover="%{text}<br>%{x}, %{y}"),
            PointNames(x, y, names, named, np.sqrt(areas / np.pi)),
        ]
        spread = np.concatenate([y, [line.min(), line.max()]])
        margin = 0.08 * float(np.ptp(spread) or 1.0)
        ends = float(spread.min()) - margin, float(spread.max()) + margin
        upwards = Axis(shown_name(figure_called(self.regression.figure), LONGEST), ends)
        label = f"{factor.label} ({factor.year})" if factor.year else factor.label
        across = shown_name(f"{label}, {self.unit}" if self.unit else label, LONGEST)
        return Marks(marks, Axis(across), upwards, grid="both")
