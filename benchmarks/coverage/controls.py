"""How often intervals beside a control topic hold: ``python -m benchmarks coverage.controls [--repetitions N]``.

Writes a table of docs/evidence/coverage.md and its raw figures; see `benchmarks.coverage.frame`.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from benchmarks.coverage import openings, populations
from benchmarks.coverage.frame import LEVEL, Rows, Simulation, cells, samples
from benchmarks.coverage.openings import GROUPS
from benchmarks.coverage.populations import Rng, leans, occurrences, of_first
from bvf.arrays import FloatArray
from bvf.builtin.criteria import TotalVariation
from bvf.stats.figures.risk import decompose_risk
from bvf.stats.sampling import ratios
from bvf.stats.sampling.intervals import Sampled
from bvf.stats.sampling.sampled_risk import sampled_risk
from bvf.stats.sampling.samples import ContextSample

TV, P_X = TotalVariation(), np.full(GROUPS, 1.0 / GROUPS)
DRAWN, SENTENCES, SHARED, OF_OPENINGS = 80, 10, 0.155, 0.4
TOPIC = 0.23
"""The standard deviation of leans of groups by the topic; of their mean see `SHARED`."""
NEAR = 1e-6
"""A control by which groups are nearer than this has no ratio."""
CONTROLS = {"alike": 0.0, "a little apart": 0.05, "as far apart as by the topic": TOPIC}


def source(apart: float, classes: int, rng: Rng) -> populations.Model:
    return populations.model(leans(GROUPS, SHARED, apart), classes, rng, shared=0.5)


def pair(apart: float, rng: Rng, *, opened: bool = False) -> tuple[Any, Any]:
    """Return a topic of two classes and a control of five, or one of two in sentences after openings."""
    control = openings.source(SENTENCES, 0.0, apart, OF_OPENINGS, rng=rng) if opened else source(apart, 5, rng)
    return source(TOPIC, 2, rng), control


def apart_in(each: Any) -> float:
    """How far groups are apart in a whole source."""
    opened = isinstance(each, openings.Source)
    p, weights = (of_first(each.first).reshape(GROUPS, -1, 2), None) if opened else (each.probabilities, each.weights)
    return float(decompose_risk(p, TV, context_weights=weights, scale="raw").parts.particular_bias)


def asked(p: FloatArray, sample: ContextSample) -> Sampled:
    return sampled_risk(p, TV, sample, scale="raw").particular


def drawn(each: populations.Model, rng: Rng) -> Sampled:
    found = occurrences(DRAWN, rng)
    return asked(found.of(each), found.sample)


def written(each: populations.Model, rng: Rng) -> Sampled:
    """A control in sentences that count as a sample of their kind, which follows the weights of the source."""
    chosen = rng.choice(populations.TEMPLATES, SENTENCES, p=each.weights)
    return asked(each.probabilities[:, chosen], ContextSample(np.full(SENTENCES, 1.0 / SENTENCES), "template"))


def after_openings(each: openings.Source, rng: Rng) -> Sampled:
    templates, pool, sample = openings.in_turn(rng, each)
    return asked(of_first(each.first[:, templates, pool]), sample)


def beside(contexts: str, groups: str, repetitions: int, rng: Rng) -> Rows:
    """How often intervals hold the truth, and what estimates of the control are on average."""
    make = partial(pair, CONTROLS[groups], opened=contexts.endswith("openings"))
    ask = ASKED[contexts]
    for (topic, control), (ours, theirs) in samples(make, lambda both: tuple(map(apart_in, both)), repetitions, rng):
        if ask is None:
            of_both = occurrences(DRAWN, rng)
            first, second = (asked(of_both.of(each), of_both.sample) for each in (topic, control))
            pairwise = (ratios.difference_of_paired, ratios.ratio_of_paired)
            difference, ratio = (compare(first, second, P_X, LEVEL, "of_mean") for compare in pairwise)
        else:
            first, second = drawn(topic, rng), ask(control, rng)
            apart = [ratios.averaged(each, P_X, LEVEL, "of_mean") for each in (first, second)]
            difference, ratio = ratios.difference_of_independent(*apart), ratios.ratio_of_independent(*apart)
        own = ratios.averaged(second, P_X, LEVEL, "of_mean")
        true_ratio = ours / theirs if theirs > NEAR else np.inf
        yield {
            "true": theirs,
            "cross_fit": max(float(own.bracket[1]), 0.0),
            "own": own.low <= theirs + NEAR and theirs <= own.high,
            "difference": difference[0] <= ours - theirs <= difference[1],
            "given": ratio is not None,
            "ratio": ratio is None or ratio[0] <= true_ratio <= ratio[1],
        }


ASKED: dict[str, Callable[..., Sampled] | None] = {
    "as many of its own": drawn,
    f"{SENTENCES} sentences": written,
    f"{SENTENCES} sentences after openings": after_openings,
    "those of the topic": None,
}
"""How the control is asked in its contexts; those of the topic are paired with it."""
CELLS = [*cells("controls", beside, {"contexts": ASKED, "groups": CONTROLS})]
main = Simulation(__doc__, "coverage/controls.json", CELLS, 200, {"coverage.md": ()})
