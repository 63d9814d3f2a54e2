"""A figure with its interval."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Value:
    """A figure with the ends of its interval, or None."""

    value: float
    low: float | None = None
    high: float | None = None


def draw_value(axes: Any, at: float, value: Value, marker: str, colour: str) -> None:
    """Draw a figure as a dot with its interval, in a row of axes of matplotlib."""
    if value.low is not None:
        axes.plot([value.low, value.high], [at, at], color=colour, linewidth=1.1, alpha=0.7)
    axes.plot(value.value, at, marker, color=colour, markersize=3.4, linestyle="", clip_on=False)
