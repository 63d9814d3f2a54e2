"""The picture of R of models by context set, and of distances between sets (Table 4 of the paper)."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from bvf.arrays import FloatArray
from bvf.drawing.interactive import SYMBOLS_OF_MODELS, apart, dots, in_rows, look_of
from bvf.drawing.labels import key_label, legend, name_axis, name_rows
from bvf.drawing.lettering import lettering
from bvf.drawing.model_rows import FIGURES
from bvf.drawing.names import shown_name, whole_name
from bvf.drawing.sentences import caption_of
from bvf.drawing.style import FONT, GREY, MARKERS, MARKERS_OF_MODELS, OF_FIGURES, SEVERAL, axes_of, plain_axes, rows_of
from bvf.drawing.values import Value
from bvf.interfaces.picture import Columns, Figure, Picture
from bvf.study.averages import RISK
from bvf.tables.symbols import drawn_symbol, listed, symbol
from bvf.tables.words import counted
from bvf_insights.contexts.result import ContextComparison
from bvf_insights.contexts.tables import sentences_on_orders

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MODELS_NAMED = 8
"""The most models that a caption names."""
PITCH, EDGES = 0.24, 0.6
"""Inches per set, and above and below the rows."""
LINES = ("-", "--", ":")
"""Line styles of the first eight models, of the next eight, and so on."""


@dataclass(frozen=True)
class OverContexts(Picture):
    """The picture of R (of one model also R^b and R^v) over context sets, and of distances between the sets."""

    kind: ClassVar[str] = "contexts"
    title: ClassVar[str] = "R of models over context sets"

    topic: str
    criterion: str
    scale: str
    groups: int
    models: tuple[str, ...]  # M
    sets: tuple[str, ...]  # S
    templates: tuple[int, ...]  # of each set
    figures: dict[str, FloatArray]  # R, R^b and R^v by field, (S, M) each
    distances: FloatArray  # total variation of every two sets, (S, S)
    kendall: tuple[float, float] | None  # smallest and largest between two sets; None: undefined
    orders: tuple[str, ...]  # sentences about the order of models

    def caption(self) -> str:
        several, apart = len(self.models) > 1, self.distances[np.triu_indices(len(self.sets), 1)]
        who = counted(len(self.models), "model") if several else whole_name(self.models[0])
        values = zip(self.models, self.figures["R"].T, strict=True)
        R = [f"{whole_name(name)} {of_model.min():.3f} to {of_model.max():.3f}" for name, of_model in values]
        sentences = [
            f"{symbol(RISK[0]) if several else listed(*RISK)} of {who} over "
            f"{counted(len(self.sets), 'context set')} of {shown_name(self.topic)}, {counted(self.groups, 'group')}.",
            f"R: {', '.join(R[:MODELS_NAMED])}.",
            "Beside each set stands its distance from the first: 0 the same, 1 no template in common; any two are "
            f"{apart.min():.2f} to {apart.max():.2f} apart.",
        ]
        if self.kendall is not None:
            low, high = self.kendall
            sentences.append(f"Kendall's correlation of r of groups between two sets is {low:+.2f} to {high:+.2f}.")
        return caption_of(*sentences, *(f"{each[0].upper()}{each[1:]}." for each in self.orders))

    def draw(self, ax: "Axes | None" = None, columns: Columns = 1) -> Any:
        """Draw R of each model over the context sets, and distances from the first set.

        A single model also gets R^b and R^v.
        """
        rows = rows_of(len(self.sets), ax, PITCH, edges=EDGES)
        axes: Any = axes_of(ax, columns, rows.height)
        letters = lettering(self.sets, self.models, [self.criterion])
        plain_axes(axes)
        places = range(len(self.sets))
        if len(self.models) == 1:
            for figure, values in self.figures.items():
                look: dict[str, Any] = {"color": OF_FIGURES[figure], "marker": MARKERS[figure]}
                look |= {"markersize": 5.4, "alpha": 0.45} if figure == "R" else {"markersize": 3.4}  # R^b lies on it
                look["label"] = drawn_symbol(figure)
                axes.plot(values[:, 0], places, linewidth=0.6, clip_on=False, **look)
            axes.set_xlim(left=min(0.0, axes.get_xlim()[0]))
        else:
            for m, name in enumerate(self.models):
                again, mark = divmod(m, len(MARKERS_OF_MODELS))
                style: dict[str, Any] = {"marker": MARKERS_OF_MODELS[mark], "linestyle": LINES[again % len(LINES)]}
                style |= {"color": SEVERAL[m % len(SEVERAL)], "label": key_label(letters, name)}
                axes.plot(self.figures["R"][:, m], places, markersize=3.6, linewidth=0.8, clip_on=False, **style)
        name_rows(axes, rows, self.sets, letters)
        beside = {"transform": axes.get_yaxis_transform(), "va": "center", "fontsize": rows.font}
        for place in rows.places:
            axes.text(1.02, place, f"{self.distances[0, place]:.2f}", **beside)
        axes.text(1.02, -0.72, "distance", **{**beside, "fontsize": FONT}, color=GREY)
        what = "risk" if len(self.models) == 1 else "R"
        name_axis(axes, letters.label(f"{what} ({self.criterion}, {self.scale} scale)"), letters)
        legend(axes, letters, axes.get_legend_handles_labels()[0], ax)
        return axes

    def interactive(self) -> Figure:
        places = list(range(len(self.sets)))
        distances = self.distances[0].tolist()
        named = [f"{name} ({distance:.2f})" for name, distance in zip(apart(self.sets), distances, strict=True)]
        traces = []
        if len(self.models) == 1:
            looks = [(look_of(field), values[:, 0]) for field, values in self.figures.items()]
        else:
            looks = []
            for m, (name, values) in enumerate(zip(apart(self.models), self.figures["R"].T, strict=True)):
                colour, mark = SEVERAL[m % len(SEVERAL)], SYMBOLS_OF_MODELS[m % len(SYMBOLS_OF_MODELS)]
                looks.append(({"name": name, "marker": {"color": colour, "size": 9, "symbol": mark}}, values))
        for look, values in looks:
            line = {"mode": "lines+markers", "line": {"color": look["marker"]["color"], "width": 1}}
            traces.append({**dots([Value(float(value)) for value in values], places), **look, **line})
        return in_rows(traces, named, "risk" if len(self.models) == 1 else "R", legend=True)


def over_contexts(compared: ContextComparison) -> OverContexts:
    """Return the picture of a comparison over context sets."""
    sets, models = compared.contexts, compared.models
    place = {name: s for s, name in enumerate(sets)}
    distances = np.zeros((len(sets), len(sets)))
    for pair in compared.pairs:
        i, j = place[pair.first], place[pair.second]
        distances[i, j] = distances[j, i] = pair.total_variation
    kendalls = [pair.kendall for pair in compared.pairs if pair.kendall is not None]
    shape = (len(sets), len(models))
    return OverContexts(
        topic=compared.topic,
        criterion=compared.criterion,
        scale=compared.scale,
        groups=compared.groups,
        models=models,
        sets=sets,
        templates=tuple(each.templates for each in compared.sets[:: len(models)]),
        figures={name: np.array([getattr(each, name) for each in compared.sets]).reshape(shape) for name in FIGURES},
        distances=distances,
        kendall=(min(kendalls), max(kendalls)) if kendalls else None,
        orders=tuple(sentences_on_orders(compared)),
    )
