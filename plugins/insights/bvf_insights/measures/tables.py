"""Tables of whether measures agree, over models and over groups of people."""

from collections.abc import Iterator, Sequence

from bvf import Section
from bvf.stats import ENOUGH_RANKED, FEWEST_RANKED
from bvf.tables import (
    BY_FIELD,
    Column,
    between,
    both_ends,
    correlation,
    counted,
    counted_gap,
    decimals,
    in_a_list,
    p_value,
    symbol,
    table,
    warned,
)
from bvf_insights.measures.result import Agreement, GroupMeasures, MeasureComparison, Over

SHOWN, NAMED = 8, 8
"""Rows of a table, and names in a note."""
SURE = 0.05


def sections(comparison: MeasureComparison, show: int = SHOWN) -> list[Section]:
    """Return a table of agreements, and one per model and score with its ``show`` outermost groups by lean (0: all)."""
    return [_agreements(comparison), *_groups(comparison, show)]


def sentences(comparison: MeasureComparison) -> list[str]:
    """Return sentences on whether so many models, and so many groups, can tell anything."""
    return [*_of_models(comparison), *_of_groups(comparison)]


def _agreements(comparison: MeasureComparison) -> Section:
    several = len({each.model for each in comparison.agreements if each.model}) > 1
    ranked = [each for each in comparison.agreements if each.kendall is not None]
    title, said, left_over = f"Do measures agree? {_who(comparison)}", sentences(comparison), _left_over(comparison)
    warnings = warned(comparison.warnings)
    if not ranked:
        return Section(title, (), [], subtitle=said, notes=[*comparison.notes, *left_over], warnings=warnings)
    columns: list[Column[Agreement]] = [
        Column("over", lambda each: f"{each.things} {each.over}"),
        *([Column[Agreement]("model", lambda each: each.model)] if several else []),
        Column("measure", lambda each: each.first if each.over == "groups" else called(each.first, each.first_source)),
        Column("and", lambda each: called(each.second, each.second_source)),
        Column("Kendall", lambda each: correlation(each.kendall)),
        Column(f"{comparison.level:.0%} interval", _interval, optional=True),
        Column("p", lambda each: p_value(each.p_value)),
        Column("p (Holm)", lambda each: p_value(each.adjusted_p)),
    ]
    kinds = {each.over for each in ranked}
    return table(
        title,
        columns,
        ranked,
        names=3 + several,
        subtitle=said,
        notes=[*_meaning(kinds, ranked), *comparison.notes, *left_over],
        warnings=warnings,
    )


def called(measure: str, source: str) -> str:
    """Return a measure and where it is from: ``R^b, gender``."""
    return f"{symbol(measure) if measure in BY_FIELD else measure}, {source}"


def _who(comparison: MeasureComparison) -> str:
    models = comparison.models
    return models[0] if len(models) == 1 else counted(len(models), "model")


def _interval(each: Agreement) -> str:
    ends = between(each.low, each.high, 2)
    return f"({ends})" if ends and each.rough else ends


def _meaning(kinds: set[Over], ranked: Sequence[Agreement]) -> Iterator[str]:
    if "models" in kinds:
        yield "over models: by the distance of each figure from its ideal value; 1: the same order of models"
    if "groups" in kinds:
        yield "over groups: 1: the score is higher, the more a model leans to a group; -1: the lower"
        yield "interval: for other groups of the kind"
    if any(each.rough and each.low is not None for each in ranked):
        yield f"in brackets: fewer than {ENOUGH_RANKED} groups, rough"
    if kinds:
        yield "p: exact, of no agreement; p (Holm): adjusted for all rows"


def _of_models(comparison: MeasureComparison) -> Iterator[str]:
    over = [each for each in comparison.agreements if each.over == "models"]
    most = max((each.things for each in over), default=0)
    if most < FEWEST_RANKED:
        what = {0: "no model has", 1: "one model has", 2: "two models have"}[most]
        yield f"Too few models to compare measures: {what} both kinds, and {FEWEST_RANKED} are needed."
    smallest = [each.smallest_p for each in over if each.smallest_p is not None]
    if smallest and min(smallest) >= SURE:
        yield f"{counted(most, 'model')} cannot have a p below {p_value(min(smallest))}: too few to tell anything."


def _of_groups(comparison: MeasureComparison) -> Iterator[str]:
    over = [each.things for each in comparison.agreements if each.over == "groups"]
    if not comparison.unmatched:
        yield "No comparison over groups: no model has both a run and scores of groups."
    elif not over:
        yield "No comparison over groups: no group of a benchmark is a class or a group of a topic of a run."
    elif max(over) < FEWEST_RANKED:
        yield (
            f"Too few groups: {counted(max(over), 'group')} in both, and {FEWEST_RANKED} are needed: "
            "add runs of other topics."
        )


def _left_over(comparison: MeasureComparison) -> Iterator[str]:
    """What has no counterpart, with how many there are."""
    several = len({each.model for each in comparison.unmatched}) > 1
    for each in comparison.unmatched:
        of = f"{each.source}{f', {each.model}' if several else ''}"
        if each.without_lean:
            yield f"{of}: {counted(len(each.without_lean), 'group')} in no topic of a run: {_some(each.without_lean)}"
        if each.without_items:
            count = counted(len(each.without_items), "name")
            yield f"{of}: {count} in topics that no item is about: {_some(each.without_items)}"
        if each.several_topics:
            yield f"{of}: in several topics, of which the first counts: {_some(each.several_topics)}"


def _some(names: Sequence[str]) -> str:
    more = len(names) - NAMED
    return f"{', '.join(names[:NAMED])} and {more:,} more" if more > 0 else in_a_list(names)


def _groups(comparison: MeasureComparison, show: int) -> list[Section]:
    parts: dict[tuple[str, str, str], list[GroupMeasures]] = {}
    for each in comparison.groups:
        parts.setdefault((each.source, each.measure, each.model), []).append(each)
    return [
        table(
            f"{measure} of {source} and lean, {model}",
            _group_columns(comparison, points),
            both_ends(_by_lean(points), show, counted_gap),
            names=1,
            notes=["in brackets: few values of the cluster, rough"] if any(each.rough for each in points) else [],
        )
        for (source, measure, model), points in parts.items()
    ]


def _by_lean(points: Sequence[GroupMeasures]) -> list[GroupMeasures]:
    return sorted(points, key=lambda each: -each.lean)


def _group_columns(comparison: MeasureComparison, points: Sequence[GroupMeasures]) -> list[Column[GroupMeasures]]:
    places = 1 if any(abs(each.value) > 1.0 for each in points) else 3
    interval = f"{comparison.level:.0%} interval"

    def score_ends(each: GroupMeasures) -> str:
        ends = between(each.low, each.high, places)
        return f"({ends})" if ends and each.rough else ends

    return [
        Column("group", lambda each: each.group),
        Column("lean", lambda each: decimals(each.lean, places=3)[0]),
        Column(interval, lambda each: between(each.lean_low, each.lean_high, 3), optional=True),
        Column("score", lambda each: decimals(each.value, places=places)[0]),
        Column("its interval", score_ends, optional=True),
        Column("of", lambda each: f"{each.lean_to}, {each.topic}", "the class, and the topic", spare=True),
    ]
