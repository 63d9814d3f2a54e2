"""Names of several results in one table."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from bvf.results.result import ResultBase
from bvf.study.apart import facts_of, told_apart

R = TypeVar("R", bound=ResultBase)


def names_of(results: Sequence[ResultBase]) -> tuple[str, ...]:
    """Return different names for results in one table.

    After the model stand the topic and the contexts, if they differ between results of one model, then what tells runs
    of one model apart, and then the folder.
    """
    names = [result.model for result in results]
    for others in ([result.topic for result in results], [Path(result.contexts).stem for result in results]):
        if len(set(zip(names, others, strict=True))) > len(set(names)):
            names = [f"{name}, {other}" for name, other in zip(names, others, strict=True)]
    names = list(told_apart(names, _facts(results), form="{}, {}"))
    times = Counter(names)
    return tuple(
        name if times[name] == 1 else f"{name}, {_where(each)}" for name, each in zip(names, results, strict=True)
    )


def with_names_apart(results: Sequence[R]) -> list[R]:
    """Return results whose model names also tell runs of one name and topic apart."""
    within = [(result.topic, result.language, result.contexts) for result in results]
    facts = [[*of_each, _where(each)] for of_each, each in zip(_facts(results), results, strict=True)]
    names = told_apart([result.model for result in results], facts, within)
    return [result.model_copy(update={"model": name}) for result, name in zip(results, names, strict=True)]


def _facts(results: Sequence[ResultBase]) -> list[list[str]]:
    return facts_of(results, [each.labels for each in results], [each.model_path for each in results])


def _where(result: ResultBase) -> str:
    return str(result.folder or result.measurement)
