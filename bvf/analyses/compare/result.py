"""The result of a comparison of models, returned by `bvf.compare` and printed by ``bvf compare --format json``."""

from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from bvf.analyses.risk.other_words import OtherWords
from bvf.analyses.risk.parts_of_lean import PartsOfLean
from bvf.domain.generation import Generation, Thinking
from bvf.domain.measurement import WORDING_MEANS, Wording
from bvf.domain.numbers import Amount, Count, Finite, Level, Record, Share
from bvf.domain.scale import Scale
from bvf.study.study import RISK
from bvf.study.uncertainty import Interval
from bvf.tables.markup import Finding

if TYPE_CHECKING:
    import pandas as pd

Decision = Literal["", "tied", "higher", "lower"]
OPPOSITE: dict[Decision, Decision] = {"higher": "lower", "lower": "higher", "tied": "tied", "": ""}


class ComparedModel(Record):
    """One of the compared models: its figures in the groups and contexts that all models have in common."""

    name: str = Field(
        description="Name of the model, the same in all topics; with the folder of its first run where others share it"
    )
    measurement: str = Field(description="Digest of the identity of its measurement")
    folder: str = Field(description="Where that lies; empty: it was never stored")
    parameters: Count | None = Field(description="How many numbers the weights have; null: not known")
    generation: Generation | None = Field(None, description="How its texts were generated; null: none were")
    thinking: Thinking | None = Field(None, description="How it thought before it answered; null: it did not")
    wording: Wording = Field("bare", description=WORDING_MEANS)
    format: str = Field("", description="The format of the run that this is, where formats are compared; empty: none")
    labels: dict[str, str] = Field({}, description="Labels of the run, from --label")
    figures: dict[str, Finite]
    between: dict[str, tuple[Finite, Finite]] = Field({}, description="As of a result")
    intervals: dict[str, Interval] = Field(description="By the name of the figure; empty: there are no intervals")
    other_words: OtherWords | None = Field(
        None, description="How far apart groups are beside other words of this model; null: they were not asked"
    )
    parts_of_lean: PartsOfLean | None = Field(None, description="As of a result; null: neutral subjects were not asked")
    ranks: dict[str, tuple[Count, Count]] = Field(
        description="First and last rank that it may have by each figure, 1 the highest, all at once at the level"
    )

    def ends(self, figure: str) -> tuple[float, float]:
        """Return the ends between which a figure lies; the figure itself twice where it is known well enough."""
        return self.between.get(figure, (self.figures[figure], self.figures[figure]))

    @property
    def first_figure(self) -> float:
        """The value of the figure by which topics are compared: the first one of the analysis, such as R."""
        return next(iter(self.figures.values()))

    @property
    def in_trends(self) -> list[str]:
        """Names of the figures whose trend with a label is tested: R, R^b and R^v, or all without these."""
        return [figure for figure in RISK if figure in self.figures] or list(self.figures)


class ModelDifference(Record):
    """A figure of the first model minus that of the second.

    The interval, the p value and ``detectable`` are null if the contexts are not a sample.
    """

    figure: str
    first: str
    second: str
    value: Finite
    low: Finite | None = None
    high: Finite | None = None
    cross_fit: Finite | None = Field(None, description="Of the cross-fit estimates; null for R, and without a sample")
    p_value: Share | None = Field(None, description="Smallest 1 - level at which the interval does not hold 0")
    adjusted_p: Share | None = Field(None, description="By Holm, for all differences of models in the comparison")
    detectable: Amount | None = Field(
        None, description="Smallest true difference that would be found with probability 0.8, before adjustment"
    )
    decision: Decision = Field(
        "", description="Of the first model: higher, lower, or tied: no significant difference; empty: no sample"
    )

    without: dict[str, Decision] | None = Field(
        None,
        description="The decisions that are others if one unit of words is left out of both models, by its words; an "
        "empty one is not known, as words were left out or have no probability; null: nothing was decided, or it was "
        "not tried: for other figures, more than four models, one unit, or --words",
    )

    @property
    def interval(self) -> tuple[float, float] | None:
        """The lower and the upper end of the interval; None if contexts are not a random sample."""
        return None if self.low is None or self.high is None else (self.low, self.high)

    @property
    def changes(self) -> str:
        """The other decisions in words, such as *tied without he/she*; empty if there are none."""
        return ", ".join(f"{decision or 'not known'} without {unit}" for unit, decision in (self.without or {}).items())

    def turned(self) -> "ModelDifference":
        """Return the difference with the two models swapped, which changes its sign."""
        return self.model_copy(
            update={
                "first": self.second,
                "second": self.first,
                "value": -self.value,
                "low": None if self.high is None else -self.high,
                "high": None if self.low is None else -self.low,
                "cross_fit": None if self.cross_fit is None else -self.cross_fit,
                "decision": OPPOSITE[self.decision],
                "without": self.without and {unit: OPPOSITE[each] for unit, each in self.without.items()},
            }
        )


class GroupDifference(Record):
    """The difference in a risk of one group: the first of two models minus the second."""

    group: str
    gloss: str = ""
    figure: str = Field(description="Its field in the groups of a result, such as `r_bias`")
    value: Finite
    low: Finite
    high: Finite
    p_value: Share
    adjusted_p: Share = Field(description="By Benjamini and Hochberg, for all groups and both figures of the topic")
    decision: Decision = Field("", description="By the adjusted p, of the first model: higher, lower, or tied")


class OrderAgreement(Record):
    """Whether two formats, or two ways of reading (probable words, generated texts), put groups in the same order."""

    first: str = Field("", description="The name of one model; empty in files of before, which have two models")
    second: str = Field("", description="The name of the other")
    figure: str = Field(description="What the groups are ordered by: their lean to the first class, r, or r_bias")
    kendall: Finite = Field(description="Kendall's tau-b: 1 for the same order, -1 for the opposite one")
    low: Finite | None = Field(description="For other groups of the kind; null: the order is the same or the opposite")
    high: Finite | None
    p_value: Share = Field(description="Of the test that the two orders have nothing to do with each other, two-sided")
    level: Level


class GroupLean(Record):
    """How far a group leans to a class, E_c[p - p*], by probable words and by texts of one model.

    The ends of the intervals are null if the contexts are not a sample.
    """

    group: str
    gloss: str = ""
    to: str = Field(description="The class: the first one of the topic")
    probable: Finite = Field(description="By the probabilities of words")
    probable_low: Finite | None = None
    probable_high: Finite | None = None
    said: Finite = Field(description="By the share of a class among texts")
    said_low: Finite | None = None
    said_high: Finite | None = None


class ChangedByThought(Record):
    """How often thinking changes the answer: another class is ahead of p* after a thought than without."""

    with_thought: str = Field(description="The model that thinks")
    without: str = Field(description="The other one")
    share: Share = Field(description="Mean over groups, contexts and thoughts")
    low: Share | None = Field(description="Lower end of its interval; null: contexts are no sample")
    high: Share | None
    level: Level


class LabelTrend(Record):
    """The rank correlation of a figure with a numeric label of the runs."""

    figure: str
    correlation: Finite = Field(description="Spearman's")
    p_value: Share = Field(description="Of the permutation test, two-sided")
    adjusted_p: Share | None = Field(None, description="By Holm, for all figures of the table")
    smallest_p: Share = Field(description="The smallest p value that so many runs can have")
    exact: bool = Field(description="Every order was tried; else orders were drawn")


class TopicComparison(Record):
    """The comparison of models in the same groups and contexts of one topic."""

    topic: str
    language: str
    contexts: str
    number_of_contexts: Count
    groups: tuple[str, ...]
    unit: Literal["", "document", "occurrence", "template", "opening"] = Field(
        description="What was drawn independently"
    )
    wordings: bool = Field(False, description="Its templates are wordings of one question, each drawn from others")
    population: str = Field("", description="What the intervals are for, in words; empty: there are none")
    units: Amount | None = Field(description="How many of them; null: contexts are no sample")
    undefined: str = Field(description="Why differences have no interval; empty: they have one")
    groups_left_out: Count = Field(description="Groups that not all were asked")
    contexts_left_out: Count = Field(description="Contexts in which not all were asked")
    missing: Count = Field(description="Shared prompts without an answer of some model; they count in none")
    models: tuple[ComparedModel, ...]
    by_chance: dict[str, Finite] = Field(
        {}, description="Figures of a model that knows nothing, by name; empty where an analysis has none"
    )
    differences: tuple[ModelDifference, ...] = Field(description="Of every pair and figure")
    of_groups: tuple[GroupDifference, ...] = Field(description="For two models only, the largest first")
    orders: tuple[OrderAgreement, ...] = Field(
        (),
        description="Of every two formats; else of two runs that were read in different ways: by probabilities, by "
        "texts, or after thoughts",
    )
    changed: ChangedByThought | None = Field(
        None, description="Of two runs of which one thinks before it answers; null: of others"
    )
    leans: tuple[GroupLean, ...] = Field((), description="Of each group, of probable words beside texts of one model")
    trends: tuple[LabelTrend, ...] = Field((), description="Over the label of ``by``, where it is a number")
    matched: tuple[ModelDifference, ...] = Field(
        (), description="Of pairs that differ only in the label of ``by``: the run with its second value less the other"
    )
    matched_values: tuple[str, ...] = Field(
        (), description="The first and the second value: numbers by their size, words as they were named"
    )
    unmatched: tuple[str, ...] = Field((), description="Models without a partner that differs in that label alone")
    notes: tuple[str, ...]

    @property
    def labels(self) -> list[str]:
        """The names of the labels that runs have."""
        return sorted(set().union(*(model.labels for model in self.models)))

    def is_by_size(self, by: str) -> bool:
        """Whether ``by`` is the number of parameters of each model, not a label of that name."""
        return by == Comparison.PARAMETERS and by not in self.labels

    @property
    def called(self) -> str:
        """What each of ``models`` is: a format of a run, or a model."""
        return "format" if all(model.format for model in self.models) else "model"


class TopicCorrelation(Record):
    """The rank correlation over models between R on one topic and R on another."""

    first: str
    second: str
    models: Count = Field(description="How many were asked both")
    correlation: Finite | None = Field(description="Spearman's; null: for fewer than three models")
    p_value: Share | None
    smallest_p: Share | None


class Comparison(Finding):
    """Models in the same contexts: their figures, every difference, and the ranks that they may have.

    R is a mean over contexts; its differences have paired t tests. Plug-in estimates of R^b and R^v are biased, more
    so for the more volatile model. Their intervals are the outer hull of the paired t intervals of the plug-in and
    of the cross-fit estimates, so that a model that is only more volatile is not called more biased.
    """

    tables: ClassVar[str] = "bvf.analyses.compare.tables:sections"
    schema_: Literal["bvf.comparison/1"] = Field("bvf.comparison/1", alias="schema")
    criterion: str
    analysis: str = Field("", description="What --analysis said, if it has a parameter after a colon; else empty")
    scale: Scale
    reference: str
    group_weights: str
    margin: str
    level: Level
    by: str = Field("", description="The label that runs were compared by, or format; empty: none")
    tests: Count = Field(description="Size of the family of tests: figures x pairs x topics; 0: there is no sample")
    topics: tuple[TopicComparison, ...]
    correlations: tuple[TopicCorrelation, ...] = Field(description="Between every two topics")
    PARAMETERS: ClassVar[str] = "parameters"
    """The value of ``by`` for the number of parameters of a model, which needs no label."""

    def to_frame(self) -> "pd.DataFrame":
        """Return a data frame with a row per topic, pair of models and figure."""
        import pandas as pd

        columns = ["topic", *ModelDifference.model_fields]
        both = [(topic.topic, each) for topic in self.topics for each in topic.differences]
        rows = [{"topic": name, **each.model_dump(), "without": each.without and each.changes} for name, each in both]
        return pd.DataFrame(rows, columns=columns)
