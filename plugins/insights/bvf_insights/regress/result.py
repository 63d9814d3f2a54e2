"""Regressions on social factors, returned by `bvf.regress` and printed by ``bvf regress --format json``."""

from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from bvf.domain import Amount, Count, Finite, Level, Record, Scale, Share
from bvf.tables import Finding

if TYPE_CHECKING:
    import pandas as pd

LISTS = {"groups", "unpublished", "unmatched", "without_weight"}
Decision = Literal["rises", "falls", "cannot tell"]


class Factor(Record):
    """A factor that figures of groups are regressed on, such as a wage, a share or a word frequency."""

    name: str = Field(description="As --against says it")
    label: str = Field(description="What it is")
    unit: str = Field("", description="Unit of its values; empty: none")
    per: Amount = Field(1.0, description="A slope is per this many of the unit")
    source: str = Field(description="Where its values are from")
    year: Count | None = Field(None, description="The year that they describe; null: not known")
    note: str = Field("", description="What to know about them")


class RegressedGroup(Record):
    """A group of a regression, with its value of the factor, its figure and its weight."""

    group: str
    gloss: str = ""
    x: Finite = Field(description="Its value, in units of ``per``")
    y: Finite = Field(description="Its figure")
    weight: Amount = Field(description="Its share of the weights")
    without: Finite = Field(description="The slope if it is left out")


class Regression(Record):
    """The regression of a figure of groups on a factor, by weighted least squares."""

    model: str
    measurement: str = Field(description="Digest of the identity of its measurement")
    folder: str = Field(description="Where that lies; empty: it was never stored")
    figure: str = Field(description="r, r_bias, r_volatility, lean:CLASS, the mean of p / p* - 1, or that of knowledge")
    factor: str = Field(description="Name of the factor")
    slope: Finite = Field(description="Change of the figure per ``per`` of the factor's unit")
    intercept: Finite
    error: Amount = Field(description="Of the slope: HC3, which takes weights for no inverse variances")
    context_error: Amount | None = Field(
        description="Of the slope, if other contexts of the kind were drawn; null: contexts are no sample"
    )
    undefined: str = Field("", description="Why there is no error of contexts; empty: there is")
    low: Finite = Field(
        description="End of the interval for other groups of the kind, which holds both errors where both are known"
    )
    high: Finite
    low_in_groups: Finite | None = Field(
        None,
        description="End of the interval for the slope of these very groups, which holds the error of contexts alone; "
        "null: contexts are no sample, or the figure is no mean over contexts (r_bias, r_volatility, sampled answers)",
    )
    high_in_groups: Finite | None = None
    freedom: Amount = Field(description="Degrees of freedom of its t: the effective number of groups less 2")
    p_value: Share = Field(description="Smallest 1 - level at which the interval does not hold 0")
    adjusted_p: Share = Field(description="By Holm, for all regressions")
    decision: Decision = Field(description="By the adjusted p")
    classical_error: Amount = Field(description="If weights were inverse variances, which they are not")
    r_squared: Finite
    unweighted: Finite = Field(description="The slope if all groups weigh the same")
    spearman: Finite | None = Field(description="Rank correlation, unweighted; null: a figure is the same for all")
    spearman_p: Share | None
    effective: Amount = Field(description="Kish's effective number of groups: so many of equal weight say as much")
    groups: tuple[RegressedGroup, ...] = Field(description="The matched groups, in the order of the topic")
    unpublished: tuple[str, ...] = Field(description="Groups that the table has, with no value")
    unmatched: tuple[str, ...] = Field(description="Groups that the table does not have")
    without_weight: tuple[str, ...] = Field(description="Groups with a value and no weight")
    strangers: Count = Field(description="Names in the table that are no groups of the result")


class Regressions(Finding):
    """Regressions for every model, figure and factor, tested as one family."""

    tables: ClassVar[str] = "bvf_insights.regress.tables:sections"
    row_fields: ClassVar[tuple[str, ...]] = ("regressions",)
    portable: ClassVar[str] = "bvf_insights.portable:regressions"
    schema_: Literal["bvf.regressions/1"] = Field("bvf.regressions/1", alias="schema")
    topic: str
    language: str
    criterion: str
    scale: Scale
    reference: str
    weights: str = Field(description="What --weights said")
    level: Level
    warnings: tuple[str, ...] = Field(
        (), description="What makes the figures doubtful, one sentence each that begins with the model"
    )
    tests: Count = Field(description="Size of the family: models x figures x factors")
    factors: tuple[Factor, ...]
    regressions: tuple[Regression, ...]

    def factor_of(self, regression: Regression) -> Factor:
        """Return the factor that one of the regressions is on."""
        return next(each for each in self.factors if each.name == regression.factor)

    def to_frame(self) -> "pd.DataFrame":
        """Return a data frame with a row per regression. Rows have the warnings, and lengths instead of lists."""
        import pandas as pd

        warnings = "; ".join(self.warnings)
        rows = [
            {
                **each.model_dump(exclude=LISTS),
                **{name: len(getattr(each, name)) for name in sorted(LISTS)},
                "warnings": warnings,
            }
            for each in self.regressions
        ]
        return pd.DataFrame(rows)

    def groups_frame(self) -> "pd.DataFrame":
        """Return a data frame with a row per regression and matched group."""
        import pandas as pd

        columns = ["model", "figure", "factor", *RegressedGroup.model_fields]
        named = ((each, each.model_dump(include={"model", "figure", "factor"})) for each in self.regressions)
        rows = [{**names, **group.model_dump()} for each, names in named for group in each.groups]
        return pd.DataFrame(rows, columns=columns)
