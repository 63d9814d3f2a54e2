"""Cells of scenes: each draws contexts many times and asks for intervals."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any
from zlib import crc32

import numpy as np
from populations import (
    SPREAD,
    Drawn,
    Excess,
    Model,
    as_risky,
    documents,
    leans,
    leans_of_bias,
    model,
    occurrences,
    rarely_turning,
)
from scipy.stats import bootstrap

from bvf.arrays import FloatArray, IntArray
from bvf.builtin.criteria import Linf, Lk
from bvf.interfaces.criterion import Criterion
from bvf.stats.comparing.comparison import differences
from bvf.stats.figures.risk import Risk
from bvf.stats.sampling.estimates import Estimate
from bvf.stats.sampling.sampled_risk import SampledRisk, sampled_risk
from bvf.stats.sampling.samples import ContextSample

LEVEL = 0.95
SIZES = (50, 200, 1000)
SOURCES = 10
"""Sources that the repetitions of a cell are spread over, so that no figure depends on one."""
ROUNDING = 1e-9
CRITERIA: dict[str, Criterion] = {"linf": Linf(), "lk:2": Lk("2"), "plugin": Excess()}
FAMILIES = ((2, "linf"), (2, "plugin"), (5, "linf"), (5, "lk:2"), (5, "plugin"))
RESAMPLES = 999
REPEATING = (0.0, 0.3, 0.6)

Record = dict[str, Any]


@dataclass(frozen=True)
class Cell:
    """One line of a table, and what measures it in a number of repetitions."""

    scene: str
    facts: dict[str, Any]
    measure: Callable[[int, np.random.Generator], Record]

    @property
    def name(self) -> str:
        """The facts in which it differs from the other cells of its scene."""
        return ", ".join(f"{key} {value}" for key, value in self.facts.items())

    def measured(self, repetitions: int) -> Record:
        """Measure it; all numbers but seconds are the same every time."""
        rng = np.random.default_rng(crc32(f"{self.scene}: {self.name}".encode()))
        return {**self.facts, "repetitions": repetitions, **self.measure(repetitions, rng)}


def cells() -> Iterator[Cell]:
    """Every cell of every scene."""
    for of_a_scene in (interval_cells, rare_cells, document_cells, null_cells, power_cells, bootstrap_cells):
        yield from of_a_scene()


def interval_cells() -> Iterator[Cell]:
    """Coverage over classes, criteria, R^b, shared variance, groups and sizes."""
    for (classes, criterion), groups, bias in product(FAMILIES, (1, 40), (0.0, 0.05, 0.1, 0.4)):
        for shared, n in product((0.0,) if groups == 1 else (0.0, 0.5, 0.7), SIZES):
            facts = {"classes": classes, "criterion": criterion, "groups": groups, "bias": bias, "shared": shared}
            make = partial(model, leans_of_bias(groups, bias), classes, shared=shared)
            yield Cell("intervals", {**facts, "n": n}, partial(intervals, make, CRITERIA[criterion], n))


def intervals(make: Callable[..., Model], criterion: Criterion, n: int, repetitions: int, rng: Any) -> Record:
    """Measure the intervals of R, R^b, R^v and the bias apart."""
    tally = Tally()
    for source in sources(make, repetitions, rng):
        truth = source.truth(criterion)
        for _ in range(repetitions // SOURCES):
            drawn = occurrences(n, rng)
            asked = sampled_risk(drawn.of(source), criterion, drawn.sample)
            tally.add_risks(asked, truth)
            if asked.particular and truth.parts:
                particular = asked.particular.estimates(asked.group_weights, LEVEL).of_mean
                tally.add("particular_bias", particular, truth.parts.particular_bias)
    return tally.record()


def rare_cells() -> Iterator[Cell]:
    """Coverage where few contexts turn all groups around."""
    for share, n in product((0.01, 0.03), (30, *SIZES)):
        make = partial(rarely_turning, share)
        yield Cell("rare", {"share": share, "n": n}, partial(intervals, make, Linf(), n))


def document_cells() -> Iterator[Cell]:
    """Coverage for documents that repeat themselves."""
    for groups, bias, repeating in product((1, 40), (0.05, 0.4), REPEATING):
        facts = {"groups": groups, "bias": bias, "repeating": repeating}
        shared = 0.0 if groups == 1 else 0.5
        make = partial(model, leans_of_bias(groups, bias), 2, shared=shared)
        yield Cell("documents", facts, partial(in_documents, make, repeating))


def in_documents(make: Callable[..., Model], repeating: float, repetitions: int, rng: Any) -> Record:
    """Measure the intervals by documents, and as if every occurrence had been drawn by itself."""
    tallies = {"document": Tally(), "occurrence": Tally()}
    for source in sources(make, repetitions, rng):
        truth = source.truth(Linf())
        for _ in range(repetitions // SOURCES):
            for (unit, tally), drawn in zip(tallies.items(), documents(repeating, rng), strict=True):
                asked = sampled_risk(drawn.of(source), Linf(), drawn.sample)
                tally.add_risks(asked, truth)
                assert drawn.sample.unit == unit
    return {unit: tally.record() for unit, tally in tallies.items()}


def null_cells() -> Iterator[Cell]:
    """Two models of equal R^b, and how often a difference is found."""
    fair, leaning, two = np.zeros(40), leans(40, 0.05, 0.1), partial(pair_of_spreads, classes=2, shared=0.5)
    nulls = {
        "same law": partial(pair_of_one_law, leaning),
        "fair, the second twice as volatile": partial(two, fair),
        "the same, 60 groups that share nothing": partial(two, np.zeros(60), shared=0.0),
        "leans N(.4, .25), the second twice as volatile": partial(two, leans(40, 0.4, 0.25)),
        "leans N(.05, .1), the second twice as volatile": partial(two, leaning),
        "one fair group, the second twice as volatile": partial(two, np.zeros(1), shared=0.0),
        "|Y| = 5, lk:2, leans N(.05, .1), twice as volatile": partial(two, leaning, classes=5),
    }
    for null, make in nulls.items():
        criterion: Criterion = Lk("2") if "lk:2" in null else Linf()
        for n in SIZES:
            yield Cell("nulls", {"null": null, "n": n}, partial(rejections, make, criterion, partial(occurrences, n)))
    repeated = partial(rejections, partial(two, fair), Linf(), lambda rng: documents(0.6, rng)[0])
    yield Cell("nulls", {"null": "fair, twice as volatile, documents that repeat (.6)", "n": 1200}, repeated)


def power_cells() -> Iterator[Cell]:
    """Two models that do differ."""
    biased = partial(pair_of_biases, 0.1, 0.15)
    volatile = partial(pair_of_spreads, leans_of_bias(40, 0.1), classes=2, shared=0.5, spreads=(0.45, 0.6))
    for n in SIZES:
        draw = partial(occurrences, n)
        yield Cell("power", {"models": "R^b .10 and .15", "n": n}, partial(rejections, biased, Linf(), draw))
        yield Cell("power", {"models": "spread .45 and .60", "n": n}, partial(rejections, volatile, Linf(), draw))


def pair_of_one_law(lean: FloatArray, rng: np.random.Generator) -> tuple[Model, Model]:
    """Two models with the same R, R^b and R^v."""
    first = model(lean, 2, rng, shared=0.5)
    return first, as_risky(first, Linf(), lean, rng, shared=0.5)


def pair_of_spreads(
    lean: FloatArray,
    rng: np.random.Generator,
    classes: int,
    shared: float,
    spreads: tuple[float, float] = (SPREAD, 2.0 * SPREAD),
) -> tuple[Model, Model]:
    """Two models with the same R^b of every group, the second more volatile."""
    first, second = (model(lean, classes, rng, spread, shared) for spread in spreads)
    return first, second


def pair_of_biases(first: float, second: float, rng: np.random.Generator) -> tuple[Model, Model]:
    """Two models of different R^b."""
    one, other = (model(leans_of_bias(40, bias), 2, rng, shared=0.5) for bias in (first, second))
    return one, other


def rejections(
    make: Callable[..., tuple[Model, Model]],
    criterion: Criterion,
    draw: Callable[[np.random.Generator], Drawn],
    repetitions: int,
    rng: np.random.Generator,
) -> Record:
    """Count how often differences are found, also by either half of the test alone."""
    decided: dict[str, list[bool]] = {}
    truths = []
    for source in sources(make, repetitions, rng):
        first, second = (each.truth(criterion) for each in source)
        truths.append([first.R_bias - second.R_bias, first.R_volatility - second.R_volatility])
        for _ in range(repetitions // SOURCES):
            for name, rejected in decisions(source, criterion, draw(rng)).items():
                decided.setdefault(name, []).append(rejected)
    shares = {name: float(np.mean(rejected)) for name, rejected in decided.items()}
    bias, volatility = np.mean(truths, axis=0)
    return {"true_bias": float(bias), "true_volatility": float(volatility), **shares}


def decisions(source: tuple[Model, Model], criterion: Criterion, drawn: Drawn) -> dict[str, bool]:
    """Which tests find a difference in one sample, at 5 %."""
    one, other = (sampled_risk(drawn.of(each), criterion, drawn.sample) for each in source)
    apart = differences(one.risk, other.risk, one.group_weights, LEVEL)
    _, on_bias, on_rest = (
        one.group_weights @ (ours - theirs)
        for ours, theirs in zip(one.risk.influences, other.risk.influences, strict=True)
    )
    return {
        "R_bias": bool(apart.of_mean.p_value < 1.0 - LEVEL),
        "R_volatility": bool(apart.rest.p_value < 1.0 - LEVEL),
        "R_bias_by_cross_fit": alone(drawn.sample, apart.of_mean.cross_fit, on_bias),
        "R_bias_by_plug_in": alone(drawn.sample, apart.of_mean.value, on_bias),
        "R_volatility_by_cross_fit": alone(drawn.sample, apart.rest.cross_fit, on_rest),
        "R_volatility_by_plug_in": alone(drawn.sample, apart.rest.value, on_rest),
    }


def alone(sample: ContextSample, difference: FloatArray | None, influence: FloatArray) -> bool:
    """Whether one of the two estimates alone would find a difference."""
    assert difference is not None
    return bool(sample.p_values(difference, influence) < 1.0 - LEVEL)


def bootstrap_cells() -> Iterator[Cell]:
    """The width of the interval of R^b against that of a bootstrap, BCa, on the same samples."""
    for groups, bias, n in product((1, 40), (0.0, 0.1, 0.4), SIZES):
        make = partial(model, leans_of_bias(groups, bias), 2, shared=0.0 if groups == 1 else 0.5)
        yield Cell("bootstrap", {"groups": groups, "bias": bias, "n": n}, partial(against_bca, make, n))


def against_bca(make: Callable[..., Model], n: int, repetitions: int, rng: np.random.Generator) -> Record:
    """Compare with BCa, which takes long, in a fifth of the repetitions."""
    tallies = {"ours": Tally(), "bca": Tally()}
    for source in sources(make, repetitions // 5, rng):
        truth = source.truth(Linf())
        for _ in range(repetitions // 5 // SOURCES):
            drawn = occurrences(n, rng)
            asked = sampled_risk(drawn.of(source), Linf(), drawn.sample)
            tallies["ours"].add("R_bias", asked.risk.estimates(asked.group_weights, LEVEL).of_mean, truth.R_bias)
            tallies["bca"].add("R_bias", by_bca(asked, drawn, rng), truth.R_bias)
    return {"repetitions": repetitions // 5, **{name: tally.record() for name, tally in tallies.items()}}


def by_bca(asked: SampledRisk, drawn: Drawn, rng: np.random.Generator) -> Estimate:
    """R^b and its BCa interval from redrawn occurrences; the ends are NaN where there is none."""
    vectors, J, contexts = asked.risk.vectors, asked.risk.J, len(drawn.sample.counts)

    def bias(occurrence: IntArray, axis: int = -1) -> FloatArray:
        rows = occurrence.astype(np.intp).reshape(-1, occurrence.shape[axis])
        flat = (rows + contexts * np.arange(len(rows))[:, np.newaxis]).ravel()
        counts = np.bincount(flat, minlength=contexts * len(rows)).reshape(len(rows), contexts)
        means = np.matmul(counts / counts.sum(axis=1, keepdims=True), vectors)
        return (asked.group_weights @ J.value(means)).reshape(occurrence.shape[:-1])

    every = np.repeat(np.arange(contexts), drawn.sample.counts.astype(np.intp))
    bootstrapped = bootstrap((every,), bias, n_resamples=RESAMPLES, method="BCa", vectorized=True, axis=-1, rng=rng)
    return Estimate(bias(every), *map(np.asarray, bootstrapped.confidence_interval))


def sources(make: Callable[..., Any], repetitions: int, rng: np.random.Generator) -> Iterator[Any]:
    """Make sources, each for an equal part of the repetitions."""
    if repetitions % SOURCES:
        raise ValueError(f"{repetitions} repetitions are not a multiple of {SOURCES}")
    return (make(rng=rng) for _ in range(SOURCES))


class Tally:
    """How often intervals hold the truth, how wide they are, and how far off the estimates are."""

    def __init__(self) -> None:
        self.rows: dict[str, list[list[float]]] = {}

    def add(self, quantity: str, estimate: Estimate, truth: float) -> None:
        """Add the estimate of one sample."""
        low, high, value, crossed = (float(end) for end in (estimate.low, estimate.high, *estimate.bracket))
        held = low - ROUNDING <= truth <= high + ROUNDING
        row = [truth, held, high < truth, high - low, value - truth, crossed - truth]
        self.rows.setdefault(quantity, []).append(row)

    def add_each(self, quantity: str, estimates: Estimate, truths: FloatArray) -> None:
        """Add the estimates of one sample for each group, (X,)."""
        ends = zip(estimates.value, estimates.low, estimates.high, estimates.bracket[1], truths, strict=True)
        for value, low, high, crossed, truth in ends:
            self.add(quantity, Estimate(value, low, high, crossed), float(truth))

    def add_risks(self, asked: SampledRisk, truth: Risk) -> None:
        """Add R, R^b and R^v of one sample."""
        estimates = asked.risk.estimates(asked.group_weights, LEVEL)
        self.add("R", estimates.total, truth.R)
        self.add("R_bias", estimates.of_mean, truth.R_bias)
        self.add("R_volatility", estimates.rest, truth.R_volatility)

    def record(self) -> Record:
        """Return the means over all samples, and the standard errors of the mean errors."""
        names = ("truth", "coverage", "too_low", "width", "error", "cross_fit_error")
        record: Record = {}
        for quantity, every in self.rows.items():
            rows = np.array(every, dtype=np.float64)
            record[quantity] = dict(zip(names, np.nanmean(rows, axis=0).tolist(), strict=True))
            errors = rows[:, 4:].std(axis=0, ddof=1) / np.sqrt(len(rows))
            record[quantity] |= {"error_se": float(errors[0]), "cross_fit_error_se": float(errors[1])}
        return record
