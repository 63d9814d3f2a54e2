"""The scatter plot of a figure of groups against a social factor (Figures 9 and 12 to 15 of the paper)."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from bvf.arrays import FloatArray
from bvf.drawing.interactive import axis, exponent, layout_of, plain
from bvf.drawing.labels import figure_label, text_style
from bvf.drawing.lettering import lettering
from bvf.drawing.names import shown_name, whole_name
from bvf.drawing.point_names import name_points
from bvf.drawing.sentences import caption_of
from bvf.drawing.style import FIRST, GREY, INK, axes_of, plain_axes
from bvf.interfaces.picture import Columns, Figure, Picture
from bvf.stats.figures.quantiles import student_quantile
from bvf.tables.words import counted
from bvf_insights.regress.result import Regression, Regressions
from bvf_insights.regress.tables import figure_called, unit_of
from bvf_insights.stats.weighted_line import weighted_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STEPS = 60
"""Number of points at which the regression line and its band are computed."""
NAMED = 12
"""The most groups whose names are written: those with the largest influence on the slope."""
HEIGHTS = {1: 3.0, 2: 4.2}
"""Height in inches of a figure of one and of two columns."""
AREA, SMALLEST_AREA, LARGEST_AREA = 14.0, 5.0, 320.0
"""Dot areas in square points: for a group of mean weight, the smallest, and the largest."""
AXIS = 3.0
"""Largest width in inches of the title of an axis."""
PIXELS = 460
"""Height in a browser."""
LIGHTEST, HEAVIEST, MEAN = 5.0, 44.0, 11.0
"""Diameters of dots in pixels: the smallest, the largest, and for a group of mean weight."""


@dataclass(frozen=True)
class RegressionLine(Picture):
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
    low: FloatArray  # of the band, by HC3, (M,)
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
            f"Band: intervals of {self.level:.0%} of the line, by HC3.",
        )

    def draw(self, ax: "Axes | None" = None, columns: Columns = 1) -> Any:
        """Draw a point per group, the regression line and its confidence band. Larger points have larger weights."""
        axes: Any = axes_of(ax, columns, HEIGHTS.get(columns, HEIGHTS[1]))
        letters = lettering([*self.groups, self.label], [self.figure])
        plain_axes(axes, grid="both")
        axes.fill_between(self.at, self.low, self.high, color=GREY, alpha=0.18, linewidth=0)
        axes.plot(self.at, self.line, color=INK, linewidth=1.2)
        areas = np.clip(AREA * self.weights * len(self.weights), SMALLEST_AREA, LARGEST_AREA)
        axes.scatter(self.x, self.y, s=areas, color=FIRST, alpha=0.55, linewidths=0)
        axes.set_xlabel(letters.label(_with_unit(self._dated(), self.unit), AXIS), **text_style(letters))
        axes.set_ylabel(figure_label(letters, self.figure, AXIS), **text_style(letters))
        spread = np.concatenate([self.y, [self.line.min(), self.line.max()]])
        margin = 0.08 * float(np.ptp(spread) or 1.0)
        axes.set_ylim(float(spread.min()) - margin, float(spread.max()) + margin)
        name_points(axes, (self.x, self.y), self.groups, self.named, letters, np.sqrt(areas / np.pi))
        return axes

    def interactive(self) -> Figure:
        sizes = np.clip(MEAN * np.sqrt(self.weights * len(self.weights)), LIGHTEST, HEAVIEST)
        at, low, high, line = (_digits(values) for values in (self.at, self.low, self.high, self.line))
        lines = {"type": "scatter", "mode": "lines", "hoverinfo": "skip"}
        edge = {"fill": "toself", "fillcolor": GREY, "opacity": 0.25, "line": {"width": 0}}
        dot = {"color": FIRST, "size": _digits(sizes), "opacity": 0.6}
        traces = [
            {**lines, "x": at + at[::-1], "y": high + low[::-1], **edge, "name": f"{self.level:.0%} of the line"},
            {**lines, "x": at, "y": line, "line": {"color": GREY, "width": 2}, "name": "line"},
            {
                "type": "scatter",
                "mode": "markers",
                "name": "groups",
                "x": _digits(self.x),
                "y": _digits(self.y),
                "text": [plain(group) for group in self.groups],
                "customdata": [f"{share:.2%}" for share in self.weights],
                "hovertemplate": "%{text}<br>%{x}, %{y}<br>weight %{customdata}<extra></extra>",
                "marker": dot,
            },
        ]
        layout = layout_of(PIXELS, _with_unit(plain(self._dated()), plain(self.unit)), legend=True)
        layout["xaxis"]["zeroline"] = False
        layout["yaxis"] = {**axis(exponent(plain(self.figure))), "zeroline": False}
        return {"data": traces, "layout": layout}

    def _dated(self) -> str:
        return f"{self.label} ({self.year})" if self.year else self.label


def regression_line(regressions: Regressions, regression: Regression) -> RegressionLine:
    """Return the picture of one of the regressions."""
    x, y, weights, without = (
        np.array([getattr(group, field) for group in regression.groups]) for field in ("x", "y", "weight", "without")
    )
    factor, line = regressions.factor_of(regression), weighted_line(x, y, weights)
    at = np.linspace(x.min(), x.max(), STEPS)
    reach = student_quantile(0.5 + regressions.level / 2.0, line.freedom) * line.errors_at(at)
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


def _with_unit(label: str, unit: str) -> str:
    return f"{label}, {unit}" if unit else label


def _digits(values: FloatArray) -> list[float]:
    """Numbers rounded to six significant digits. That suits both large wages and small leans."""
    return [float(f"{value:.6g}") for value in values]
