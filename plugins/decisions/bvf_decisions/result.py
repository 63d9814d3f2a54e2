"""The result of the analysis of impact: whom a model selects, by name and by category, and tables of it."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from bvf import GroupResult, Interval, ResultBase, Section
from bvf.domain import Amount, Count, Record, Share
from bvf.interfaces import Quantity
from bvf.results import group_columns, model_in_title, result_columns
from bvf.tables import Column, between, both_ends, counted, decimals, table

if TYPE_CHECKING:
    import pandas as pd

RATIO = Quantity("impact_ratio", "impact ratio", "", "Lowest rate of a category over the highest of its kind", False)


class GroupImpact(GroupResult):
    """One name: the share of documents in which the candidate of this name is selected."""

    selection_rate: Share


class Category(Record):
    """The candidates of one category, such as women, or Black women."""

    by: str = Field(description="The factor; several are joined by &")
    category: str
    applicants: Count = Field(description="Names times documents")
    selected: Amount = Field(description="How many are selected; those who are equal share the last places")
    selection_rate: Share
    impact_ratio: Share | None = Field(description="Over the highest rate of its kind; null: not defined")
    low: Share | None = Field(description="Lower end of the interval of the ratio; null: not known")
    high: Share | None
    below_2_percent: bool = Field(description="Less than 2 % of all candidates: the ratio is not computed")

    @property
    def interval(self) -> Interval | None:
        """The interval of the ratio; None: it is not known."""
        return None if self.low is None or self.high is None else Interval(low=self.low, high=self.high)


class ImpactResult(ResultBase):
    """Whom a model selects in documents with a decision: rates of names and of categories, and impact ratios."""

    schema_: Literal["bvf.impact/1"] = Field("bvf.impact/1", alias="schema")
    favourable: str = Field(description="The class of which candidates need a high probability")
    rule: str = Field(description="Who is selected, in words")
    documents: Count = Field(description="Contexts in which every name has an answer")
    unknown: Count = Field(description="Candidates whose name lacks a level of some factor")
    selection_rate: Share
    impact_ratio: Share | None = Field(description="The lowest of all categories; null: none is defined")
    categories: tuple[Category, ...]
    groups: tuple[GroupImpact, ...]
    in_short: ClassVar[tuple[str, ...]] = ("selection_rate", "impact_ratio")
    exported: ClassVar[tuple[Quantity, ...]] = (RATIO,)
    metric_kind: ClassVar[str] = "impact"

    @property
    def of_classes(self) -> Mapping[str, tuple[float, Interval | None]]:
        """The ratio and the interval of each category, by names such as ``impact_ratio[female]``."""
        known = [(each, each.impact_ratio) for each in self.categories if each.impact_ratio is not None]
        return {f"impact_ratio[{each.category}]": (ratio, each.interval) for each, ratio in known}

    @property
    def asked(self) -> str:
        """How many candidates there are: ``66 names in 20 documents``."""
        return f"{counted(len(self.groups), 'name')} in {counted(self.documents, 'document')}"

    @property
    def intervals_are_for(self) -> str:
        """What the intervals of ratios are for; empty: there are none."""
        return self.uncertainty.population if any(each.interval for each in self.categories) else ""

    def categories_frame(self) -> "pd.DataFrame":
        """Return a data frame with a row per category: the columns of the summary that Local Law 144 asks for."""
        import pandas as pd

        return pd.DataFrame([each.model_dump() for each in self.categories])


def _ratio(ratio: float | None) -> str:
    return decimals(ratio, places=3)[0] or "-"


CATEGORIES: tuple[Column[Category], ...] = (
    Column("category", lambda each: each.category),
    Column("applicants", lambda each: f"{each.applicants:,}"),
    Column("selected", lambda each: f"{each.selected:,.6g}"),
    Column("rate", lambda each: _ratio(each.selection_rate)),
    Column("impact ratio", lambda each: "below 2 %" if each.below_2_percent else _ratio(each.impact_ratio)),
    Column("interval", lambda each: between(each.low, each.high, 3), optional=True),
)


def models_section(results: Sequence[ImpactResult]) -> Section:
    """Return the table with a row per result: the lowest ratio and its category."""
    names = result_columns(results)
    columns: list[Column[ImpactResult]] = [
        *names,
        Column("rate", lambda each: _ratio(each.selection_rate)),
        Column("impact ratio", lambda each: _ratio(each.impact_ratio)),
        Column("figure", lambda each: min(each.of_classes, key=lambda name: each.of_classes[name][0], default="-")),
    ]
    title = f"{_title(results[0])}: lowest impact ratio of all categories"
    return table(title, columns, results, names=len(names), last="text")


def categories_section(result: ImpactResult) -> Section:
    """Return the table with a row per category."""
    bars, said = result.intervals_are_for, f"{result.asked}; selected: {result.rule}"
    notes = ["Rate: share selected. Impact ratio: rate over the highest rate of its kind.", f"Intervals: {bars}."]
    title = f"{_title(result)}, {model_in_title(result)}"
    return table(title, CATEGORIES, result.categories, subtitle=[said], notes=[" ".join(notes[: 1 + bool(bars)])])


def names_section(result: ImpactResult, show: int) -> Section:
    """Return a table of the names, most selected first, ``show`` of them (0: all)."""
    ordered = sorted(result.groups, key=lambda each: -each.selection_rate)
    columns: list[Column[GroupImpact]] = [
        *group_columns("name, most selected first"),
        Column("rate", lambda each: _ratio(each.selection_rate)),
        Column(f"p({result.favourable})", lambda each: _ratio(each.mean_probabilities[result.favourable])),
    ]
    return table(model_in_title(result), columns, both_ends(ordered, show), names=2)


def _title(result: ImpactResult) -> str:
    return f"{result.topic} ({result.language}), {result.favourable}"
