"""The picture of J over probabilities, and of r, r^b (bias), r^v (volatility) of a group (Figure 4, PVF paper)."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from bvf.analyses.risk.result import risk_only
from bvf.arrays import FloatArray
from bvf.drawing.interactive import DIGITS, axis, layout_of, plain
from bvf.drawing.labels import legend, text_style
from bvf.drawing.lettering import lettering
from bvf.drawing.names import shown_name, whole_name
from bvf.drawing.sentences import caption_of
from bvf.drawing.style import FONT, GREY, INK, OF_FIGURES, axes_of, plain_axes
from bvf.errors import BvfError, nearest
from bvf.hooks.loader import Plugins, load
from bvf.interfaces.picture import Columns, Figure, Picture
from bvf.results.restore import predictions_of, risk_criterion_of
from bvf.results.result import ResultBase
from bvf.stats.figures.risk import criterion_for
from bvf.tables.symbols import drawn_symbol, symbol
from bvf.tables.words import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PLACES = 201
"""Number of probabilities at which J is computed."""
HEIGHTS = {1: 2.7, 2: 3.6}
"""Height in inches of a figure of one and of two columns."""
AXIS = 1.6
"""Largest width in inches of a class name in the title of the axis."""
PIXELS = 400
DOTTED = (0, (2, 2))
LARGEST = 60.0
"""Area in square points of the dot of the heaviest context."""


@dataclass(frozen=True)
class Curve(Picture):
    """The picture of J over the probability of the first of two classes, with a point per context for one group."""

    kind: ClassVar[str] = "curve"
    title: ClassVar[str] = "From probabilities to r, r^b and r^v"

    model: str
    criterion: str
    scale: str
    classes: tuple[str, ...]  # two
    group: str
    contexts: tuple[str, ...]  # C
    p: FloatArray  # probability of the first class in each context, (C,)
    risks: FloatArray  # J in each context, (C,)
    weights: FloatArray  # P(c), (C,)
    p_star: float  # of the first class
    at: FloatArray  # probabilities from 0 to 1, (201,)
    J: FloatArray  # J there, (201,)
    r: float
    r_bias: float
    r_volatility: float

    @property
    def mean(self) -> float:
        """E_c[p], the mean probability of the first class."""
        return float(self.weights @ self.p)

    def caption(self) -> str:
        r, bias, volatility = map(symbol, ("r", "r_bias", "r_volatility"))
        return caption_of(
            f"The criterion {self.criterion} ({self.scale} scale) over the probability of "
            f"{shown_name(self.classes[0])}, and {shown_name(self.group)} on it, for {whole_name(self.model)}.",
            f"A dot is one of {counted(len(self.p), 'context')}, as large as its weight.",
            f"{bias} {self.r_bias:.3f} is the risk of the mean probability, {r} {self.r:.3f} the mean of the risks, "
            f"{volatility} {self.r_volatility:.3f} the distance between them. Dotted: the unbiased model.",
        )

    def draw(self, ax: "Axes | None" = None, columns: Columns = 1) -> Any:
        """Draw the curve of J, a point on it per context, and r^b (on the curve) and r above the mean probability."""
        axes: Any = axes_of(ax, columns, HEIGHTS.get(columns, HEIGHTS[1]))
        letters = lettering([self.group], self.classes, [self.criterion])
        plain_axes(axes, grid="both")
        axes.axvline(self.p_star, color=GREY, linewidth=0.8, linestyle=DOTTED)
        axes.plot(self.at, self.J, color=GREY, linewidth=1.0)
        areas = LARGEST * self.weights / self.weights.max()
        axes.scatter(self.p, self.risks, s=areas, color=INK, alpha=0.25, linewidths=0, clip_on=False)
        mean = self.mean
        axes.plot([mean, mean], [self.r_bias, self.r], color=OF_FIGURES["R_volatility"], linewidth=2.0)
        axes.plot(mean, self.r_bias, "D", color=OF_FIGURES["R_bias"], markersize=4.5, clip_on=False)
        axes.plot(mean, self.r, "o", color=OF_FIGURES["R"], markersize=4.5, clip_on=False)
        axes.set_xlim(0.0, 1.0)
        axes.set_ylim(bottom=0.0)
        name = letters.label(self.classes[0], AXIS)
        axes.set_xlabel(f"probability of {name} for {letters.label(self.group, AXIS)}", **text_style(letters))
        axes.set_ylabel(letters.label(f"J ({self.criterion}, {self.scale} scale)"), fontsize=FONT)
        legend(axes, letters, self._keys(), ax)
        return axes

    def interactive(self) -> Figure:
        dot = {"type": "scatter", "mode": "markers", "showlegend": True}
        sizes = np.sqrt(self.weights / self.weights.max()) * 14
        x, mean = np.round(self.p, DIGITS).tolist(), round(self.mean, DIGITS)
        r, bias = round(self.r, DIGITS), round(self.r_bias, DIGITS)
        traces: list[Figure] = [
            {"type": "scatter", "mode": "lines", "name": "J", "x": self.at.tolist(),
             "y": np.round(self.J, DIGITS).tolist(), "line": {"color": GREY, "width": 1}},
            {**dot, "name": "contexts", "x": x, "y": np.round(self.risks, DIGITS).tolist(),
             "text": [plain(each) for each in self.contexts], "hovertemplate": "%{text}<br>%{x}: %{y}<extra></extra>",
             "marker": {"color": GREY, "size": sizes.tolist(), "opacity": 0.4}},
            {"type": "scatter", "mode": "lines", "name": "r<sup>v</sup>", "x": [mean, mean], "y": [bias, r],
             "line": {"color": OF_FIGURES["R_volatility"], "width": 3}},
            {**dot, "name": "r<sup>b</sup>", "x": [mean], "y": [bias],
             "marker": {"color": OF_FIGURES["R_bias"], "size": 10, "symbol": "diamond"}},
            {**dot, "name": "r", "x": [mean], "y": [r], "marker": {"color": OF_FIGURES["R"], "size": 10}},
        ]  # fmt: skip
        of = f"probability of {plain(self.classes[0])} for {plain(self.group)}"
        layout = {**layout_of(PIXELS, of, legend=True), "yaxis": {**axis("J"), "rangemode": "tozero"}}
        fair = {"type": "line", "x0": self.p_star, "x1": self.p_star, "yref": "paper", "y0": 0, "y1": 1}
        return {"data": traces, "layout": {**layout, "shapes": [{**fair, "line": {"width": 1}}]}}

    def _keys(self) -> list[Any]:
        from matplotlib.lines import Line2D

        dot: dict[str, Any] = dict(linestyle="", markersize=4.5)
        called = [f"{drawn_symbol(field)} {getattr(self, field):.3f}" for field in ("r", "r_bias", "r_volatility")]
        return [
            Line2D([], [], marker="o", color=OF_FIGURES["R"], label=called[0], **dot),
            Line2D([], [], marker="D", color=OF_FIGURES["R_bias"], label=called[1], **dot),
            Line2D([], [], color=OF_FIGURES["R_volatility"], linewidth=2.0, label=called[2]),
            Line2D([], [], color=GREY, linewidth=0.8, linestyle=DOTTED, label="p*"),
        ]


def curve(result: ResultBase, group: str = "", *, plugins: Plugins | None = None) -> Curve:
    """Return the picture of a group of a risk result of two classes, by default of the most volatile (largest r^v).

    Raises:
        BvfError: There are more classes than two, p* changes with the context, or there is no such group.
    """
    of_risk = risk_only(result)
    classes = tuple(of_risk.groups[0].mean_probabilities)
    where = str(of_risk.folder or of_risk.model)
    if len(classes) > 2:
        raise BvfError(f"{where}: {len(classes)} classes, and J is a curve for two", "draw a topic of two classes")
    if of_risk.reference_in_contexts:
        raise BvfError(f"{where}: p* changes with the context, and so does the curve", "choose another --reference")
    names = [each.group for each in of_risk.groups]
    if group and group not in names:
        raise BvfError(f'the result has no group "{group}"', nearest(group, names))
    x = names.index(group) if group else int(np.argmax([each.r_volatility for each in of_risk.groups]))
    read = predictions_of(of_risk)
    there = read.weights_of_group[x] > 0
    p_star, s = read.reference[x : x + 1], read.stereotypes[x : x + 1, there]
    weights = read.weights_of_group[x, there]
    judged = criterion_for(risk_criterion_of(of_risk, classes, plugins or load()), p_star)
    J = judged.towards((weights @ s[0])[np.newaxis, np.newaxis])
    at = np.linspace(0.0, 1.0, PLACES)
    each = of_risk.groups[x]
    return Curve(
        model=of_risk.model,
        criterion=of_risk.criterion,
        scale=of_risk.scale,
        classes=classes,
        group=each.group,
        contexts=tuple(np.array(read.contexts, dtype=object)[there]),
        p=read.probabilities[x, there, 0],
        risks=J(s)[0] / of_risk.divisor,
        weights=weights,
        p_star=float(p_star[0, 0, 0]),
        at=at,
        J=J(np.stack([at, 1.0 - at], axis=1)[np.newaxis] / p_star - 1.0)[0] / of_risk.divisor,
        r=each.r,
        r_bias=each.r_bias,
        r_volatility=each.r_volatility,
    )
