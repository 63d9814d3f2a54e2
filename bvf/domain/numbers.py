"""The kinds of numbers that options, configurations and stored files have: what each may be is decided here."""

from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from bvf.errors import BvfError

ROUNDING = 1e-9
"""How far a computed share may lie beyond 0 or 1."""
Finite = Annotated[float, Field(allow_inf_nan=False)]
"""A number that is neither infinite nor NaN."""
Share = Annotated[float, Field(ge=-ROUNDING, le=1.0 + ROUNDING, allow_inf_nan=False)]
"""A number from 0 to 1: a probability, a proportion, a Gini coefficient."""
Count = Annotated[int, Field(ge=0)]
"""A whole number, not below 0."""
KINDS: dict[Any, tuple[str, str]] = {
    Finite: ("is not a finite number", "such as 0.2"),
    Share: ("is not a number from 0 to 1", "such as 0.2"),
    Count: ("is not a whole number from 0 on", "such as 10"),
}


def checked_number(value: Any, kind: Any, named: str) -> Any:
    """Return a value, or the number in a text, as one of the kinds above.

    Raises:
        BvfError: It is not of this kind. The message begins with ``named``, such as ``--target``.
    """
    try:
        return TypeAdapter(kind).validate_python(value)
    except ValidationError as error:
        what, example = KINDS[kind]
        raise BvfError(f"{named} {value}: {what}", f"write a number {example}") from error
