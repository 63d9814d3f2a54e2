"""How often intervals of benchmark scores hold the truth: ``python benchmarks/factors/scores.py [--repetitions N]``.

Clusters have 1 answer each, or 2 to 10. A fair model has no preference; a sure one has nearly always the same answer,
with a rate that is drawn for each repetition; a torn one has one answer in some clusters and the other in the rest.
The scores are a share, BBQ's s_AMB and StereoSet's icat, whose kink is at the fair model; and the difference of a share
between two models of which the second is like the first and answers a tenth of the items anew.
Writes docs/evidence/factors/scores.json.
"""

from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path

import numpy as np
from bvf_bias_benchmarks import bbq, stereoset
from bvf_factors.benchmarks.intervals import Difference, Ends, difference_of, estimated, mcnemar
from bvf_factors.reading.table import ENOUGH_CLUSTERS
from scene_figures import Record, measure_scenes

from bvf.arrays import FloatArray, IntArray

OUT = Path(__file__).resolve().parents[2] / "docs/evidence/factors/scores.json"
LEVEL = 0.95
CHANGED = 0.1
"""The share of answers in which the second model is asked anew."""


@dataclass(frozen=True)
class Scene:
    """A score of a model in a number of clusters, each with 1 answer or, if ``several``, 2 to 10."""

    score: str
    model: str
    clusters: int
    several: bool

    @property
    def bracketed(self) -> bool:
        """Whether `bvf factors run` shows the interval in brackets."""
        return self.several and self.clusters < ENOUGH_CLUSTERS


SCENES = [
    *(Scene("share", *each, False) for each in product(("fair", "sure"), (20, 100, 1000))),
    *(Scene("share", *each, True) for each in product(("fair", "sure", "torn"), (12, 25, 40, 100, 300))),
    *(Scene(*each, True) for each in product(("s_AMB", "icat"), ("fair", "sure", "torn"), (25, 40, 100, 300))),
    *(Scene("difference", *each, False) for each in product(("fair", "sure"), (20, 100, 1000))),
    *(Scene("difference", *each, True) for each in product(("fair", "sure", "torn"), (25, 40, 100, 300))),
]


def measured(scene: Scene, repetitions: int, seed: int) -> Record:
    """The percentage of intervals that hold the truth, and their mean width."""
    rng = np.random.default_rng([seed, *map(ord, scene.score + scene.model), scene.clusters, int(scene.several)])
    held, width, known = 0, 0.0, 0
    for _ in range(repetitions):
        ends, truth = DRAWN[scene.score](scene, rng)
        if ends is None:
            continue
        known += 1
        held += ends[0] <= truth <= ends[1]
        width += ends[1] - ends[0]
    found = {"held": round(100.0 * held / known, 2), "width": round(width / known, 4), "undefined": repetitions - known}
    return {**asdict(scene), "bracketed": scene.bracketed, "repetitions": repetitions, **found}


def clusters_in(scene: Scene, rng: np.random.Generator) -> IntArray:
    """The cluster of each answer."""
    sizes = rng.integers(2, 11, scene.clusters) if scene.several else np.ones(scene.clusters, dtype=np.intp)
    return np.repeat(np.arange(scene.clusters), sizes)


def rates_in(scene: Scene, rng: np.random.Generator) -> tuple[FloatArray, float]:
    """The probability of the first answer in each cluster, and its mean over all clusters there could be."""
    if scene.model == "torn":
        return rng.beta(0.3, 0.3, scene.clusters), 0.5
    rate = 0.5 if scene.model == "fair" else rng.uniform(0.9, 1.0)
    return np.full(scene.clusters, rate), rate


def share(scene: Scene, rng: np.random.Generator) -> tuple[Ends | None, float]:
    """The interval of a share, and the true one."""
    place = clusters_in(scene, rng)
    rates, truth = rates_in(scene, rng)
    flags = (rng.random(len(place)) < rates[place]).astype(np.float64)
    made = estimated(np.column_stack([flags, np.ones(len(place))]), place, (lambda s: s[..., 0] / s[..., 1],), (0, 1),
                     scene.clusters)  # fmt: skip
    return made and made.interval(LEVEL), truth


def s_amb(scene: Scene, rng: np.random.Generator) -> tuple[Ends | None, float]:
    """The interval of BBQ's s_AMB of a model that names a group in half of its answers, and the true score."""
    place = clusters_in(scene, rng)
    rates, mean = rates_in(scene, rng)
    named = rng.random(len(place)) < 0.5
    biased = named & (rng.random(len(place)) < rates[place])
    numbers = np.column_stack([biased, named, named, np.ones(len(place))]).astype(np.float64)
    made = estimated(numbers, place, (bbq._ambiguous,), (-1.0, 1.0), scene.clusters)
    return made and made.interval(LEVEL), 0.5 * (2.0 * mean - 1.0)


def icat(scene: Scene, rng: np.random.Generator) -> tuple[Ends | None, float]:
    """The interval of StereoSet's icat of a model with an lms of 90, and the true score."""
    place = clusters_in(scene, rng)
    rates, mean = rates_in(scene, rng)
    size = np.bincount(place)[place]
    meant = rng.binomial(2, 0.9, len(place)) / 2.0
    prefers = rng.random(len(place)) < rates[place]
    numbers = np.column_stack([meant, prefers, np.ones(len(place))]) / size[:, None]
    formulas = (stereoset._icat_above, stereoset._icat_below)
    made = estimated(numbers, place, formulas, (0.0, 100.0), scene.clusters, 200.0)
    return made and made.interval(LEVEL), stereoset.icat(90.0, 100.0 * mean)


def difference(scene: Scene, rng: np.random.Generator) -> tuple[Ends | None, float]:
    """The interval of a difference between two models, and the true one, which is a tenth of a half less the rate."""
    place = clusters_in(scene, rng)
    rates, mean = rates_in(scene, rng)
    first = rng.random(len(place)) < rates[place]
    anew = rng.random(len(place)) < CHANGED
    second = np.where(anew, rng.random(len(place)) < 0.5, first)
    apart = _apart(first, second, place, scene)
    ends = None if apart.low is None or apart.high is None else (apart.low, apart.high)
    return ends, CHANGED * (mean - 0.5)


def _apart(first: FloatArray, second: FloatArray, place: IntArray, scene: Scene) -> Difference:
    if not scene.several:
        return mcnemar(first, second, LEVEL)
    one = np.ones(len(place))
    made = [
        estimated(np.column_stack([each, one]), place, (lambda s: s[..., 0] / s[..., 1],), (0, 1), scene.clusters)
        for each in (first, second)
    ]
    return difference_of(made[0], made[1], LEVEL)


DRAWN = {"share": share, "s_AMB": s_amb, "icat": icat, "difference": difference}


if __name__ == "__main__":
    measure_scenes(__doc__, SCENES, measured, OUT, repetitions=4000)
