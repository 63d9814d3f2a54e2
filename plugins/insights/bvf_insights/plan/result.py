"""The result of a plan: how many contexts are needed to know the figures of a model precisely."""

from pydantic import Field

from bvf.domain import Amount, Count, Finite, Goal, Record, Share
from bvf.results import Method, SharedChoices
from bvf.stats import Need


class FigurePlan(Record):
    """The contexts needed to know a figure with a given precision, and to detect a given difference."""

    value: Finite
    half_width: Amount = Field(description="Of its interval now; where an end was cut at 0, of what it would be")
    by_noise: Amount = Field(
        0.0, description="Part of it that noise of sampled answers leaves, however many contexts are drawn"
    )
    contexts: Count | None = Field(
        description="To be drawn in all for the precision; as many as the set has: all of them asked; null: no number "
        "would do, or it is not known"
    )
    units: Count | None = Field(description="The set would have to have, all of them asked, for the precision; or null")
    detectable: Amount | None = Field(
        description="The smallest difference that would be found now; null: contexts show no error, or not for R^v"
    )
    too_small: bool = Field(False, description="Too few contexts were drawn to tell how many would do")
    contexts_to_detect: Count | None = Field(None, description="To be drawn to detect the difference")
    units_to_detect: Count | None = Field(None, description="The set would have to have for the difference; or null")
    too_small_to_detect: bool = Field(False, description="How many would do for the difference is not known")
    groups: Count | None = Field(
        description="For the precision, if groups were a sample too; null: no number would do, or there is one group"
    )

    @property
    def to_be_precise(self) -> Need:
        """The number of contexts, or of occurrences in the corpus, that the precision needs."""
        return Need(self.contexts, self.units, self.too_small)

    @property
    def to_detect(self) -> Need:
        """The number of contexts, or of occurrences in the corpus, needed to detect the difference."""
        return Need(self.contexts_to_detect, self.units_to_detect, self.too_small_to_detect)


class PlanResult(Method):
    """The contexts needed to know R, R^b and R^v of a model, and the choices of the analysis."""

    folder: str
    against: str = Field("", description="A run whose paired errors were used; empty: another as noisy as this one")
    model: str
    topic: str
    language: str
    power: Share
    precision: Goal
    detect: Goal
    draws: Count | None = Field(description="Contexts that were drawn; null: all of the set were asked")
    set_contexts: Count = Field(description="Contexts that the set has")
    set_units: Amount | None = Field(description="Occurrences (documents, templates) that it has; null: not known")
    number_of_groups: Count = Field(description="Groups that were asked and have a weight and answers")
    in_common: SharedChoices | None = Field(None, description="In what differences to `against` are planned; or null")
    set_unit: str = Field(description="What it has so many of: occurrence, document, template")
    figures: dict[str, FigurePlan]
