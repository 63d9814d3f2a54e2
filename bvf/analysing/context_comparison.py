"""One model asked over several context sets: the value of `compare_contexts`."""

from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, Field

if TYPE_CHECKING:
    import pandas as pd


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class ContextSetRisk(_Frozen):
    """What one context set gives."""

    contexts: str = Field(description="The name or file of the set; with the folder where several runs have it")
    folder: str = Field(description="Where the run lies; empty: it was never stored")
    templates: int = Field(description="Of the set from which contexts were asked or drawn")
    R: float
    R_bias: float
    R_volatility: float


class ContextSetPair(_Frozen):
    """How far two sets are apart, and how far their results are."""

    first: str
    second: str
    total_variation: float = Field(
        description="Half the sum of differences of template weights: 0 the same, 1 no template in common"
    )
    R: float = Field(description="That of the first less that of the second")
    R_bias: float
    R_volatility: float
    of_groups: float = Field(description="Mean over groups, by P(X), of the absolute difference of r")
    kendall: float | None = Field(
        description="Rank correlation (tau-b) of r of groups; null: fewer than three groups, or all have one r"
    )
    p_value: float | None = Field(description="Of the rank correlation, two-sided")


class ContextComparison(_Frozen):
    """One model and topic over several context sets (the paper's Table 4)."""

    schema_: Literal["bvf.context-comparison/1"] = Field("bvf.context-comparison/1", alias="schema")
    model: str
    topic: str
    criterion: str
    groups: int
    sets: tuple[ContextSetRisk, ...]
    pairs: tuple[ContextSetPair, ...]

    def to_frame(self) -> "pd.DataFrame":
        """Return a row per pair of sets."""
        import pandas as pd

        return pd.DataFrame([each.model_dump() for each in self.pairs], columns=list(ContextSetPair.model_fields))
