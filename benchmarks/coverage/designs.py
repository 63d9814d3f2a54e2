"""Scenes of designs in which intervals are hard: draws from a set, few documents, certain groups."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product

import numpy as np
from populations import (
    Drawn,
    Model,
    draws_of_documents,
    draws_of_occurrences,
    heavy_tailed,
    leans_of_bias,
    model,
    nearly_certain,
    never_turning,
    occurrences,
)
from scenes import LEVEL, SOURCES, Cell, Record, Tally, decisions, intervals, pair_of_spreads, sources

from bvf.builtin.criteria import Linf
from bvf.stats.figures.risk import Risk
from bvf.stats.sampling.sampled_risk import SampledRisk, sampled_risk

Draw = Callable[[np.random.Generator], Drawn]
SETS: dict[str, Draw] = {
    "80 draws of 3,000 occurrences": partial(draws_of_occurrences, 80, 3000),
    "400 draws of 100 occurrences": partial(draws_of_occurrences, 400, 100),
    "1,600 draws of 400 occurrences": partial(draws_of_occurrences, 1600, 400),
    "80 draws of 20 documents x 40": partial(draws_of_documents, 80, 20, 40, 0.6),
    "400 draws of 20 documents x 40": partial(draws_of_documents, 400, 20, 40, 0.6),
    "400 draws of 100 documents x 10": partial(draws_of_documents, 400, 100, 10, 0.6),
}
ONE_SIDE = (
    *((20, 0.06, shared) for shared in (0.0, 0.5, 0.7)),
    *((100, bias, shared) for bias, shared in ((0.035, 0.2), (0.05, 0.2), (0.05, 0.5))),
)
"""Groups, the lean of each, and how much of the variance they share: at n 50, leans are .8 to 1.4 standard errors."""


def design_cells() -> Iterator[Cell]:
    """Every cell of these scenes."""
    for drawn, draw in SETS.items():
        for bias, shared in ((0.0, 0.0), (0.1, 0.5), (0.4, 0.7)):
            make = partial(model, leans_of_bias(20, bias), 2, shared=shared)
            facts = {"drawn": drawn, "bias": bias, "shared": shared}
            yield Cell("draws", facts, partial(of_draws, make, draw))
    for drawn, draw in SETS.items():
        make_pair = partial(pair_of_spreads, np.zeros(60), classes=2, shared=0.0)
        yield Cell("nulls of draws", {"drawn": drawn}, partial(found, make_pair, draw))
    for (lean, spread), n in product(((4.0, 1.5), (4.0, 2.5), (7.0, 3.0)), (12, 30, 80, 400)):
        measure = partial(of_groups, partial(nearly_certain, lean, spread), partial(occurrences, n))
        yield Cell("certain", {"lean": lean, "spread": spread, "n": n}, measure)

    for groups, bias, shared in ONE_SIDE:
        make = partial(model, np.full(groups, bias), 2, shared=shared)
        facts = {"groups": groups, "bias": bias, "n": 50, "shared": shared}
        yield Cell("one side", facts, partial(intervals, make, Linf(), 50))
    for n in (12, 30, 80):
        for classes in (2, 4):
            make = partial(heavy_tailed, leans_of_bias(20, 0.1), classes)
            yield Cell("heavy tails", {"tails": "t_2", "classes": classes, "n": n}, partial(intervals, make, Linf(), n))
        facts = {"tails": "never changes sides", "classes": 2, "n": n}
        yield Cell("heavy tails", facts, partial(intervals, never_turning, Linf(), n))


def of_draws(make: Callable[..., Model], draw: Draw, repetitions: int, rng: np.random.Generator) -> Record:
    """Measure the intervals of R, R^b, R^v and the bias apart."""
    tally = Tally()
    for asked, truth in _asked(make, draw, repetitions, rng):
        tally.add_risks(asked, truth)
        assert asked.particular
        assert truth.parts
        particular = asked.particular.estimates(asked.group_weights, LEVEL).of_mean
        tally.add("particular_bias", particular, truth.parts.particular_bias)
    return tally.record()


def _asked(
    make: Callable[..., Model], draw: Draw, repetitions: int, rng: np.random.Generator
) -> Iterator[tuple[SampledRisk, Risk]]:
    """Yield the risk of a model in each sample of contexts, and the true one."""
    for source in sources(make, repetitions, rng):
        truth = source.truth(Linf())
        for _ in range(repetitions // SOURCES):
            drawn = draw(rng)
            yield sampled_risk(drawn.of(source), Linf(), drawn.sample), truth


def found(make: Callable[..., tuple[Model, Model]], draw: Draw, repetitions: int, rng: np.random.Generator) -> Record:
    """Count how often R^b of two models is found different where it is the same."""
    every = [
        decisions(source, Linf(), draw(rng))["R_bias"]
        for source in sources(make, repetitions, rng)
        for _ in range(repetitions // SOURCES)
    ]
    return {"R_bias": float(np.mean(every))}


def of_groups(make: Callable[..., Model], draw: Draw, repetitions: int, rng: np.random.Generator) -> Record:
    """Measure R, R^b and R^v, and r, r^b and the particular bias of each group, on average over groups."""
    tally = Tally()
    for asked, truth in _asked(make, draw, repetitions, rng):
        tally.add_risks(asked, truth)
        groups = np.eye(len(truth.r))
        assert asked.particular
        assert truth.parts
        of_risk, of_particular = (part.estimates(groups, LEVEL) for part in (asked.risk, asked.particular))
        tally.add_each("r", of_risk.total, truth.r)
        tally.add_each("r_bias", of_risk.of_mean, truth.r_bias)
        tally.add_each("particular", of_particular.total, truth.parts.x_particular)
    return tally.record()
