"""Checks whether results may stand in one table."""

from collections.abc import Sequence

from bvf.errors import BvfError
from bvf.results.result import ResultBase

ONE_OF_ALL = (
    *("schema_", "topic", "language", "criterion", "scale", "reference", "group_weights", "margin", "words"),
    "distractors",
)
"""Fields in which results in one table must agree."""


def check_together(results: Sequence[ResultBase]) -> None:
    """Raise `BvfError` if results cannot stand in one table: none, one named twice, or other topics or methods."""
    if not results:
        raise BvfError("there is no result to export", "name the folder of a run")
    first, seen = results[0], set[str]()
    for result in results:
        if result.folder is not None:
            place = str(result.folder.resolve())
            if place in seen:
                raise BvfError(f"{result.folder} is named twice", "name every run once")
            seen.add(place)
        for field in ONE_OF_ALL:
            one, other = getattr(first, field, None), getattr(result, field, None)
            if one != other:
                name = field.rstrip("_").replace("_", " ")
                message = f"{first.folder} has the {name} {one or 'none'} and {result.folder} {other or 'none'}"
                if isinstance(one, dict) or isinstance(other, dict):
                    message = f"{first.folder} and {result.folder} differ in their {name}"
                raise BvfError(message, "export them one after another")
