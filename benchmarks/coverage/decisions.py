"""How often decisions are right: ``python -m benchmarks coverage.decisions [SCENE ...] [--repetitions N] [--anew]``.

Writes the tables of docs/evidence/decisions.md and their raw figures; see `benchmarks.coverage.frame`.
"""

from collections.abc import Iterator
from functools import partial
from itertools import product

import numpy as np
from bvf_insights.regress.analysis import Figures
from bvf_insights.stats.weighted_line import weighted_line

from benchmarks.coverage import populations
from benchmarks.coverage.frame import LEVEL, Cell, Simulation, Table, each, means, number, percent, samples, shares
from benchmarks.coverage.populations import SPREAD, Drawn, Model, Rng, alternating, equal_groups, occurrences
from benchmarks.coverage.scenes import LINF, Make, MakePair, asked, pair_of_biases
from benchmarks.pages import Record
from bvf.analyses.gate.analysis import decided
from bvf.arrays import FloatArray
from bvf.results.figure import need_to_decide
from bvf.stats.comparing.comparison import differences, may_be_highest
from bvf.stats.comparing.planning import detectable_reach
from bvf.stats.figures.quantiles import student_quantile
from bvf.stats.figures.risk import Risk
from bvf.stats.sampling.sampled_risk import SampledRisk
from bvf.study.study import named_intervals

SIZES = (30, 80, 400)
SAME = 1e-9
PILOT = 80
"""Contexts of a pilot, and of a gate: as many as `bvf run` draws."""
OF_EXTREMES, SHOWN = 120, 6
EXTREMES = {"alike": (0.155, 0.0, SPREAD), "alike, noisier": (0.155, 0.0, 2.0 * SPREAD), "apart": (0.155, 0.23, SPREAD)}
"""Mean and standard deviation of the leans of groups, and the deviation of logits over templates."""
LIMITS = {"above": 0.02, "below": -0.02}
"""How far the limits of a gate are from the true R^b."""
LIMIT = {"above": "R^b + .02", "below": "R^b - .02"}
WRONG = {"above": "fail", "below": "pass"}


def cells() -> Iterator[Cell]:
    sources: dict[str, Make] = {
        "equal, half on each side": lambda groups, rng: equal_groups(-0.4 * alternating(groups), rng),
        "equal, nearly certain": lambda groups, rng: equal_groups(-0.96 * alternating(groups), rng, 4 * SPREAD),
        "equal and fair": lambda groups, rng: equal_groups(np.zeros(groups), rng),
        "means from -.6 to .6": lambda groups, rng: equal_groups(np.linspace(-0.6, 0.6, groups), rng),
    }
    for (scene, make), groups, n in product(sources.items(), (20, 100), SIZES):
        yield Cell("highest", {"groups": groups, "scene": scene, "n": n}, partial(lower, partial(make, groups), n))
    for groups, bias, shared in product((20, 100), (0.0, 0.05, 0.1, 0.4), (0.0, 0.5)):
        facts = {"groups": groups, "bias": bias, "shared": shared, "n": PILOT}
        make = partial(populations.model, populations.leans_of_bias(groups, bias), 2, shared=shared)
        yield Cell("gates", facts, partial(gated, make))
        if groups == 20 and bias:
            yield Cell("more contexts", facts, partial(settled, make))
    for scene, pair in {
        "0 and .05, sharing nothing": partial(pair_of_biases, (0.0, 0.05), shared=0.0),
        "0 and .05": partial(pair_of_biases, (0.0, 0.05)),
        ".02 and .06": partial(pair_of_biases, (0.02, 0.06)),
        ".02 and .06, the second twice as volatile": partial(pair_of_biases, (0.02, 0.06), volatile=2.0),
        ".05 and .10": partial(pair_of_biases, (0.05, 0.10)),
        ".40 and .45": partial(pair_of_biases, (0.40, 0.45)),
    }.items():
        yield Cell("planned", {"R^b": scene, "pilot": PILOT}, partial(planned, pair))
    for scene, (mean, apart, spread) in EXTREMES.items():
        lean = populations.leans(OF_EXTREMES, mean, apart)
        make = partial(populations.model, lean, 2, spread=spread, shared=0.5)
        yield Cell("extremes", {"groups": OF_EXTREMES, "scene": scene, "n": PILOT}, partial(extremes, make))
    shares = {"R^b .1, half in common": (0.1, 0.5), "R^b .4, nothing in common": (0.4, 0.0)}
    for (scene, (bias, shared)), n in product(shares.items(), SIZES):
        make = partial(populations.model, populations.leans_of_bias(40, bias), 2, shared=shared)
        yield Cell("slopes", {"scene": scene, "n": n}, partial(slopes, make, n))


def by_linf(source: Model) -> Risk:
    return source.truth(LINF)


def lower(make: Make, n: int, repetitions: int, rng: Rng) -> Record:
    """How often any group is wrongly found lower than the highest, and the share of the lower groups that is found."""
    rows = list[Record]()
    for source, risk in samples(make, by_linf, repetitions, rng):
        found, row = asked(source, occurrences(n, rng, source.weights)), {}
        for figure, part, place, truth in (
            ("r", found.risk, 0, risk.r),
            ("particular_bias", found.particular, 1, risk.parts.x_particular_bias),
        ):
            estimates = part.estimates(np.eye(len(truth)), LEVEL)
            first = int(np.argmax((estimates.total, estimates.of_mean)[place].value))
            equal, below = truth > truth[first] - SAME, ~may_be_highest(part, estimates, LEVEL)[place]
            row[f"{figure}_wrong"] = (below & equal).any()
            row[f"{figure}_found"] = 0.0 if equal.all() else below[~equal].mean()
        rows.append(row)
    return means(rows)


def extremes(make: Make, repetitions: int, rng: Rng) -> Record:
    """How often intervals of the particular R^b of `SHOWN` groups hold, chosen as in the overview of `bvf run`.

    At the usual level, and at the level for chosen groups.
    """
    rows = list[Record]()
    for source, risk in samples(make, by_linf, repetitions, rng):
        drawn, truth = occurrences(PILOT, rng), risk.parts.x_particular_bias
        found = asked(source, drawn).particular.estimates(np.eye(OF_EXTREMES), LEVEL)
        order = np.argsort(-(drawn.sample.weights @ drawn.of(source)[..., 0].T))
        shown = [*order[: SHOWN // 2], *order[-SHOWN // 2 :]]
        level = 1.0 - (1.0 - LEVEL) * SHOWN / OF_EXTREMES
        usual, wider = student_quantile([0.5 + LEVEL / 2.0, 0.5 + level / 2.0], PILOT - 1.0)
        row: Record = {}
        for name, times in (("usual", 1.0), ("chosen", float(wider / usual))):
            made = [
                named_intervals(found, ("", "r", ""), x)["r"].stretched(float(found.of_mean.value[x]), times)
                for x in shown
            ]
            held = [each.low - SAME <= truth[x] <= each.high + SAME for each, x in zip(made, shown, strict=True)]
            row |= {name: np.mean(held), f"{name}_false": not all(held)}
            row[f"{name}_width"] = np.mean([each.high - each.low for each in made])
        rows.append(row)
    return means(rows)


def gated(make: Make, repetitions: int, rng: Rng) -> Record:
    """How often `bvf gate` passes, fails or cannot tell at limits a little above and below the true R^b."""
    rows = list[Record]()
    for source, risk in samples(make, by_linf, repetitions, rng):
        found = asked(source, occurrences(PILOT, rng))
        low, _, high = of_bias(found)
        verdicts = {side: decided(low, high, risk.R_bias + off, "max") for side, off in LIMITS.items()}
        both = product(verdicts.items(), ("pass", "fail", "cannot tell"))
        rows.append({f"{side}_{verdict}": found == verdict for (side, found), verdict in both})
    return means(rows)


def settled(make: Make, repetitions: int, rng: Rng) -> Record:
    """How often `bvf gate` decides with as many contexts as it names where it could not tell (limit R^b + .02)."""
    rows = list[tuple[int, bool]]()
    for source, risk in samples(make, by_linf, repetitions, rng):
        limit, drawn = risk.R_bias + LIMITS["above"], occurrences(PILOT, rng)
        found = asked(source, drawn)
        ends, influence = of_bias(found), found.group_weights @ found.risk.influences[1]
        need = need_to_decide(drawn.sample, influence, ends, limit, LEVEL)
        if decided(ends[0], ends[2], limit, "max") == "cannot tell" and need.units:
            low, _, high = of_bias(asked(source, occurrences(need.units, rng)))
            rows.append((need.units, decided(low, high, limit, "max") != "cannot tell"))
    numbers, decisions = zip(*rows, strict=True)
    known = {"more": float(np.median(numbers)), "decided": float(np.mean(decisions))}
    return {"undecided": len(rows) / repetitions, **known}


def of_bias(found: SampledRisk) -> tuple[float, float, float]:
    """The lower end of R^b, the middle of its estimates, and the upper end."""
    interval = found.risk.estimates(found.group_weights, LEVEL).of_mean
    return float(interval.low), float(np.mean(interval.bracket)), float(interval.high)


def planned(make: MakePair, repetitions: int, rng: Rng) -> Record:
    """Plan with a pilot for the true difference, draw as many contexts, and test."""

    def difference(source: tuple[Model, Model]) -> float:
        first, second = map(by_linf, source)
        return abs(first.R_bias - second.R_bias)

    rows = [
        (number := needed(source, apart, occurrences(PILOT, rng)), finds(source, occurrences(number, rng)))
        for source, apart in samples(make, difference, repetitions, rng)
    ]
    numbers, found = zip(*rows, strict=True)
    return {"found_both": float(np.mean(found)), "contexts_both": float(np.median(numbers))}


def needed(source: tuple[Model, Model], difference: float, pilot: Drawn) -> int:
    """The contexts needed to find a difference of R^b."""
    one, other = (asked(each, pilot) for each in source)
    now = differences(one.risk, other.risk, one.group_weights, LEVEL).of_mean.detectable
    on_bias = one.group_weights @ (one.risk.influences[1] - other.risk.influences[1])
    return detectable_reach(pilot.sample, on_bias, LEVEL, float(now)).needed(difference).units


def finds(source: tuple[Model, Model], drawn: Drawn) -> bool:
    one, other = (asked(each, drawn) for each in source)
    return bool(differences(one.risk, other.risk, one.group_weights, LEVEL).of_mean.p_value < 1.0 - LEVEL)


def slopes(make: Make, n: int, repetitions: int, rng: Rng) -> Record:
    """Coverage of the slope of r on a factor in the whole source, and widths, by both intervals of ``bvf regress``."""
    rows = list[Record]()

    def on_a_factor(source: Model) -> tuple[FloatArray, FloatArray]:
        truth = by_linf(source).r
        return truth, rng.normal(size=len(truth))

    for source, (truth, x) in samples(make, on_a_factor, repetitions, rng):
        drawn = occurrences(n, rng)
        sampled = asked(source, drawn).risk
        line = weighted_line(x, sampled.values(np.eye(len(x)))[0], np.ones(len(x)))
        added = sampled.influences[0]
        figures = Figures("r", truth, added, drawn.sample, "", is_mean=True)
        below, above = figures.reach_of_contexts(np.arange(len(x)), line.pull, LEVEL) or (0.0, 0.0)
        error = np.hypot(line.error, drawn.sample.standard_errors(line.pull @ added))
        reach = float(student_quantile(0.5 + LEVEL / 2.0, line.freedom) * error)
        off = line.pull @ truth - line.slope
        of_these = {"these": -below <= off <= above, "width_these": below + above}
        rows.append({**of_these, "of_the_kind": -reach <= off <= reach, "width_of_the_kind": 2.0 * reach})
    return means(rows)


def verdict(cell: Record, side: str, name: str) -> str:
    """How often there is a verdict at a limit; a dash if the limit is below 0, which `bvf gate` refuses."""
    return f"{100 * cell[f'{side}_{name}']:.1f}" if side == "above" or cell["bias"] > 0.0 else "-"


def wrong_verdicts(cells: list[Record]) -> str:
    wrong = [
        f"{verdict(cell, side, WRONG[side])} % at {LIMIT[side]} ({cell['groups']} groups, R^b {cell['bias']:g}, "
        f"{cell['shared']:g} in common)"
        for cell in cells
        for side in LIMITS
        if verdict(cell, side, WRONG[side]) != "-" and cell[f"{side}_{WRONG[side]}"]
    ]
    return f"Wrong verdicts: {'; '.join(wrong) or 'none'}. All others are right."


LOWER = {"r_wrong": "r: wrong", "r_found": "r: found"}
PARTICULAR = {f"particular_bias_{what}": f"particular R^b: {what}" for what in ("wrong", "found")}
CANNOT_TELL = [
    (f"limit {called}", each(lambda cell, side=side: verdict(cell, side, "cannot tell")))
    for side, called in LIMIT.items()
]
CHOSEN = [
    (f"{'of 95 %' if level == 'usual' else 'wider'}: {what}", column)
    for level in ("usual", "chosen")
    for what, column in (
        ("hold", percent(level)),
        ("any misses", percent(f"{level}_false")),
        ("width", number(f"{level}_width", ".3f")),
    )
]
SLOPES = [
    ("for these groups", percent("these")),
    ("width", number("width_these", ".4f")),
    ("for other groups of the kind", percent("of_the_kind")),
    ("width", number("width_of_the_kind", ".4f")),
]
PLANNED = [("contexts, median", number("contexts_both", ",.0f")), ("found", percent("found_both"))]
GROUPED = {"groups": "{groups}, {scene}"}
MORE = [("cannot tell", percent("undecided")), ("contexts, median", number("more", ",.0f"))]
PRINTED = (
    Table("extremes", GROUPED, CHOSEN),
    Table("more contexts", {"groups, R^b": "{groups}, {bias:g}"}, [*MORE, ("decided then", percent("decided"))]),
    Table("slopes", {"groups": "{scene}"}, SLOPES),
)
TABLES = (
    Table("highest", GROUPED, shares({**LOWER, **PARTICULAR}), left_out=("20, equal", "100, equal, n", "100, equal a")),
    Table("gates", {"groups, R^b": "{groups}, {bias:g}"}, CANNOT_TELL, wrong_verdicts, left_out=("100",)),
    Table("planned", {"R^b": "{R^b}"}, PLANNED),
)
main = Simulation(__doc__, "coverage/decisions.json", list(cells()), 200, {"decisions.md": TABLES}, PRINTED)
