"""Numbers of results and of groups, with their intervals, as values that pictures draw."""

from bvf.drawing.values import Value
from bvf.results.result import GroupResult, ResultBase
from bvf.study.uncertainty import Interval


def value_of(holder: ResultBase | GroupResult, name: str) -> Value:
    """Return a numeric field of a result or of a group as a `Value`, with its interval if it has one."""
    intervals = holder.uncertainty.intervals if isinstance(holder, ResultBase) else holder.intervals
    return with_interval(getattr(holder, name), intervals.get(name))


def with_interval(value: float, interval: Interval | None) -> Value:
    """Return a number as a `Value`, with its interval if there is one."""
    return Value(float(value)) if interval is None else Value(float(value), interval.low, interval.high)


def level_of(result: ResultBase) -> float | None:
    """Return the confidence level of the intervals of a result; None: it has no intervals."""
    return result.uncertainty.level if result.uncertainty.intervals else None
