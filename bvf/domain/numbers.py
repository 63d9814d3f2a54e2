"""Stored records and their numbers: what numbers of options, configurations and files may be is decided here.

Neither a text nor true or false is a number. A number that is written as a text, in the environment or as an option,
becomes one where it is read: `written_number`.
"""

from types import UnionType
from typing import Annotated, Any, Self, Union, get_args, get_origin

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError

from bvf.errors import BvfError, shortened

MIN_CONFIDENCE = 0.93
"""By default, matches of lower confidence are dropped (docs/evidence/mining.md says what other values keep)."""
ROUNDING = 1e-9
"""How far a computed share may lie beyond 0 or 1."""
LARGEST = 2**63 - 1
"""The largest whole number of a count: computers count no further in 64 bits."""
LEAST_TOLERANCE = 1e-5
"""The smallest tolerance: float32 gives class probabilities to within some 2e-6 (docs/evidence/performance.md)."""


def _promised(value: float) -> float:
    if 0.0 < value < LEAST_TOLERANCE:
        raise ValueError(
            f"float32 rounds class probabilities by up to some 2e-6: write {LEAST_TOLERANCE:g} or more, or 0"
        )
    return value


def _no_text(value: object) -> object:
    if isinstance(value, bool | str):
        raise ValueError("Input should be a valid integer, not true or false or a text")
    return value


Finite = Annotated[float, Field(strict=True, allow_inf_nan=False)]
"""A number that is neither infinite nor NaN."""
Amount = Annotated[float, Field(strict=True, ge=0.0, allow_inf_nan=False)]
"""A number, not below 0: a weight, an error, a threshold."""
Share = Annotated[float, Field(strict=True, ge=-ROUNDING, le=1.0 + ROUNDING, allow_inf_nan=False)]
"""A number from 0 to 1: a probability, a proportion, a Gini coefficient."""
Goal = Annotated[float, Field(strict=True, gt=0.0, le=1.0, allow_inf_nan=False)]
"""A number above 0, at most 1: how precise figures are to be."""
Tolerance = Annotated[float, Field(strict=True, ge=0.0, lt=1.0, allow_inf_nan=False), AfterValidator(_promised)]
"""How far class probabilities may be off: 0, or a number from `LEAST_TOLERANCE` on and below 1."""
Level = Annotated[float, Field(strict=True, ge=0.5, lt=1.0, allow_inf_nan=False)]
"""The probability with which intervals hold the truth."""
Count = Annotated[int, Field(ge=0, le=LARGEST), BeforeValidator(_no_text)]
"""A whole number, not below 0."""
Positive = Annotated[int, Field(ge=1, le=LARGEST), BeforeValidator(_no_text)]
"""A whole number, not below 1."""
KINDS: dict[Any, tuple[str, str]] = {
    Finite: ("is not a finite number", "0.2"),
    Amount: ("is not a number from 0 on", "0.5"),
    Share: ("is not a number from 0 to 1", "0.2"),
    Goal: ("is not a number above 0, at most 1", "0.01"),
    Level: ("an interval holds the truth with a probability of 0.5 to 1", "0.95"),
    Count: ("is not a whole number from 0 on", "10"),
    Positive: ("is not a whole number from 1 on", "10"),
}


def checked_number(value: Any, kind: Any, named: str) -> Any:
    """Return a value, or the number in a text, as one of the kinds above.

    Raises:
        BvfError: It is not of this kind. The message begins with ``named``, such as ``--target``.
    """
    try:
        return TypeAdapter(kind).validate_python(written_number(value))
    except ValidationError as error:
        what, example = KINDS[kind]
        shown = f"{value:g}" if isinstance(value, float) else shortened(str(value))
        raise BvfError(f"{named} {shown}: {what}", f"for example, {named} {example}") from error


def written_number(value: Any) -> Any:
    """Return the number that a text is; any other value, or a text that is no number, is returned unchanged."""
    for kind in (int, float) if isinstance(value, str) else ():
        try:
            return kind(value)
        except ValueError:
            continue
    return value


def types_in(annotation: Any) -> set[Any]:
    """Return the types that an annotation allows, without the kinds of numbers.

    >>> types_in(Share | None) == {float, type(None)}
    True
    """
    if get_origin(annotation) is Annotated:
        return types_in(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        return {kind for each in get_args(annotation) for kind in types_in(each)}
    return {annotation}


NumberOrWord = BeforeValidator(written_number)
"""For a field that has a number or a word, such as auto: the number may be written as a text."""


class Record(BaseModel):
    """A pydantic model with immutable values. An unknown field is an error, and so is an infinite number or NaN."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, allow_inf_nan=False)

    def __copy__(self) -> Self:
        """Return a copy for `model_copy` without cached properties, as its fields may then be changed."""
        copied = super().__copy__()
        for name in copied.__dict__.keys() - type(self).model_fields.keys():
            del copied.__dict__[name]
        return copied
