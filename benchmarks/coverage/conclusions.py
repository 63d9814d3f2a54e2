"""How often conclusions of other analyses are right: ``python -m benchmarks coverage.conclusions [SCENE ...]``.

Frames that do nothing, planted laws of r^v, slopes on wages and on a log-normal factor where there is none, and the
agreement of two measures.
Writes docs/evidence/coverage/conclusions.json; see `benchmarks.coverage.frame`.
"""

from collections.abc import Callable
from importlib.resources import files
from itertools import product

import numpy as np
import pandas as pd
from bvf_insights.explain.shapes import compared_laws
from bvf_insights.stats.weighted_line import weighted_line
from scipy.stats import t as student

from benchmarks.coverage.frame import LEVEL, Rows, Simulation, cells, of_each
from benchmarks.coverage.populations import Rng, of_leans
from benchmarks.coverage.scenes import LINF
from benchmarks.pages import Record
from bvf.arrays import FloatArray
from bvf.stats.comparing.comparison import differences
from bvf.stats.comparing.ranks import RankAgreement
from bvf.stats.sampling.sampled_risk import sampled_risk
from bvf.stats.sampling.samples import ContextSample
from bvf.study.study import RISK

GROUPS, TEMPLATES, OTHER_LEVELS = 10, 40, 2
"""Of frames: groups in templates, each in two levels of the frame and in those of another one, which does nothing."""
LEANS = {"fair": np.zeros(GROUPS), "all lean": np.full(GROUPS, 0.2), "both sides": np.linspace(-0.3, 0.3, GROUPS)}
OF_TEMPLATE, OF_CONTEXT = 0.1, 0.05
"""Standard deviations of a template's effect on all groups and on one, and of that of its wording."""
NAMES = ("log-normal", "normal", "Pareto")
LAWS: dict[str, Callable[[Rng, int], FloatArray]] = {
    "log-normal, deviation of logs 1.4": lambda rng, n: rng.lognormal(-6.0, 1.4, n),
    "log-normal, deviation of logs 0.5": lambda rng, n: rng.lognormal(-6.0, 0.5, n),
    "normal, 4 deviations above 0": lambda rng, n: np.abs(rng.normal(4.0, 1.0, n)),
    "Pareto, exponent 1.5": lambda rng, n: 0.001 * (1.0 + rng.pareto(1.5, n)),
    "exponential (none of them)": lambda rng, n: rng.exponential(0.001, n),
}


def frames(repetitions: int, rng: Rng) -> Rows:
    """How often levels of a frame that do nothing are found to differ."""
    contexts = np.tile(np.arange(TEMPLATES), OTHER_LEVELS)
    sample, _ = ContextSample.of_templates(np.full(len(contexts), 1.0 / len(contexts)), contexts)
    for (scene, leans), _ in product(LEANS.items(), range(repetitions)):
        of_template = sum(rng.normal(0.0, OF_TEMPLATE, (rows, TEMPLATES)) for rows in (1, GROUPS))
        both = rng.normal(0.0, OF_CONTEXT, (2, GROUPS, len(contexts)))
        p = np.clip(0.5 + leans[:, np.newaxis] + of_template[:, contexts] + both, 0.01, 0.99)
        first, second = (sampled_risk(each, LINF, sample).risk for each in of_leans(2.0 * p - 1.0))
        apart = differences(second, first, np.full(GROUPS, 1.0 / GROUPS), LEVEL)
        yield {scene: of_each(RISK, apart, dict.fromkeys(RISK, 0.0))}


def laws(repetitions: int, rng: Rng) -> Rows:
    """How often a law is called better than both others, and how often it fits best, by law and number of values."""
    for (planted, draw), n, _ in product(LAWS.items(), (10, 20, 40, 80), range(repetitions)):
        _, laws, pairs = compared_laws(draw(rng, n), 0.05)
        best, better = laws[0].law, all(pair.decision == "better" for pair in pairs if pair.law == laws[0].law)
        fits = {f"{law} fits best": law == best for law in NAMES}
        yield {f"{planted}, n {n}": {**fits, **{law: law == best and better for law in NAMES}}}


def wages(repetitions: int, rng: Rng) -> Rows:
    """How often a slope on wages is called different from 0 where there is none, by noise and by standard error."""
    tables = files("bvf_en") / "statistics"
    earned = pd.read_csv(str(tables / "occupations.csv"), index_col="group")["weekly_wage"].dropna()
    employed = pd.read_csv(str(tables / "employment-2022.csv"), index_col="group")["weight"]
    x, weights = earned.to_numpy() / 1000, employed[earned.index].to_numpy(np.float64)
    noises = {
        "the same everywhere": np.ones(len(x)),
        "the heavier the group, the less": (weights / weights.sum()) ** -0.5,
        "more where wages are high": np.exp(x),
    }
    for (what, noise), _ in product(noises.items(), range(repetitions)):
        yield {what: called(x, noise, weights, rng)}


def log_normal(groups: int, repetitions: int, rng: Rng) -> Rows:
    """The same on a log-normal factor, of groups that weigh the same, or as log-normal numbers do."""
    alike = np.ones(groups)
    for _ in range(repetitions):
        x, weights = np.exp(rng.normal(size=(2, groups)))
        yield {
            "the same everywhere": called(x, alike, alike, rng),
            "weighted": called(x, alike, weights, rng),
            "more where it is high": called(x, 0.3 + x, alike, rng),
        }


def called(x: FloatArray, noise: FloatArray, weights: FloatArray, rng: Rng) -> Record:
    """Whether the slope of noise is called different from 0, by `bvf regress` and by other errors."""
    line = weighted_line(x, noise * rng.normal(size=len(x)), weights)
    slope, by_groups = abs(line.slope), student.ppf(0.5 + LEVEL / 2, len(x) - 2)
    return {
        "HC2": slope > student.ppf(0.5 + LEVEL / 2, line.freedom) * line.error,
        "classical error": slope > by_groups * line.classical_error,
    }


def agreement(groups: int, rho: float, repetitions: int, rng: Rng) -> Rows:
    """How often the interval of Kendall's tau-b of two normal measures holds.

    A sample whose order is the same in both has no interval, and counts as one that does not hold it.
    """
    truth = 2.0 / np.pi * np.arcsin(rho)
    for _ in range(repetitions):
        x = rng.standard_normal(groups)
        found = RankAgreement.of(x, rho * x + np.sqrt(1.0 - rho**2) * rng.standard_normal(groups))
        yield {"coverage": found.low is not None and found.high is not None and found.low <= truth <= found.high}


CELLS = [
    *cells("frames", frames, {}, lambda: (5,)),
    *cells("laws", laws, {}, lambda: (1,)),
    *cells("wages", wages, {}, lambda: (0,)),
    *cells("log-normal", log_normal, {"groups": (30, 120)}),
    *cells(
        "agreement", agreement, {"groups": (6, 8, 10, 12, 15, 20, 40), "rho": (0.0, 0.5, 0.8, 0.95)}, lambda *_: (2,)
    ),
]
main = Simulation(__doc__, "coverage/conclusions.json", CELLS, 500)
