"""The configuration of an analysis. Each field is an option of commands that analyse stored probabilities."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, Self, TypedDict

from pydantic import Field, PrivateAttr

from bvf.domain.config import Config, File, Names, OneOrMore, Option
from bvf.domain.groups import GROUPS_HELP
from bvf.domain.numbers import Count, Level
from bvf.domain.scale import SCALES, USUAL, Scale


@dataclass(frozen=True)
class Given:
    """The choices of an analysis that are the user's (None: all); the others are those of a stored result.

    Two results that differ in this alone are equal.
    """

    choices: Mapping[str, Any] | None = field(default=None, compare=False)
    result: Any = field(default=None, compare=False, repr=False)


class AnalysisConfig(Config):
    """How stored probabilities are analysed; no choice here needs the model again."""

    analysis: Annotated[str, Option("Method")] = Field(
        default="", description="One of `bvf analyses`, or one kept by --save-as; the criterion decides if not given."
    )
    criterion: Annotated[str, Option("Method")] = Field(
        default="",
        description="Criterion J, see `bvf criteria`: lk:2, direction:male; the topic's own or linf if not given.",
    )
    distractors: Annotated[Count, Option("Method", "N", kind=int)] = Field(
        default=0,
        description="Knowledge: the true answer and N wrong ones per subject, drawn by the seed; 0: all answers.",
    )
    scale: Annotated[Scale, Option("Method", "|".join(SCALES))] = Field(
        default=USUAL, description="unit: 1 is a fully stereotyped model; raw: J as it is, Eq. 1 and 2 as written."
    )
    reference: Annotated[str, Option("Method", "NAME|FILE")] = Field(
        default="uniform",
        description="Unbiased model p*: uniform, mean (the model's own over all groups), prior (its own for neutral "
        "subjects, by context), a table of the topic, or a CSV of group and classes, by context if it has that column.",
    )
    group_weights: Annotated[str, Option("Method", "NAME|FILE")] = Field(
        default="uniform", description="P(X): uniform, a table of the topic (employment), or a CSV of group and weight."
    )
    groups: Annotated[OneOrMore, Option("Method", "NAME,NAME", many=True)] = Field(default=(), description=GROUPS_HELP)
    margin: Annotated[str, Option("Method", "FACTOR")] = Field(
        default="", description="Crossed topics: only this factor, its classes summed over those of the others: gender."
    )
    words: Annotated[dict[str, tuple[str, ...]], Option("Method", "CLASS=WORD,WORD", many=True)] = Field(
        default={}, description="Only these words of a class count: 'male=he,him'; all that were asked if not given."
    )
    reader: Annotated[str, Option("Method", "NAME")] = Field(
        default="", description="What reads a class from a generated text, see `bvf readers`; first-word if not given."
    )
    unit: Annotated[
        Literal["", "document", "occurrence", "template", "opening"],
        Option("Method", "document|occurrence|template|opening"),
    ] = Field(
        default="",
        description="The unit by which contexts were drawn, for intervals: document, occurrence, template or opening; "
        "the best one known for the set if not given.",
    )
    level: Annotated[Level, Option("Method", "P", kind=float)] = Field(
        default=0.95, description="Level of the intervals."
    )
    seed: Annotated[Count, Option("Method", kind=int)] = Field(
        default=0, description="Seed of everything that is sampled."
    )
    _given: Given = PrivateAttr(default=Given())

    def as_stored(self, result: Any, given: Mapping[str, Any] | None = None) -> Self:
        """Return these choices as those of a stored result, but for what the user has ``given`` (None: as in it).

        A file that only the result names is never opened: p* and P(X) are then those of the result.
        """
        copy = self.model_copy()
        copy._given = Given(result._given.choices if given is None else given, result)
        return copy

    def stored(self, name: str) -> Any:
        """Return the stored result whose choice the field ``name`` is; None: it is the user's."""
        choices = self._given.choices
        return None if choices is None or name in choices else self._given.result


class MethodKeywords(TypedDict, total=False):
    """The fields of `AnalysisConfig` as keyword arguments, except ``analysis``, which decides the class of results."""

    criterion: str
    distractors: int
    scale: Scale
    reference: File
    group_weights: File
    groups: Names
    margin: str
    words: Mapping[str, Sequence[str]]
    reader: str
    unit: Literal["", "document", "occurrence", "template", "opening"]
    level: float
    seed: int


class AnalysisKeywords(MethodKeywords, total=False):
    """The fields of `AnalysisConfig` as keyword arguments."""

    analysis: str
