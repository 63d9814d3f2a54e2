"""Checks whether results may be rows of one table."""

from collections.abc import Sequence

from bvf.errors import BvfError
from bvf.results.compatible import refuse_mixed
from bvf.results.result import ResultBase


def check_together(results: Sequence[ResultBase]) -> None:
    """Raise `BvfError` unless results can be rows of one table.

    They cannot if there are no results, two have the same name, or topics or methods of analysis differ.
    """
    if not results:
        raise BvfError("there is no result to export", "name the folder of a run")
    seen = set[str]()
    for result in results:
        if result.folder is not None:
            place = str(result.folder.resolve())
            if place in seen:
                raise BvfError(f"{result.folder} is named twice", "name every run once")
            seen.add(place)
    refuse_mixed(results, "export them one by one")
