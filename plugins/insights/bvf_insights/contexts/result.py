"""The result of `compare_contexts`: one or several models over several context sets."""

from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field, model_validator

from bvf.domain import Count, Finite, Record, Share
from bvf.tables import Finding

if TYPE_CHECKING:
    import pandas as pd

Figure = Literal["R", "R_bias", "R_volatility"]


class ContextSetRisk(Record):
    """The figures of one model in one context set."""

    contexts: str = Field(description="The name or file of the set; with a folder where several sets have it")
    model: str
    folder: str = Field(description="Where the run lies; empty: it was never stored")
    templates: Count = Field(description="Of the set from which contexts were asked or drawn")
    R: Finite
    R_bias: Finite
    R_volatility: Finite


class ContextSetPair(Record):
    """Two context sets: their distance, and the differences between the results of one model in them."""

    first: str
    second: str
    model: str
    total_variation: Share = Field(
        description="Half the sum of differences of template weights: 0 the same, 1 no template in common"
    )
    R: Finite = Field(description="R of the first set less R of the second")
    R_bias: Finite
    R_volatility: Finite
    of_groups: Finite = Field(description="Mean over groups, by P(X), of the absolute difference of r")
    kendall: Finite | None = Field(
        description="Rank correlation (tau-b) of r of groups; null: fewer than three groups, or all have one r"
    )
    p_value: Share | None = Field(description="Of the rank correlation, two-sided")


class ModelOrder(Record):
    """Whether two sets rank the models alike by a figure; null: too few models, or all have the same figure."""

    first: str
    second: str
    figure: Figure
    spearman: Finite | None = Field(None, description="Rank correlation over models")
    p_value: Share | None = Field(None, description="By permutation, two-sided")
    smallest_p: Share | None = Field(None, description="The smallest that so many models can have")


class ModelAgreement(Record):
    """Whether all sets rank the models alike by a figure; null as for `ModelOrder`."""

    figure: Figure
    kendall_w: Finite | None = Field(None, description="Kendall's W: 1 for one order everywhere")
    p_value: Share | None = Field(None, description="By permutation within each set, of a W as large")
    smallest_p: Share | None = Field(None, description="The smallest that so many models and sets can have")


class ContextComparison(Finding):
    """Models and one topic over several context sets (the paper's Table 4)."""

    tables: ClassVar[str] = "bvf_insights.contexts.tables:sections"
    row_fields: ClassVar[tuple[str, ...]] = ("pairs", "sets", "orders", "agreement")
    portable: ClassVar[str] = "bvf_insights.portable:contexts"
    schema_: Literal["bvf.context-comparison/2"] = Field("bvf.context-comparison/2", alias="schema")
    models: tuple[str, ...]
    topic: str
    criterion: str
    reference: str = Field("", description="What --reference said; empty: not known, as in files of before")
    scale: str
    groups: Count
    warnings: tuple[str, ...] = Field(
        (), description="What makes the figures doubtful, one sentence each that begins with the model and the set"
    )
    sets: tuple[ContextSetRisk, ...] = Field(description="Set by set, the models of each in their order")
    pairs: tuple[ContextSetPair, ...] = Field(description="Of every two sets, model by model")
    orders: tuple[ModelOrder, ...] = Field((), description="Of every two sets and figure; empty for one model")
    agreement: tuple[ModelAgreement, ...] = Field((), description="Of all sets, three or more; empty for one model")

    @model_validator(mode="after")
    def _names_its_models_and_sets(self) -> "ContextComparison":
        models = {each.model for each in self.sets} | {each.model for each in self.pairs}
        sets = {each.first for each in self.pairs} | {each.second for each in self.pairs}
        sets |= {each.first for each in self.orders} | {each.second for each in self.orders}
        for kind, named, known in (("model", models, self.models), ("context set", sets, self.contexts)):
            if unknown := sorted(named.difference(known)):
                raise ValueError(f'"{unknown[0]}" is not a {kind} of the comparison')
        return self

    @property
    def contexts(self) -> tuple[str, ...]:
        """The names of the context sets."""
        return tuple(dict.fromkeys(each.contexts for each in self.sets))

    def to_frame(self) -> "pd.DataFrame":
        """Return a data frame with a row per pair of sets and model. Every row has the warnings of the comparison."""
        import pandas as pd

        rows = [{**each.model_dump(), "warnings": "; ".join(self.warnings)} for each in self.pairs]
        return pd.DataFrame(rows, columns=[*ContextSetPair.model_fields, "warnings"])
