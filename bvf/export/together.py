"""Which results may stand in one table."""

from collections.abc import Sequence

from bvf.errors import BvfError
from bvf.results.result import ResultBase

ONE_OF_ALL = (
    *("schema_", "topic", "language", "criterion", "scale", "reference", "group_weights", "margin", "words"),
    "distractors",
)
"""Fields in which results in one table must agree."""
HINT = "export them one after another"


def check_together(results: Sequence[ResultBase]) -> None:
    """Refuse results that cannot stand in one table.

    Args:
        results: One or more.

    Raises:
        BvfError: There is none, one is there twice, or two differ in what was asked or how it was analysed.
    """
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
                raise BvfError(_difference(first, result, field, one, other), HINT)


def _difference(first: ResultBase, second: ResultBase, field: str, one: object, other: object) -> str:
    name = field.rstrip("_").replace("_", " ")
    if isinstance(one, dict) or isinstance(other, dict):
        return f"{first.folder} and {second.folder} differ in their {name}"
    return f"{first.folder} has the {name} {_said(one)} and {second.folder} {_said(other)}"


def _said(value: object) -> str:
    return "none" if value in (None, "") else str(value)
