"""Turns validation errors of pydantic into one-line messages."""

from pydantic import ValidationError


def first_wrong(error: ValidationError) -> str:
    """Return a line with the field and the message of the first error. Errors on unknown fields come first."""
    first = min(error.errors(), key=lambda problem: problem["type"] != "extra_forbidden")
    field = ".".join(str(part) for part in first["loc"])
    message = " ".join(first["msg"].split()).removeprefix("Value error, ")
    message = message.replace("Extra inputs are not permitted", "no such field")
    return f"{field}: {message}" if field else message
