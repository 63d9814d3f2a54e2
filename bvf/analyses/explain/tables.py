"""Tables of an explanation: what varies, properties of contexts, the contexts that decide, groups at risk."""

from collections.abc import Sequence
from math import exp

from bvf.analyses.explain.drivers import Driver
from bvf.analyses.explain.result import (
    ContextProperty,
    Explanation,
    FittedLaw,
    GroupExceeding,
    PropertyLevel,
    Shape,
    Shapes,
)
from bvf.analyses.explain.sides import told_sides
from bvf.interfaces.section import Section
from bvf.tables.words import DECIDED, NOTHING, between, counted, decimals, p_value, shortened

CALLED = {"R": "R", "R_bias": "R^b", "R_volatility": "R^v"}
VARYING = {
    "group": "what a group is on average",
    "context": "what a context does to all groups alike",
    "both": "what it does to some groups and not to others",
}
OF_GROUPS = {"r": "r", "r_bias": "r^b", "r_volatility": "r^v"}
SHOWN = 8
"""Rows of a table if the reader does not say how many."""
PARAMETERS = {
    "normal": "mean {mean:.2g}, deviation {deviation:.2g}",
    "log-normal": "median {median:.2g}, factor {factor:.2g}",
    "Pareto": "from {smallest:.2g}, exponent {exponent:.2g}",
}
FAR_FROM_0 = "a group far from 0 cannot change sides"
"""Why r^v falls where r^b rises, for criteria of positive parts."""


def sections(explanation: Explanation, show: int = SHOWN) -> list[Section]:
    """Return the tables of an explanation.

    Args:
        explanation: Of one result.
        show: Rows of each table; 0: all.
    """
    varying, *properties, exceeding = besides_drivers(explanation, show)
    bias = _drivers(explanation, "R_bias", explanation.drivers.bias[: show or None])
    volatility = _drivers(explanation, "R_volatility", explanation.drivers.volatility[: show or None])
    shapes = [] if explanation.shapes is None else shape_sections(explanation.shapes)
    return [varying, *properties, bias, volatility, exceeding, *shapes]


def besides_drivers(explanation: Explanation, show: int = SHOWN) -> list[Section]:
    """Return the tables of an explanation but for those of single contexts, and of how groups are distributed.

    Args:
        explanation: As for `sections`.
        show: Likewise.
    """
    properties = [_properties(explanation.properties)] if explanation.properties else []
    levels = [_levels(explanation, show)] if explanation.levels else []
    reliability = [_reliability(explanation)] if explanation.reliability else []
    placebo = [_placebo(explanation)] if explanation.placebo else []
    return [_varying(explanation), *reliability, *placebo, *properties, *levels, _exceeding(explanation, show)]


def _varying(explanation: Explanation) -> Section:
    about = f", {explanation.group}" if explanation.group else ""
    R, R_bias, R_volatility = decimals(explanation.R, explanation.R_bias, explanation.R_volatility)
    shown = [each for each in explanation.varying if each.what == "context" or not explanation.group]
    rows = [(VARYING[each.what], *decimals(each.deviation), f"{each.share:.1%}") for each in shown]
    return Section(
        f"Why {explanation.model} has its risk: {explanation.topic}{about}, criterion {explanation.criterion}",
        ("what makes predictions vary", "deviation", "of variance"),
        rows,
        said=[f"R {R}, R^b {R_bias}, R^v {R_volatility} in {counted(explanation.contexts, 'context')}"],
        notes=[*_without(explanation), *explanation.notes],
    )


def _without(explanation: Explanation) -> list[str]:
    return [
        f"{CALLED[each.figure]} is {decimals(each.without)[0]} in place of {decimals(each.value)[0]} without "
        f'"{shortened(each.context, 60)}", the context that it hangs on most'
        for each in explanation.left_out
        if abs(each.without - each.value) > NOTHING
    ]


def _reliability(explanation: Explanation) -> Section:
    rows = [
        (OF_GROUPS.get(each.figure, f"lean to {each.figure}"), *decimals(each.reliability), _range(each.low, each.high))
        for each in explanation.reliability
    ]
    return Section(
        "Would other contexts put the groups in the same order?",
        ("figure of groups", "reliability", f"{explanation.level:.0%} of splits"),
        rows,
        notes=[
            f"{explanation.reliability[0].of} random halves of the contexts; their correlation over groups, lifted to "
            "the whole by Spearman and Brown; 1: the same line"
        ],
    )


def _range(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else between(low, high)


def _placebo(explanation: Explanation) -> Section:
    rows = [
        (
            each.swap or "all",
            _percent(each.variance),
            _percents(each.variance_low, each.variance_high),
            _percent(each.volatility),
            _percents(each.volatility_low, each.volatility_high),
            f"{each.by_chance:.0%}",
        )
        for each in explanation.placebo
    ]
    return Section(
        f"What swaps that should not matter already explain ({counted(explanation.placebo[0].origins, 'template')})",
        ("swap", "of variance", "interval", "of R^v", "interval", "chance"),
        rows,
        notes=[
            "the share that lies between variants of one template; intervals by drawing templates again; chance: the "
            "share if a variant were as different as another template; -: nothing varies"
        ],
    )


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"


def _percents(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f"{low:.1%} to {high:.1%}"


def _properties(properties: Sequence[ContextProperty]) -> Section:
    figures = list(dict.fromkeys(each.figure for each in properties))
    apart = {(each.property, each.figure): each for each in properties}
    names = list(dict.fromkeys(each.property for each in properties))
    rows = [
        (name, str(apart[name, figures[0]].levels), *decimals(*(apart[name, figure].deviation for figure in figures)))
        for name in names
    ]
    return Section(
        "Properties of contexts, and how far means of their levels are apart",
        ("property", "levels", *map(_figure, figures)),
        rows,
        notes=["standard deviation of the means of levels; a property with many levels has a larger one by chance"],
    )


def _levels(explanation: Explanation, show: int) -> Section:
    apart = [each for each in explanation.levels if each.decision in DECIDED]
    shown = explanation.levels[: max(len(apart), show)] if show else explanation.levels
    title = "Contexts with a property, less the rest"
    if len(shown) < len(explanation.levels):
        title += f" ({len(shown)} of {len(explanation.levels)})"
    columns = ("contexts with", "figure", "share", "difference", "interval", "p", "")
    rows = [_level(each) for each in shown]
    said = (
        f"{len(apart)} of {len(explanation.levels)} differ" if apart else "none of them can be told apart from the rest"
    )
    return Section(
        title,
        columns,
        rows,
        names=2,
        said=[said],
        notes=[
            "more, less and tied are decided by p, adjusted by Benjamini and Yekutieli for all "
            f"{len(explanation.levels)}: of what is called different, a share of {1.0 - explanation.level:.0%} is "
            "expected to be so by chance. An interval is for one difference by itself, and for other templates with "
            "that property."
        ],
    )


def _level(each: PropertyLevel) -> tuple[str, ...]:
    interval, p = between(each.low, each.high, places=3), p_value(each.adjusted_p)
    decided = DECIDED.get(each.decision, each.decision)
    return (
        f"{each.property} {each.level}",
        _figure(each.figure),
        f"{each.share:.1%}",
        *decimals(each.difference, places=3),
        interval,
        p,
        decided,
    )


def _figure(name: str) -> str:
    return name if name == "R" else f"to {name}"


def _drivers(explanation: Explanation, figure: str, drivers: Sequence[Driver]) -> Section:
    adding = explanation.drivers.adding_bias if figure == "R_bias" else explanation.drivers.adding_volatility
    called = CALLED[figure]
    shown = f"Contexts that add most to {called} ({len(drivers)} of {adding})"
    title = shown if drivers else f"No context adds to {called}"
    notes = ["over all contexts they add up to R^b and R^v"] if drivers else []
    rows = [
        (each.context, f"{each.weight:.1%}", *decimals(each.bias, each.volatility), ", ".join(each.groups))
        for each in drivers
    ]
    columns = ("context", "share", "R^b", "R^v", "most in")
    return Section(title, columns, rows, last="line", notes=notes)


def _exceeding(explanation: Explanation, show: int) -> Section:
    rows, some = explanation.exceeding[: show or None], any(each.share for each in explanation.exceeding)
    title = f"How often the risk of a group is above {explanation.threshold:g}"
    if len(rows) < len(explanation.exceeding):
        title += f" ({len(rows)} of {len(explanation.exceeding)})"
    columns = (
        ("group", "share of contexts", "interval") if explanation.units is not None else ("group", "share of contexts")
    )
    said = [] if some else [f"in no context is the risk of a group above {explanation.threshold:g}"]
    notes = ["intervals by Clopper and Pearson, for each group by itself"] if explanation.units is not None else []
    return Section(title, columns, [_share(each) for each in rows], said=said, notes=notes)


def _share(each: GroupExceeding) -> tuple[str, ...]:
    share = f"{each.share:.1%}"
    if each.low is None or each.high is None:
        return each.group, share
    return each.group, share, f"{each.low:.1%} to {each.high:.1%}"


def shape_sections(shapes: Shapes) -> list[Section]:
    """Return the tables of how figures of groups are distributed."""
    return [_shapes(shapes), *([] if shapes.too_few else [_laws(shapes)])]


def told_spearman(rank: float | None, sides_decide: bool) -> str:
    """Return how r^v and r^b of groups are correlated, as a sentence; nothing where that is undefined.

    Args:
        rank: Spearman's correlation.
        sides_decide: Whether groups are volatile only in so far as they change sides.

    >>> told_spearman(-0.5, sides_decide=True)
    'Rank correlation of r^v with r^b (Spearman) -0.50: a group far from 0 cannot change sides.'
    """
    if rank is None:
        return ""
    why = f": {FAR_FROM_0}" if rank < 0.0 and sides_decide else ""
    return f"Rank correlation of r^v with r^b (Spearman) {rank:+.2f}{why}."


def _shapes(shapes: Shapes) -> Section:
    said = [told_sides([(side.name, side) for side in shapes.sides], shapes.groups).removesuffix(".")]
    if shapes.measured.zero:
        said.append(
            f"{shapes.measured.zero} of {counted(shapes.groups, 'group')} have r^v = 0: {shapes.zero_share:.1%}, "
            f"{shapes.zero_low:.1%} to {shapes.zero_high:.1%} for other groups of the kind"
        )
    else:
        said.append("every group has r^v above 0")
    said.append(told_spearman(shapes.measured.spearman, shapes.sides_decide).removesuffix("."))
    notes = [
        "moved alike: every group keeps its mean prediction, and contexts move it by the deviations of all groups "
        "together. Where both rows agree, groups differ in r^v by their distance from 0 alone.",
    ]
    if shapes.spearman_of_alike is not None:
        notes.append(f"rank correlation of r^v in both rows: {shapes.spearman_of_alike:+.2f}")
    if shapes.measured.zero:
        notes.append(
            "an interval by Clopper and Pearson, as if groups were drawn at random. More contexts can only lower the "
            "share: a group that contradicted itself once has r^v above 0."
        )
    if shapes.too_few:
        notes.append(shapes.too_few)
    return Section(
        "How r^b and r^v of groups are distributed",
        ("r^v of groups", "R^v", "r^v = 0", "Spearman with r^b"),
        [_row("as measured", shapes.measured), _row("if contexts moved all groups alike", shapes.alike)],
        said=[each for each in said if each],
        notes=notes,
    )


def _row(name: str, shape: Shape) -> tuple[str, ...]:
    rank = "" if shape.spearman is None else f"{shape.spearman:+.2f}"
    return name, *decimals(shape.R_volatility), str(shape.zero), rank


def _laws(shapes: Shapes) -> Section:
    title = f"Laws of r^v in the {counted(shapes.positive, 'group')} in which it is above 0"
    best = shapes.laws[0]
    p_of = {pair.other: p_value(pair.adjusted_p) for pair in shapes.pairs if pair.law == best.law}
    rows = [
        (
            each.law,
            _parameters(each),
            f"{each.log_likelihood:.1f}",
            f"{each.log_likelihood - best.log_likelihood:+.1f}" if each is not best else "",
            p_of.get(each.law, ""),
        )
        for each in shapes.laws
    ]
    return Section(
        title,
        ("law", "parameters", "log L", "to the best", "p"),
        rows,
        said=[_best(shapes)],
        notes=[
            "log L: log-likelihood, in nats. p: Vuong's likelihood-ratio test, adjusted by Holm for three pairs. A "
            "description: the test takes groups for independent, and they share their contexts. No law is fitted to "
            "r^b, which is folded at 0."
        ],
    )


def _parameters(law: FittedLaw) -> str:
    named = law.parameters
    if law.law == "log-normal":
        named = {"median": exp(named["mean"]), "factor": exp(named["deviation"])}
    return PARAMETERS[law.law].format(**named)


def _best(shapes: Shapes) -> str:
    best = shapes.laws[0].law
    of_best = [pair for pair in shapes.pairs if pair.law == best]
    worse, tied = ([pair.other for pair in of_best if pair.decision == told] for told in ("better", "tied"))
    told = [f"better than {' and '.join(worse)}"] if worse else []
    told += [f"not told apart from {' and '.join(tied)}"] if tied else []
    return f"{best} fits best: {', '.join(told)}"
