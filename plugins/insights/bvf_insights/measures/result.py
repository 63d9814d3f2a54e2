"""The result of `compare_measures`: figures of runs and scores of benchmarks, and whether they agree."""

from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from bvf.domain import Count, Finite, Level, Record, Share
from bvf.tables import Finding

if TYPE_CHECKING:
    import pandas as pd

Over = Literal["models", "groups"]


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

    tables: ClassVar[str] = "bvf_insights.measures.tables:sections"
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
