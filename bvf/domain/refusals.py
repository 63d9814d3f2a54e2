"""Errors of pydantic, as one line."""

from pydantic import ValidationError


def first_wrong(error: ValidationError) -> str:
    """Return the first error with its field; an unknown field comes before all others."""
    first = min(error.errors(), key=lambda problem: problem["type"] != "extra_forbidden")
    field = ".".join(str(part) for part in first["loc"])
    message = " ".join(first["msg"].split()).removeprefix("Value error, ")
    message = message.replace("Extra inputs are not permitted", "no such field")
    return f"{field}: {message}" if field else message
