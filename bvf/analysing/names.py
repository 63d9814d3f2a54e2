"""Names of rows: the model, its contexts, a group and what it means; and names of several results in one table."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from bvf.analysing.formatting import NAME_WIDTH, shortened
from bvf.analysing.result import GroupResult, ResultBase
from bvf.domain.measurement import WORDINGS

PLACES = 4
"""Decimals of figures where a result is one line."""
SAMPLED = " (sampled)"
"""What marks a row whose probabilities are shares of sampled answers."""


def name_columns(results: Sequence[ResultBase]) -> tuple[str, ...]:
    """Return the columns that name a result: the model, and the contexts and the wording where they differ."""
    several = {
        "contexts": len({result.contexts for result in results}) > 1,
        "wording": len({result.wording for result in results}) > 1,
    }
    return ("model", *(name for name, differs in several.items() if differs))


def row_name(result: ResultBase, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the name of a result in such columns."""
    mark = SAMPLED if result.samples else ""
    cells = {
        "model": shortened(result.model, NAME_WIDTH - len(mark)) + mark,
        "contexts": shortened(Path(result.contexts).stem),
        "wording": WORDINGS[result.wording],
    }
    return tuple(cells[name] for name in columns)


def glossed_names(
    groups: Sequence[GroupResult], column: str = "group"
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return the columns that name a group, and their cells: its name, and what it means where the topic says so."""
    if not any(group.gloss for group in groups):
        return (column,), [(group.group,) for group in groups]
    return (column, "meaning"), [(group.group, group.gloss) for group in groups]


def names_of(results: Sequence[ResultBase]) -> tuple[str, ...]:
    """Return names for results in one table: the model, and what else tells them apart.

    That is the topic, the contexts and the wording where they differ between results of one model, and then the
    folder.
    """
    names = [result.model for result in results]
    for others in (
        [result.topic for result in results],
        [Path(result.contexts).stem for result in results],
        [WORDINGS[result.wording] for result in results],
    ):
        if len(set(zip(names, others, strict=True))) > len(set(names)):
            names = [f"{name}, {other}" for name, other in zip(names, others, strict=True)]
    times = Counter(names)
    folders = [str(result.folder or result.measurement) for result in results]
    return tuple(name if times[name] == 1 else f"{name}, {folder}" for name, folder in zip(names, folders, strict=True))


def in_one_line(result: ResultBase, figures: Sequence[str]) -> Iterator[tuple[str, object]]:
    """Yield what a result is, and some of its figures, by their names."""
    for name in ("model", "topic", "language", "criterion", "contexts", *figures):
        value = getattr(result, name)
        yield name, round(value, PLACES) if isinstance(value, float) else value
    yield "groups", len(result.groups)
    yield "folder", str(result.folder or "")
