"""The columns that name a row: the model, its contexts, a group and what it means."""

from collections.abc import Sequence
from pathlib import Path

from bvf.analysing.formatting import shortened
from bvf.analysing.result import GroupResult, ResultBase


def name_columns(results: Sequence[ResultBase]) -> tuple[str, ...]:
    """Return the columns that name a result: the model, and the contexts where there are several sets."""
    return ("model", "contexts") if len({result.contexts for result in results}) > 1 else ("model",)


def row_name(result: ResultBase, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the name of a result in such columns."""
    return (shortened(result.model), shortened(Path(result.contexts).stem))[: len(columns)]


def glossed_names(
    groups: Sequence[GroupResult], column: str = "group"
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return the columns that name a group, and their cells: its name, and what it means where the topic says so."""
    if not any(group.gloss for group in groups):
        return (column,), [(group.group,) for group in groups]
    return (column, "meaning"), [(group.group, group.gloss) for group in groups]
