"""A number and its interval, for pictures."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Value:
    """A number and the ends of its interval. Both ends are None if there is no interval."""

    value: float
    low: float | None = None
    high: float | None = None


def draw_value(axes: Any, at: float, value: Value, marker: str, colour: str) -> None:
    """Draw a number as a dot, and its interval, if any, as a horizontal bar, at the vertical position ``at``."""
    if value.low is not None:
        axes.plot([value.low, value.high], [at, at], color=colour, linewidth=1.1, alpha=0.7)
    axes.plot([value.value], [at], marker, color=colour, markersize=3.4, linestyle="", clip_on=False)
