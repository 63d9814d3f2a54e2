"""Names of results, alone and among others in one table."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from bvf.results.result import ResultBase
from bvf.study.names import always_named, distinct_names, facts_of, number_of_contexts

R = TypeVar("R", bound=ResultBase)


def name_of(result: ResultBase) -> str:
    """Return the display name of the model.

    It includes the wording of its prompts, such as ``chat``, unless contexts were bare.

    A result that `with_distinct_names` returned keeps the distinct name that it got there.
    """
    return result._shown_as or distinct_names([result.model], [()], always=[_always(result)])[0]


def size_of(result: ResultBase) -> str:
    """Return the number of contexts of a result as text: ``11``, or ``30 drawn``."""
    return number_of_contexts(result.number_of_contexts, result.uncertainty.draws)


def names_of(results: Sequence[ResultBase]) -> tuple[str, ...]:
    """Return a distinct name for each result in a table.

    A name is that of the model in `with_distinct_names`; topic, contexts and folder are appended as far as names are
    equal.
    """
    names = [name_of(result) for result in with_distinct_names(results)]
    for others in ([result.topic for result in results], [Path(result.contexts).stem for result in results]):
        if len(set(zip(names, others, strict=True))) > len(set(names)):
            names = [f"{name}, {other}" for name, other in zip(names, others, strict=True)]
    times = Counter(names)
    return tuple(
        name if times[name] == 1 else f"{name}, {_where(each)}" for name, each in zip(names, results, strict=True)
    )


def named_warnings(results: Sequence[ResultBase]) -> tuple[str, ...]:
    """Return the warnings of results, each prefixed by the name of its result."""
    named = zip(names_of(results), results, strict=True)
    return tuple(f"{name}: {warning}" for name, result in named for warning in result.warnings)


def with_distinct_names(results: Sequence[R]) -> list[R]:
    """Return copies of results with distinct model names. Names are distinct for one topic, language and context set.

    Unless contexts were bare, the wording is appended in any case.
    """
    within = [(result.topic, result.language, result.contexts) for result in results]
    always = ["" if result._shown_as else _always(result) for result in results]
    facts = facts_of(
        results,
        [each.labels for each in results],
        [each.model_path for each in results],
        [size_of(each) for each in results],
        [_where(each) for each in results],
        [each.generation or each.thinking for each in results],
    )
    names = distinct_names([result.model for result in results], facts, within, always=always)
    return [_named(result, name) for result, name in zip(results, names, strict=True)]


def _always(result: ResultBase) -> str:
    return always_named(result.wording, result.generation or result.thinking)


def _named(result: R, name: str) -> R:
    copy = result.model_copy(update={"model": name})
    copy._shown_as = name
    return copy


def _where(result: ResultBase) -> str:
    return str(result.folder or result.measurement)
