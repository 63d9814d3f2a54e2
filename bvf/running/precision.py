"""Draws contexts until an interval is narrow enough.

The number of contexts doubles in each round, from 100 on, and each round has an ordinary interval: if its width, not
the figure, decides when to stop, the interval remains valid (Chow & Robbins 1965, Ann. Math. Stat. 36).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bvf.domain.measurement import Measurement
from bvf.errors import BvfError
from bvf.interfaces.analysis import Choices
from bvf.results.result import ResultBase
from bvf.study.analysis import Analysis
from bvf.study.study import Study
from bvf.study.uncertainty import Interval

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
        asked, study = measurement.record.asked, Study.of(measurement, self.choices)
        intervals = self.analysis.over_all(study)
        if intervals is None:
            intervals = self.analysis.run(measurement, self.choices).uncertainty.intervals
        if asked.draws is None or self._half_width(intervals, study.undefined) <= self.precision:
            return None
        source = asked.every_context if asked.draws.in_turn else asked.sampling.occurrences or 0.0
        most = MOST_DRAWS_PER_OCCURRENCE * source
        return 2 * asked.draws.number if asked.draws.number < most else None

    def note(self, result: ResultBase, measurement: Measurement) -> str:
        """Return a sentence on the precision that was reached."""
        asked, uncertainty = measurement.record.asked, result.uncertainty
        width = self._half_width(uncertainty.intervals, uncertainty.undefined)
        every = asked.every_context * len(asked.groups)
        reached, why = ("reached", "") if width <= self.precision else ("not reached", ", as the set is a small sample")
        return (
            f"--precision {self.precision:g} {reached}{why}: half the interval of {self._figure()} is {width:.4f} with "
            f"{uncertainty.draws:,} contexts drawn; {result.prompts:,} of {every:,} prompts were asked"
        )

    def _half_width(self, intervals: Mapping[str, Interval], undefined: str) -> float:
        ends = intervals.get(self._figure())
        if ends is None:
            why = undefined or "this analysis has none"
            raise BvfError(
                f"--precision {self.precision:g}: no interval: {why}",
                "use a context set that was mined, without --limit",
            )
        return (ends.high - ends.low) / 2.0

    def _figure(self) -> str:
        return next(iter(self.analysis.figures), "")
