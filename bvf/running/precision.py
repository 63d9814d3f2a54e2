"""Contexts drawn until an interval is narrow enough.

Rounds that double, from 100 on, and an ordinary interval at each look: stopping on the width of an interval, not on
the figure, leaves it valid (Chow & Robbins 1965, Ann. Math. Stat. 36).
"""

from dataclasses import dataclass
from typing import Any

from bvf.domain.measurement import Measurement
from bvf.errors import BvfError
from bvf.interfaces.analysis import Analysis, Choices
from bvf.results.result import ResultBase

AS_MANY = 4
"""Drawing more than this many times the occurrences of a set tells next to nothing: the set is a sample itself."""


@dataclass(frozen=True)
class Until:
    """Says when enough contexts have been drawn.

    Args:
        precision: Half the width of the interval of the first figure of the analysis, above 0.
        analysis: Makes the interval.
        choices: For it.
    """

    precision: float
    analysis: Analysis[Any]
    choices: Choices

    def further(self, measurement: Measurement) -> int | None:
        """Return how many contexts are to be drawn in all; None: no more.

        Raises:
            BvfError: There is no interval.
        """
        result, draws = self.analysis.run(measurement, self.choices), measurement.record.asked.draws
        if draws is None or self._half_width(result) <= self.precision:
            return None
        return 2 * draws.number if draws.number < AS_MANY * (result.uncertainty.occurrences or 0.0) else None

    def told(self, result: ResultBase, measurement: Measurement) -> str:
        """Return what came of it, in a sentence."""
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
