"""A picture of two rings: the levels of one factor, and outside each, those of another factor."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bvf import BvfError
from bvf.drawing import Axis, MarkedPicture, Marks, Rings, caption_of, shown_name
from bvf.errors import nearest
from bvf.interfaces import Figure
from bvf_factors.pictures.coverage import two_factors
from bvf_factors.rates.subgroups import Subgroup, Subgroups
from bvf_factors.run import FactorsResult

MOST_SECTORS = 1_000
"""The most sectors that a browser draws quickly."""


@dataclass(frozen=True)
class Sector:
    """A subgroup: its level of the ring's factor, and the index of the inner sector that it is in (-1: it is inner).

    ``disparity`` is the log odds of deviating minus those of the other prompts; None: undefined, or too few prompts.
    """

    level: str
    within: int
    rows: int
    rate: float
    disparity: float | None


@dataclass(frozen=True)
class Sunburst(MarkedPicture):
    """The sectors of two rings, the inner ones first. An outer one, a pair of levels, lies within its first level."""

    kind: ClassVar[str] = "sunburst"
    title: ClassVar[str] = "Prompts and deviations by two factors"

    first: str
    second: str
    sectors: tuple[Sector, ...]
    rate: float

    def caption(self) -> str:
        return caption_of(
            f"Prompts by {shown_name(self.first)} (inner ring) and {shown_name(self.second)} (outer ring).",
            "A sector is as wide as its share of prompts, and its colour is the log disparity: how much more the model "
            "deviates there than elsewhere.",
            f"The rate of all prompts is {self.rate:.3f}; white: too few prompts to tell.",
        )

    def marks(self) -> Marks:
        """Two rings of sectors, coloured by log disparity. The scale ends at the largest; at 1 if none is known."""
        rings = Rings(
            names=[each.level for each in self.sectors],
            within=[each.within for each in self.sectors],
            sizes=[each.rows for each in self.sectors],
            values=np.array([each.disparity for each in self.sectors], dtype=np.float64),
            most=max(abs(each.disparity or 0.0) for each in self.sectors) or 1.0,
            title="log disparity (above 0: more deviations)",
            texts=[f"rate {self.rate:.3f}", *map(_hover_text, self.sectors)],
            hover="%{label}: %{value} prompts<br>%{customdata}",
        )
        return Marks([rings], Axis(), Axis(), heights=(3.1, 5.8))

    def interactive(self) -> Figure | None:
        """Return the picture for plotly; None: there are too many sectors for a browser."""
        return super().interactive() if len(self.sectors) <= MOST_SECTORS else None


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
    sectors = [_sector(each, first, -1) for each in middle]
    for place, each in enumerate(middle):
        sectors += [_sector(pair, second, place) for pair in pairs if _level(pair, first) == each.levels[0]]
    return Sunburst(first, second, tuple(sectors), inner.rate)


def sunburst_of(analysis: FactorsResult, first: str = "", second: str = "") -> Sunburst:
    """Return the picture of two rings for two factors of an analysis (by default its first two)."""
    first, second = two_factors(analysis, first, second)
    return sunburst(analysis.subgroups[0], analysis.subgroups[1], first, second)


def _sector(each: Subgroup, factor: str, within: int) -> Sector:
    return Sector(_level(each, factor), within, each.rows, each.rate, None if each.few else each.disparity)


def _level(each: Subgroup, factor: str) -> str:
    return each.levels[each.factors.index(factor)]


def _hover_text(each: Sector) -> str:
    known = "too few prompts to tell" if each.disparity is None else f"log disparity {each.disparity:+.2f}"
    return f"rate {each.rate:.3f}, {known}"
