"""A picture of distribution functions: the fraction of subgroups whose deviation rate is at most a given rate."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from bvf import Picture
from bvf.drawing import (
    DIGITS,
    FONT,
    GREY,
    INK,
    SEVERAL,
    axes_of,
    axis,
    caption_of,
    draw_legend,
    layout_of,
    lettering,
    plain,
    plain_axes,
    shown_name,
)
from bvf.interfaces import Columns, Figure
from bvf.stats import FloatArray
from bvf_factors.rates.spread import distance_to

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LINES = (("-", "solid"), ("--", "dash"), ("-.", "dashdot"), (":", "dot"))
"""Styles of lines, as matplotlib and as plotly call them."""
INCHES, PIXELS = 2.6, 320
"""Height of the picture in print and in a browser."""
WIDEST_KEY = 1.2
"""Largest width of a name in the legend, in inches."""


@dataclass(frozen=True)
class Steps:
    """A distribution function of deviation rates, and the mean distance DM of the rates from the target.

    The function rises to ``heights`` at ascending ``rates``, shape (S,).
    """

    name: str
    rates: FloatArray
    heights: FloatArray
    distance: float


@dataclass(frozen=True)
class Ecdf(Picture):
    """The picture of distribution functions of deviation rates, the target rate C, and a marked rate ``line``."""

    kind: ClassVar[str] = ""
    title: ClassVar[str] = "The shares of subgroups by their rates"

    steps: tuple[Steps, ...]
    target: float
    line: float | None

    def caption(self) -> str:
        distances = ", ".join(f"{shown_name(each.name)} {each.distance:.3f}" for each in self.steps)
        return caption_of(
            "The share of subgroups in which the model deviates at most so often.",
            f"Mean distance of their rates from {self.target:g}: {distances}.",
        )

    def draw(self, ax: "Axes | None" = None, columns: Columns = 1) -> Any:
        """Draw distribution functions as steps. The area between a function and the target is DM, its mean distance."""
        axes: Any = axes_of(ax, columns, INCHES)
        letters = lettering([each.name for each in self.steps])
        plain_axes(axes, grid="both")
        for number, each in enumerate(self.steps):
            steps: dict[str, Any] = {"where": "post", "linestyle": LINES[number % len(LINES)][0], "linewidth": 1.2}
            axes.step(
                [0.0, *each.rates, 1.0], [0.0, *each.heights, 1.0], label=letters.label(each.name, WIDEST_KEY), **steps
            )
        axes.axvline(self.target, color=INK, linewidth=0.7)
        if self.line is not None:
            axes.axvline(self.line, color=GREY, linewidth=0.8, linestyle=":")
        axes.set_xlabel("rate of deviations in a subgroup", fontsize=FONT)
        axes.set_ylabel("share of subgroups", fontsize=FONT)
        axes.set_ylim(0, 1.02)
        draw_legend(axes, letters, axes.get_legend_handles_labels()[0] if len(self.steps) > 1 else [], ax)
        return axes

    def interactive(self) -> Figure:
        """Return an interactive figure of the distribution functions (as steps) and the target."""
        traces = [
            {
                "type": "scatter",
                "mode": "lines",
                "name": plain(each.name),
                "x": _digits([0.0, *each.rates, 1.0]),
                "y": _digits([0.0, *each.heights, 1.0]),
                "line": {"shape": "hv", "color": SEVERAL[number % len(SEVERAL)], "dash": LINES[number % len(LINES)][1]},
                "hovertemplate": "%{y:.0%} of subgroups have a rate of at most %{x:.3f}<extra></extra>",
            }
            for number, each in enumerate(self.steps)
        ]
        layout = layout_of(PIXELS, "rate of deviations in a subgroup", legend=len(traces) > 1)
        lines = [(self.target, {"dash": "solid", "color": INK})]
        lines += [] if self.line is None else [(self.line, {"dash": "dot", "color": GREY})]
        shapes = [
            {"type": "line", "x0": at, "x1": at, "yref": "paper", "y0": 0, "y1": 1, "line": look} for at, look in lines
        ]
        shares = {**axis("share of subgroups"), "range": [0, 1.02]}
        return {"data": traces, "layout": {**layout, "yaxis": shares, "shapes": shapes}}


def ecdf(rates: Mapping[str, Sequence[float]], target: float = 0.0, line: float | None = None) -> Ecdf:
    """Return the picture of the distribution functions of the rates of subgroups, one per model or table by name."""
    steps = []
    for name, of_subgroups in rates.items():
        ascending = np.sort(np.asarray(of_subgroups, dtype=np.float64))
        heights = np.arange(1, len(ascending) + 1) / len(ascending)
        steps.append(Steps(name, ascending, heights, distance_to(ascending, target)))
    return Ecdf(tuple(steps), target, line)


def _digits(values: Iterable[float] | FloatArray) -> list[float]:
    return [round(float(each), DIGITS) for each in values]
