"""Tables of an explanation: variance, properties of contexts, influential contexts, groups with high risk."""

from collections.abc import Mapping, Sequence
from functools import partial
from math import exp

from bvf_report.pictures.risk.sides import sentence_on_sides, sentence_on_spearman

from bvf import Section
from bvf.results import in_title
from bvf.study import RISK, RISK_OF_GROUP
from bvf.tables import (
    BY_FIELD,
    NOTHING,
    Column,
    between,
    correlation,
    counted,
    decimals,
    figure,
    legend,
    p_value,
    percent,
    percents,
    shortened,
    some_of,
    symbol,
    symbols,
    table,
    warned,
)
from bvf_insights.explain.drivers import Driver
from bvf_insights.explain.result import (
    ALONE,
    ContextProperty,
    CrossedShare,
    Explanation,
    FigureReliability,
    FittedLaw,
    FrameDifference,
    FrameShare,
    GroupExceeding,
    PlaceboShare,
    PropertyLevel,
    Shape,
    Shapes,
    Varying,
    WithoutTemplates,
)

VARYING = {
    "group": "what a group is on average",
    "context": "what a context does to all groups alike",
    "template": "what a template does to all groups alike",
    "opening": "what stands before it does, and both together",
    "both": "what it does to some groups and not to others",
    "thought": "what it thought before its answer",
    "sampling": "the sampling of its answers",
}
BIAS, VOLATILITY = symbols(*RISK_OF_GROUP[1:])
LONGEST_LEVEL = 24
SHOWN = 8
"""Default number of rows of a table."""
WITHOUT = {
    "none": "none of them",
    "heaviest": "the heaviest",
    "far": "those in which neutral subjects are more than 15 points from their mean",
}
PARAMETERS = {
    "normal": "mean {mean:.2g}, deviation {deviation:.2g}",
    "log-normal": "median {median:.2g}, factor {factor:.2g}",
    "Pareto": "from {smallest:.2g}, exponent {exponent:.2g}",
}


def sections(explanation: Explanation, show: int = SHOWN) -> list[Section]:
    """Return the tables of an explanation, with at most ``show`` rows each (0: all)."""
    varying, *properties, exceeding = besides_drivers(explanation, show)
    bias = _drivers(explanation, "R_bias", explanation.drivers.bias[: show or None])
    volatility = _drivers(explanation, "R_volatility", explanation.drivers.volatility[: show or None])
    shapes = [] if explanation.shapes is None else shape_sections(explanation.shapes)
    return [varying, *properties, bias, volatility, exceeding, *shapes]


def besides_drivers(explanation: Explanation, show: int = SHOWN) -> list[Section]:
    """Return the tables of an explanation, except those on single contexts and on distributions over groups."""
    found = [_varying(explanation)]
    found += [_templates(explanation)] if len(explanation.templates) > 1 else []
    found += [_reliability(explanation)] if explanation.reliability else []
    found += [_placebo(explanation)] if explanation.placebo else []
    found += [_frames(explanation)] if explanation.frames else []
    found += [_frame_shares(explanation.frame_shares)] if explanation.frame_shares else []
    found += [_crossed(explanation.crossed)] if explanation.crossed else []
    found += [_properties(explanation.properties)] if explanation.properties else []
    found += [_levels(explanation, show)] if explanation.levels else []
    return [*found, _exceeding(explanation, show)]


def _varying(explanation: Explanation) -> Section:
    about = f", {explanation.group}" if explanation.group else ""
    figures = ", ".join(f"{symbol(field)} {decimals(getattr(explanation, field))[0]}" for field in RISK)
    left_out = [
        f"{symbol(each.figure)} is {decimals(each.without)[0]} instead of {decimals(each.value)[0]} without its most "
        f'influential context, "{shortened(each.context, 60)}"'
        for each in explanation.left_out
        if abs(each.without - each.value) > NOTHING
    ]
    shown = [each for each in explanation.varying if each.what in ALONE or not explanation.group]
    unknown = [f"{VARYING[each.what]}: no interval, as {each.no_interval}" for each in shown if each.no_interval]
    columns: list[Column[Varying]] = [
        Column("what makes predictions vary", lambda each: VARYING[each.what]),
        Column("deviation", lambda each: decimals(each.deviation)[0]),
        Column(f"{percent(explanation.level)}", lambda each: between(each.low, each.high), optional=True),
        Column("of variance", lambda each: f"{each.share:.1%}"),
    ]
    title = f"Why {explanation.model} has its risk: {explanation.topic}{about}, {in_title(explanation)}"
    subtitle = [f"{figures} in {counted(explanation.contexts, 'context')}"]
    notes = [*unknown, *left_out, *explanation.notes]
    return table(title, columns, shown, subtitle=subtitle, notes=notes, warnings=warned(explanation.warnings))


def _templates(explanation: Explanation) -> Section:
    columns: list[Column[WithoutTemplates]] = [
        Column("without", lambda each: WITHOUT[each.without]),
        Column("templates", lambda each: f"{each.templates} of {each.of}" if each.templates else ""),
        Column("weight", lambda each: f"{each.share:.1%}" if each.templates else ""),
        *map(figure, RISK),
        figure("particular_bias", optional=True),
    ]
    heaviest = [f'heaviest: "{shortened(each.template, 60)}"' for each in explanation.templates if each.template]
    return table("Do some templates decide?", columns, explanation.templates, notes=heaviest)


def _reliability(explanation: Explanation) -> Section:
    columns: list[Column[FigureReliability]] = [
        Column("figure of groups", lambda each: figure_of_groups(each.figure)),
        Column("reliability", lambda each: decimals(each.reliability)[0]),
        Column(f"{percent(explanation.level)} of splits", lambda each: between(each.low, each.high)),
    ]
    return table(
        "Would other contexts put the groups in the same order?",
        columns,
        explanation.reliability,
        notes=[
            f"mean correlation over groups between random halves of the contexts ({explanation.reliability[0].of} "
            "splits), extended to all contexts by Spearman and Brown; 1: the groups lie on one line"
        ],
    )


def figure_of_groups(name: str) -> str:
    """Return the symbol of a group figure, or a phrase such as "lean to CLASS"."""
    return symbol(name) if name in BY_FIELD else f"lean to {name}"


def _placebo(explanation: Explanation) -> Section:
    columns: list[Column[PlaceboShare]] = [
        Column("swap", lambda each: each.swap or "all"),
        Column("of variance", lambda each: _percent(each.variance)),
        Column("interval", lambda each: percents(each.variance_low, each.variance_high)),
        Column(f"of {symbol('R_volatility')}", lambda each: _percent(each.volatility)),
        Column("interval", lambda each: percents(each.volatility_low, each.volatility_high)),
        Column("chance", lambda each: f"{each.by_chance:.0%}"),
    ]
    return table(
        f"How much swaps that should not matter explain ({counted(explanation.placebo[0].origins, 'template')})",
        columns,
        explanation.placebo,
        notes=[
            "share of the variance between variants of one template; intervals by resampling templates; chance: the "
            "share if a variant differed as much as another template; -: nothing varies"
        ],
    )


def _frames(explanation: Explanation) -> Section:
    frames = list(dict.fromkeys(each.frame for each in explanation.frames))
    of_frames = "frames change" if len(frames) > 1 else f"{frames[0]} changes"
    columns: list[Column[FrameDifference]] = [
        *([Column[FrameDifference]("frame", lambda each: each.frame)] if len(frames) > 1 else []),
        Column("levels", lambda each: ", ".join(shortened(text, LONGEST_LEVEL) for text in (each.first, each.second))),
        Column("figure", lambda each: symbol(each.figure) if each.figure in BY_FIELD else f"to {each.figure}"),
        Column("first", lambda each: decimals(each.in_first, places=3)[0]),
        Column("difference", lambda each: decimals(each.difference, places=3)[0]),
        Column("interval", lambda each: between(each.low, each.high, places=3), optional=True),
        Column("p", lambda each: p_value(each.adjusted_p), optional=True),
        Column("", lambda each: each.decision or "", optional=True),
    ]
    return table(
        f"What {of_frames}, in the same {counted(explanation.frames[0].templates, 'template')}",
        columns,
        explanation.frames,
        names=3 if len(frames) > 1 else 2,
        notes=[
            "first: the figure with the first level; difference: with the second less with the first, template by "
            "template; "
            + (
                "intervals are for other templates, each for one difference alone; p is adjusted for all differences "
                "together (Holm), and decides higher, lower and tied"
                if any(each.low is not None for each in explanation.frames)
                else "there are too few templates of about equal weight for intervals"
            )
        ],
    )


def _frame_shares(shares: Sequence[FrameShare]) -> Section:
    columns: list[Column[FrameShare]] = [
        Column("frame", lambda each: each.frame),
        Column("levels", lambda each: str(each.levels)),
        Column(f"{symbol('R_volatility')} within", lambda each: decimals(each.within)[0]),
        Column("between", lambda each: decimals(each.between)[0]),
        Column("of variance", lambda each: _percent(each.variance)),
        Column("by group", lambda each: _percent(each.variance_by_group)),
    ]
    called = symbol("R_volatility")
    notes = [
        f"within: the mean volatility of contexts with one level; between: what levels add to {called} by leaning to "
        f"different sides; together they are {called}; of variance: the share of the first table that levels make in "
        "all groups alike, and by group"
    ]
    return table(f"How much of {called} is between the levels of a frame", columns, shares, notes=notes)


def _crossed(shares: Sequence[CrossedShare]) -> Section:
    columns: list[Column[CrossedShare]] = [
        Column("what", lambda each: each.what),
        Column("levels", lambda each: "" if each.levels is None else str(each.levels)),
        Column("of variance", lambda each: _percent(each.variance)),
        Column(
            f"{symbol('R_volatility')} alone",
            lambda each: "" if each.volatility is None else decimals(each.volatility)[0],
        ),
    ]
    notes = [
        "of variance: share in the variance of a group's predictions over contexts, mean over groups; together: what "
        f"some do only with some of the others; alone: {symbol('R_volatility')} of predictions averaged over all else"
    ]
    return table("What crossed contexts differ by", columns, shares, notes=notes)


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"


def _properties(properties: Sequence[ContextProperty]) -> Section:
    by_property = dict[str, dict[str, ContextProperty]]()
    for each in properties:
        by_property.setdefault(each.property, {})[each.figure] = each
    figures = list(dict.fromkeys(each.figure for each in properties))
    columns: list[Column[Mapping[str, ContextProperty]]] = [
        Column("property", lambda each: each[figures[0]].property),
        Column("levels", lambda each: str(each[figures[0]].levels)),
        *(Column(_figure(each), partial(_deviation, each)) for each in figures),
    ]
    title = "Properties of contexts: how far the means of their levels differ"
    notes = ["standard deviation of the means of levels; with many levels it is larger by chance"]
    return table(title, columns, by_property.values(), notes=notes)


def _deviation(figure: str, of_figures: Mapping[str, ContextProperty]) -> str:
    return decimals(of_figures[figure].deviation)[0]


def _levels(explanation: Explanation, show: int) -> Section:
    apart = [each for each in explanation.levels if each.decision != "tied"]
    shown = explanation.levels[: max(len(apart), show)] if show else explanation.levels
    number = len(explanation.levels)
    differing = f"{len(apart)} of {number} differ" if apart else "no property makes a significant difference"
    columns: list[Column[PropertyLevel]] = [
        Column("contexts with", lambda each: f"{each.property} {each.level}"),
        Column("figure", lambda each: _figure(each.figure)),
        Column("share", lambda each: f"{each.share:.1%}"),
        Column("difference", lambda each: decimals(each.difference, places=3)[0]),
        Column("interval", lambda each: between(each.low, each.high, places=3)),
        Column("p", lambda each: p_value(each.adjusted_p)),
        Column("", lambda each: each.decision),
    ]
    return table(
        f"Contexts with a property compared with the rest{some_of(len(shown), number)}",
        columns,
        shown,
        names=2,
        subtitle=[differing],
        notes=[
            f"higher, lower and tied are decided by p, adjusted for all {number} (Benjamini-Yekutieli): of the "
            f"differences found, {percent(1.0 - explanation.level)} are expected to be false. Each interval is for one "
            "difference alone, and for other templates with that property."
        ],
    )


def _figure(name: str) -> str:
    return name if name == "R" else f"to {name}"


def _drivers(explanation: Explanation, figure: str, drivers: Sequence[Driver]) -> Section:
    adding = explanation.drivers.adding_bias if figure == "R_bias" else explanation.drivers.adding_volatility
    called = symbol(figure)
    shown = f"Contexts that add most to {called} ({len(drivers)} of {adding} that add to it)"
    title = shown if drivers else f"No context adds to {called}"
    sums = f"the sums over all contexts are {' and '.join(symbols(*RISK[1:]))}{explanation.but_for_noise}"
    notes = [sums] if drivers else []
    columns: list[Column[Driver]] = [
        Column("context", lambda each: each.context),
        Column("share", lambda each: f"{each.weight:.1%}"),
        Column(symbol("R_bias"), lambda each: decimals(each.bias)[0]),
        Column(symbol("R_volatility"), lambda each: decimals(each.volatility)[0]),
        Column("most in", lambda each: ", ".join(each.groups)),
    ]
    return table(title, columns, drivers, last="line", notes=notes)


def _exceeding(explanation: Explanation, show: int) -> Section:
    of_all, some = explanation.exceeding, any(each.share for each in explanation.exceeding)
    shown = of_all[: show or None]
    title = f"How often the risk of a group is above {explanation.threshold:g}{some_of(len(shown), len(of_all))}"
    sentences = [] if some else [f"in no context is the risk of a group above {explanation.threshold:g}"]
    name = "Korn-Graubard intervals: those of Clopper and Pearson with the effective number of contexts"
    notes = [f"{name}, for each group alone"] if explanation.units is not None else []
    columns: list[Column[GroupExceeding]] = [
        Column("group", lambda each: each.group),
        Column("share of contexts", lambda each: f"{each.share:.1%}"),
        Column("interval", lambda each: percents(each.low, each.high), optional=True),
    ]
    return table(title, columns, shown, subtitle=sentences, notes=notes)


def shape_sections(shapes: Shapes) -> list[Section]:
    """Return the tables on the distributions over groups of r^b (bias) and r^v (volatility)."""
    return [_shapes(shapes), *([] if shapes.too_few else [_laws(shapes)])]


def _shapes(shapes: Shapes) -> Section:
    sentences = [sentence_on_sides([(side.name, side) for side in shapes.sides], shapes.groups).removesuffix(".")]
    if shapes.measured.zero:
        sentences.append(
            f"{VOLATILITY} is 0 in {shapes.measured.zero} of {counted(shapes.groups, 'group')}: "
            f"{shapes.zero_share:.1%} ({percents(shapes.zero_low, shapes.zero_high)} for other groups of the kind)"
        )
    else:
        sentences.append(f"every group has {VOLATILITY} above 0")
    sentences.append(sentence_on_spearman(shapes.measured.spearman, shapes.sides_decide).removesuffix("."))
    notes = [
        "moved alike: every group keeps its mean prediction, and each context moves it by the mean deviation of all "
        f"groups. If both rows agree, groups differ in {VOLATILITY} only by how far they lean on average."
    ]
    if shapes.spearman_of_alike is not None:
        notes.append(f"rank correlation of {VOLATILITY} in both rows: {correlation(shapes.spearman_of_alike)}")
    if shapes.measured.zero:
        notes.append(
            "Clopper-Pearson interval, as if groups were drawn at random. More contexts can only lower the share, but "
            f"for the noise of sampled answers: one in which a group changes sides makes its {VOLATILITY} positive."
        )
    if shapes.too_few:
        notes.append(shapes.too_few)
    columns: list[Column[tuple[str, Shape]]] = [
        Column(f"{VOLATILITY} of groups", lambda each: each[0]),
        Column(symbol("R_volatility"), lambda each: decimals(each[1].R_volatility)[0]),
        Column(f"{VOLATILITY} = 0", lambda each: str(each[1].zero)),
        Column(f"Spearman with {BIAS}", lambda each: correlation(each[1].spearman)),
    ]
    rows = {"as measured": shapes.measured, "if contexts moved all groups alike": shapes.alike}.items()
    title, said = f"How {BIAS} and {VOLATILITY} of groups are distributed", [each for each in sentences if each]
    return table(title, columns, rows, subtitle=said, notes=notes)


def _laws(shapes: Shapes) -> Section:
    best = shapes.laws[0]
    p_of = {pair.other: pair.adjusted_p for pair in shapes.pairs if pair.law == best.law}
    columns: list[Column[FittedLaw]] = [
        Column("law", lambda each: each.law),
        Column("parameters", _parameters),
        Column("log L", lambda each: f"{each.log_likelihood:.1f}", "log-likelihood, in nats"),
        Column("to the best", lambda each: "" if each is best else f"{each.log_likelihood - best.log_likelihood:+.1f}"),
        Column(
            "p",
            lambda each: p_value(p_of.get(each.law)),
            "Vuong's likelihood-ratio test, adjusted by Holm for three pairs",
        ),
    ]
    return table(
        f"Laws of {VOLATILITY} in the {counted(shapes.positive, 'group')} in which it is above 0",
        columns,
        shapes.laws,
        subtitle=[_best(shapes)],
        notes=[
            f"{legend(columns)} A description: the test takes groups for independent, and they share their contexts. "
            f"No law is fitted to {BIAS}, which is folded at 0."
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
    worse, tied = ([pair.other for pair in of_best if pair.decision == each] for each in ("better", "tied"))
    compared = [f"better than {' and '.join(worse)}"] if worse else []
    compared += [f"not significantly better than {' and '.join(tied)}"] if tied else []
    return f"{best} fits best: {', '.join(compared)}"
