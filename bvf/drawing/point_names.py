"""Places labels of points so that they do not overlap."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from bvf.arrays import FloatArray
from bvf.drawing.fonts import Lettering
from bvf.drawing.labels import text_style
from bvf.drawing.style import POINTS_PER_INCH

WIDEST, NAME_FONT = 1.1, 5.5
"""The largest width of a name in inches, and its font size in points."""
SIDES = ((1, 0, "left"), (-1, 0, "right"), (0, 1, "center"), (0, -1, "center"))
"""Positions of a name relative to its dot: right, left, above, below."""
BESIDE, ABOVE = 2.0, 4.5
"""Points between a dot and its name."""
RADIUS = 2.0


def name_points(
    axes: Any,
    at: tuple[FloatArray, FloatArray],
    names: Sequence[str],
    order: Sequence[int],
    letters: Lettering,
    radii: FloatArray | None = None,
) -> None:
    """Write names beside points, each name once. A name that would cover another one or a point is left out.

    Args:
        axes: Axes whose limits do not change any more.
        at: x and y of every point, shape (N,) each.
        names: The name of every point.
        order: Indices of the points that may get a name, the most important first.
        letters: The fonts of the names.
        radii: Radius of each dot in points, shape (N,); None: all are small.
    """
    figure, box = axes.get_figure(root=True), axes.get_position()
    inches = np.array([box.width * figure.get_figwidth(), box.height * figure.get_figheight()])
    low, high = np.array([axes.get_xlim(), axes.get_ylim()]).T
    dots = (np.column_stack(at) - low) / (high - low) * inches * POINTS_PER_INCH
    sizes = np.full(len(dots), RADIUS) if radii is None else radii
    taken = [(x - size, y - size, x + size, y + size) for (x, y), size in zip(dots, sizes, strict=True)]
    written = set[str]()
    for place in order:
        if names[place] in written:
            continue
        text = letters.label(names[place], WIDEST, NAME_FONT)
        width = letters.inches(text, NAME_FONT) * POINTS_PER_INCH + 2
        for across, upwards, side in SIDES:
            right, up = across * (sizes[place] + BESIDE), upwards * (sizes[place] + ABOVE)
            x = dots[place, 0] + right - {"left": 0.0, "right": width, "center": width / 2}[side]
            y = dots[place, 1] + up - NAME_FONT * 0.7
            here = (x, y, x + width, y + 1.4 * NAME_FONT)
            inside = x >= 0 and y >= 0 and (here[2:] <= inches * POINTS_PER_INCH).all()
            if inside and not any(_meet(here, other) for other in taken):
                axes.annotate(
                    text, (at[0][place], at[1][place]), (right, up), textcoords="offset points",
                    ha=side, va="center", **text_style(letters, NAME_FONT),
                )  # fmt: skip
                taken.append(here)
                written.add(names[place])
                break


def _meet(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
