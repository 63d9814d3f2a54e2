"""How far groups are set apart by the words of a topic, among sets of other words in the same prompts.

The distance is that of particular bias: T = E_x[TV(E_c[p_x], E_x[E_c[p_x]])], the total variation between the mean
prediction of a group and that of all groups, 0 to 1 for any number of classes. A set has one word per class, and its
p(y | x, c) is the share of each word among the words of the set.

Axes: X groups, C contexts, Y classes, N other words, S sets.
"""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from bvf.arrays import FloatArray, IntArray
from bvf.stats.sampling.samples import ContextSample

Ends = tuple[float, float]
Outcome = Literal["further apart", "not further apart", "cannot tell"]
WORDS_PER_CLASS, FEWEST_SETS = 6, 20
"""With fewer words per class, or fewer sets, other words are too few and their sets too much alike for a standard."""
SETS, TRIES = 250, 2000
"""The most sets, and how many are drawn to find different ones."""
MOST_APART = 0.7 / 0.3
"""How many times as probable as the first word of a set another may be: at 95 : 5 groups have no room to differ."""
FURTHER = 0.95
"""The place among sets from which on groups are further apart than by other words."""
MIDDLE = (0.45, 0.55)
"""The quantiles between which a set is a middling one: their mean error stands for that of the median."""
AT_A_TIME = 10_000_000
"""Most probabilities of sets that are in memory at a time."""


@dataclass(frozen=True)
class Place:
    """The place of a topic among sets of other words, by the distance T of groups.

    Args:
        apart: T of the topic.
        of_sets: T of each set, at the probability mass of the topic, shape (S,).
        place: Share of sets with a smaller T than the topic, 0 to 1.
        ratio: T of the topic over the median of sets; None: that is 0.
        place_ends: Interval of ``place`` over contexts; None: the contexts are no sample.
        ratio_ends: Interval of ``ratio``; None: no sample, or unbounded.
    """

    apart: float
    of_sets: FloatArray
    place: float
    ratio: float | None
    place_ends: Ends | None = None
    ratio_ends: Ends | None = None

    @property
    def outcome(self) -> Outcome:
        """Whether the topic sets groups further apart than other words do. Without an interval, the place decides."""
        low, high = self.place_ends or (self.place, self.place)
        return "further apart" if low >= FURTHER else "not further apart" if high < FURTHER else "cannot tell"


def sets_of_words(shares: FloatArray, classes: int, seed: int = 0) -> IntArray:
    """Return sets of words of which none is much more probable than another, shape (S, classes).

    Args:
        shares: p of each word among all other words, on average over prompts, shape (N,).
        classes: Words per set.
        seed: Seed of the draws.
    """
    rng, sets = np.random.default_rng(seed), set[tuple[int, ...]]()
    for _ in range(TRIES):
        first = int(rng.integers(len(shares)))
        near = np.flatnonzero((shares <= shares[first] * MOST_APART) & (shares[first] <= shares * MOST_APART))
        if len(near) >= classes and len(sets) < SETS:
            others = rng.permutation(near[near != first])[: classes - 1].tolist()
            sets.add(tuple(sorted([first, *others])))
    return np.array(sorted(sets), dtype=np.intp).reshape(-1, classes)


@dataclass(frozen=True, eq=False)
class InPrompts:
    """Probabilities of a topic's classes and of other words in the same prompts.

    Args:
        topic: p(y | x, c), shape (X, C, Y).
        others: p of other words among themselves, shape (X, C, N), above 0.
        sets: Indices of words, shape (S, Y).
        group_weights: P(X), shape (X,).
        context_weights: P(C), shape (C,).
        mass: Mean probability of the topic's words, on the scale of ``others``.
    """

    topic: FloatArray
    others: FloatArray
    sets: IntArray
    group_weights: FloatArray
    context_weights: FloatArray
    mass: float

    def place(self, sample: ContextSample | None = None, level: float = 0.95) -> Place:
        """Return the `Place` of the topic among the sets.

        ``sample`` are the contexts as a sample, with the same weights: T is then cross-fit, and there are intervals of
        the ``level``. None: these contexts are all that there is.
        """
        log_mass, (plug_in, cross_fit, influence) = self._distances(None if sample is None else sample.halves)
        at_mass = _at_mass(log_mass, float(np.log(self.mass)))
        values = [(float(each[0]), at_mass @ each[1:]) for each in (cross_fit, plug_in)]
        ours, theirs = values[0]
        place = Place(ours, theirs, float(np.mean(theirs < ours)), _ratio(ours, theirs))
        if sample is None:
            return place
        on_ours, on_theirs = influence[0], at_mass @ influence[1:]
        return replace(
            place,
            place_ends=_ends_of_place(values, on_ours - on_theirs, sample, level),
            ratio_ends=_ends_of_ratio(values, on_ours, on_theirs, sample, level),
        )

    def _distances(
        self, halves: tuple[FloatArray, FloatArray] | None
    ) -> tuple[FloatArray, tuple[FloatArray, FloatArray, FloatArray]]:
        """Log mass of sets, (S,), and what `_distances` gives for the topic and the sets, 1 + S of each."""
        weights = self.group_weights, self.context_weights
        distances, log_mass = [_distances(self.topic[np.newaxis], *weights, halves)], list[FloatArray]()
        together = max(1, AT_A_TIME // self.topic.size)
        for start in range(0, len(self.sets), together):
            p = np.moveaxis(self.others[:, :, self.sets[start : start + together]], 2, 0)
            sums = p.sum(axis=3)
            log_mass.append(np.log(np.einsum("x,sxc,c->s", weights[0], sums, weights[1])))
            distances.append(_distances(p / sums[..., np.newaxis], *weights, halves))
        plug_in, cross_fit, influence = (np.concatenate(each) for each in zip(*distances, strict=True))
        return np.concatenate(log_mass), (plug_in, cross_fit, influence)


def _distances(
    p: FloatArray, p_x: FloatArray, p_c: FloatArray, halves: tuple[FloatArray, FloatArray] | None
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """T of sets, plug-in and cross-fit over halves of contexts, (S,) each, and influences of contexts, (S, C).

    ``p`` has the shape (S, X, C, Y). Without halves, the plug-in T stands for both. The cross-fit T is that of
    `bvf.stats.sampling.intervals.Sampled`, for many sets at a time.
    """
    leans = np.moveaxis(p - np.einsum("x,sxcy->scy", p_x, p)[:, np.newaxis], 2, 3)
    means = leans @ p_c
    signs, of_groups = np.sign(means), 0.5 * p_x[:, np.newaxis]
    by_group = (of_groups * np.abs(means)).sum(axis=2)
    plug_in = by_group.sum(axis=1)
    influence = np.einsum("sxyc,sxy->sc", leans, of_groups * signs) - plug_in[:, np.newaxis]
    if halves is None:
        return plug_in, plug_in, influence
    sizes = [each.sum(axis=1) for each in halves]
    first, second = (leans @ each.T / size for each, size in zip(halves, sizes, strict=True))
    crossed = (sizes[1] * np.sign(first) * second + sizes[0] * np.sign(second) * first) / (sizes[0] + sizes[1])
    cross_fit = np.minimum((of_groups * crossed.mean(axis=3)).sum(axis=2), by_group)
    return plug_in, cross_fit.sum(axis=1), influence


def _at_mass(log_mass: FloatArray, of_topic: float) -> FloatArray:
    """The matrix that moves T of sets, by a straight line in log mass, to a topic's mass, within that of the sets."""
    centred = log_mass - log_mass.mean()
    spread = float(centred @ centred)
    line = centred / spread if spread > 0.0 else np.zeros_like(centred)
    at = np.clip(of_topic, log_mass.min(), log_mass.max())
    return np.eye(len(log_mass)) + np.outer(at - log_mass, line)


def _ratio(ours: float, theirs: FloatArray) -> float | None:
    median = float(np.median(theirs))
    return float(ours) / median if median > 0.0 else None


def _ends_of_place(
    values: list[tuple[float, FloatArray]], influence: FloatArray, sample: ContextSample, level: float
) -> Ends:
    """The shares of sets that are surely nearer, and not surely further, by plug-in and by cross-fit T."""
    error, (below, above) = sample.standard_errors(influence), sample.margins(influence, level)
    differences = np.array([ours - theirs for ours, theirs in values])
    nearer = differences.min(axis=0) > below * error
    further = differences.max(axis=0) < -above * error
    return float(np.mean(nearer)), float(1.0 - np.mean(further))


def _ends_of_ratio(
    values: list[tuple[float, FloatArray]],
    on_ours: FloatArray,
    on_theirs: FloatArray,
    sample: ContextSample,
    level: float,
) -> Ends | None:
    ratios = [_ratio(*each) for each in values]
    if None in ratios or values[0][0] <= 0.0:
        return None
    (ours, theirs), found = values[1], [each for each in ratios if each is not None]
    low, high = np.quantile(theirs, MIDDLE)
    of_median = on_theirs[(low <= theirs) & (theirs <= high)].mean(axis=0)
    influence = on_ours / ours - of_median / np.median(theirs)
    error, (below, above) = float(sample.standard_errors(influence)), sample.margins(influence, level)
    return min(found) * float(np.exp(-below * error)), max(found) * float(np.exp(above * error))
