"""Scenes of intervals and of comparisons: what is drawn, from which sources, and what is measured of it."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from scipy.stats import bootstrap

from benchmarks.coverage import populations
from benchmarks.coverage.frame import LEVEL, Cell, Rows, cells, figures_of, of_parts, samples, within
from benchmarks.coverage.populations import SPREAD, Drawn, Model, Rng, leans_of_bias, model, occurrences
from benchmarks.pages import Record
from bvf.arrays import FloatArray, IntArray
from bvf.builtin.criteria import Linf, Lk
from bvf.interfaces.criterion import Criterion
from bvf.stats.comparing.comparison import Differences, differences
from bvf.stats.sampling.sampled_risk import SampledRisk, sampled_risk
from bvf.stats.sampling.samples import Unit
from bvf.study.study import PARTICULAR, RISK, parts_of_risk

SIZES = (50, 200, 1000)
BIASES = (0.0, 0.05, 0.1, 0.4)
CRITERIA: dict[str, Criterion] = {"linf": Linf(), "lk:2": Lk("2"), "plugin": populations.Excess()}
LINF = CRITERIA["linf"]
FAMILIES = ((2, "linf"), (2, "plugin"), (5, "linf"), (5, "lk:2"), (5, "plugin"))
RESAMPLES = 999
QUANTITIES = (*RISK, PARTICULAR[1])
Draw = Callable[[Rng], Drawn]
Make = Callable[..., Model]
MakePair = Callable[..., tuple[Model, Model]]
SETS: dict[str, Draw] = {
    **{
        f"{draws:,} draws of {n:,} occurrences": partial(populations.draws_of_occurrences, draws, n)
        for draws, n in ((80, 3000), (400, 100), (1600, 400))
    },
    **{
        f"{draws} draws of {n} documents x {size}": partial(populations.draws_of_documents, draws, n, size, 0.6)
        for draws, n, size in ((80, 20, 40), (400, 20, 40), (400, 100, 10))
    },
}
CUT: dict[str, tuple[populations.Texts, Unit]] = {
    "600 occurrences": ((600, 1, 0.0), "occurrence"),
    "600 documents x 1": ((600, 1, 0.0), "document"),
    "300 documents x 2": ((300, 2, 0.6), "document"),
    "2,400 documents x 1": ((2400, 1, 0.0), "document"),
}
ONE_SIDE = (
    *((20, 0.06, shared) for shared in (0.0, 0.5, 0.7)),
    *((100, bias, shared) for bias, shared in ((0.035, 0.2), (0.05, 0.2), (0.05, 0.5))),
)
"""Groups, the lean of each, and how much of the variance they share: at n 50, leans are .8 to 1.4 standard errors."""


def interval_cells() -> Iterator[Cell]:
    """Coverage in plain samples; where few contexts turn groups, where documents repeat; and of a bootstrap, BCa."""
    for (classes, criterion), groups, bias in product(FAMILIES, (1, 40), BIASES):
        for shared, n in product((0.0,) if groups == 1 else (0.0, 0.5, 0.7), SIZES):
            facts = {"classes": classes, "criterion": criterion, "groups": groups, "bias": bias, "shared": shared}
            make = leaning(groups, bias, shared, classes)
            yield in_occurrences("intervals", {**facts, "n": n}, make, criterion=CRITERIA[criterion])
    for share, n in product((0.01, 0.03), (30, *SIZES)):
        yield in_occurrences("rare", {"share": share, "n": n}, partial(populations.rarely_turning, share))
    of_documents = {"groups": (1, 40), "bias": (0.05, 0.4), "repeating": (0.0, 0.3, 0.6)}
    yield from cells("documents", in_documents, of_documents)
    yield from cells("bootstrap", against_bca, {"groups": (1, 40), "bias": (0.0, 0.1, 0.4), "n": SIZES})


def in_occurrences(scene: str, facts: Record, make: Make, **more: Any) -> Cell:
    """The intervals in n contexts that are drawn by themselves."""
    return Cell(scene, facts, partial(intervals, make, partial(occurrences, facts["n"]), **more))


def comparison_cells() -> Iterator[Cell]:
    """Two models of equal R^b, two that differ, and how often a difference is found."""
    fair, lean = np.zeros(40), populations.leans(40, 0.05, 0.1)
    two = partial(pair_of_spreads, classes=2, shared=0.5)
    nulls: dict[str, MakePair] = {
        "same law": partial(pair_of_one_law, lean),
        "fair, the second twice as volatile": partial(two, fair),
        "the same, 60 groups that share nothing": partial(two, np.zeros(60), shared=0.0),
        "leans N(.4, .25), the second twice as volatile": partial(two, populations.leans(40, 0.4, 0.25)),
        "leans N(.05, .1), the second twice as volatile": partial(two, lean),
        "one fair group, the second twice as volatile": partial(two, np.zeros(1), shared=0.0),
        "|Y| = 5, lk:2, leans N(.05, .1), twice as volatile": partial(two, lean, classes=5),
    }
    for null, n in product(nulls, SIZES):
        criterion = CRITERIA["lk:2" if "lk:2" in null else "linf"]
        measure = partial(rejections, nulls[null], partial(occurrences, n), criterion=criterion)
        yield Cell("nulls", {"null": null, "n": n}, measure)
    repeated = partial(rejections, partial(two, fair), lambda rng: populations.documents(0.6, rng)[0])
    yield Cell("nulls", {"null": "fair, twice as volatile, documents that repeat (.6)", "n": 1200}, repeated)
    volatile = partial(two, leans_of_bias(40, 0.1), spreads=(0.45, 0.6))
    pairs = {"R^b .10 and .15": partial(pair_of_biases, (0.1, 0.15)), "spread .45 and .60": volatile}
    for n, pair in product(SIZES, pairs):
        yield Cell("power", {"models": pair, "n": n}, partial(rejections, pairs[pair], partial(occurrences, n)))
    for drawn, draw in SETS.items():
        make_pair = partial(two, np.zeros(60), shared=0.0)
        yield Cell("nulls of draws", {"drawn": drawn}, partial(rejections, make_pair, draw))


def hard_cells() -> Iterator[Cell]:
    """Designs in which intervals are hard: draws from a set, few documents, certain groups, leans near 0."""
    for (drawn, draw), (bias, shared) in product(SETS.items(), ((0.0, 0.0), (0.1, 0.5), (0.4, 0.7))):
        measure = partial(intervals, leaning(20, bias, shared), draw)
        yield Cell("draws", {"drawn": drawn, "bias": bias, "shared": shared}, measure)
    yield from cells("cut sets", in_cut_sets, {"cut": CUT, "asked": (80, 400, "all"), "bias": (0.0, 0.1, 0.4)})
    for (lean, spread), n in product(((4.0, 1.5), (4.0, 2.5), (7.0, 3.0)), (12, 30, 80, 400)):
        make = partial(populations.nearly_certain, lean, spread)
        yield in_occurrences("certain", {"lean": lean, "spread": spread, "n": n}, make, figures=RISK)
    for groups, bias, shared in ONE_SIDE:
        make = partial(model, np.full(groups, bias), 2, shared=shared)
        facts = {"groups": groups, "bias": bias, "n": 50, "shared": shared}
        yield in_occurrences("one side", facts, make)
    heavy = partial(populations.heavy_tailed, leans_of_bias(20, 0.1))
    tails = {("t_2", 2): partial(heavy, 2), ("t_2", 4): partial(heavy, 4)}
    tails[("never changes sides", 2)] = populations.never_turning
    for n, ((tail, classes), make) in product((12, 30, 80), tails.items()):
        yield in_occurrences("heavy tails", {"tails": tail, "classes": classes, "n": n}, make)


def leaning(groups: int, bias: float, shared: float, classes: int = 2) -> Make:
    """Make models of groups with an R^b, which share a part of their variance."""
    return partial(model, leans_of_bias(groups, bias), classes, shared=shared)


def half_shared(groups: int, bias: float) -> Make:
    """Make models of groups that share half of their variance, if there are several."""
    return leaning(groups, bias, 0.0 if groups == 1 else 0.5)


def asked(source: Model, drawn: Drawn, criterion: Criterion = LINF) -> SampledRisk:
    return sampled_risk(drawn.of(source), criterion, drawn.sample)


def compared(source: tuple[Model, Model], drawn: Drawn, criterion: Criterion = LINF) -> tuple[Differences, FloatArray]:
    """Return the differences of two models, and the influence of contexts on that of R^b."""
    one, other = (asked(each, drawn, criterion) for each in source)
    influence = one.group_weights @ (one.risk.influences[1] - other.risk.influences[1])
    return differences(one.risk, other.risk, one.group_weights, LEVEL), influence


def only(figures: Sequence[str], source: Model, criterion: Criterion = LINF) -> dict[str, float]:
    """Return some figures of a source, if they are defined."""
    truth = figures_of(source.truth(criterion))
    return {figure: truth[figure] for figure in figures if figure in truth}


def intervals(
    make: Make, draw: Draw, repetitions: int, rng: Rng, criterion: Criterion = LINF, figures: Sequence[str] = QUANTITIES
) -> Rows:
    """Measure the intervals of R, R^b, R^v and the bias apart."""
    for source, truth in samples(make, partial(only, figures, criterion=criterion), repetitions, rng):
        found = asked(source, draw(rng), criterion)
        yield of_parts(parts_of_risk(found), found.group_weights, truth)


def in_documents(groups: int, bias: float, repeating: float, repetitions: int, rng: Rng) -> Rows:
    """Measure the intervals by documents, and as if every occurrence had been drawn by itself."""
    for source, truth in samples(half_shared(groups, bias), partial(only, RISK), repetitions, rng):
        row: Record = {}
        for drawn in populations.documents(repeating, rng):
            found = asked(source, drawn)
            row[drawn.sample.unit] = of_parts(parts_of_risk(found), found.group_weights, truth)
        yield row


def in_cut_sets(cut: str, draws: int | str, bias: float, repetitions: int, rng: Rng) -> Rows:
    """Measure the intervals of what all sets that are cut alike have together, and of what their texts have."""
    made, unit = CUT[cut]

    def truth(source: Model) -> dict[str, Record]:
        weights = {"cut": populations.weights_in_cut_sets(made), "texts": None}
        known = {name: figures_of(source.truth(LINF, each)) for name, each in weights.items()}
        return {name: {figure: each[figure] for figure in QUANTITIES} for name, each in known.items()}

    for source, truths in samples(half_shared(20, bias), truth, repetitions, rng):
        found = asked(source, populations.cut_set(draws, made, unit, rng))
        parts = parts_of_risk(found)
        of_cut, of_texts = (of_parts(parts, found.group_weights, truths[name]) for name in ("cut", "texts"))
        yield {**of_cut, "texts": of_texts}


def against_bca(groups: int, bias: float, n: int, repetitions: int, rng: Rng) -> Rows:
    """Compare the interval of R^b with BCa's, which takes long, in a fifth of the repetitions."""
    some = repetitions // 5
    for source, truth in samples(half_shared(groups, bias), partial(only, RISK), some, rng):
        drawn = occurrences(n, rng)
        found = asked(source, drawn)
        ours = found.risk.estimates(found.group_weights, LEVEL).of_mean
        ends = {"ours": (ours.low, ours.high), "bca": by_bca(found, drawn, rng)}
        held = {name: {"R_bias": within(low, high, truth["R_bias"])} for name, (low, high) in ends.items()}
        yield {"repetitions": some, **held}


def by_bca(found: SampledRisk, drawn: Drawn, rng: Rng) -> tuple[float, float]:
    """Return the BCa interval of R^b from redrawn occurrences; the ends are NaN where there is none."""
    vectors, J, contexts = found.risk.vectors, found.risk.J, len(drawn.sample.counts)

    def bias(occurrence: IntArray, axis: int = -1) -> FloatArray:
        rows = occurrence.astype(np.intp).reshape(-1, occurrence.shape[axis])
        flat = (rows + contexts * np.arange(len(rows))[:, np.newaxis]).ravel()
        counts = np.bincount(flat, minlength=contexts * len(rows)).reshape(len(rows), contexts)
        redrawn = np.matmul(counts / counts.sum(axis=1, keepdims=True), vectors)
        return (found.group_weights @ J.value(redrawn)).reshape(occurrence.shape[:-1])

    every = np.repeat(np.arange(contexts), drawn.sample.counts.astype(np.intp))
    bootstrapped = bootstrap((every,), bias, n_resamples=RESAMPLES, method="BCa", vectorized=True, axis=-1, rng=rng)
    return bootstrapped.confidence_interval


def pair_of_one_law(lean: FloatArray, rng: Rng) -> tuple[Model, Model]:
    """Two models with the same R, R^b and R^v."""
    first = model(lean, 2, rng, shared=0.5)
    return first, populations.as_risky(first, LINF, lean, rng, shared=0.5)


def pair_of_spreads(
    lean: FloatArray, rng: Rng, classes: int, shared: float, spreads: Sequence[float] = (0.45, 0.9)
) -> tuple[Model, Model]:
    """Two models with the same R^b of every group, the second more volatile."""
    first, second = (model(lean, classes, rng, spread, shared) for spread in spreads)
    return first, second


def pair_of_biases(
    biases: tuple[float, float], rng: Rng, shared: float = 0.5, volatile: float = 1.0
) -> tuple[Model, Model]:
    """Two models of 40 groups with these R^b; the spread of the second is ``volatile`` times as large."""
    both = zip(biases, (SPREAD, volatile * SPREAD), strict=True)
    one, other = (model(leans_of_bias(40, bias), 2, rng, spread, shared) for bias, spread in both)
    return one, other


def rejections(make: MakePair, draw: Draw, repetitions: int, rng: Rng, criterion: Criterion = LINF) -> Rows:
    """Count how often differences are found at 5 %, that of R^b also by either half of the test alone."""

    def truth(source: tuple[Model, Model]) -> Record:
        first, second = (only(RISK, each, criterion) for each in source)
        return {f"true_{what}": first[f"R_{what}"] - second[f"R_{what}"] for what in ("bias", "volatility")}

    for source, known in samples(make, truth, repetitions, rng):
        drawn = draw(rng)
        apart, influence = compared(source, drawn, criterion)
        p_values = {
            "R_bias": apart.of_mean.p_value,
            "R_bias_by_cross_fit": drawn.sample.p_values(apart.of_mean.cross_fit, influence),
            "R_bias_by_plug_in": drawn.sample.p_values(apart.of_mean.value, influence),
            "R_volatility": apart.rest.p_value,
        }
        yield {**known, **{name: p_value < 1.0 - LEVEL for name, p_value in p_values.items()}}
