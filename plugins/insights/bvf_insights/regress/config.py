"""The configuration of regressions. Each field is an option of ``bvf regress``."""

from pathlib import Path
from typing import Annotated, Self, TypedDict

from pydantic import Field, model_validator

from bvf import BvfError
from bvf.domain import Config, Level, Names, OneOrMore, Option


class RegressConfig(Config):
    """The configuration of regressions: factors, figures of groups, and weights."""

    against: Annotated[OneOrMore, Option("Method", "NAME|FILE[:COLUMN]", many=True)] = Field(
        default=(),
        description="What figures are regressed on: a statistic of the topic (wages, annual-wages, education, women), "
        "word-frequency, or a table, FILE or FILE:COLUMN. Can be repeated.",
    )
    weights: Annotated[str, Option("Method", "NAME|FILE")] = Field(
        default="uniform",
        description="Weights of groups: uniform, a table of the topic (employment), or a CSV of group and weight.",
    )
    of: Annotated[OneOrMore, Option("Method", "FIGURE", many=True)] = Field(
        default=(),
        description="The figure: r, r_bias, r_volatility, association, lean, or one of these two with :CLASS; r if "
        "not given, and against the share of a class association (lean where no neutral subjects were asked). Of "
        "knowledge: mastery (if not given), expected_score, confidence_gap or corrected_mastery. Can be repeated.",
    )
    corpus: Annotated[OneOrMore, Option("Method", "CORPUS", many=True)] = Field(
        default=(),
        description="Where words are counted for word-frequency: a file, folder or glob as for `bvf mine`. Can be "
        "repeated.",
    )
    level: Annotated[Level, Option("Method", "P", kind=float)] = Field(
        default=0.95, description="Level of the intervals."
    )


class OptionalRegressConfig(RegressConfig):
    """The configuration of a regression beside other things, which is left out if there is nothing to regress on.

    Raises:
        BvfError: Another field is set than ``against``, and that one is not.
    """

    @model_validator(mode="after")
    def _for_factors(self) -> Self:
        if self.model_fields_set and not self.against:
            name = next(name for name in type(self).model_fields if name in self.model_fields_set)
            raise BvfError(f"--{name} does nothing without --against", "give --against wages, or name a table")
        return self


class RegressKeywords(TypedDict, total=False):
    """The fields of `RegressConfig` as keyword arguments."""

    against: Names
    weights: str | Path
    of: Names
    corpus: Names
    level: float
