"""The explanation of a result, returned by `bvf.explain` and printed by ``bvf explain --format json``."""

from typing import TYPE_CHECKING, ClassVar, Literal, TypeVar

from pydantic import Field

from bvf.domain import Amount, Count, Finite, Level, Record, Share
from bvf.results import Side
from bvf.tables import NOTHING, Finding
from bvf_insights.explain.drivers import Drivers
from bvf_insights.stats.laws import LawName

if TYPE_CHECKING:
    import pandas as pd

Decision = Literal["tied", "higher", "lower"]
ALONE = ("context", "template", "opening", "thought", "sampling")
"""The components that a single group has too."""


class Varying(Record):
    """One variance component of predictions: groups, contexts, their interaction, thoughts, or sampling."""

    what: Literal["group", "context", "template", "opening", "both", "thought", "sampling"] = Field(
        description="group: what a group is on average; context: what a context does to all groups alike; after "
        "openings, in two parts: template, and opening with what both do together; both: what a context "
        "does to some groups and not to others; thought: what a thought does within a context, only if there are "
        "any; sampling: the noise of sampled answers, only if there are any"
    )
    deviation: Finite = Field(description="Standard deviation that it causes, in probability, over all classes")
    share: Share = Field(description="Of the variance, 0 to 1")
    low: Finite | None = Field(None, description="Lower end of the interval of an opening's deviation; null: none")
    high: Finite | None = None
    no_interval: str = Field("", description="Why an opening has none; empty: it has one, or the row is another")


class PropertyLevel(Record):
    """The comparison of a figure in the contexts with one value of a property and in all other contexts."""

    property: str = Field(description="A column of the context file: verb, family, tense")
    level: str = Field(description="The value that these contexts have")
    figure: str = Field(description="R, or the class towards which predictions lean, in probability")
    contexts: Count = Field(description="How many different ones have it")
    share: Share = Field(description="Of P(C)")
    inside: Finite = Field(description="Mean of the figure over contexts that have it")
    outside: Finite = Field(description="Mean over those that do not have it")
    difference: Finite = Field(description="The first mean less the second")
    low: Finite = Field(description="Lower end of its interval, with templates as the sample")
    high: Finite
    adjusted_p: Share = Field(
        description="By Benjamini and Yekutieli, for all levels and figures: the expected share of false findings"
    )
    decision: Decision = Field(description="Of the contexts that have it, by the adjusted p")


class ContextProperty(Record):
    """How much the mean of a figure varies between the values of a property of contexts."""

    property: str
    figure: str
    levels: Count
    deviation: Finite = Field(description="Standard deviation of the means of the levels, weighted by their shares")


class LeftOut(Record):
    """The context whose removal changes a figure most."""

    figure: Literal["R", "R_bias", "R_volatility"]
    value: Finite
    without: Finite = Field(description="The figure without that context")
    context: str


class WithoutTemplates(Record):
    """R, R^b, R^v and particular R^b without some templates, each with all of its contexts."""

    without: Literal["none", "heaviest", "far"] = Field(
        description="none: all templates; heaviest: without the one with the largest weight; far: without those where "
        "p of a class for neutral subjects is more than 0.15 above or below its mean over contexts"
    )
    templates: Count = Field(description="How many are left out")
    of: Count = Field(description="How many there are")
    share: Share = Field(description="Of P(C): the weight of those left out")
    template: str = Field("", description="The heaviest template")
    R: Finite
    R_bias: Finite
    R_volatility: Finite
    particular_bias: Finite | None = Field(None, description="null where that of the result is")


class FigureReliability(Record):
    """The split-half reliability of a figure: do other contexts put the groups in the same order?

    The reliability and its range are null if all groups have the same figure.
    """

    figure: str = Field(description="r, r_bias, r_volatility, or the class towards which predictions lean")
    reliability: Finite | None = Field(
        None, description="Mean over random halves of their correlation over groups, lifted to the whole, -1 to 1"
    )
    low: Finite | None = Field(None, description="Lower end of the range of a share of the splits, by ``level``")
    high: Finite | None = None
    splits: Count = Field(description="Those in which groups differ in both halves")
    of: Count = Field(description="Splits that were tried")


class PlaceboShare(Record):
    """The shares of variance and volatility over contexts that are due to swaps that should not matter.

    A share is null if nothing varies; the ends of its interval are null also for few templates.
    """

    swap: str = Field(description="What was changed, by the column ``placebo``; empty: all kinds together")
    origins: Count = Field(description="Templates that have such a variant")
    contexts: Count = Field(description="Those templates and their variants")
    by_chance: Share = Field(description="What the shares would be if a variant were as different as another template")
    variance: Finite | None = Field(None, description="Share within templates of the variance over these contexts")
    variance_low: Finite | None = Field(None, description="Lower end of its interval, with templates drawn again")
    variance_high: Finite | None = None
    volatility: Finite | None = Field(None, description="Share within templates of R^v over these contexts")
    volatility_low: Finite | None = None
    volatility_high: Finite | None = None


class FrameDifference(Record):
    """A figure in the contexts with two levels of a frame, such as two years, in the same templates.

    The ends of the interval, p and the decision are null for too few templates.
    """

    frame: str = Field(description="The column of the context file that differs")
    first: str = Field(description="One value of it")
    second: str = Field(description="The other value")
    figure: str = Field(description="R, R_bias, R_volatility, or the class towards which predictions lean")
    templates: Count = Field(description="Templates that stand in both")
    in_first: Finite = Field(description="The figure in the contexts with the first value")
    in_second: Finite = Field(description="The figure in those with the second value")
    difference: Finite = Field(description="The second less the first")
    low: Finite | None = Field(description="Lower end of its interval, for other templates")
    high: Finite | None
    adjusted_p: Share | None = Field(description="By Holm, for all differences of all figures and frames")
    decision: Decision | None = Field(description="Of the second value, by the adjusted p")


D = TypeVar("D", PropertyLevel, FrameDifference)


def decided(row: D, adjusted_p: float, level: float) -> D:
    """Return a row with its adjusted p, and the decision by it."""
    apart = "higher" if row.difference > 0 else "lower"
    return row.model_copy(update={"adjusted_p": adjusted_p, "decision": apart if adjusted_p <= 1.0 - level else "tied"})


class FrameShare(Record):
    """How much of R^v is within the levels of a frame, and how much between them. Their sum is R^v.

    The shares of the variance are parts of those of contexts and of both, in ``varying``.
    """

    frame: str
    levels: Count
    within: Finite = Field(description="Mean volatility of the contexts with one level")
    between: Finite = Field(description="What the levels add by leaning to different sides")
    variance: Share | None = Field(
        None, description="Of the variance of predictions, 0 to 1: what levels do to all groups alike"
    )
    variance_by_group: Share | None = Field(
        None, description="Of that variance: what levels do to some groups and not to others"
    )


class CrossedShare(Record):
    """How much of what varies over crossed contexts is due to templates, to a frame, or to what they do together."""

    what: str = Field(description="template; the name of a frame; or together: what some do only with some others")
    levels: Count | None = Field(description="Different templates or levels; null: together")
    variance: Share = Field(description="Of the variance over contexts of a group's predictions, mean over groups")
    volatility: Finite | None = Field(description="R^v if predictions are averaged over all else; null: together")


class GroupExceeding(Record):
    """How often the risk of a group is above the threshold."""

    group: str
    share: Share = Field(description="Of P(C)")
    low: Finite | None = Field(None, description="Exact binomial lower end; null: the contexts are no sample")
    high: Finite | None = None


class FittedLaw(Record):
    """A law that was fitted to the values of r^v above 0."""

    law: LawName
    parameters: dict[str, Finite] = Field(
        description="mean and deviation; of natural logarithms for the log-normal; for Pareto's smallest and exponent: "
        "the share of values above x is (smallest / x) ^ exponent"
    )
    log_likelihood: Finite = Field(description="In nats, of all values together; the largest is the best fit")


class LawPair(Record):
    """Two distributions fitted to the same values, and Vuong's test of which of them fits better."""

    law: LawName = Field(description="The one of the larger likelihood")
    other: LawName
    log_ratio: Finite = Field(description="By how much its log-likelihood is larger, in nats")
    z: Finite = Field(description="Vuong's statistic, 0 or more")
    p_value: Share = Field(description="Two-sided; as if groups were independent of each other, which they are not")
    adjusted_p: Share = Field(description="By Holm, for all pairs")
    decision: Literal["better", "tied"] = Field(description="Of the first law, by the adjusted p")


class Shape(Record):
    """The distribution of r^v over groups: as measured, or as if deviations were alike in all groups."""

    R_volatility: Finite
    zero: Count = Field(description="Groups with r^v = 0")
    spearman: Finite | None = Field(
        description="Rank correlation of r^v with r^b, unweighted; null: one of them is the same for all groups"
    )


class Shapes(Record):
    """The distributions of r^b and r^v over groups, which are not weighted here."""

    groups: Count
    sides: tuple[Side, ...] = Field(description="The classes that groups lean to")
    measured: Shape
    alike: Shape = Field(
        description="If every group had its own mean prediction, and the deviations from it of all groups together"
    )
    sides_decide: bool = Field(
        description="Whether r^v comes from changing sides alone: two classes, and J(a s) = a J(s) for a >= 0"
    )
    spearman_of_alike: Finite | None = Field(
        description="Rank correlation of r^v as measured with r^v as if contexts moved all groups alike"
    )
    zero_share: Share = Field(description="Share of groups with r^v = 0")
    zero_low: Finite = Field(description="Lower end of its exact binomial interval, for groups drawn like these")
    zero_high: Finite
    positive: Count = Field(description="Groups with r^v above 0")
    too_few: str = Field(description="Why no law is fitted to the values of r^v above 0; empty: they are fitted")
    laws: tuple[FittedLaw, ...] = Field(description="The best first")
    pairs: tuple[LawPair, ...]

    def to_frame(self) -> "pd.DataFrame":
        """Return a data frame with a row per fitted distribution, best first; parameters of others are NaN."""
        import pandas as pd

        columns = ["law", "log_likelihood", "mean", "deviation", "smallest", "exponent"]
        rows = [{"law": each.law, "log_likelihood": each.log_likelihood, **each.parameters} for each in self.laws]
        return pd.DataFrame(rows, columns=columns)

    def pairs_frame(self) -> "pd.DataFrame":
        """Return a data frame with a row per pair of distributions that were compared."""
        import pandas as pd

        return pd.DataFrame([each.model_dump() for each in self.pairs], columns=list(LawPair.model_fields))


class Explanation(Finding):
    """Where R, R^b and R^v of a model come from."""

    tables: ClassVar[str] = "bvf_insights.explain.tables:sections"
    row_fields: ClassVar[tuple[str, ...]] = (
        *("levels", "varying", "reliability", "placebo", "frames", "frame_shares", "crossed"),
        *("properties", "exceeding", "templates"),
    )
    portable: ClassVar[str] = "bvf_insights.portable:explanation"
    schema_: Literal["bvf.explanation/1"] = Field("bvf.explanation/1", alias="schema")
    model: str
    topic: str
    criterion: str
    scale: str = Field("", description="unit or raw; empty: not known, as in files of before")
    reference: str = Field("", description="What --reference said; empty: not known, as in files of before")
    group: str = Field(description="The one group that this is about; empty: all of them")
    level: Level = Field(description="Of the intervals")
    threshold: Amount = Field(description="t, on the scale of the result")
    units: Amount | None = Field(description="How many were drawn independently; null: the contexts are no sample")
    contexts: Count
    R: Finite
    R_bias: Finite
    R_volatility: Finite
    varying: tuple[Varying, ...] = Field(description="Empty where no context has an answer for every group")
    complete: Count = Field(description="Contexts in which every group has an answer: those of `varying` and `levels`")
    reliability: tuple[FigureReliability, ...] = Field((), description="Empty for too few groups or contexts")
    placebo: tuple[PlaceboShare, ...] = Field((), description="Empty where contexts are no placebo set")
    frames: tuple[FrameDifference, ...] = Field((), description="Empty where contexts are not templates in frames")
    frame_shares: tuple[FrameShare, ...] = Field((), description="A row per frame")
    crossed: tuple[CrossedShare, ...] = Field(
        (), description="A row for templates, one per frame, and one for both together; empty: they are not crossed"
    )
    properties: tuple[ContextProperty, ...]
    levels: tuple[PropertyLevel, ...] = Field(description="The most different first")
    drivers: Drivers
    left_out: tuple[LeftOut, ...] = Field(description="Empty for a single context")
    templates: tuple[WithoutTemplates, ...] = Field((), description="Empty for a single template")
    exceeding: tuple[GroupExceeding, ...] = Field(description="The most frequent first")
    shapes: Shapes | None = Field(description="How r^b and r^v are distributed over groups; null for `group` alone")
    warnings: tuple[str, ...] = Field(
        (), description="What makes the figures doubtful, one sentence each that begins with the model"
    )
    notes: tuple[str, ...]

    @property
    def but_for_noise(self) -> str:
        """How a sentence goes on that what contexts add sums to R^b and R^v: of sampled answers it does not."""
        both = ((self.R_bias, self.drivers.R_bias), (self.R_volatility, self.drivers.R_volatility))
        return ", but for the noise of sampled answers" if any(abs(a - b) > NOTHING for a, b in both) else ""

    def to_frame(self) -> "pd.DataFrame":
        """Return a data frame with a row per context property, level and figure. Every row has the warnings."""
        import pandas as pd

        rows = [{**each.model_dump(), "warnings": "; ".join(self.warnings)} for each in self.levels]
        return pd.DataFrame(rows, columns=[*PropertyLevel.model_fields, "warnings"])
