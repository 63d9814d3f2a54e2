"""How r^b and r^v are distributed over groups: a part of the value of `bvf.explain`."""

from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, Field

from bvf.analysing.sides import Side
from bvf.stats.laws import LawName

if TYPE_CHECKING:
    import pandas as pd


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class FittedLaw(_Frozen):
    """A law that was fitted to the values of r^v above 0."""

    law: LawName
    parameters: dict[str, float] = Field(
        description="mean and deviation; of natural logarithms for the log-normal; for Pareto's smallest and exponent: "
        "the share of values above x is (smallest / x) ^ exponent"
    )
    log_likelihood: float = Field(description="In nats, of all values together; the largest is the best fit")


class LawPair(_Frozen):
    """Two laws of the same values, compared by Vuong's test."""

    law: LawName = Field(description="The one of the larger likelihood")
    other: LawName
    log_ratio: float = Field(description="By how much its log-likelihood is larger, in nats")
    z: float = Field(description="Vuong's statistic, 0 or more")
    p_value: float = Field(description="Two-sided; as if groups were independent of each other, which they are not")
    adjusted_p: float = Field(description="By Holm, for all pairs")
    decision: Literal["better", "tied"] = Field(description="Of the first law, by the adjusted p")


class Shape(_Frozen):
    """What r^v of groups looks like, as measured or as if contexts moved all groups alike."""

    R_volatility: float
    zero: int = Field(description="Groups with r^v = 0")
    spearman: float | None = Field(
        description="Rank correlation of r^v with r^b, unweighted; null: one of them is the same for all groups"
    )


class Shapes(_Frozen):
    """How r^b and r^v are distributed over groups, which all count the same here."""

    groups: int
    sides: tuple[Side, ...] = Field(description="The classes that groups lean to")
    measured: Shape
    alike: Shape = Field(
        description="If every group had its own mean prediction, and the deviations from it of all groups together"
    )
    sides_decide: bool = Field(
        description="Whether r^v comes from changing sides alone: two classes, and J(a s) = a J(s) for a >= 0"
    )
    spearman_of_alike: float | None = Field(
        description="Rank correlation of r^v as measured with r^v as if contexts moved all groups alike"
    )
    zero_share: float = Field(description="Share of groups with r^v = 0")
    zero_low: float = Field(description="Lower end of its exact binomial interval, for groups drawn like these")
    zero_high: float
    positive: int = Field(description="Groups with r^v above 0")
    too_few: str = Field(description="Why no law is fitted to the values of r^v above 0; empty: they are fitted")
    laws: tuple[FittedLaw, ...] = Field(description="The best first")
    pairs: tuple[LawPair, ...]

    def to_frame(self) -> "pd.DataFrame":
        """Return a row per law: its log-likelihood, its parameters (NaN: it has none of that name), the best first."""
        import pandas as pd

        columns = ["law", "log_likelihood", "mean", "deviation", "smallest", "exponent"]
        rows = [{"law": each.law, "log_likelihood": each.log_likelihood, **each.parameters} for each in self.laws]
        return pd.DataFrame(rows, columns=columns)

    def pairs_frame(self) -> "pd.DataFrame":
        """Return a row per pair of laws."""
        import pandas as pd

        return pd.DataFrame([each.model_dump() for each in self.pairs], columns=list(LawPair.model_fields))
