"""Distinct names for several results in one table."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from bvf.results.result import ResultBase
from bvf.study.apart import distinct_names, facts_of

R = TypeVar("R", bound=ResultBase)


def names_of(results: Sequence[ResultBase]) -> tuple[str, ...]:
    """Return a distinct name for each result in a table.

    A name is that of the model; if several results have one model, topic and contexts are appended, then facts that
    differ between the runs, then the folder, as far as needed to make names distinct.
    """
    names = [result.model for result in results]
    for others in ([result.topic for result in results], [Path(result.contexts).stem for result in results]):
        if len(set(zip(names, others, strict=True))) > len(set(names)):
            names = [f"{name}, {other}" for name, other in zip(names, others, strict=True)]
    names = list(distinct_names(names, _facts(results), form="{}, {}"))
    times = Counter(names)
    return tuple(
        name if times[name] == 1 else f"{name}, {_where(each)}" for name, each in zip(names, results, strict=True)
    )


def with_names_apart(results: Sequence[R]) -> list[R]:
    """Return copies of results in which runs of one topic, language and context set have distinct model names."""
    within = [(result.topic, result.language, result.contexts) for result in results]
    facts = [[*of_each, _where(each)] for of_each, each in zip(_facts(results), results, strict=True)]
    names = distinct_names([result.model for result in results], facts, within)
    return [result.model_copy(update={"model": name}) for result, name in zip(results, names, strict=True)]


def _facts(results: Sequence[ResultBase]) -> list[list[str]]:
    return facts_of(results, [each.labels for each in results], [each.model_path for each in results])


def _where(result: ResultBase) -> str:
    return str(result.folder or result.measurement)
