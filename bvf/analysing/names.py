"""Names of rows: the model, its contexts, a group and what it means; and names of several results in one table."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from bvf.analysing.apart import facts_of, told_apart
from bvf.analysing.formatting import shortened
from bvf.analysing.result import GroupResult, ResultBase

R = TypeVar("R", bound=ResultBase)
PLACES = 4
"""Decimals of figures where a result is one line."""
SAMPLED = " (sampled)"
"""What marks a row whose probabilities are shares of sampled answers."""


def name_columns(results: Sequence[ResultBase]) -> tuple[str, ...]:
    """Return the columns that name a result: the model, and the contexts where there are several sets."""
    return ("model", "contexts") if len({result.contexts for result in results}) > 1 else ("model",)


def row_name(result: ResultBase, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the name of a result in such columns."""
    mark = SAMPLED if result.samples else ""
    return (result.model + mark, shortened(Path(result.contexts).stem))[: len(columns)]


def glossed_names(
    groups: Sequence[GroupResult], column: str = "group"
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return the columns that name a group, and their cells: its name, and what it means where the topic says so."""
    if not any(group.gloss for group in groups):
        return (column,), [(group.group,) for group in groups]
    return (column, "meaning"), [(group.group, group.gloss) for group in groups]


def names_of(results: Sequence[ResultBase]) -> tuple[str, ...]:
    """Return names for results in one table: the model, and what else tells them apart.

    That is the topic and the contexts, where they differ between results of one model, then what tells runs of one
    model apart, and then the folder.
    """
    names = [result.model for result in results]
    for others in ([result.topic for result in results], [Path(result.contexts).stem for result in results]):
        if len(set(zip(names, others, strict=True))) > len(set(names)):
            names = [f"{name}, {other}" for name, other in zip(names, others, strict=True)]
    names = list(told_apart(names, facts_of(results, [result.labels for result in results]), form="{}, {}"))
    times = Counter(names)
    return tuple(
        name if times[name] == 1 else f"{name}, {_where(each)}" for name, each in zip(names, results, strict=True)
    )


def with_names_apart(results: Sequence[R]) -> list[R]:
    """Return results in which the name of the model also says what tells runs of one name apart in one topic."""
    within = [(result.topic, result.language, result.contexts) for result in results]
    names = told_apart([result.model for result in results], _facts(results), within)
    return [result.model_copy(update={"model": name}) for result, name in zip(results, names, strict=True)]


def _facts(results: Sequence[ResultBase]) -> list[list[str]]:
    facts = facts_of(results, [result.labels for result in results])
    return [[*of_each, _where(each)] for of_each, each in zip(facts, results, strict=True)]


def _where(result: ResultBase) -> str:
    return str(result.folder or result.measurement)


def in_one_line(result: ResultBase, figures: Sequence[str]) -> Iterator[tuple[str, object]]:
    """Yield what a result is, and some of its figures, by their names."""
    for name in ("model", "topic", "language", "criterion", "contexts", *figures):
        value = getattr(result, name)
        yield name, round(value, PLACES) if isinstance(value, float) else value
    yield "groups", len(result.groups)
    yield "folder", str(result.folder or "")
