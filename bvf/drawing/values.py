"""A number and its interval, for pictures."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Value:
    """A number and the ends of its interval. Both ends are None if there is no interval."""

    value: float
    low: float | None = None
    high: float | None = None
