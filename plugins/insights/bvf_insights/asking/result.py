"""The result of `compare_asking`, correlations of ways of asking over groups, and its tables."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from bvf import Section
from bvf.domain import Count, Finite, Level, Record
from bvf.stats import ENOUGH_RANKED
from bvf.tables import Column, Finding, between, both_ends, correlation, counted_gap, decimals, percent, table, warned
from bvf_insights.stats.reliability import FEWEST_GROUPS

if TYPE_CHECKING:
    import pandas as pd

Kind = Literal["run", "benchmark", "statistic"]
RELIABILITY = "reliability: split-half, over contexts or items; a statistic is taken as exact"
LIMITS = (
    "groups differ in many ways at once, and are not drawn at random: agreement says that two ways put these groups in "
    "one order, not that either of them is right, or does harm"
)


class Way(Record):
    """A way of asking about groups: a run, a benchmark, or a statistic."""

    name: str = Field(description="The folder of a run, the title of a benchmark, or the label of a statistic")
    kind: Kind
    model: str = Field(description="Empty: a statistic")
    groups: Count
    asked: Count = Field(description="Contexts, or the most items of a group; 1: a statistic")
    reliability: Finite | None = Field(
        description="Split-half, over all its groups; null: too few; 1: a statistic, taken as it is"
    )


class WayAgreement(Record):
    """How far two ways of asking agree over the groups that both have."""

    first: str
    second: str
    groups: Count
    correlation: Finite | None = Field(None, description="Pearson's; null: too few groups, or all have one value")
    low: Finite | None = Field(None, description="Lower end of its interval: a bootstrap over groups")
    high: Finite | None = None
    ranks: Finite | None = Field(None, description="Spearman's")
    corrected: Finite | None = Field(
        None, description="correlation over the root of both reliabilities in these groups; null: one is not known"
    )
    corrected_low: Finite | None = Field(None, description="low over the same root")
    corrected_high: Finite | None = None
    rough: bool = Field(False, description="The interval rests on few groups")


class WayValue(Record):
    """What one way of asking says of a group."""

    way: str
    group: str
    value: Finite = Field(description="Mean p of the class, mean log odds of a benchmark's items, or the statistic")


class AskingComparison(Finding):
    """Ways of asking about the same groups, and how far each two agree."""

    tables: ClassVar[str] = "bvf_insights.asking.result:sections"
    row_fields: ClassVar[tuple[str, ...]] = ("agreements", "ways", "values")
    schema_: Literal["bvf.asking/1"] = Field("bvf.asking/1", alias="schema")
    topic: str
    to: str = Field(description="The class of all values")
    level: Level
    ways: tuple[Way, ...]
    agreements: tuple[WayAgreement, ...] = Field(description="Each two ways")
    values: tuple[WayValue, ...] = Field(description="Way by way, its groups")
    warnings: tuple[str, ...] = Field((), description="What makes figures doubtful, each begins with the run")

    def to_frame(self) -> "pd.DataFrame":
        """Return a data frame with a row per two ways."""
        import pandas as pd

        return pd.DataFrame([each.model_dump() for each in self.agreements])


def sections(found: AskingComparison, show: int = 8) -> list[Section]:
    """Return a table of agreements, one of the ways, and one of the ``show`` outermost groups (0: all)."""
    level = f"{percent(found.level)} interval"
    pairs: tuple[Column[WayAgreement], ...] = (
        Column("way", lambda each: each.first),
        Column("and", lambda each: each.second),
        Column("groups", lambda each: str(each.groups)),
        Column("r", lambda each: correlation(each.correlation)),
        Column(level, lambda each: _ends(each.low, each.high, each), optional=True),
        Column("ranks", lambda each: correlation(each.ranks)),
        Column("corrected", lambda each: correlation(each.corrected)),
        Column("its interval", lambda each: _ends(each.corrected_low, each.corrected_high, each), optional=True),
    )
    ways: tuple[Column[Way], ...] = (
        Column("way", lambda each: each.name),
        Column("model", lambda each: each.model, optional=True),
        Column("groups", lambda each: str(each.groups)),
        Column("contexts or items", lambda each: "" if each.kind == "statistic" else str(each.asked)),
        Column("reliability", lambda each: "" if each.reliability is None else f"{each.reliability:.2f}"),
    )
    notes = [
        "r: Pearson's, over groups; its interval: for other groups of the kind (bootstrap); ranks: Spearman's",
        "corrected: r as if neither way had noise; it may exceed 1, and its interval takes reliabilities as known",
        *([f"in brackets: fewer than {ENOUGH_RANKED} groups, rough"] if any(e.rough for e in found.agreements) else []),
        *([f"empty: fewer than {FEWEST_GROUPS} groups in both"] if _none(found) else []),
        LIMITS,
    ]
    title = f"Do ways of asking agree on {found.to}? {found.topic}"
    return [
        table(title, pairs, found.agreements, names=2, notes=notes, warnings=warned(found.warnings)),
        table("Ways of asking", ways, found.ways, names=2, notes=[RELIABILITY]),
        _groups(found, show),
    ]


def _ends(low: float | None, high: float | None, each: WayAgreement) -> str:
    ends = between(low, high, 2)
    return f"({ends})" if ends and each.rough else ends


def _none(found: AskingComparison) -> bool:
    return any(each.groups < FEWEST_GROUPS for each in found.agreements)


def _groups(found: AskingComparison, show: int) -> Section:
    """The groups of the first run, from the one that it ties most to the class."""
    of_way = {way.name: {each.group: each.value for each in found.values if each.way == way.name} for way in found.ways}
    first = next(iter(of_way.values()))
    groups = sorted(first, key=lambda group: -first[group])

    def column(name: str, known: Mapping[str, float]) -> Column[str]:
        return Column(name, lambda group: decimals(known[group], places=3)[0] if group in known else "")

    columns = [Column[str]("group", str), *(column(*each) for each in of_way.items())]
    return table("Groups", columns, both_ends(groups, show, counted_gap), names=1)
