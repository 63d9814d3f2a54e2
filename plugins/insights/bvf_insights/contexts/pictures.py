"""The picture of R of models by context set, and of distances between sets (Table 4 of the paper)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bvf.drawing import (
    MARKERS_OF_MODELS,
    Axis,
    Beside,
    Dash,
    Dots,
    Mark,
    MarkedPicture,
    Marks,
    RowNames,
    caption_of,
    figure_dots,
    looks,
    shown_name,
    whole_name,
)
from bvf.stats import FloatArray
from bvf.study import RISK
from bvf.tables import counted, listed, symbol
from bvf_insights.contexts.result import ContextComparison, sentences_on_orders

MODELS_NAMED = 8
"""The most models that a caption names."""
PITCH, EDGES = 0.24, 0.6
"""Inches per set, and above and below the rows."""
LINES: tuple[Dash, ...] = ("solid", "dashed", "dotted")
"""Line styles of the first eight models, of the next eight, and so on."""


@dataclass(frozen=True)
class OverContexts(MarkedPicture):
    """The picture of R (of one model also R^b and R^v) over context sets, and of distances between the sets."""

    kind: ClassVar[str] = "contexts"
    title: ClassVar[str] = "R of models over context sets"

    topic: str
    criterion: str
    scale: str
    groups: int
    models: tuple[str, ...]  # M
    sets: tuple[str, ...]  # S
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

    def marks(self) -> Marks:
        """R of each model over the context sets, and distances from the first set. One model also gets R^b and R^v."""
        places, one, marks = range(len(self.sets)), len(self.models) == 1, list[Mark]()
        if one:
            for field, values in self.figures.items():
                wide = {"size": 5.4, "alpha": 0.45} if field == "R" else {}  # R^b lies on it
                marks.append(figure_dots(field, values[:, 0], places, joined=0.6, **wide))
        else:
            of_models = zip(self.models, looks(len(self.models)), self.figures["R"].T, strict=True)
            for m, (name, (colour, marker), values) in enumerate(of_models):
                dash = LINES[m // len(MARKERS_OF_MODELS) % len(LINES)]
                marks.append(Dots(values, places, colour, marker, name, 3.6, joined=0.8, dash=dash))
        marks.append(Beside([(s, f"{distance:.2f}") for s, distance in enumerate(self.distances[0])], "distance"))
        title = f"{'risk' if one else 'R'} ({self.criterion}, {self.scale} scale)"
        return Marks(marks, Axis(title, from_zero=one), RowNames(self.sets, pitch=PITCH, edges=EDGES))


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
        figures={name: np.array([getattr(each, name) for each in compared.sets]).reshape(shape) for name in RISK},
        distances=distances,
        kendall=(min(kendalls), max(kendalls)) if kendalls else None,
        orders=tuple(sentences_on_orders(compared)),
    )
