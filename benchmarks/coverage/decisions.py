"""How often decisions are right: ``python -m benchmarks coverage.decisions [SCENE ...] [--repetitions N] [--anew]``.

Writes the tables of docs/evidence/decisions.md and their raw figures; see `benchmarks.coverage.frame`.
"""

from functools import partial
from itertools import product
from typing import Any

import numpy as np
from bvf_insights.regress.analysis import Figures
from bvf_insights.stats.weighted_line import weighted_line

from benchmarks.coverage import frame, populations
from benchmarks.coverage.frame import LEVEL, Rows, Table, cells, number, percent, samples, shares
from benchmarks.coverage.populations import SPREAD, Model, Rng, alternating, equal_groups, occurrences
from benchmarks.coverage.scenes import LINF, Make, asked, compared, leaning, pair_of_biases
from benchmarks.pages import Record
from bvf.analyses.gate.analysis import decided
from bvf.arrays import FloatArray
from bvf.results.figure import need_to_decide
from bvf.stats.comparing.comparison import may_be_highest
from bvf.stats.comparing.planning import interval_reach
from bvf.stats.figures.quantiles import student_quantile
from bvf.stats.figures.risk import Risk
from bvf.stats.sampling.sampled_risk import SampledRisk
from bvf.study.study import named_intervals

SIZES = (30, 80, 400)
SAME = 1e-9
PILOT = 80
"""Contexts of a pilot, and of a gate: as many as `bvf run` draws."""
SHOWN = 6
EXTREMES = {"alike": (0.155, 0.0, SPREAD), "alike, noisier": (0.155, 0.0, 2.0 * SPREAD), "apart": (0.155, 0.23, SPREAD)}
"""Mean and standard deviation of the leans of groups, and the deviation of logits over templates."""
LIMITS = {"above": 0.02, "below": -0.02}
"""How far the limits of a gate are from the true R^b."""
LIMIT = {"above": "R^b + .02", "below": "R^b - .02"}
WRONG = {"above": "fail", "below": "pass"}
EQUAL: dict[str, Make] = {
    "equal, half on each side": lambda groups, rng: equal_groups(-0.4 * alternating(groups), rng),
    "equal, nearly certain": lambda groups, rng: equal_groups(-0.96 * alternating(groups), rng, 4 * SPREAD),
    "equal and fair": lambda groups, rng: equal_groups(np.zeros(groups), rng),
    "means from -.6 to .6": lambda groups, rng: equal_groups(np.linspace(-0.6, 0.6, groups), rng),
}
PLANNED = {
    "0 and .05, sharing nothing": partial(pair_of_biases, (0.0, 0.05), shared=0.0),
    "0 and .05": partial(pair_of_biases, (0.0, 0.05)),
    ".02 and .06": partial(pair_of_biases, (0.02, 0.06)),
    ".02 and .06, the second twice as volatile": partial(pair_of_biases, (0.02, 0.06), volatile=2.0),
    ".05 and .10": partial(pair_of_biases, (0.05, 0.10)),
    ".40 and .45": partial(pair_of_biases, (0.40, 0.45)),
}
OF_SLOPES = {"R^b .1, half in common": (0.1, 0.5), "R^b .4, nothing in common": (0.4, 0.0)}


def by_linf(source: Model) -> Risk:
    return source.truth(LINF)


def lower(groups: int, scene: str, n: int, repetitions: int, rng: Rng) -> Rows:
    """How often any group is wrongly found lower than the highest, and the share of the lower groups that is found."""
    for source, risk in samples(partial(EQUAL[scene], groups), by_linf, repetitions, rng):
        found, row = asked(source, occurrences(n, rng, source.weights)), dict[str, Any]()
        for figure, part, place, truth in (
            ("r", found.risk, 0, risk.r),
            ("particular_bias", found.particular, 1, risk.parts.x_particular_bias),
        ):
            estimates = part.estimates(np.eye(len(truth)), LEVEL)
            first = int(np.argmax((estimates.total, estimates.of_mean)[place].value))
            equal, below = truth > truth[first] - SAME, ~may_be_highest(part, estimates, LEVEL)[place]
            row[f"{figure}_wrong"] = (below & equal).any()
            row[f"{figure}_found"] = 0.0 if equal.all() else below[~equal].mean()
        yield row


def extremes(groups: int, scene: str, n: int, repetitions: int, rng: Rng) -> Rows:
    """How often intervals of the particular R^b of `SHOWN` groups hold, chosen as in the overview of `bvf run`.

    At the usual level, and at the level for chosen groups.
    """
    mean, apart, spread = EXTREMES[scene]
    make = partial(populations.model, populations.leans(groups, mean, apart), 2, spread=spread, shared=0.5)
    for source, risk in samples(make, by_linf, repetitions, rng):
        drawn, truth = occurrences(n, rng), risk.parts.x_particular_bias
        found = asked(source, drawn).particular.estimates(np.eye(groups), LEVEL)
        order = np.argsort(-(drawn.sample.weights @ drawn.of(source)[..., 0].T))
        shown = [*order[: SHOWN // 2], *order[-SHOWN // 2 :]]
        level = 1.0 - (1.0 - LEVEL) * SHOWN / groups
        usual, wider = student_quantile([0.5 + LEVEL / 2.0, 0.5 + level / 2.0], n - 1.0)
        row: Record = {}
        for name, times in (("usual", 1.0), ("chosen", float(wider / usual))):
            made = [
                named_intervals(found, ("", "r", ""), x)["r"].stretched(float(found.of_mean.value[x]), times)
                for x in shown
            ]
            held = [each.low - SAME <= truth[x] <= each.high + SAME for each, x in zip(made, shown, strict=True)]
            row |= {name: np.mean(held), f"{name}_false": not all(held)}
            row[f"{name}_width"] = np.mean([each.high - each.low for each in made])
        yield row


def gated(groups: int, bias: float, shared: float, n: int, repetitions: int, rng: Rng) -> Rows:
    """How often `bvf gate` passes, fails or cannot tell at limits a little above and below the true R^b."""
    for source, risk in samples(leaning(groups, bias, shared), by_linf, repetitions, rng):
        found = asked(source, occurrences(n, rng))
        low, _, high = of_bias(found)
        verdicts = {side: decided(low, high, risk.R_bias + off, "max") for side, off in LIMITS.items()}
        both = product(verdicts.items(), ("pass", "fail", "cannot tell"))
        yield {f"{side}_{verdict}": found == verdict for (side, found), verdict in both}


def settled(groups: int, bias: float, shared: float, n: int, repetitions: int, rng: Rng) -> Rows:
    """How often `bvf gate` decides with as many contexts as it names where it could not tell (limit R^b + .02)."""
    for source, risk in samples(leaning(groups, bias, shared), by_linf, repetitions, rng):
        limit, drawn = risk.R_bias + LIMITS["above"], occurrences(n, rng)
        found = asked(source, drawn)
        ends, influence = of_bias(found), found.group_weights @ found.risk.influences[1]
        need = need_to_decide(drawn.sample, influence, ends, limit, LEVEL)
        if decided(ends[0], ends[2], limit, "max") == "cannot tell" and need.units:
            low, _, high = of_bias(asked(source, occurrences(need.units, rng)))
            yield {"decided": decided(low, high, limit, "max") != "cannot tell"}


def of_bias(found: SampledRisk) -> tuple[float, float, float]:
    """The lower end of R^b, the middle of its estimates, and the upper end."""
    interval = found.risk.estimates(found.group_weights, LEVEL).of_mean
    return float(interval.low), float(np.mean(interval.bracket)), float(interval.high)


def planned(pair: str, pilot: int, repetitions: int, rng: Rng) -> Rows:
    """Plan with a pilot for the true difference, draw as many contexts, and test."""

    def difference(source: tuple[Model, Model]) -> float:
        first, second = map(by_linf, source)
        return abs(first.R_bias - second.R_bias)

    numbers, found = [], []
    for source, apart in samples(PLANNED[pair], difference, repetitions, rng):
        drawn = occurrences(pilot, rng)
        now, influence = compared(source, drawn)
        reach = interval_reach(drawn.sample, influence, 0.0, LEVEL).to_detect(float(now.of_mean.detectable))
        numbers.append(reach.needed(apart).units)
        found.append(compared(source, occurrences(numbers[-1], rng))[0].of_mean.p_value < 1.0 - LEVEL)
    yield {"found_both": np.mean(found), "contexts_both": np.median(numbers)}


def slopes(scene: str, n: int, repetitions: int, rng: Rng) -> Rows:
    """How often ``bvf regress``'s interval for these groups holds the slope of r on a factor in the whole source."""

    def on_a_factor(source: Model) -> tuple[FloatArray, FloatArray]:
        truth = by_linf(source).r
        return truth, rng.normal(size=len(truth))

    for source, (truth, x) in samples(leaning(40, *OF_SLOPES[scene]), on_a_factor, repetitions, rng):
        drawn = occurrences(n, rng)
        sampled = asked(source, drawn).risk
        line = weighted_line(x, sampled.values(np.eye(len(x)))[0], np.ones(len(x)))
        figures = Figures("r", truth, sampled.influences[0], drawn.sample, "", is_mean=True)
        below, above = figures.reach_of_contexts(np.arange(len(x)), line.pull, LEVEL) or (0.0, 0.0)
        yield {"these": -below <= line.pull @ truth - line.slope <= above}


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
    (f"limit {called}", frame.each(lambda cell, side=side: verdict(cell, side, "cannot tell")))
    for side, called in LIMIT.items()
]
TABLES = (
    Table(
        "highest",
        {"groups": "{groups}, {scene}"},
        shares({**LOWER, **PARTICULAR}),
        left_out=("20, equal", "100, equal, n", "100, equal a"),
    ),
    Table("gates", {"groups, R^b": "{groups}, {bias:g}"}, CANNOT_TELL, wrong_verdicts, left_out=("100",)),
    Table(
        "planned",
        {"R^b": "{R^b}"},
        [("contexts, median", number("contexts_both", ",.0f")), ("found", percent("found_both"))],
    ),
)
GATES = {"groups": (20, 100), "bias": (0.0, 0.05, 0.1, 0.4), "shared": (0.0, 0.5), "n": [PILOT]}
CELLS = [
    *cells("highest", lower, {"groups": (20, 100), "scene": EQUAL, "n": SIZES}),
    *cells("gates", gated, GATES),
    *cells("more contexts", settled, {**GATES, "groups": [20], "bias": (0.05, 0.1, 0.4)}),
    *cells("planned", planned, {"R^b": PLANNED, "pilot": [PILOT]}),
    *cells("extremes", extremes, {"groups": [120], "scene": EXTREMES, "n": [PILOT]}),
    *cells("slopes", slopes, {"scene": OF_SLOPES, "n": SIZES}),
]
main = frame.Simulation(__doc__, "coverage/decisions.json", CELLS, 200, {"decisions.md": TABLES})
