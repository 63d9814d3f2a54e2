"""A number and its interval, for pictures."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Value:
    """A number and the ends of its interval. Both ends are None if there is no interval."""

    value: float
    low: float | None = None
    high: float | None = None


def draw_value(axes: Any, at: float, value: Value, marker: str, colour: str) -> None:
    """Draw a number as a dot, and its interval, if any, as a horizontal bar, at the vertical position ``at``."""
    draw_values(axes, [at], [value], marker, colour)


def draw_values(axes: Any, rows: Sequence[float], values: Sequence[Value], marker: str, colour: str) -> None:
    """Draw a number per row as `draw_value` does. All dots are one line of matplotlib, and so are all bars."""
    bars = [(value, at) for value, at in zip(values, rows, strict=True) if value.low is not None]
    ends = [end for value, _ in bars for end in (value.low, value.high, None)]
    heights = [height for _, at in bars for height in (at, at, None)]
    if bars:
        axes.plot(np.array(ends, float), np.array(heights, float), color=colour, linewidth=1.1, alpha=0.7)
    if values:
        numbers = [value.value for value in values]
        axes.plot(numbers, rows, marker, color=colour, markersize=3.4, linestyle="", clip_on=False)
