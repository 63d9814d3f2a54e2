"""Numbers of results and groups, and their intervals, as values for pictures."""

from bvf.drawing.values import Value
from bvf.results.result import GroupResult, ResultBase
from bvf.study.uncertainty import Interval


def value_of(holder: ResultBase | GroupResult, name: str) -> Value:
    """Return a numeric field of a result or group, and its interval if any, as a `Value`."""
    intervals = holder.uncertainty.intervals if isinstance(holder, ResultBase) else holder.intervals
    return with_interval(getattr(holder, name), intervals.get(name))


def with_interval(value: float, interval: Interval | None) -> Value:
    """Return a number, and its interval if any, as a `Value`."""
    return Value(float(value)) if interval is None else Value(float(value), interval.low, interval.high)


def level_of(result: ResultBase) -> float | None:
    """Return the confidence level of a result's intervals; None if it has none."""
    return result.uncertainty.level if result.uncertainty.intervals else None
