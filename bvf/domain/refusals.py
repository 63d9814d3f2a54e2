"""Turns validation errors of pydantic into one-line messages."""

import json
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from bvf.errors import shortened

MEANT = {"tuple_type": "a list", "list_type": "a list", "string_type": "a text"}
MEANT |= dict.fromkeys(("dict_type", "model_type", "model_attributes_type", "dataclass_type"), "a table")
"""What a value should have been, by the type of the error."""


def first_wrong(error: ValidationError) -> str:
    """Return a line with the field and the message of the first error. Errors on unknown fields come first."""
    return all_wrong(error)[0]


def all_wrong(error: ValidationError) -> list[str]:
    """Return a line per error, with its field and message. Errors on unknown fields come first.

    A list that is too short because its values are wrong has lines on these alone.
    """
    problems = sorted(error.errors(), key=lambda problem: problem["type"] != "extra_forbidden")
    parents = {each["loc"][:depth] for each in problems for depth in range(len(each["loc"]))}
    return [_line(each) for each in problems if each["type"] != "too_short" or each["loc"] not in parents]


def _line(problem: ErrorDetails) -> str:
    field = ".".join(str(part) for part in problem["loc"])
    if problem["type"] in MEANT:
        return _of_another_kind(problem["loc"], problem["input"], MEANT[problem["type"]])
    message = " ".join(problem["msg"].split()).removeprefix("Value error, ")
    message = message.replace("Extra inputs are not permitted", "no such field")
    return f"{field}: {message}" if field else message


def _of_another_kind(place: tuple[int | str, ...], found: Any, meant: str) -> str:
    """A line on a text where a list is meant, or the like. A list inside lists is shown with these.

    >>> _of_another_kind(("units", 0), "he", "a list")
    'units: "he" stands where a list is meant: write [["he", ...]]'
    """
    given, names, right = shortened(json.dumps(found, ensure_ascii=False, default=str)), list(place), ""
    if meant == "a list" and isinstance(found, str):
        right = f"[{given}, ...]"
        while len(names) > 1 and isinstance(names[-1], int):
            names, right = names[:-1], f"[{right}]"
    elif meant == "a text" and isinstance(found, int | float):
        right = f'"{given}"'
    field = ".".join(map(str, names))
    where, instead = f"{field}: " if field else "", f": write {right}" if right else ""
    return f"{where}{given} stands where {meant} is meant{instead}"
