"""Draws contexts until an interval is narrow enough.

The number of contexts doubles in each round, from 100 on, and each round has an ordinary interval: if its width, not
the figure, decides when to stop, the interval remains valid (Chow & Robbins 1965, Ann. Math. Stat. 36).
"""

from dataclasses import dataclass
from typing import Any

from bvf.domain.measurement import Measurement
from bvf.errors import BvfError
from bvf.interfaces.analysis import Analysis, Choices
from bvf.results.result import ResultBase

MOST_DRAWS_PER_OCCURRENCE = 4
"""More draws hardly make an interval narrower, as the context set is a sample itself."""


@dataclass(frozen=True)
class PrecisionGoal:
    """Draws contexts until the interval of the first figure (such as R) has a half-width of at most ``precision``."""

    precision: float
    analysis: Analysis[Any]
    choices: Choices

    def further(self, measurement: Measurement) -> int | None:
        """Return how many contexts to draw in all by the next round; None if there are enough."""
        result, draws = self.analysis.run(measurement, self.choices), measurement.record.asked.draws
        if draws is None or self._half_width(result) <= self.precision:
            return None
        most = MOST_DRAWS_PER_OCCURRENCE * (result.uncertainty.occurrences or 0.0)
        return 2 * draws.number if draws.number < most else None

    def note(self, result: ResultBase, measurement: Measurement) -> str:
        """Return a sentence on the precision that was reached."""
        asked, width = measurement.record.asked, self._half_width(result)
        every = len(asked.templates) * len(asked.groups)
        reached, why = ("reached", "") if width <= self.precision else ("not reached", ", as the set is a small sample")
        return (
            f"--precision {self.precision:g} {reached}{why}: half the interval of {self._figure()} is {width:.4f} with "
            f"{result.uncertainty.draws:,} contexts drawn; {result.prompts:,} of {every:,} prompts were asked"
        )

    def _half_width(self, result: ResultBase) -> float:
        ends = result.uncertainty.intervals.get(self._figure())
        if ends is None:
            why = result.uncertainty.undefined or "this analysis has none"
            raise BvfError(
                f"--precision {self.precision:g}: no interval: {why}",
                "use a context set that was mined, without --limit",
            )
        return (ends.high - ends.low) / 2.0

    def _figure(self) -> str:
        return next(iter(self.analysis.figures), "")
