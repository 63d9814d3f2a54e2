"""Which results may be rows of one table: those with the same questions and method of analysis."""

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from bvf.errors import BvfError
from bvf.study.config import AnalysisConfig
from bvf.study.reference import first_of

T = TypeVar("T")
QUESTIONS = ("topic", "language")
MAY_DIFFER = ("groups", "unit", "level", "seed")
"""Choices of an analysis in which results of one table may differ."""
CHOICES = ("schema_", *(name for name in AnalysisConfig.model_fields if name not in MAY_DIFFER))
"""Those in which they agree, and the form of the result; ``words`` has the classes, too."""


def question(result: Any) -> dict[str, Any]:
    """Return the fields that must be equal in the results of one table: topic, language, criterion, p*, ..."""
    return {field: getattr(result, field, None) for field in (*QUESTIONS, *CHOICES)}


def comparable_choices(result: Any) -> dict[str, Any]:
    """Return the choices of analysis (criterion, p*, ...) that must agree for figures to be drawn on one axis.

    Topic, language and words may differ.
    """
    return {field: value for field, value in question(result).items() if field in CHOICES and field != "words"}


def grouped(things: Sequence[T], key: Callable[[T], Mapping[str, Any]] = question) -> list[list[T]]:
    """Split results into lists of equal ``key``, in order of first occurrence. Each list may make one table."""
    groups = list[list[T]]()
    for thing in things:
        for group in groups:
            if key(group[0]) == key(thing):
                group.append(thing)
                break
        else:
            groups.append([thing])
    return groups


def headings(groups: Sequence[Sequence[T]], key: Callable[[T], Mapping[str, Any]] = question) -> list[str]:
    """Return a heading per list of results: the choices that differ, as ``reference mean``; '' for a single list."""
    keys = [key(first) for first, *_ in groups]
    fields = [field for field in keys[0] if any(each[field] != keys[0][field] for each in keys)] if keys else []
    implied = {"words"} if {*QUESTIONS} & {*fields} else set[str]()  # each topic has its own
    if "schema_" in fields:
        implied |= {"scale", "distractors", *(["schema_"] if "criterion" in fields else [])}
    fields = [field for field in fields if field not in implied]
    return [in_words({field: each[field] for field in fields}) for each in keys]


def refuse_unlike(
    named: Sequence[tuple[str, Any]], instead: str, key: Callable[[Any], Mapping[str, Any]] = question
) -> None:
    """Raise `BvfError` if results (or choices) cannot be rows of one table. It names the difference, and what to do.

    Args:
        named: Pairs of a folder and the result or choices in it.
        instead: What can be done where no option makes them comparable.
        key: Returns the fields in which they must agree.
    """
    for where, result in named[1:]:
        folder, first = named[0]
        ours, theirs = key(first), key(result)
        for field, one in ours.items():
            if one != theirs[field]:
                message = f"{folder} has the {_named(field)} {_written(one)} and {where} {_written(theirs[field])}"
                if field == "words":
                    message = f"{folder} and {where} differ in their words"
                raise BvfError(message, _remedy(field, one, instead))


def refuse_mixed(results: Sequence[Any], instead: str, key: Callable[[Any], Mapping[str, Any]] = question) -> None:
    """Raise `BvfError` if results cannot be rows of one table. ``instead`` is what the error suggests to do."""
    refuse_unlike([(str(result.folder or result.model), result) for result in results], instead, key)


def in_words(choices: Mapping[str, Any]) -> str:
    """Return choices of analysis, by field, as text: ``criterion lk:2, reference mean``."""
    return ", ".join(f"{_named(field)} {_written(value)}" for field, value in choices.items())


def options_of(choices: Mapping[str, Any]) -> list[str]:
    """Return the command-line options that make these choices of analysis: ``["--reference", "mean"]``."""
    return [text for name, value in choices.items() for text in _option(f"--{name.replace('_', '-')}", value)]


def _remedy(field: str, value: Any, instead: str) -> str:
    if field in (*QUESTIONS, "schema_") or not value:
        return instead
    return f"{instead}, or all by {shlex.join(options_of({field: value}))}"


def _named(field: str) -> str:
    return {"schema_": "form of result"}.get(field, field.replace("_", " "))


def _written(value: Any) -> str:
    if isinstance(value, Mapping):
        return " ".join(f"{name}={first_of(words)}" for name, words in value.items()) or "all"
    if isinstance(value, tuple):
        return first_of(value) or "all"
    return str(value) if value else "none"


def _option(option: str, value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, words in value.items():
            yield from (option, f"{name}={','.join(words)}")
    elif isinstance(value, tuple):
        for name in value:
            yield from (option, name)
    else:
        yield from (option, str(value))
