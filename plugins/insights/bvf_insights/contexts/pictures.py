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

    compared: ContextComparison

    def figure(self, field: str) -> FloatArray:
        """Return a figure of each model (M) in each set (S), shape (S, M)."""
        values = np.array([getattr(each, field) for each in self.compared.sets])
        return values.reshape(-1, len(self.compared.models))

    def caption(self) -> str:
        compared, models = self.compared, self.compared.models
        apart = [pair.total_variation for pair in compared.pairs]
        several = len(models) > 1
        who = counted(len(models), "model") if several else whole_name(models[0])
        values = zip(models, self.figure("R").T, strict=True)
        R = [f"{whole_name(name)} {of_model.min():.3f} to {of_model.max():.3f}" for name, of_model in values]
        sentences = [
            f"{symbol(RISK[0]) if several else listed(*RISK)} of {who} over "
            f"{counted(len(compared.contexts), 'context set')} of {shown_name(compared.topic)}, "
            f"{counted(compared.groups, 'group')}.",
            f"R: {', '.join(R[:MODELS_NAMED])}.",
            "Beside each set stands its distance from the first: 0 the same, 1 no template in common; any two are "
            f"{min(apart):.2f} to {max(apart):.2f} apart.",
        ]
        kendalls = [pair.kendall for pair in compared.pairs if pair.kendall is not None]
        if kendalls:
            low, high = min(kendalls), max(kendalls)
            sentences.append(f"Kendall's correlation of r of groups between two sets is {low:+.2f} to {high:+.2f}.")
        orders = (f"{each[0].upper()}{each[1:]}." for each in sentences_on_orders(compared))
        return caption_of(*sentences, *orders)

    def marks(self) -> Marks:
        """R of each model over the context sets, and distances from the first set. One model also gets R^b and R^v."""
        compared, sets, marks = self.compared, self.compared.contexts, list[Mark]()
        places, one = range(len(sets)), len(compared.models) == 1
        if one:
            for field in RISK:
                wide = {"size": 5.4, "alpha": 0.45} if field == "R" else {}  # R^b lies on it
                marks.append(figure_dots(field, self.figure(field)[:, 0], places, joined=0.6, **wide))
        else:
            of_models = zip(compared.models, looks(len(compared.models)), self.figure("R").T, strict=True)
            for m, (name, (colour, marker), values) in enumerate(of_models):
                dash = LINES[m // len(MARKERS_OF_MODELS) % len(LINES)]
                marks.append(Dots(values, places, colour, marker, name, 3.6, joined=0.8, dash=dash))
        apart = {pair.second: pair.total_variation for pair in compared.pairs if pair.first == sets[0]}
        marks.append(Beside([(s, f"{apart.get(name, 0.0):.2f}") for s, name in enumerate(sets)], "distance"))
        title = f"{'risk' if one else 'R'} ({compared.criterion}, {compared.scale} scale)"
        return Marks(marks, Axis(title, from_zero=one), RowNames(sets, pitch=PITCH, edges=EDGES))
