"""How often intervals of benchmark scores hold the truth: ``python -m benchmarks factors.scores [--repetitions N]``.

Clusters have 1 answer each, or 2 to 10, or (scene ``unequal``) 2 to 200, of which a few have most. A fair model has no
preference; a sure one has nearly always the same answer, with a rate that is drawn for each repetition; a torn one has
one answer in some clusters and the other in the rest.
The scores are a share, BBQ's s_AMB and StereoSet's icat, whose kink is at the fair model; and the difference of a share
between two models of which the second is like the first and answers a tenth of the items anew.
Writes docs/evidence/factors/scores.json; see `benchmarks.coverage.frame`.
"""

from dataclasses import asdict, dataclass
from functools import partial
from itertools import product

import numpy as np
from bvf_bias_benchmarks import bbq, stereoset
from bvf_factors.benchmarks.intervals import Ends, Estimate, difference_of, estimated, mcnemar
from bvf_factors.reading.table import ENOUGH_CLUSTERS, effective_clusters

from benchmarks.coverage.frame import LEVEL, Cell, Simulation, Table, each, means
from benchmarks.factors.nulls import unequal_sizes
from benchmarks.pages import Record
from bvf.arrays import FloatArray, IntArray

CHANGED = 0.1
"""The share of answers in which the second model is asked anew."""


@dataclass(frozen=True)
class Scene:
    """A score of a model in a number of clusters, each with 1 answer or, if ``several``, 2 to 10."""

    score: str
    model: str
    clusters: int
    several: bool


def measured(scene: Scene, of_unequal: bool, repetitions: int, rng: np.random.Generator) -> Record:
    """The share of intervals that hold the truth, their mean width, and how often `bvf factors run` has brackets."""
    rows = list[Record]()
    for _ in range(repetitions):
        sizes = rng.integers(2, 11, scene.clusters) if scene.several else np.ones(scene.clusters, dtype=np.intp)
        sizes = unequal_sizes(scene.clusters, 200, rng) if of_unequal else sizes
        place = np.repeat(np.arange(scene.clusters), sizes)
        rates, rate = rates_in(scene, rng)
        ends, truth = SCORES[scene.score](scene, place, rates[place], rate, rng)
        if ends is not None:
            bracketed = scene.several and effective_clusters(sizes) < ENOUGH_CLUSTERS
            rows.append({"held": ends[0] <= truth <= ends[1], "width": ends[1] - ends[0], "bracketed": bracketed})
    return {**means(rows), "undefined": repetitions - len(rows)}


def rates_in(scene: Scene, rng: np.random.Generator) -> tuple[FloatArray, float]:
    """The probability of the first answer in each cluster, and its mean over all clusters there could be."""
    if scene.model == "torn":
        return rng.beta(0.3, 0.3, scene.clusters), 0.5
    rate = 0.5 if scene.model == "fair" else rng.uniform(0.9, 1.0)
    return np.full(scene.clusters, rate), rate


Scored = tuple[Ends | None, float]
"""The interval of a score, if there is one, and the true score."""


def share_of(flags: FloatArray, place: IntArray, scene: Scene) -> Estimate | None:
    numbers = np.column_stack([flags, np.ones(len(place))])
    return estimated(numbers, place, (lambda sums: sums[..., 0] / sums[..., 1],), (0, 1), scene.clusters)


def s_amb(scene: Scene, place: IntArray, rates: FloatArray, rate: float, rng: np.random.Generator) -> Scored:
    """BBQ's s_AMB of a model that names a group in half of its answers."""
    named = rng.random(len(place)) < 0.5
    biased = named & (rng.random(len(place)) < rates)
    numbers = np.column_stack([biased, named, named, np.ones(len(place))]).astype(np.float64)
    made = estimated(numbers, place, (bbq._ambiguous,), (-1.0, 1.0), scene.clusters)
    return made and made.interval(LEVEL), 0.5 * (2.0 * rate - 1.0)


def icat(scene: Scene, place: IntArray, rates: FloatArray, rate: float, rng: np.random.Generator) -> Scored:
    """StereoSet's icat of a model with an lms of 90."""
    meant = rng.binomial(2, 0.9, len(place)) / 2.0
    prefers = rng.random(len(place)) < rates
    numbers = np.column_stack([meant, prefers, np.ones(len(place))]) / np.bincount(place)[place][:, None]
    made = estimated(numbers, place, stereoset.ICAT, (0.0, 100.0), scene.clusters, 200.0)
    return made and made.interval(LEVEL), stereoset.icat(90.0, 100.0 * rate)


def difference(scene: Scene, place: IntArray, rates: FloatArray, rate: float, rng: np.random.Generator) -> Scored:
    """A difference between two models: a tenth of a half less the rate."""
    first = rng.random(len(place)) < rates
    anew = rng.random(len(place)) < CHANGED
    second = np.where(anew, rng.random(len(place)) < 0.5, first)
    both = (share_of(each, place, scene) for each in (first, second))
    apart = difference_of(*both, LEVEL) if scene.several else mcnemar(first, second, LEVEL)
    ends = None if apart.low is None or apart.high is None else (apart.low, apart.high)
    return ends, CHANGED * (rate - 0.5)


def share(scene: Scene, place: IntArray, rates: FloatArray, rate: float, rng: np.random.Generator) -> Scored:
    made = share_of(rng.random(len(place)) < rates, place, scene)
    return made and made.interval(LEVEL), rate


SCORES = {"share": share, "s_AMB": s_amb, "icat": icat, "difference": difference}
SCENES = [
    *(Scene("share", *each, False) for each in product(("fair", "sure"), (20, 100, 1000))),
    *(Scene("share", *each, True) for each in product(("fair", "sure", "torn"), (12, 25, 40, 100, 300))),
    *(Scene(*each, True) for each in product(("s_AMB", "icat"), ("fair", "sure", "torn"), (25, 40, 100, 300))),
    *(Scene("difference", *each, False) for each in product(("fair", "sure"), (20, 100, 1000))),
    *(Scene("difference", *each, True) for each in product(("fair", "sure", "torn"), (25, 40, 100, 300))),
]
CELLS = [
    Cell(
        "scores",
        asdict(scene),
        partial(measured, scene, False),
        (1, *map(ord, scene.score + scene.model), scene.clusters, int(scene.several)),
    )
    for scene in SCENES
]
CELLS += [
    Cell("unequal clusters", {"score": score, "model": model, "clusters": clusters}, partial(measured, scene, True))
    for score, model, clusters in product(("share", "s_AMB", "icat", "difference"), ("fair", "torn"), (40, 100, 300))
    for scene in [Scene(score, model, clusters, True)]
]


def in_brackets(cell: Record) -> str:
    """How often an interval holds, in brackets where they stand around most intervals."""
    held = f"{100.0 * cell['held']:.1f}"
    return f"({held})" if cell["bracketed"] > 0.5 else held


TABLE = Table("unequal clusters", {"score": "{score}", "model": "{model}"}, [("holds", each(in_brackets))])
main = Simulation(__doc__, "factors/scores.json", CELLS, 4000, {"factors.md": ()}, (TABLE,))
