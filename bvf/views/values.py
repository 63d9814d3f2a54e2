"""Figures with their intervals, and what results are called beside each other."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bvf.analysing.result import GroupResult, Interval, ResultBase


@dataclass(frozen=True)
class Value:
    """A figure.

    Args:
        value: The figure itself.
        low: Lower end of its interval; None: there is none.
        high: Upper end.
    """

    value: float
    low: float | None = None
    high: float | None = None


def value_of(holder: ResultBase | GroupResult, name: str) -> Value:
    """Return a field of a result or of a group that is a number, with its interval where it has one."""
    intervals = holder.uncertainty.intervals if isinstance(holder, ResultBase) else holder.intervals
    return with_interval(getattr(holder, name), intervals.get(name))


def with_interval(value: float, interval: Interval | None) -> Value:
    """Return a figure with its interval, if there is one."""
    return Value(float(value)) if interval is None else Value(float(value), interval.low, interval.high)


def level_of(result: ResultBase) -> float | None:
    """Return the level of the intervals of a result; None: it has none."""
    return result.uncertainty.level if result.uncertainty.intervals else None


def names_of(results: Sequence[ResultBase]) -> tuple[str, ...]:
    """Return what results are called beside each other: by model, and by what else tells them apart.

    That is the topic and the contexts, where they differ between results of one model, and then the folder.
    """
    names = [result.model for result in results]
    for others in ([result.topic for result in results], [Path(result.contexts).stem for result in results]):
        if len(set(zip(names, others, strict=True))) > len(set(names)):
            names = [f"{name}, {other}" for name, other in zip(names, others, strict=True)]
    times = Counter(names)
    folders = [str(result.folder or result.measurement) for result in results]
    return tuple(name if times[name] == 1 else f"{name}, {folder}" for name, folder in zip(names, folders, strict=True))
