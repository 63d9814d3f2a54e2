"""The picture of the densities over groups of r^b (bias) and r^v (volatility), by model (Figures 10 and 16)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from bvf.analyses.risk.result import risk_only
from bvf.arrays import FloatArray
from bvf.drawing.interactive import DIGITS, apart, exponent, in_rows, plain
from bvf.drawing.labels import legend, name_axis, name_rows
from bvf.drawing.lettering import lettering
from bvf.drawing.names import shown_name, whole_name
from bvf.drawing.sentences import caption_of
from bvf.drawing.style import GREY, INK, OF_FIGURES, axes_of, plain_axes, rows_of
from bvf.interfaces.picture import Columns, Figure, Picture
from bvf.results.compatible import refuse_mixed
from bvf.results.names import names_of
from bvf.results.result import ResultBase
from bvf.tables.symbols import drawn_symbol, symbol
from bvf.tables.words import counted
from bvf_report.pictures.density import density, mean_and_deviation, normal

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FIGURES = {"r_bias": OF_FIGURES["R_bias"], "r_volatility": OF_FIGURES["R_volatility"]}
"""The figures of groups, and their colours: those of the figures of models."""
PITCH, EDGES = 0.7, 0.5
"""Inches per model, and outside the rows."""
HIGH, STROKE = 0.38, 0.05
"""Height of a shape and of the strokes below it, in rows."""
DASHED = (0, (4, 2))
BEYOND = 1.08
"""The axis ends at the largest risk times this."""
PIXELS = 90
"""Height of a model in a browser."""


@dataclass(frozen=True)
class Spread:
    """The values of one figure (r^b or r^v) for the groups of a model, and the weights of these groups."""

    groups: tuple[str, ...]  # X
    values: FloatArray  # (X,)
    weights: FloatArray  # P(x), (X,)

    @property
    def mean_and_deviation(self) -> tuple[float, float]:
        """The mean and the standard deviation over groups, weighted by P(X)."""
        return mean_and_deviation(self.values, self.weights)


@dataclass(frozen=True)
class Densities(Picture):
    """The picture of densities over groups of r^b (bias) and r^v (volatility), for each of several models."""

    kind: ClassVar[str] = "density"
    title: ClassVar[str] = "How risks of groups are spread"

    topic: str
    criterion: str
    scale: str
    models: tuple[tuple[str, dict[str, Spread]], ...]  # name, and its figures by field

    def caption(self) -> str:
        numbers = sorted({len(each.values) for _, spreads in self.models for each in spreads.values()})
        groups = " to ".join(str(number) for number in dict.fromkeys((numbers[0], numbers[-1])))
        bias, volatility = map(symbol, FIGURES)
        return caption_of(
            f"Bias risk {bias} and volatility risk {volatility} of {groups} groups of {shown_name(self.topic)}, by the "
            f"criterion {self.criterion} on the {self.scale} scale, for {counted(len(self.models), 'model')}.",
            "A stroke is a group; a shape is their density by weight, each as high as its row. "
            f"Dashed: the normal distribution with the mean and the standard deviation of {bias}, as the paper has it.",
            *(f"{whole_name(name)}: {', '.join(self._numbers(spreads))}." for name, spreads in self.models),
        )

    def draw(self, ax: "Axes | None" = None, columns: Columns = 1) -> Any:
        """Draw a row per model: the density of r^b above that of r^v, and a stroke below them for each group."""
        rows = rows_of(len(self.models), ax, PITCH, EDGES)
        axes: Any = axes_of(ax, columns, rows.height)
        names = [name for name, _ in self.models]
        letters = lettering(names, [self.criterion])
        plain_axes(axes)
        for spread, field, foot in self._shapes():
            colour = FIGURES[field]
            axes.plot([0.0, self._most], [foot, foot], color=GREY, linewidth=0.4)
            axes.vlines(spread.values, foot, foot + STROKE, color=colour, linewidth=0.5, alpha=0.7)
            shape = density(spread.values, spread.weights)
            if shape is not None:
                at, scale = shape[0], HIGH / shape[1].max()
                axes.fill_between(at, foot - scale * shape[1], foot, color=colour, alpha=0.35, linewidth=0)
                axes.plot(at, foot - scale * shape[1], color=colour, linewidth=0.8)
                if field == "r_bias":
                    curve = normal(at, *spread.mean_and_deviation)
                    axes.plot(at, foot - scale * curve, color=INK, linewidth=0.7, linestyle=DASHED)
        name_rows(axes, rows, names, letters)
        axes.set_xlim(0.0, self._most)
        name_axis(axes, letters.label(f"risk of a group ({self.criterion}, {self.scale} scale)"), letters)
        legend(axes, letters, self._keys(), ax)
        return axes

    def interactive(self) -> Figure:
        traces: list[Figure] = []
        for spread, field, foot in self._shapes():
            look = {"type": "scatter", "name": exponent(symbol(field)), "legendgroup": field}
            shape, colour = density(spread.values, spread.weights), FIGURES[field]
            if shape is not None:
                at, tops = shape[0], foot - HIGH * shape[1] / shape[1].max()
                x, y = np.r_[at[0], at, at[-1]], np.r_[foot, tops, foot]
                closed = {"x": np.round(x, DIGITS).tolist(), "y": np.round(y, DIGITS).tolist(), "fill": "toself"}
                line = {"mode": "lines", "line": {"color": colour, "width": 1}}
                traces.append({**look, **closed, **line, "hoverinfo": "skip", "showlegend": False})
            traces.append(
                {
                    **look,
                    "mode": "markers",
                    "x": np.round(spread.values, DIGITS).tolist(),
                    "y": [round(foot + STROKE, DIGITS)] * len(spread.values),
                    "text": [plain(group) for group in spread.groups],
                    "hovertemplate": "%{text}: %{x}<extra></extra>",
                    "marker": {"color": colour, "symbol": "line-ns-open", "size": 6},
                    "showlegend": spread is self.models[0][1][field],
                }
            )
        figure = in_rows(traces, apart([name for name, _ in self.models]), "risk of a group", legend=True)
        figure["layout"]["height"] += PIXELS * len(self.models)
        return figure

    @property
    def _most(self) -> float:
        most = max(float(each.values.max()) for _, spreads in self.models for each in spreads.values())
        return BEYOND * (most or 1.0)

    def _shapes(self) -> Iterator[tuple[Spread, str, float]]:
        """Yield the figure, its field name and the vertical position of each density."""
        for place, (_, spreads) in enumerate(self.models):
            for number, field in enumerate(FIGURES):
                yield spreads[field], field, place - 0.05 + number * (HIGH + 2 * STROKE)

    def _keys(self) -> list[Any]:
        from matplotlib.lines import Line2D
        from matplotlib.patches import Patch

        shapes = [Patch(color=colour, alpha=0.5, label=drawn_symbol(field)) for field, colour in FIGURES.items()]
        return [*shapes, Line2D([], [], color=INK, linewidth=0.7, linestyle=DASHED, label="normal")]

    @staticmethod
    def _numbers(spreads: dict[str, Spread]) -> Iterator[str]:
        for field, spread in spreads.items():
            mean, deviation = spread.mean_and_deviation
            yield f"{symbol(field)} {mean:.3f} (standard deviation {deviation:.3f})"


def densities(results: Sequence[ResultBase]) -> Densities:
    """Return the picture of risk results of one topic, criterion and scale.

    Raises:
        BvfError: The results differ in the questions (such as the topic), or in the criterion or scale.
    """
    of_risk = [risk_only(result) for result in results]
    refuse_mixed(of_risk, "draw them one by one")
    return Densities(
        topic=of_risk[0].topic,
        criterion=of_risk[0].criterion,
        scale=of_risk[0].scale,
        models=tuple(
            (
                name,
                {
                    field: Spread(
                        tuple(group.group for group in each.groups),
                        np.array([getattr(group, field) for group in each.groups]),
                        np.array([group.weight for group in each.groups]),
                    )
                    for field in FIGURES
                },
            )
            for name, each in zip(names_of(of_risk), of_risk, strict=True)
        ),
    )
