"""A picture of two rings: the levels of one factor, and outside each, those of another factor."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from bvf import BvfError, Picture
from bvf.drawing import (
    DIVERGING,
    FIRST,
    GREY,
    GRID,
    INK,
    NEUTRAL,
    SECOND,
    SMALL,
    TWO_SIDED,
    Lettering,
    axes_of,
    caption_of,
    colour_bar,
    lettering,
    plain,
    shown_name,
    text_style,
)
from bvf.errors import nearest
from bvf.interfaces import Columns, Figure
from bvf_factors.pictures.coverage import two_factors
from bvf_factors.rates.subgroups import Subgroup, Subgroups
from bvf_factors.run import FactorsResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEIGHTS = {1: 3.1, 2: 5.8}
"""Inches of one column and of two."""
RINGS, THICKNESS = ((0.45, 0.4), (0.87, 0.4)), 0.15
"""Start and thickness of the inner and the outer ring; room for a name, as a share of the axes."""
LABELLED = 4.0
"""The fewest degrees of a sector that shows its name."""
MOST_SECTORS = 1_000
"""The most sectors that a browser draws quickly."""
PIXELS, SMALLEST = 560, 8
"""In a browser: the height, and the smallest size of a name in points; smaller names are left out."""
BELOW = {"orientation": "h", "y": 0, "yanchor": "top", "len": 0.7, "thickness": 10}


@dataclass(frozen=True)
class Sector:
    """A subgroup: its level of the ring's factor, and its start and width as fractions of the circle.

    ``disparity`` is the log odds of deviating minus those of the other prompts; None: undefined, or too few prompts.
    """

    level: str
    start: float
    width: float
    rows: int
    rate: float
    disparity: float | None


@dataclass(frozen=True)
class Sunburst(Picture):
    """The sectors of two rings. An outer sector, a pair of levels, lies within the inner one of its first level."""

    kind: ClassVar[str] = "sunburst"
    title: ClassVar[str] = "Prompts and deviations by two factors"

    first: str
    second: str
    inner: tuple[Sector, ...]
    outer: tuple[Sector, ...]
    rate: float

    @property
    def furthest(self) -> float:
        """The largest absolute disparity of all sectors; 1 if no disparity is known."""
        return max(abs(each.disparity or 0.0) for each in (*self.inner, *self.outer)) or 1.0

    def caption(self) -> str:
        return caption_of(
            f"Prompts by {shown_name(self.first)} (inner ring) and {shown_name(self.second)} (outer ring).",
            "A sector is as wide as its share of prompts, and its colour is the log disparity: how much more the model "
            "deviates there than elsewhere.",
            f"The rate of all prompts is {self.rate:.3f}; white: too few prompts to tell.",
        )

    def draw(self, ax: "Axes | None" = None, columns: Columns = 1) -> Any:
        """Draw two rings of sectors, coloured by log disparity."""
        from matplotlib.cm import ScalarMappable
        from matplotlib.colors import Normalize

        axes: Any = axes_of(ax, columns, HEIGHTS.get(columns, HEIGHTS[1]), projection="polar")
        letters = lettering([each.level for each in (*self.inner, *self.outer)])
        box = axes.get_window_extent()
        room = THICKNESS * min(float(box.width), float(box.height)) / float(axes.figure.dpi)
        most = self.furthest
        colours: Any = ScalarMappable(Normalize(-most, most), cmap=DIVERGING)
        for sectors, (bottom, height) in zip((self.inner, self.outer), RINGS, strict=True):
            for each in sectors:
                name = letters.label(each.level, room, SMALL)
                _draw_sector(axes, each, (bottom, height), colours.to_rgba(each.disparity or 0.0), name, letters)
        axes.set_axis_off()
        colour_bar(axes, colours, "log disparity (above 0: more deviations)", shrink=0.7)
        return axes

    def interactive(self) -> Figure | None:
        """Return a plotly figure of two rings of sectors around all prompts; None: too many sectors for a browser."""
        if len(self.inner) + len(self.outer) > MOST_SECTORS:
            return None
        within = [_parent(each, self.inner) for each in self.outer]
        sectors = [*self.inner, *self.outer]
        most = self.furthest
        rows = sum(each.rows for each in self.inner)
        inner = [f"i{place}" for place in range(len(self.inner))]
        trace = {
            "type": "sunburst",
            "ids": ["all", *inner, *(f"o{place}" for place in range(len(self.outer)))],
            "parents": ["", *["all"] * len(inner), *(inner[place] for place in within)],
            "labels": ["all", *(plain(each.level) for each in sectors)],
            "values": [rows, *(each.rows for each in sectors)],
            "branchvalues": "total",
            "sort": False,
            "marker": {
                "colors": [NEUTRAL, *(_colour(each, most) for each in sectors)],
                "line": {"width": 1, "color": GRID},
            },
            "customdata": [f"rate {self.rate:.3f}", *map(_hover_text, sectors)],
            "hovertemplate": "%{label}: %{value} prompts<br>%{customdata}<extra></extra>",
            "insidetextorientation": "radial",
            "leaf": {"opacity": 1},
        }
        small, hidden = {"minsize": SMALLEST, "mode": "hide"}, {"visible": False}
        edges = {"l": 5, "r": 5, "t": 28, "b": 5}
        layout = {"height": PIXELS, "margin": edges, "uniformtext": small, "xaxis": hidden, "yaxis": hidden}
        return {"data": [trace, _scale(most)], "layout": layout}


def sunburst(inner: Subgroups, outer: Subgroups, first: str, second: str) -> Sunburst:
    """Return the picture of two rings. ``inner`` are subgroups of the first factor, ``outer`` of the two factors."""
    middle = sorted((each for each in inner.found if each.factors == (first,)), key=lambda each: each.levels)
    pairs = sorted(
        (each for each in outer.found if set(each.factors) == {first, second}), key=lambda each: _level(each, second)
    )
    if not middle or not pairs:
        raise BvfError(
            f"no subgroups of {first} and {second}", nearest(first, sorted({each.factors[0] for each in inner.found}))
        )
    start, all_rows = 0.0, sum(each.rows for each in middle)
    sectors, within = list[Sector](), list[Sector]()
    for each in middle:
        width = each.rows / all_rows
        sectors.append(_sector(each, first, start, width))
        inside = [pair for pair in pairs if _level(pair, first) == each.levels[0]]
        at, rows = start, max(sum(pair.rows for pair in inside), 1)
        for pair in inside:
            within.append(_sector(pair, second, at, width * pair.rows / rows))
            at += width * pair.rows / rows
        start += width
    return Sunburst(first, second, tuple(sectors), tuple(within), inner.rate)


def sunburst_of(analysis: FactorsResult, first: str = "", second: str = "") -> Sunburst:
    """Return the picture of two rings for two factors of an analysis (by default its first two)."""
    first, second = two_factors(analysis, first, second)
    return sunburst(analysis.subgroups[0], analysis.subgroups[1], first, second)


def _sector(each: Subgroup, factor: str, start: float, width: float) -> Sector:
    disparity = None if each.few else each.disparity
    return Sector(_level(each, factor), start, width, each.rows, each.rate, disparity)


def _level(each: Subgroup, factor: str) -> str:
    return each.levels[each.factors.index(factor)]


def _draw_sector(axes: Any, each: Sector, ring: tuple[float, float], tint: Any, name: str, letters: Lettering) -> None:
    start, width = 2 * np.pi * each.start, 2 * np.pi * each.width
    bottom, height = ring
    colour = "white" if each.disparity is None else tint
    axes.bar(start, height, width=width, bottom=bottom, align="edge", color=colour, edgecolor=GREY, linewidth=0.4)
    if np.degrees(width) < LABELLED:
        return
    angle = float(np.degrees(start + width / 2))
    style = {"rotation": angle + 180 if 90 < angle < 270 else angle, "ha": "center", "va": "center"}
    middle = (start + width / 2, bottom + height / 2)
    axes.text(*middle, name, color=_ink(colour), **style, **text_style(letters, SMALL))


def _ink(colour: Any) -> str:
    from matplotlib.colors import to_rgb

    red, green, blue = to_rgb(colour)
    return INK if 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 else "white"


def _colour(each: Sector, most: float) -> str:
    """The colour of a sector's disparity on a colour scale; white if the disparity is unknown."""
    if each.disparity is None:
        return "#ffffff"
    far, share = FIRST if each.disparity > 0 else SECOND, abs(each.disparity) / most
    ends = zip(bytes.fromhex(NEUTRAL[1:]), bytes.fromhex(far[1:]), strict=True)
    return "#" + bytes(round(near + share * (end - near)) for near, end in ends).hex()


def _scale(most: float) -> Figure:
    """The colour scale, as an invisible scatter plot. Rings cannot have one if some sectors are white."""
    title = {"text": "log disparity (above 0: more deviations)", "side": "top"}
    scale = {"colorscale": TWO_SIDED, "cmin": -most, "cmax": most, "colorbar": {**BELOW, "title": title}}
    return {"type": "scatter", "x": [None], "y": [None], "marker": {"color": [0], "showscale": True, **scale}}


def _parent(each: Sector, inner: tuple[Sector, ...]) -> int:
    """The index of the inner sector that contains the middle of an outer sector."""
    middle = each.start + each.width / 2
    return next(place for place, sector in enumerate(inner) if sector.start <= middle < sector.start + sector.width)


def _hover_text(each: Sector) -> str:
    known = "too few prompts to tell" if each.disparity is None else f"log disparity {each.disparity:+.2f}"
    return f"rate {each.rate:.3f}, {known}"
