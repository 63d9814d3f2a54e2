"""The scatter plot of volatility against bias of groups."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from bvf.analyses.risk.result import risk_only
from bvf.analyses.risk.sides import leading, sentence_on_spearman, sides_decide
from bvf.arrays import FloatArray, IntArray
from bvf.drawing.interactive import DIGITS, axis, layout_of, plain
from bvf.drawing.labels import key_label, legend
from bvf.drawing.lettering import lettering
from bvf.drawing.names import whole_name
from bvf.drawing.point_names import name_points
from bvf.drawing.sentences import caption_of
from bvf.drawing.style import FONT, axes_of, colours_of, plain_axes
from bvf.interfaces.picture import Columns, Figure, Picture
from bvf.results.names import name_of
from bvf.results.result import ResultBase
from bvf.stats.comparing.ranks import spearman
from bvf.tables.words import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEIGHTS = {1: 3.0, 2: 4.2}
"""Height in inches of a figure of one and of two columns."""
NAMED = 10
"""The most groups whose names are written: those with extreme values."""


@dataclass(frozen=True)
class Scatter(Picture):
    """The scatter plot of r^v (volatility) against r^b (bias); arrays are in the order of the result's groups."""

    kind: ClassVar[str] = "scatter"
    title: ClassVar[str] = "Volatility against bias of groups"

    model: str
    topic: str
    classes: tuple[str, ...]  # Y
    groups: tuple[str, ...]  # X, in the order of the result
    r_bias: FloatArray  # (X,)
    r_volatility: FloatArray  # (X,)
    leads: IntArray  # index of the class that each group leans to on average, (X,)
    contexts: int
    spearman: float | None = None  # rank correlation of r^v with r^b; None: undefined
    sides_decide: bool = False  # groups are volatile only in so far as they change sides

    def caption(self) -> str:
        return caption_of(
            f"Volatility risk r^v against bias risk r^b of {counted(len(self.groups), 'group')} for "
            f"{whole_name(self.model)}, over {counted(self.contexts, 'context')}.",
            "A dot is a group, its colour the class that it leans to on average.",
            sentence_on_spearman(self.spearman, self.sides_decide),
        )

    def draw(self, ax: "Axes | None" = None, columns: Columns = 1) -> Any:
        """Draw a point per group, r^v (vertical) against r^b (horizontal), a rug along each axis, and some names."""
        axes: Any = axes_of(ax, columns, HEIGHTS.get(columns, HEIGHTS[1]))
        letters = lettering(self.groups, self.classes)
        plain_axes(axes, grid="both")
        colours = colours_of(self.classes)
        for y, name in enumerate(self.classes):
            leading = self.leads == y
            if leading.any():
                bias, volatility = self.r_bias[leading], self.r_volatility[leading]
                axes.scatter(
                    bias, volatility, s=12, color=colours[y], alpha=0.75, linewidths=0, label=key_label(letters, name)
                )
                _strips(axes, bias, volatility, colours[y])
        axes.set_xlabel("bias risk r$^b$", fontsize=FONT)
        axes.set_ylabel("volatility risk r$^v$", fontsize=FONT)
        axes.set_xlim(*_limits(self.r_bias))
        axes.set_ylim(*_limits(self.r_volatility))
        axes.tick_params(pad=5)
        legend(axes, letters, axes.get_legend_handles_labels()[0], ax)
        name_points(axes, (self.r_bias, self.r_volatility), self.groups, self._furthest(), letters)
        return axes

    def interactive(self) -> Figure:
        colours = colours_of(self.classes)
        traces = []
        for y, name in enumerate(self.classes):
            leading = np.flatnonzero(self.leads == y)
            if len(leading):
                traces.append(
                    {
                        "type": "scatter",
                        "mode": "markers",
                        "name": plain(name),
                        "x": np.round(self.r_bias[leading], DIGITS).tolist(),
                        "y": np.round(self.r_volatility[leading], DIGITS).tolist(),
                        "text": [plain(self.groups[place]) for place in leading],
                        "hovertemplate": "%{text}<br>r^b %{x}, r^v %{y}<extra></extra>",
                        "marker": {"color": colours[y], "size": 8, "opacity": 0.8},
                    }
                )
        layout = {**layout_of(380, "r<sup>b</sup>", legend=True), "yaxis": axis("r<sup>v</sup>")}
        return {"data": traces, "layout": layout}

    def _furthest(self) -> list[int]:
        """Indices of groups with extreme values. They are taken in turn: largest r^v, largest r^b, smallest r^b."""
        orders = (np.argsort(-self.r_volatility), np.argsort(-self.r_bias), np.argsort(self.r_bias))
        ways = [place for places in zip(*orders, strict=True) for place in places]
        return list(dict.fromkeys(map(int, ways)))[:NAMED]


def scatter(result: ResultBase) -> Scatter:
    """Return the scatter plot of a risk result."""
    of_risk = risk_only(result)
    groups = of_risk.groups
    r_bias, r_volatility = (np.array([getattr(group, name) for group in groups]) for name in ("r_bias", "r_volatility"))
    return Scatter(
        model=name_of(of_risk),
        topic=of_risk.topic,
        classes=tuple(groups[0].mean_probabilities),
        groups=tuple(group.group for group in groups),
        r_bias=r_bias,
        r_volatility=r_volatility,
        leads=np.array([leading(group) for group in groups], dtype=np.intp),
        contexts=of_risk.number_of_contexts,
        spearman=spearman(r_bias, r_volatility),
        sides_decide=sides_decide(of_risk),
    )


def _strips(axes: Any, bias: FloatArray, volatility: FloatArray, colour: str) -> None:
    """Draw a rug along each axis, with one stroke per group."""
    beside_x, beside_y = axes.get_xaxis_transform(), axes.get_yaxis_transform()
    style: dict[str, Any] = dict(linestyle="", color=colour, markersize=3, markeredgewidth=0.5, clip_on=False)
    axes.plot(bias, np.full(len(bias), -0.02), marker="|", transform=beside_x, **style)
    axes.plot(np.full(len(volatility), -0.02), volatility, marker="_", transform=beside_y, **style)


def _limits(figures: Any) -> tuple[float, float]:
    most = float(figures.max()) or 1e-3
    return min(0.0, float(figures.min())) - 0.04 * most, 1.08 * most
