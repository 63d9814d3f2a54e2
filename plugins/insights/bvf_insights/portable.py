"""Findings without folders of this machine in their names, for files that others read."""

from collections.abc import Sequence
from typing import TypeVar

from bvf_report.export.names import without_folder, without_folders
from pydantic import BaseModel

from bvf_insights.contexts import ContextComparison
from bvf_insights.explain.result import Explanation
from bvf_insights.regress.result import Regressions

M = TypeVar("M", bound=BaseModel)


def explanation(found: Explanation) -> Explanation:
    """Return an explanation without the folder of its model."""
    return _without_folder(found, ("model",))


def regressions(found: Regressions) -> Regressions:
    """Return regressions without folders of models, factors and tables."""
    each_without = tuple(_without_folder(each, ("model", "folder", "factor")) for each in found.regressions)
    factors = tuple(
        _without_folder(each, ("name",)).model_copy(update={"source": without_folders(each.source)})
        for each in found.factors
    )
    portable = _without_folder(found, ("weights", "reference"))
    return portable.model_copy(update={"regressions": each_without, "factors": factors})


def contexts(found: ContextComparison) -> ContextComparison:
    """Return a comparison of context sets with short, distinct names."""
    short = {**_short(found.contexts), **_short(found.models)}

    def renamed(row: M, fields: Sequence[str]) -> M:
        return row.model_copy(update={name: short[getattr(row, name)] for name in fields})

    sets = tuple(renamed(_without_folder(row, ("folder",)), ("contexts", "model")) for row in found.sets)
    pairs = tuple(renamed(row, ("first", "second", "model")) for row in found.pairs)
    orders = tuple(renamed(row, ("first", "second")) for row in found.orders)
    models = tuple(short[name] for name in found.models)
    return found.model_copy(update={"sets": sets, "pairs": pairs, "orders": orders, "models": models})


def _short(names: Sequence[str]) -> dict[str, str]:
    """A dict from each name to the name without folders. Names that become equal get a number."""
    short = [without_folders(name) for name in names]
    return {
        name: short_name if short.count(short_name) == 1 else f"{short_name} ({place})"
        for place, (name, short_name) in enumerate(zip(names, short, strict=True), 1)
    }


def _without_folder(part: M, fields: Sequence[str]) -> M:
    return part.model_copy(update={name: without_folder(getattr(part, name)) for name in fields})
