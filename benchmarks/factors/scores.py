"""How often intervals of benchmark scores hold the truth: ``python -m benchmarks factors.scores [--repetitions N]``.

Clusters have 1 answer each, or 2 to 10, or (scene ``unequal``) 2 to 200, of which a few have most. A fair model has no
preference; a sure one has nearly always the same answer, with a rate that is drawn for each repetition; a torn one has
one answer in some clusters and the other in the rest.
The scores are a share, BBQ's s_AMB and StereoSet's icat, whose kink is at the fair model; and the difference of a share
between two models of which the second is like the first and answers a tenth of the items anew.
Writes docs/evidence/factors/scores.json; see `benchmarks.coverage.frame`.
"""

import numpy as np
from bvf_bias_benchmarks import bbq, stereoset
from bvf_factors.benchmarks.intervals import Ends, Estimate, difference_of, estimated, mcnemar

from benchmarks.coverage.frame import LEVEL, Rows, Simulation, cells
from benchmarks.factors.nulls import unequal_sizes
from bvf.arrays import FloatArray, IntArray

CHANGED = 0.1
"""The share of answers in which the second model is asked anew."""


def measured(
    score: str, model: str, clusters: int, several: bool | None, repetitions: int, rng: np.random.Generator
) -> Rows:
    """The share of intervals of a model's score that hold the truth.

    Clusters have 1 answer or, if ``several``, 2 to 10, or (None) very unequal numbers.
    """
    for _ in range(repetitions):
        sizes = np.ones(clusters, dtype=np.intp) if several is False else rng.integers(2, 11, clusters)
        sizes = unequal_sizes(clusters, 200, rng) if several is None else sizes
        place = np.repeat(np.arange(clusters), sizes)
        rates, rate = rates_in(model, clusters, rng)
        ends, truth = SCORES[score](place, rates[place], rate, rng)
        if ends is not None:
            yield {"held": ends[0] <= truth <= ends[1]}


def rates_in(model: str, clusters: int, rng: np.random.Generator) -> tuple[FloatArray, float]:
    """The probability of the first answer in each cluster, and its mean over all clusters there could be."""
    if model == "torn":
        return rng.beta(0.3, 0.3, clusters), 0.5
    rate = 0.5 if model == "fair" else rng.uniform(0.9, 1.0)
    return np.full(clusters, rate), rate


Scored = tuple[Ends | None, float]
"""The interval of a score, if there is one, and the true score."""


def share_of(flags: FloatArray, place: IntArray) -> Estimate | None:
    numbers = np.column_stack([flags, np.ones(len(place))])
    return estimated(numbers, place, (lambda sums: sums[..., 0] / sums[..., 1],), (0, 1), place[-1] + 1)


def s_amb(place: IntArray, rates: FloatArray, rate: float, rng: np.random.Generator) -> Scored:
    """BBQ's s_AMB of a model that names a group in half of its answers."""
    named = rng.random(len(place)) < 0.5
    biased = named & (rng.random(len(place)) < rates)
    numbers = np.column_stack([biased, named, named, np.ones(len(place))]).astype(np.float64)
    made = estimated(numbers, place, (bbq._ambiguous,), (-1.0, 1.0), place[-1] + 1)
    return made and made.interval(LEVEL), 0.5 * (2.0 * rate - 1.0)


def icat(place: IntArray, rates: FloatArray, rate: float, rng: np.random.Generator) -> Scored:
    """StereoSet's icat of a model with an lms of 90."""
    meant = rng.binomial(2, 0.9, len(place)) / 2.0
    prefers = rng.random(len(place)) < rates
    numbers = np.column_stack([meant, prefers, np.ones(len(place))]) / np.bincount(place)[place][:, None]
    made = estimated(numbers, place, stereoset.ICAT, (0.0, 100.0), place[-1] + 1, 200.0)
    return made and made.interval(LEVEL), 90.0 * min(100.0 * rate, 100.0 - 100.0 * rate) / 50.0


def difference(place: IntArray, rates: FloatArray, rate: float, rng: np.random.Generator) -> Scored:
    """A difference between two models: a tenth of a half less the rate."""
    first = rng.random(len(place)) < rates
    anew = rng.random(len(place)) < CHANGED
    second = np.where(anew, rng.random(len(place)) < 0.5, first)
    both = (share_of(each, place) for each in (first, second))
    apart = difference_of(*both, LEVEL) if len(place) > place[-1] + 1 else mcnemar(first, second, LEVEL)
    ends = None if apart.low is None or apart.high is None else (apart.low, apart.high)
    return ends, CHANGED * (rate - 0.5)


def share(place: IntArray, rates: FloatArray, rate: float, rng: np.random.Generator) -> Scored:
    made = share_of(rng.random(len(place)) < rates, place)
    return made and made.interval(LEVEL), rate


SCORES = {"share": share, "s_AMB": s_amb, "icat": icat, "difference": difference}
MODELS, SEVERAL = ("fair", "sure", "torn"), (25, 40, 100, 300)
SCENES = (
    {"score": ["share", "difference"], "model": MODELS[:2], "clusters": (20, 100, 1000), "several": [False]},
    {"score": ["share"], "model": MODELS, "clusters": (12, *SEVERAL), "several": [True]},
    {"score": ["s_AMB", "icat", "difference"], "model": MODELS, "clusters": SEVERAL, "several": [True]},
)


def unequal(score: str, model: str, clusters: int, repetitions: int, rng: np.random.Generator) -> Rows:
    return measured(score, model, clusters, None, repetitions, rng)


CELLS = [
    cell
    for facts in SCENES
    for cell in cells(
        "scores", measured, facts, lambda score, model, *more: (1, *map(ord, score + model), *map(int, more))
    )
]
CELLS += cells("unequal clusters", unequal, {"score": SCORES, "model": ("fair", "torn"), "clusters": (40, 100, 300)})
main = Simulation(__doc__, "factors/scores.json", CELLS, 4000, {"factors.md": ()})
