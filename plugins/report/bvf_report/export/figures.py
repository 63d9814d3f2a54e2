"""The results that stand in one table, and their main figures: those that their class names, or else all numbers."""

from collections.abc import Iterable, Sequence

from pydantic import BaseModel

from bvf import BvfError, GroupResult, ResultBase
from bvf.interfaces import Quantity
from bvf.results import refuse_mixed
from bvf.tables import symbol, unknown_fields


def model_figures(results: Sequence[ResultBase]) -> tuple[Quantity, ...]:
    """Return the main figures of a model, such as R, for results of the same analysis."""
    return known_figures(results[0].exported, results) or numbers_in(results, ResultBase)


def judged_figures(result: ResultBase) -> tuple[Quantity, ...]:
    """Return the figures of a result for which it is defined whether a lower value is better."""
    figures = [figure for figure in model_figures([result]) if figure.lower_is_better is not None]
    return tuple(figure for figure in figures if getattr(result, figure.field, None) is not None)


def group_figures(results: Sequence[ResultBase]) -> tuple[Quantity, ...]:
    """Return the main figures of a group, such as r, for results of the same analysis."""
    groups = [group for result in results for group in result.groups]
    return known_figures(groups[0].exported, groups) or numbers_in(groups, GroupResult)


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


def known_figures(figures: Iterable[Quantity], holders: Iterable[BaseModel]) -> tuple[Quantity, ...]:
    """Return the figures without those that only some results have, and none of ``holders``."""
    of_all = tuple(figures)
    unknown = unknown_fields(of_all, holders)
    return tuple(figure for figure in of_all if figure.field not in unknown)


def numbers_in(parts: Iterable[BaseModel], base: type[BaseModel]) -> tuple[Quantity, ...]:
    """Return figures for all fields that are a number in at least one of ``parts``. Fields of ``base`` are left out."""
    names = (
        name
        for part in parts
        for name, value in part
        if name not in base.model_fields and isinstance(value, int | float) and not isinstance(value, bool)
    )
    return tuple(Quantity(name, symbol(name)) for name in dict.fromkeys(names))
