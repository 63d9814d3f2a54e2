"""Properties of contexts, columns of the context file, and what they do to the figures of a result."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bvf.analyses.explain.placebo import origins_of
from bvf.analyses.explain.result import ContextProperty, PropertyLevel
from bvf.arrays import FloatArray
from bvf.domain.placebo import ORIGIN, PLACEBO
from bvf.stats.adjusting import benjamini_yekutieli
from bvf.stats.levels import contrast, deviation_between
from bvf.study.predictions import Predictions

AMOUNTS = {"documents"}
"""Columns of mined sets that are counts and no property of a context."""
FEWEST_CONTEXTS = 5
"""The fewest different contexts that a level, and the rest, must have to be compared."""


@dataclass(frozen=True)
class Properties:
    """Contexts in which every group has an answer, and what is known of them."""

    predictions: Predictions
    group_weights: FloatArray  # P(X), (X,)
    risks: FloatArray  # J(s), (X, C)
    level: float  # of the intervals

    def spreads(self) -> tuple[ContextProperty, ...]:
        """Return how far apart the means of the levels are, per property and figure."""
        return tuple(
            ContextProperty(
                property=name,
                figure=figure,
                levels=len(set(levels)),
                deviation=deviation_between(values, levels, self.predictions.context_weights),
            )
            for name, levels in self._levels.items()
            for figure, values in self._figures.items()
        )

    def contrasts(self) -> tuple[PropertyLevel, ...]:
        """Return each level compared with the rest, per figure; the most certain difference first."""
        rows = [
            self._contrast(name, level, figure)
            for name, levels in self._levels.items()
            for level, contexts in zip(*np.unique(levels, return_counts=True), strict=True)
            if level and min(contexts, len(levels) - contexts) >= FEWEST_CONTEXTS
            for figure in self._figures
        ]
        if not rows:
            return ()
        adjusted = benjamini_yekutieli(np.array([p for _, p in rows])).tolist()
        decided = [_decided(row, p, self.level) for (row, _), p in zip(rows, adjusted, strict=True)]
        return tuple(sorted(decided, key=lambda row: (row.adjusted_p, -abs(row.difference))))

    @cached_property
    def _levels(self) -> dict[str, list[str]]:
        """The level of every context, for properties that have several; empty where a context has none."""
        rows = self.predictions.properties
        names = dict.fromkeys(name for row in rows for name in row if name not in AMOUNTS)
        if origins_of(self.predictions) is not None:
            names = {name: None for name in names if name not in (ORIGIN, PLACEBO)}
        levels = {name: [row.get(name, "") for row in rows] for name in names}
        return {name: of_contexts for name, of_contexts in levels.items() if len(set(of_contexts)) > 1}

    @cached_property
    def _figures(self) -> dict[str, FloatArray]:
        """Means over groups in each context, shape (C,) each: R, and the lean towards each class.

        For two classes the first is enough: the lean towards the other is the same times -1.
        """
        classes = self.predictions.classes if len(self.predictions.classes) > 2 else self.predictions.classes[:1]
        leans = {name: self.group_weights @ self.predictions.lean[..., y] for y, name in enumerate(classes)}
        return {"R": self.group_weights @ self.risks, **leans}

    def _contrast(self, name: str, level: str, figure: str) -> tuple[PropertyLevel, float]:
        inside = np.array([each == level for each in self._levels[name]])
        told = contrast(self._figures[figure], inside, self.predictions.context_weights, self.level)
        row = PropertyLevel(
            property=name,
            level=level,
            figure=figure,
            contexts=int(inside.sum()),
            share=float(self.predictions.context_weights @ inside),
            inside=told.inside,
            outside=told.outside,
            difference=told.difference,
            low=told.low,
            high=told.high,
            adjusted_p=told.p_value,
            decision="tied",
        )
        return row, told.p_value


def _decided(row: PropertyLevel, adjusted: float, level: float) -> PropertyLevel:
    apart = "higher" if row.difference > 0 else "lower"
    return row.model_copy(update={"adjusted_p": adjusted, "decision": apart if adjusted <= 1.0 - level else "tied"})
