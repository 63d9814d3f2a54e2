"""Cells of scenes about decisions: groups lower than the highest, limits, planned differences, slopes."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product

import numpy as np
from bvf_insights.regress.figures import Figures
from bvf_insights.stats.weighted_line import weighted_line
from populations import SPREAD, Drawn, Model, equal_groups, leans_of_bias, model, occurrences
from scenes import LEVEL, SOURCES, Cell, Record, sources

from bvf.analyses.gate.analysis import decided
from bvf.arrays import FloatArray
from bvf.builtin.criteria import Linf
from bvf.stats.comparing.comparison import differences
from bvf.stats.comparing.highest import may_be_highest
from bvf.stats.comparing.planning import Doubt, detectable_reach
from bvf.stats.figures.quantiles import student_quantile
from bvf.stats.sampling.intervals import Sampled
from bvf.stats.sampling.sampled_risk import SampledRisk, sampled_risk
from bvf.stats.sampling.samples import ContextSample

SIZES = (30, 80, 400)
SAME = 1e-9
PILOT = 80
"""Contexts of a pilot."""
FROM_LIMIT = 0.02
"""How far the true R^b is from the limits of a gate."""


def decision_cells() -> Iterator[Cell]:
    """Every cell of every scene."""
    for of_a_scene in (highest_cells, gate_cells, planned_cells, slope_cells):
        yield from of_a_scene()


def highest_cells() -> Iterator[Cell]:
    """Groups of equal figures, and groups that differ: which are found lower than the highest."""
    scenes: dict[str, Callable[..., Model]] = {
        "equal, half on each side": lambda groups, rng: equal_groups(sides(groups, 0.4), rng),
        "equal, nearly certain": lambda groups, rng: equal_groups(sides(groups, 0.96), rng, 4 * SPREAD),
        "equal and fair": lambda groups, rng: equal_groups(np.zeros(groups), rng),
        "means from -.6 to .6": lambda groups, rng: equal_groups(np.linspace(-0.6, 0.6, groups), rng),
    }
    for scene, make in scenes.items():
        for groups in (20, 100):
            for n in SIZES:
                facts = {"groups": groups, "scene": scene, "n": n}
                yield Cell("highest", facts, partial(told_apart, partial(make, groups), n))


def sides(groups: int, lean: float) -> FloatArray:
    """Leans of the same size, of every other group to the other class, shape (X,)."""
    return lean * np.where(np.arange(groups) % 2, -1.0, 1.0)


def sampled_contexts(source: Model, n: int, rng: np.random.Generator) -> Drawn:
    """Draw ``n`` contexts by weight from a source."""
    counts = rng.multinomial(n, source.weights)
    there = np.flatnonzero(counts)
    return Drawn(there, ContextSample(counts[there].astype(np.float64)))


def told_apart(make: Callable[..., Model], n: int, repetitions: int, rng: np.random.Generator) -> Record:
    """How often any group is wrongly found lower than the highest, by paired tests and by intervals apart.

    Also, how many of the groups that are lower are found, on average.
    """
    rows = list[Record]()
    for source in sources(make, repetitions, rng):
        risk = source.truth(Linf())
        assert risk.parts is not None
        for _ in range(repetitions // SOURCES):
            drawn = sampled_contexts(source, n, rng)
            asked = sampled_risk(drawn.of(source), Linf(), drawn.sample)
            assert asked.particular is not None
            rows.append(
                {
                    **in_one_sample("r", asked.risk, 0, risk.r),
                    **in_one_sample("particular_bias", asked.particular, 1, risk.parts.x_particular_bias),
                }
            )
    return {name: float(np.mean([row[name] for row in rows])) for name in rows[0]}


def in_one_sample(figure: str, sampled: Sampled, place: int, truth: FloatArray) -> Record:
    """What was wrongly found lower in one sample, and the share of lower groups that was found, by name."""
    estimates = sampled.estimates(np.eye(len(truth)), LEVEL)
    estimate = (estimates.total, estimates.of_mean)[place]
    first = int(np.argmax(estimate.value))
    equal = truth > truth[first] - SAME
    told = {
        "": ~may_be_highest(sampled, estimates, LEVEL)[place],
        "_by_overlap": np.asarray(estimate.high < estimate.low[first]),
    }
    return {
        f"{figure}_{what}{by}": float(share)
        for by, below in told.items()
        for what, share in (
            ("wrong", (below & equal).any()),
            ("found", below[~equal].mean() if not equal.all() else 0.0),
        )
    }


def gate_cells() -> Iterator[Cell]:
    """Limits a little above and below the true R^b, with as many contexts as `bvf run` draws."""
    for groups, bias, shared in product((20, 100), (0.0, 0.05, 0.1, 0.4), (0.0, 0.5)):
        make = partial(model, leans_of_bias(groups, bias), 2, shared=shared)
        yield Cell("gates", {"groups": groups, "bias": bias, "shared": shared, "n": PILOT}, partial(gated, make, PILOT))


def gated(make: Callable[..., Model], n: int, repetitions: int, rng: np.random.Generator) -> Record:
    """How often `bvf gate` passes, fails or cannot tell at both limits; also if the leans of groups were known."""
    verdicts = list[Record]()
    for source in sources(make, repetitions, rng):
        truth = source.truth(Linf()).R_bias
        for _ in range(repetitions // SOURCES):
            drawn = occurrences(n, rng)
            asked = sampled_risk(drawn.of(source), Linf(), drawn.sample)
            found = asked.risk.estimates(asked.group_weights, LEVEL).of_mean
            ends = {"": (float(found.low), float(found.high)), "_if_known": if_leans_were_known(asked, source)}
            verdicts.append(
                {
                    f"{side}{how}_{verdict}": decided(*both, truth + off, "max") == verdict
                    for side, off in (("above", FROM_LIMIT), ("below", -FROM_LIMIT))
                    for how, both in ends.items()
                    for verdict in ("pass", "fail", "cannot tell")
                }
            )
    return {name: float(np.mean([each[name] for each in verdicts])) for name in verdicts[0]}


def if_leans_were_known(asked: SampledRisk, source: Model) -> tuple[float, float]:
    """The interval of R^b if the class were known that each group leans to: R^b is then a mean of contexts."""
    vectors, sample = asked.risk.vectors, asked.risk.sample
    mean = 2.0 * (source.weights @ source.probabilities) - 1.0
    leans = asked.group_weights @ (asked.risk.J.gradient(mean[:, np.newaxis]) * vectors).sum(axis=2)
    value = float(leans @ sample.weights)
    below, above = sample.margins(leans - value, LEVEL)
    error = sample.standard_errors(leans - value)
    return value - float(below * error), value + float(above * error)


def planned_cells() -> Iterator[Cell]:
    """Two models of different R^b: how often the difference is found with as many contexts as a pilot says."""
    scenes = {
        "0 and .05, sharing nothing": ((0.0, 0.05), 0.0, 1.0),
        "0 and .05": ((0.0, 0.05), 0.5, 1.0),
        ".02 and .06": ((0.02, 0.06), 0.5, 1.0),
        ".02 and .06, the second twice as volatile": ((0.02, 0.06), 0.5, 2.0),
        ".05 and .10": ((0.05, 0.10), 0.5, 1.0),
        ".40 and .45": ((0.40, 0.45), 0.5, 1.0),
    }
    for scene, (biases, shared, volatile) in scenes.items():
        make = partial(pair_with, biases, shared, volatile)
        yield Cell("planned", {"R^b": scene, "pilot": PILOT}, partial(planned, make))


def pair_with(
    biases: tuple[float, float], shared: float, volatile: float, rng: np.random.Generator
) -> tuple[Model, Model]:
    """Two models of 40 groups with these R^b; the spread of the second is ``volatile`` times as large."""
    spreads = (SPREAD, volatile * SPREAD)
    one, other = (
        model(leans_of_bias(40, bias), 2, rng, spread, shared) for bias, spread in zip(biases, spreads, strict=True)
    )
    return one, other


def planned(make: Callable[..., tuple[Model, Model]], repetitions: int, rng: np.random.Generator) -> Record:
    """Plan with a pilot for the true difference, draw as many contexts, and test."""
    numbers, found = list[list[int]](), list[list[bool]]()
    for source in sources(make, repetitions, rng):
        first, second = (each.truth(Linf()).R_bias for each in source)
        for _ in range(repetitions // SOURCES):
            needed = list(needs(source, abs(first - second), occurrences(PILOT, rng)))
            numbers.append(needed)
            found.append([finds(source, occurrences(number, rng)) for number in needed])
    power, median = np.mean(found, axis=0), np.median(numbers, axis=0)
    names = ("both", "plug_in_alone")
    return {
        **{f"found_{name}": float(share) for name, share in zip(names, power, strict=True)},
        **{f"contexts_{name}": float(number) for name, number in zip(names, median, strict=True)},
    }


def needs(source: tuple[Model, Model], difference: float, pilot: Drawn) -> tuple[int, int]:
    """The contexts needed to find a difference of R^b, planned for both tests, and as if there were one."""
    one, other = (sampled_risk(pilot.of(each), Linf(), pilot.sample) for each in source)
    influence = one.group_weights @ (one.risk.influences[1] - other.risk.influences[1])
    apart = differences(one.risk, other.risk, one.group_weights, LEVEL).of_mean
    assert apart.cross_fit is not None
    doubtful = one.group_weights * (one.risk.in_doubt | other.risk.in_doubt)
    doubt = Doubt(
        abs(float(apart.value - apart.cross_fit)), doubtful @ (one.risk.influences[1] - other.risk.influences[1])
    )
    both, alone = (
        detectable_reach(pilot.sample, influence, LEVEL, doubt=each).needed(difference).units for each in (doubt, None)
    )
    assert both is not None
    assert alone is not None
    return both, alone


def finds(source: tuple[Model, Model], drawn: Drawn) -> bool:
    """Whether a difference of R^b is found in a sample, at 5 %."""
    one, other = (sampled_risk(drawn.of(each), Linf(), drawn.sample) for each in source)
    return bool(differences(one.risk, other.risk, one.group_weights, LEVEL).of_mean.p_value < 1.0 - LEVEL)


def slope_cells() -> Iterator[Cell]:
    """Slopes of figures of groups on a factor: how often either interval holds the slope of these groups."""
    for scene, (bias, shared) in {
        "R^b .1, half in common": (0.1, 0.5),
        "R^b .4, nothing in common": (0.4, 0.0),
    }.items():
        for n in SIZES:
            make = partial(model, leans_of_bias(40, bias), 2, shared=shared)
            yield Cell("slopes", {"scene": scene, "n": n}, partial(slopes, make, n))


def slopes(make: Callable[..., Model], n: int, repetitions: int, rng: np.random.Generator) -> Record:
    """Coverage of the slope of r in the whole source, and widths, by both intervals of ``bvf regress``."""
    rows = []
    for source in sources(make, repetitions, rng):
        truth = source.truth(Linf()).r
        x = rng.normal(size=len(truth))
        for _ in range(repetitions // SOURCES):
            drawn = occurrences(n, rng)
            sampled = sampled_risk(drawn.of(source), Linf(), drawn.sample).risk
            line = weighted_line(x, sampled.values(np.eye(len(x)))[0], np.ones(len(x)))
            added = sampled.influences[0]
            figures = Figures("r", truth, added, drawn.sample, "", is_mean=True)
            below, above = figures.reach_of_contexts(np.arange(len(x)), line.pull, LEVEL) or (0.0, 0.0)
            error = np.hypot(line.error, drawn.sample.standard_errors(line.pull @ added))
            reach = float(student_quantile(0.5 + LEVEL / 2.0, line.freedom) * error)
            off = line.pull @ truth - line.slope
            rows.append([-below <= off <= above, below + above, -reach <= off <= reach, 2.0 * reach])
    names = ("these", "width_these", "of_the_kind", "width_of_the_kind")
    return dict(zip(names, np.mean(rows, axis=0).tolist(), strict=True))
