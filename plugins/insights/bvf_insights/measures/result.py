"""The result of `compare_measures`, figures of runs and scores of benchmarks, and its tables."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from bvf import Section
from bvf.domain import Count, Finite, Level, Record, Share
from bvf.stats import ENOUGH_RANKED, FEWEST_RANKED
from bvf.tables import (
    BY_FIELD,
    Column,
    Finding,
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

if TYPE_CHECKING:
    import pandas as pd

Over = Literal["models", "groups"]
SHOWN, NAMED = 8, 8
"""Rows of a table, and names in a note."""
SURE = 0.05


class MeasureValue(Record):
    """What a measure says of a model."""

    source: str = Field(description="The topic of a run, or the title of a file, such as the name of a benchmark")
    measure: str = Field(description="The figure, such as R, or the score")
    model: str
    value: Finite
    low: Finite | None = Field(description="Lower end of its interval; null: it has none")
    high: Finite | None
    worse: Finite = Field(description="By this, models are ranked: the distance from the value of an ideal model")


class GroupMeasures(Record):
    """The lean of a model to a group of people, and what a benchmark says of items about this group."""

    model: str
    group: str = Field(description="As the benchmark names it, such as women")
    topic: str = Field(description="The topic of the run")
    lean_to: str = Field(description="The class of the topic that is the group, or the class that the group leans to")
    is_class: bool = Field(description="The group is the class itself, and the lean is a mean over P(X)")
    lean: Finite = Field(description="E_c[p / p* - 1] of the class")
    lean_low: Finite | None = Field(description="Lower end of its interval; null: the contexts are no sample")
    lean_high: Finite | None
    source: str = Field(description="The benchmark")
    measure: str = Field(description="Its score")
    value: Finite
    low: Finite | None
    high: Finite | None
    rough: bool = Field(description="The interval of the score rests on few units")

    @property
    def lean_called(self) -> str:
        """``lean`` where the group is a class of the topic, else ``lean to CLASS``."""
        return "lean" if self.is_class else f"lean to {self.lean_to}"


class Agreement(Record):
    """Whether two measures rank the same models, or the same groups, alike."""

    over: Over
    model: str = Field("", description="Over groups: the model; over models: empty")
    first_source: str
    first: str = Field(description="A measure; over groups the lean")
    second_source: str
    second: str
    things: Count = Field(description="How many models or groups both measures have")
    kendall: Finite | None = Field(
        None, description="Rank correlation (tau-b); null: fewer than three things, or all have one value"
    )
    low: Finite | None = Field(
        None, description="Over groups: lower end of its interval, for other groups of the kind; null: there is none"
    )
    high: Finite | None = None
    rough: bool = Field(False, description="The interval rests on few groups")
    p_value: Share | None = Field(None, description="Exact, two-sided, of no agreement")
    adjusted_p: Share | None = Field(None, description="p_value, adjusted for all comparisons (Holm 1979)")
    smallest_p: Share | None = Field(None, description="The smallest p that so many things can have")


class Unmatched(Record):
    """What of a benchmark and of the runs of a model has no counterpart on the other side."""

    model: str
    source: str
    without_lean: tuple[str, ...] = Field(description="Groups of the benchmark that no topic of a run has")
    without_items: tuple[str, ...] = Field(description="Classes (or groups) of the topics that no item is about")
    several_topics: tuple[str, ...] = Field((), description="Groups that several topics have: the first one counts")


class MeasureComparison(Finding):
    """Figures of runs and scores of benchmarks, over models and over groups of people."""

    tables: ClassVar[str] = "bvf_insights.measures.result:sections"
    row_fields: ClassVar[tuple[str, ...]] = ("agreements", "groups", "values")
    portable: ClassVar[str] = "bvf_insights.portable:measures"
    schema_: Literal["bvf.measures/1"] = Field("bvf.measures/1", alias="schema")
    models: tuple[str, ...]
    level: Level
    agreements: tuple[Agreement, ...] = Field(description="Over models, then over groups")
    groups: tuple[GroupMeasures, ...] = Field(description="Group by group; empty: no group has both")
    values: tuple[MeasureValue, ...] = Field(description="Measure by measure, the models of each")
    unmatched: tuple[Unmatched, ...] = ()
    warnings: tuple[str, ...] = Field((), description="What makes figures doubtful, each begins with the model")
    notes: tuple[str, ...] = ()

    def to_frame(self) -> "pd.DataFrame":
        """Return a data frame with a row per two measures: over models, and over the groups of each model."""
        import pandas as pd

        rows = [each.model_dump() for each in self.agreements]
        return pd.DataFrame(rows, columns=list(Agreement.model_fields))

    def groups_frame(self) -> "pd.DataFrame":
        """Return a data frame with a row per model, score and group: its lean and its score, with intervals."""
        import pandas as pd

        return pd.DataFrame([each.model_dump() for each in self.groups], columns=list(GroupMeasures.model_fields))


def sections(comparison: MeasureComparison, show: int = SHOWN) -> list[Section]:
    """Return a table of agreements, and one per model and score with its ``show`` outermost groups by lean (0: all)."""
    return [_agreements(comparison), *_groups(comparison, show)]


def sentences(comparison: MeasureComparison) -> list[str]:
    """Return sentences on whether so many models, and so many groups, can tell anything."""
    return [*_of_models(comparison), *_of_groups(comparison)]


def _agreements(comparison: MeasureComparison) -> Section:
    several = len({each.model for each in comparison.agreements if each.model}) > 1
    ranked = [each for each in comparison.agreements if each.kendall is not None]
    models = comparison.models
    title = f"Do measures agree? {models[0] if len(models) == 1 else counted(len(models), 'model')}"
    said, left_over = sentences(comparison), _left_over(comparison)
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


def _interval(each: Agreement | GroupMeasures, places: int = 2) -> str:
    ends = between(each.low, each.high, places)
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
    for points in parts.values():
        points.sort(key=lambda each: -each.lean)
    return [
        table(
            f"{measure} of {source} and lean, {model}",
            _group_columns(comparison, points),
            both_ends(points, show, counted_gap),
            names=1,
            notes=["in brackets: few values of the cluster, rough"] if any(each.rough for each in points) else [],
        )
        for (source, measure, model), points in parts.items()
    ]


def _group_columns(comparison: MeasureComparison, points: Sequence[GroupMeasures]) -> list[Column[GroupMeasures]]:
    places = 1 if any(abs(each.value) > 1.0 for each in points) else 3
    interval = f"{comparison.level:.0%} interval"
    return [
        Column("group", lambda each: each.group),
        Column("lean", lambda each: decimals(each.lean, places=3)[0]),
        Column(interval, lambda each: between(each.lean_low, each.lean_high, 3), optional=True),
        Column("score", lambda each: decimals(each.value, places=places)[0]),
        Column("its interval", lambda each: _interval(each, places), optional=True),
        Column("of", lambda each: f"{each.lean_to}, {each.topic}", "the class, and the topic", spare=True),
    ]
