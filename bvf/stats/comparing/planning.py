"""The numbers of contexts, occurrences or groups that a goal needs, from the errors of a pilot run.

The variance of a figure is s^2 / N + v / n for N contexts drawn from a set of n occurrences, which is a sample itself.
Drawing more contexts cannot make it smaller than v / n; only a set of more occurrences can.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import ClassVar

from bvf.arrays import FloatArray
from bvf.stats.comparing.comparison import POWER as POWER
from bvf.stats.figures.quantiles import student_quantile
from bvf.stats.sampling.samples import FEWEST, ContextSample, WithOneMore

MOST = 10**8
"""A need of more contexts or occurrences than this counts as unreachable."""
NO_VARIANCE = 1e-24
ABOUT = 1.001
"""Two numbers are about the same if one is at most this many times the other."""


@dataclass(frozen=True)
class Need:
    """The contexts or sampling units needed to reach a goal; both None: it is out of reach, or the need is unknown.

    Args:
        contexts: Total number of contexts to draw; None: no number suffices, or the pilot measured the whole set.
        units: Occurrences (documents, templates) that the set must have, if all of it is measured; None: not needed.
        too_small: The pilot is too small to tell whether any number of contexts suffices.
    """

    contexts: int | None = None
    units: int | None = None
    too_small: bool = False
    ENOUGH: ClassVar[int] = 100
    """If fewer contexts were drawn, the estimate of v is mostly noise."""


@dataclass(frozen=True)
class Reach:
    """The half-width of an interval, or the smallest detectable difference, and the variances from which it follows.

    Args:
        now: The half-width or the detectable difference for the pilot.
        of_draws: The part of the variance that is due to drawing contexts from the set, s^2 / N; 0 if none were drawn.
        of_set: The part that is due to the set, which is a sample itself, v / n.
        draws: N; None: all contexts of the set were measured.
        units: n, the occurrences of the set; if all contexts were measured, the units of the `ContextSample`.
        level: Level of the interval.
        power: The probability of detecting the difference; None: this is a half-width.
        rare: The figure with one more, rare context, if that may determine the end of the interval.
        independent: How many independent units the set has, such as documents; None: as many as ``units``.
        fixed: The part of ``now`` that no number of contexts makes smaller: what the noise of sampled answers may have
            added to the figure, which only more samples of each prompt make smaller.
    """

    now: float
    of_draws: float
    of_set: float
    draws: float | None
    units: float
    level: float
    power: float | None = None
    rare: WithOneMore | None = None
    independent: float | None = None
    fixed: float = 0.0

    def further(self, by: float) -> "Reach":
        """Return the reach that is further by a part that no number of contexts makes smaller."""
        return replace(self, now=self.now + by, fixed=self.fixed + by)

    def to_detect(self, detectable: float | None = None) -> "Reach":
        """Return the smallest difference between two models that is found with the chance `POWER`.

        Args:
            detectable: That difference in the sample, as `bvf compare` has it (`Difference.detectable`). None: of a
                model and another that is as noisy in other contexts, (t(1 - (1 - level) / 2) + t(`POWER`)) standard
                errors.
        """
        reach, error = replace(self, power=POWER), math.sqrt(2.0 * (self.of_draws + self.of_set))
        return replace(reach, now=error * reach._quantile(reach._size_now) if detectable is None else detectable)

    def at(self, draws: float | None, units: float | None = None) -> float:
        """Predict ``now`` for ``draws`` contexts (None: the whole set).

        The set has ``units`` (None: as in the pilot).
        """
        if self.fixed:
            return self.fixed + replace(self, now=self.now - self.fixed, fixed=0.0).at(draws, units)
        n = self.units if units is None else units
        present = self.of_draws + self.of_set
        wanted = self.of_draws * self.draws / draws if draws and self.draws else 0.0
        wanted += self.of_set * self.units / n if self.of_set else 0.0
        if present <= NO_VARIANCE:
            return self.now * _unseen(self.level, self._size(draws, n)) / _unseen(self.level, self._size_now)
        quantile = self._quantile(self._size(draws, n))
        if self.rare is not None and self.now <= ABOUT * self._of_rare(self.rare):
            by_rare = self._of_rare(self.rare, present / wanted) / self._of_rare(self.rare)
            return max(self.now * by_rare, math.sqrt(wanted) * quantile)
        return float(self.now * math.sqrt(wanted / present) * quantile / self._quantile(self._size_now))

    def needed(self, goal: float) -> Need:
        """Return the fewest contexts for which `at` is <= ``goal``.

        If no number is enough, it returns the fewest units.
        """
        if goal <= 0:
            return Need()
        if self.draws is not None and self.at(MOST) <= goal:
            return Need(contexts=_smallest(lambda number: self.at(number) <= goal))
        if self.draws is not None and self.draws < Need.ENOUGH and self.of_set > 0.0:
            return Need(too_small=True)
        if math.isfinite(self.units) and self.at(None, MOST) <= goal:
            return Need(units=_smallest(lambda number: self.at(None, number) <= goal))
        return Need()

    def _of_rare(self, rare: WithOneMore, more: float = 1.0) -> float:
        """The distance from the mean to the interval's upper end if it allows for a rare context.

        Units are ``more`` times as many.
        """
        return float(replace(rare, units=rare.units * more).upper_end(self.level) - rare.mean)

    @property
    def _size_now(self) -> float:
        return self._size(self.draws, self.units)

    def _size(self, draws: float | None, units: float) -> float:
        """How many independent units say as much, as `ContextSample.effective_size`: draws see units repeatedly."""
        independent = units if self.independent is None else self.independent * units / self.units
        return independent if draws is None else draws / (1.0 + (draws - 1.0) / independent)

    def _quantile(self, units: float) -> float:
        freedom = max(1.0, units - 1.0)
        quantile = float(student_quantile(0.5 + self.level / 2.0, freedom))
        return quantile if self.power is None else quantile + float(student_quantile(self.power, freedom))


def interval_reach(
    sample: ContextSample, influence: FloatArray, half_width: float, level: float, rare: WithOneMore | None = None
) -> Reach:
    """Return the half-width of a pilot's interval, and the components of its variance, as a `Reach`.

    The half-width is given, as it is not a fixed multiple of a standard error: where J has a kink, the interval spans
    the plug-in and the cross-fit estimate, whose distance shrinks at the same rate as the error.

    Args:
        sample: The contexts.
        influence: Influence of one occurrence of each context on the figure, shape (C,).
        half_width: Half the width of the interval, or the distance of one end from the figure.
        level: Level of the interval.
        rare: The figure with one more, rare context, if the interval allows for one.
    """
    whole = float(sample.standard_errors(influence)) ** 2
    if sample.drawn_from is None:
        return Reach(half_width, 0.0, whole, None, sample.size, level, rare=rare)
    of_draws = float(replace(sample, drawn_from=None).standard_errors(influence)) ** 2
    of_set, drawn, source = max(whole - of_draws, 0.0), float(sample.counts.sum()), sample.drawn_from
    independent = None if source.replicates is None else source.units
    return Reach(half_width, of_draws, of_set, drawn, source.occurrences, level, rare=rare, independent=independent)


def _smallest(holds: Callable[[float], bool]) -> int:
    """The smallest integer >= `FEWEST` that meets a condition. All larger integers must meet it too."""
    below, enough = FEWEST - 1, FEWEST
    while not holds(enough):
        below, enough = enough, 2 * enough
    while enough - below > 1:
        middle = (below + enough) // 2
        below, enough = (below, middle) if holds(middle) else (middle, enough)
    return enough


def _unseen(level: float, units: float) -> float:
    """The upper confidence bound for the probability of an event that none of ``units`` sampled units has."""
    return float(-math.expm1(math.log1p(-level) / units))


def need_to_decide(
    sample: ContextSample,
    influence: FloatArray,
    interval: tuple[float, float, float],
    limit: float,
    level: float,
    rare: WithOneMore | None = None,
) -> Need:
    """Return how many contexts an interval needs to exclude ``limit`` with a chance of `POWER`, for the same figure.

    Its half-width is then z / (z + z') of the distance, for the quantiles z of the level and z' of the chance: where it
    is the whole distance, the interval excludes the limit in half of all samples.

    Args:
        sample: The contexts.
        influence: Influence of one occurrence of each context on the figure, shape (C,).
        interval: Lower end, the figure itself, upper end.
        limit: The value to be excluded.
        level: Level of the interval, such as 0.95.
        rare: The figure with one more, rare context, if its upper end allows for one.
    """
    low, value, high = interval
    above, below = high - value, value - low
    towards = above if value < limit or low <= 0.0 < above else below  # the end was cut off at 0
    of_level, of_chance = (NormalDist().inv_cdf(share) for share in (0.5 + level / 2.0, POWER))
    goal = abs(value - limit) * of_level / (of_level + of_chance)
    return interval_reach(sample, influence, towards, level, rare).needed(goal)
