"""The picture of R by model and topic, and of rank correlations between topics."""

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from bvf.analyses.compare.result import Comparison
from bvf.arrays import FloatArray
from bvf.drawing.interactive import BLUES, DIGITS, apart, in_rows, numbers
from bvf.drawing.labels import colour_bar, name_rows, text_style
from bvf.drawing.lettering import lettering
from bvf.drawing.names import shown_name, whole_name
from bvf.drawing.sentences import caption_of
from bvf.drawing.style import INK, NUMBERED, SEQUENTIAL, SMALL, axes_of, plain_axes, rows_of
from bvf.interfaces.picture import Columns, Figure, Picture
from bvf.tables.words import between, counted, equal_to_p

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CORRELATIONS = 3
"""The most correlations between topics in a caption; the tables of the comparison show all."""
BELOW = 1.0
"""Inches below the cells for slanted names of topics."""


@dataclass(frozen=True)
class TopicMatrix(Picture):
    """The picture of R by model and topic, and of rank correlations between topics."""

    kind: ClassVar[str] = ""
    title: ClassVar[str] = "R of models by topics"

    models: tuple[str, ...]  # M
    topics: tuple[str, ...]  # T
    R: FloatArray  # (M, T); NaN where a model was not asked a topic
    low: FloatArray  # (M, T); NaN where there is no interval
    high: FloatArray  # (M, T)
    correlations: FloatArray  # Spearman's, (T, T); NaN for fewer than three models
    p_values: FloatArray  # of permutation tests, (T, T)

    def caption(self) -> str:
        sentences = [
            f"R of {counted(len(self.models), 'model')} in {counted(len(self.topics), 'topic')}: the darker the higher."
        ]
        for t, topic in enumerate(self.topics):
            m = int(np.nanargmax(self.R[:, t]))
            sentences.append(f"Highest in {shown_name(topic)}: {whole_name(self.models[m])} {self.R[m, t]:.3f}.")
        pairs = combinations(range(len(self.topics)), 2)
        known = [(i, j) for i, j in pairs if np.isfinite(self.correlations[i, j])]
        sentences += [
            f"Spearman's correlation of {shown_name(self.topics[i])} and {shown_name(self.topics[j])} over models is "
            f"{self.correlations[i, j]:+.2f} ({equal_to_p(self.p_values[i, j])})."
            for i, j in known[:CORRELATIONS]
        ]
        return caption_of(
            *sentences, "" if known else "Too few models to say whether topics put them in the same order."
        )

    def draw(self, ax: "Axes | None" = None, columns: Columns = 1) -> Any:
        """Draw a matrix of R by model and topic. A cell is white if the model was not measured on the topic."""
        rows = rows_of(len(self.models), ax, pitch=0.2, edges=BELOW + 0.2)
        axes: Any = axes_of(ax, columns, rows.height)
        letters = lettering(self.models, self.topics)
        plain_axes(axes, grid="")
        most = float(np.nanmax(self.R)) or 1.0
        image = axes.imshow(self.R, cmap=SEQUENTIAL, aspect="auto", vmin=0, vmax=most)
        if max(self.R.shape) <= NUMBERED:
            for (m, t), R in np.ndenumerate(self.R):
                if np.isfinite(R):
                    colour = "white" if 0.6 * most < R else INK
                    axes.text(t, m, f"{R:.3f}", ha="center", va="center", fontsize=SMALL, color=colour)
        axes.set_xticks(
            range(len(self.topics)), [letters.label(name, BELOW) for name in self.topics], rotation=30, ha="right",
            rotation_mode="anchor", **text_style(letters),
        )  # fmt: skip
        name_rows(axes, rows, self.models, letters)
        axes.set_ylim(len(self.models) - 0.5, -0.5)
        colour_bar(axes, image, "R")
        return axes

    def interactive(self) -> Figure:
        intervals = [
            ["" if np.isnan(low) else f" ({between(low, high, 3)})" for low, high in zip(*ends, strict=True)]
            for ends in zip(self.low, self.high, strict=True)
        ]
        cells = {
            "type": "heatmap",
            "z": numbers(self.R),
            "zmin": 0,
            "zmax": round(float(np.nanmax(self.R)), DIGITS) or 1,
            "colorscale": BLUES,
            "colorbar": {"title": {"text": "R"}, "thickness": 10},
            "customdata": intervals,
            "hovertemplate": "R %{z}%{customdata}<extra></extra>",
            "xgap": 1,
            "ygap": 1,
            **({"texttemplate": "%{z:.3f}"} if max(self.R.shape) <= NUMBERED else {}),
        }
        figure = in_rows([cells], apart(self.models), "topic")
        names = {"tickmode": "array", "tickvals": list(range(len(self.topics))), "ticktext": apart(self.topics)}
        figure["layout"]["xaxis"] |= {**names, "showgrid": False, "zeroline": False}
        figure["layout"]["yaxis"] |= {"showgrid": False}
        return figure


def topic_matrix(compared: Comparison) -> TopicMatrix:
    """Return the picture of a comparison that has several topics."""
    models = tuple(dict.fromkeys(model.name for topic in compared.topics for model in topic.models))
    topics = tuple(topic.topic for topic in compared.topics)
    R, low, high = np.full((3, len(models), len(topics)), np.nan)
    for t, topic in enumerate(compared.topics):
        for model in topic.models:
            m, interval = models.index(model.name), model.intervals.get(next(iter(model.figures)))
            R[m, t] = model.first_figure
            if interval is not None:
                low[m, t], high[m, t] = interval.low, interval.high
    correlations, p_values = np.full((2, len(topics), len(topics)), np.nan)
    for each in compared.correlations:
        i, j = topics.index(each.first), topics.index(each.second)
        if each.correlation is not None:
            correlations[i, j] = correlations[j, i] = each.correlation
            p_values[i, j] = p_values[j, i] = each.p_value
    return TopicMatrix(models, topics, R, low, high, correlations, p_values)
