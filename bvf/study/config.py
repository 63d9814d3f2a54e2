"""How answers are analysed: one field here, one option of the commands that analyse."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, TypedDict

from pydantic import Field

from bvf.domain.config import Config, Count
from bvf.domain.keywords import File


class AnalysisConfig(Config):
    """What is done with answers that are there; no model is asked again, whatever is chosen here."""

    analysis: str = Field(default="", description="See `bvf analyses`; the one for the criterion if not said.")
    criterion: str = Field(
        default="",
        description="Criterion J, see `bvf criteria`: lk:2, direction:male, ...; the topic's own or linf if not said.",
    )
    distractors: Count = Field(
        default=0,
        description="Knowledge: the true answer and N wrong ones per subject, drawn by the seed; 0: all answers.",
    )
    scale: Literal["unit", "raw"] = Field(
        default="unit", description="unit: 1 is a fully stereotyped model; raw: J as it is, Eq. 1 and 2 as written."
    )
    reference: str = Field(
        default="uniform",
        description="Unbiased model p*: uniform, mean (the model's own over all groups), prior (its own for neutral "
        "subjects, by context), a table of the topic, or a CSV of group and classes, by context if it has that column.",
    )
    group_weights: str = Field(
        default="uniform", description="P(X): uniform, a table of the topic (employment), or a CSV of group and weight."
    )
    margin: str = Field(
        default="", description="Crossed topics: only this factor, its classes summed over those of the others: gender."
    )
    words: dict[str, tuple[str, ...]] = Field(
        default={}, description="Only these words of a class count: 'male=he,him'; all that were asked if not said."
    )
    unit: Literal["", "document", "occurrence", "template"] = Field(
        default="",
        description="The unit by which contexts were drawn, for intervals: document, occurrence or template; the best "
        "one known for the set if not said.",
    )
    level: Annotated[float, Field(ge=0.5, lt=1)] = Field(default=0.95, description="Level of the intervals.")
    seed: Count = Field(default=0, description="Seed of everything that is sampled.")


def checked_analysis(values: dict[str, Any], where: str) -> AnalysisConfig:
    """Return the choices of an analysis, or raise `BvfError` likewise."""
    return AnalysisConfig.checked(values, where)


class AnalysisKeywords(TypedDict, total=False):
    """Fields of `AnalysisConfig`."""

    analysis: str
    criterion: str
    distractors: int
    scale: Literal["unit", "raw"]
    reference: File
    group_weights: File
    margin: str
    words: Mapping[str, Sequence[str]]
    unit: Literal["", "document", "occurrence", "template"]
    level: float
    seed: int
