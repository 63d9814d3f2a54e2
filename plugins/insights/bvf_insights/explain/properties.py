"""How figures depend on properties of contexts, such as the verb. Properties are columns of the context file."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bvf import Predictions
from bvf.domain import ORIGIN, PLACEBO
from bvf.stats import FloatArray, benjamini_yekutieli
from bvf_insights.explain.frames import COUNTS, frames_of
from bvf_insights.explain.reliability import origins_of
from bvf_insights.explain.result import ContextProperty, PropertyLevel
from bvf_insights.stats.effects import contrast, deviation_between

FEWEST_CONTEXTS = 5
"""The fewest different contexts with a level, and without it, for a comparison."""


@dataclass(frozen=True)
class Properties:
    """Tests how figures differ between levels of context properties, over contexts without missing predictions."""

    predictions: Predictions
    group_weights: FloatArray  # P(X), (X,)
    risks: FloatArray  # J(s), (X, C)
    level: float  # of the intervals

    def spreads(self) -> tuple[ContextProperty, ...]:
        """Return, per property and figure, the standard deviation between the means of the property's levels."""
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
        """Return, per figure, tests of each level of a property against the rest, ordered by adjusted p value."""
        rows = [
            self._contrast(name, level, figure)
            for name, levels in self._levels.items()
            for level, contexts in zip(*np.unique(levels, return_counts=True), strict=True)
            if level and min(contexts, len(levels) - contexts) >= FEWEST_CONTEXTS
            for figure in self._figures
        ]
        if not rows:
            return ()
        adjusted = benjamini_yekutieli(np.array([row.adjusted_p for row in rows])).tolist()
        decided = [self._decided(row, p) for row, p in zip(rows, adjusted, strict=True)]
        return tuple(sorted(decided, key=lambda row: (row.adjusted_p, -abs(row.difference))))

    @cached_property
    def _levels(self) -> dict[str, list[str]]:
        """The level of each context ('': none), by property. Only properties that have several levels are included."""
        rows = self.predictions.properties
        names = dict.fromkeys(name for row in rows for name in row if name not in COUNTS)
        if origins_of(self.predictions) is not None:
            names = {name: None for name in names if name not in (ORIGIN, PLACEBO)}
        if frames := frames_of(self.predictions):
            names = {name: None for name in names if name != ORIGIN and name not in frames.levels}
        levels = {name: [row.get(name, "") for row in rows] for name in names}
        return {name: of_contexts for name, of_contexts in levels.items() if len(set(of_contexts)) > 1}

    @cached_property
    def _figures(self) -> dict[str, FloatArray]:
        """Means over groups in each context, (C,), by figure: J, and the lean to each class.

        Of two classes, only the first is included.
        """
        classes = self.predictions.classes if len(self.predictions.classes) > 2 else self.predictions.classes[:1]
        leans = {name: self.group_weights @ self.predictions.lean[..., y] for y, name in enumerate(classes)}
        return {"R": self.group_weights @ self.risks, **leans}

    def _contrast(self, name: str, level: str, figure: str) -> PropertyLevel:
        """The test of a level of a property against the rest. Its p value is not adjusted yet."""
        inside = np.array([each == level for each in self._levels[name]])
        found = contrast(self._figures[figure], inside, self.predictions.context_weights, self.level)
        return PropertyLevel(
            property=name,
            level=level,
            figure=figure,
            contexts=int(inside.sum()),
            share=float(self.predictions.context_weights @ inside),
            inside=found.inside,
            outside=found.outside,
            difference=found.difference,
            low=found.low,
            high=found.high,
            adjusted_p=found.p_value,
            decision="tied",
        )

    def _decided(self, row: PropertyLevel, adjusted_p: float) -> PropertyLevel:
        apart = "higher" if row.difference > 0 else "lower"
        decision = apart if adjusted_p <= 1.0 - self.level else "tied"
        return row.model_copy(update={"adjusted_p": adjusted_p, "decision": decision})
