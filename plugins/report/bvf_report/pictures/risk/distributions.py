"""The picture of the distributions of class probabilities over contexts, by group."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from bvf.analyses.risk.result import risk_only
from bvf.arrays import FloatArray
from bvf.drawing.interactive import DIGITS, EDGES, ROW, apart, beside, dots, in_rows, plain
from bvf.drawing.labels import key_label, legend, name_axis, name_rows
from bvf.drawing.lettering import Lettering, lettering
from bvf.drawing.names import shown_name, whole_name
from bvf.drawing.sentences import caption_of, groups_shown
from bvf.drawing.style import GREY, INK, axes_of, colours_of, plain_axes, rows_of, rule_between_ends
from bvf.drawing.values import Value
from bvf.errors import BvfError, nearest
from bvf.interfaces.picture import Columns, Figure, Picture
from bvf.results.names import name_of
from bvf.results.restore import predictions_of
from bvf.results.result import ResultBase
from bvf.stats.figures.probabilities import mean_over_contexts
from bvf.study.predictions import Predictions
from bvf.tables.words import counted, ends
from bvf_report.pictures.risk.leanings import shown_places

if TYPE_CHECKING:
    from matplotlib.axes import Axes

QUANTILES = np.array([0.05, 0.25, 0.5, 0.75, 0.95])
BINS = 40
AXIS = 1.0
"""Largest width in inches of a class name in the title of the axis."""
PITCH, PITCH_OF_CLASS, TALLEST = 0.21, 0.075, 0.42
"""Inches per group, least inches per class of a group; and half the height of a shape, in rows."""
HIGHEST_SHAPE = 0.6
"""Height in a browser of shapes above their rows, in rows."""


@dataclass(frozen=True)
class Distributions(Picture):
    """The picture of the distribution of each class probability over contexts, by group.

    Contexts have the weights P(C).
    """

    kind: ClassVar[str] = "distribution"
    title: ClassVar[str] = "How probabilities vary over contexts"
    limited: ClassVar[bool] = True

    model: str
    topic: str
    classes: tuple[str, ...]  # Y
    groups: tuple[str, ...]  # X, in the order of `leanings` or as they were named
    quantiles: FloatArray  # at 5, 25, 50, 75 and 95 %, (X, Y, 5)
    means: FloatArray  # E_c[p], (X, Y)
    p_star: FloatArray  # p*, (X, Y)
    shares: FloatArray  # of the contexts in each bin, (X, Y, 40); the last axis sums to 1
    edges: FloatArray  # of the bins, from 0 to 1, (41,)
    contexts: int
    of: int  # number of groups of the result

    def with_groups(self, names: Sequence[str]) -> "Distributions":
        """Return the picture of these groups of it, in their order."""
        places = [_place(name, self.groups) for name in names]
        return replace(
            self,
            groups=tuple(names),
            quantiles=self.quantiles[places],
            means=self.means[places],
            p_star=self.p_star[places],
            shares=self.shares[places],
        )

    def with_ends(self, show: int) -> "Distributions":
        """Return the picture with ``show`` groups from both ends of their order (0: all groups)."""
        return self.with_groups(list(chain(*ends(self.groups, show))))

    def caption(self) -> str:
        two = len(self.classes) == 2
        what = shown_name(self.classes[0]) if two else "each class"
        shape = "The shape is the share of contexts by their weight, the " if two else "The "
        unbiased = "vertical line" if two else "grey stroke"
        return caption_of(
            f"How the probability of {what} varies over {counted(self.contexts, 'context')} by group, for "
            f"{whole_name(self.model)}.",
            f"{shape}thick line is the middle half of contexts by their weight, the thin line the middle nine tenths, "
            f"the dot the mean; the {unbiased} is the unbiased model.",
            f"{groups_shown(len(self.groups), self.of)}.",
        )

    def draw(self, ax: "Axes | None" = None, columns: Columns = 1) -> Any:
        """Draw the distribution of class probabilities. Of two classes, only the first is drawn."""
        rows = rows_of(len(self.groups), ax, max(PITCH, PITCH_OF_CLASS * len(self.classes)))
        axes: Any = axes_of(ax, columns, rows.height)
        letters = lettering(self.groups, self.classes)
        plain_axes(axes)
        two = len(self.classes) == 2
        for x in range(len(self.groups)):
            if two:
                self._shape(axes, x)
            else:
                axes.plot(self.p_star[x], _beside(x, len(self.classes)), "|", color=GREY, markersize=4)
            self._lines(axes, x, [0] if two else range(len(self.classes)))
        name_rows(axes, rows, self.groups, letters)
        rule_between_ends(axes, len(self.groups), self.of)
        axes.set_xlim(0.0, 1.0)
        what = letters.label(self.classes[0], AXIS) if two else "each class"
        name_axis(axes, f"probability of {what} over contexts", letters)
        legend(axes, letters, [] if two else self._keys(letters), ax)
        return axes

    def interactive(self) -> Figure:
        names, colours = apart(self.groups), colours_of(self.classes)
        shown = range(1) if len(self.classes) == 2 else range(len(self.classes))
        traces = []
        for y in shown:
            called, rows = plain(self.classes[y]), beside(len(names), y, len(shown))
            lines: Figure = {"type": "scatter", "mode": "lines", "legendgroup": called}
            lines |= {"hoverinfo": "skip", "showlegend": False}
            for first, last, width in ((0, 4, 1), (1, 3, 4)):
                ends = zip(self.quantiles[:, y, first], self.quantiles[:, y, last], strict=True)
                traces.append({**lines, **_segments(ends, rows), "line": {"color": colours[y], "width": width}})
            shape = {"line": {"color": colours[y], "width": 0}, "fill": "toself", "opacity": 0.35}
            traces.append({**lines, **self._outlines(y, rows), **shape})
            means = {**dots([Value(float(mean)) for mean in self.means[:, y]], rows), "name": called}
            traces.append({**means, "legendgroup": called, "marker": {"color": colours[y], "size": 7}})
        what = f"probability of {plain(self.classes[0])}" if len(shown) == 1 else "probability"
        figure = in_rows(traces, names, what, legend=len(shown) > 1)
        figure["layout"]["xaxis"]["range"] = [0, 1]
        figure["layout"]["height"] = ROW * 3 // 2 * len(names) + EDGES
        if len(shown) == 1 and np.ptp(self.p_star[:, 0]) == 0:
            fair = float(self.p_star[0, 0])
            line = {"type": "line", "x0": fair, "x1": fair, "yref": "paper", "y0": 0, "y1": 1, "line": {"width": 1}}
            figure["layout"]["shapes"] = [line]
        return figure

    def _shape(self, axes: Any, x: int) -> None:
        """Draw the distribution over contexts as a shape around the middle of row x, and p* as a vertical line."""
        shares, edges = self.shares[x, 0], self.edges
        heights = TALLEST * shares / shares.max()
        colour = colours_of(self.classes)[0 if self.means[x, 0] >= self.p_star[x, 0] else 1]
        middles = (edges[:-1] + edges[1:]) / 2
        axes.fill_between(middles, x - heights, x + heights, step="mid", color=colour, alpha=0.3, linewidth=0)
        axes.plot([self.p_star[x, 0]] * 2, [x - 0.5, x + 0.5], color=GREY, linewidth=0.8)

    def _lines(self, axes: Any, x: int, shown: Sequence[int]) -> None:
        """Draw the mean and the central 50 % and 90 % of each class probability. The classes are below each other."""
        colours = colours_of(self.classes) if len(shown) > 1 else [INK]
        for number, y in enumerate(shown):
            at = _beside(x, len(shown))[number]
            low, quarter, _, three_quarters, high = self.quantiles[x, y]
            axes.plot([low, high], [at, at], color=colours[number], linewidth=0.6)
            axes.plot([quarter, three_quarters], [at, at], color=colours[number], linewidth=1.6, solid_capstyle="butt")
            axes.plot(self.means[x, y], at, "o", color=colours[number], markersize=2.4)

    def _keys(self, letters: Lettering) -> list[Any]:
        from matplotlib.lines import Line2D

        named = zip(colours_of(self.classes), self.classes, strict=True)
        return [Line2D([], [], color=colour, label=key_label(letters, name)) for colour, name in named]

    def _outlines(self, y: int, rows: Sequence[float]) -> Figure:
        """A plotly trace of the distributions over contexts, as shapes above rows. Empty outer bins are left out."""
        xs: list[float | None] = []
        ys: list[float | None] = []
        for x, row in enumerate(rows):
            shares = self.shares[x, y]
            there = np.flatnonzero(shares)
            first, last = int(there[0]), int(there[-1]) + 1
            tops = row - HIGHEST_SHAPE * shares[first:last] / shares.max()
            corners = np.repeat(self.edges[first : last + 1], 2)
            xs += [*np.round(corners, DIGITS).tolist(), None]
            ys += [row, *np.round(np.repeat(tops, 2), DIGITS).tolist(), row, None]
        return {"x": xs, "y": ys}


def distributions(
    result: ResultBase, groups: Sequence[str] | None = None, show: int = 0, *, predictions: Predictions | None = None
) -> Distributions:
    """Return the picture of the named groups, or of ``show`` groups from both ends of their order (0: all).

    A q-quantile is the smallest probability such that contexts with at most this probability have q of the weight.
    ``predictions``, p(y | x, c) of the result, are read from its folder if they are not given.
    """
    of_risk = risk_only(result)
    read = predictions or predictions_of(of_risk)
    if groups is None:
        places = shown_places(of_risk, None, show)
    else:
        places = [_place(name, read.group_names) for name in groups]
    p, weights = read.probabilities[places], read.weights_of_group[places]
    edges = np.linspace(0.0, 1.0, BINS + 1)
    shape = (len(places), len(read.classes))
    quantiles, shares = np.empty((*shape, len(QUANTILES))), np.empty((*shape, BINS))
    for x, y in np.ndindex(shape):
        there = weights[x] > 0
        quantiles[x, y], shares[x, y] = _over_contexts(p[x, there, y], weights[x, there], edges)
    return Distributions(
        model=name_of(of_risk),
        topic=of_risk.topic,
        classes=read.classes,
        groups=tuple(read.group_names[x] for x in places),
        quantiles=quantiles,
        means=mean_over_contexts(p, weights),
        p_star=read.mean_reference[places],
        shares=shares,
        edges=edges,
        contexts=of_risk.number_of_contexts,
        of=len(of_risk.groups),
    )


def _place(name: str, groups: Sequence[str]) -> int:
    if name not in groups:
        raise BvfError(f'the result has no group "{name}"', nearest(name, list(groups)))
    return groups.index(name)


def _over_contexts(p: FloatArray, weights: FloatArray, edges: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The quantiles of probabilities p, and their weight in each bin. The last bin has its upper edge."""
    order, reached = p.argsort(kind="stable"), np.zeros(len(p) + 1)
    p = p[order]
    np.cumsum(weights[order], out=reached[1:])
    quantiles = p[reached[1:].searchsorted(QUANTILES * reached[-1] * (1.0 - 1e-12))]
    before = p.searchsorted(edges)
    before[-1] = len(p)
    below = reached[before]
    return quantiles, below[1:] - below[:-1]


def _beside(x: int, number: int) -> FloatArray:
    """The vertical positions of the classes in row x, from top to bottom."""
    places: FloatArray = x + (np.arange(number) - (number - 1) / 2) * 0.8 / number
    return places


def _segments(ends: Iterable[tuple[float, float]], rows: Sequence[float]) -> Figure:
    x: list[float | None] = []
    y: list[float | None] = []
    for (low, high), row in zip(ends, rows, strict=True):
        x += [round(float(low), DIGITS), round(float(high), DIGITS), None]
        y += [row, row, None]
    return {"x": x, "y": y}
