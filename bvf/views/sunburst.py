"""Two rings: the levels of one factor, and within each those of another."""

from dataclasses import dataclass

from bvf.errors import BvfError, nearest
from bvf.factors.run import FactorsResult
from bvf.factors.subgroups import Subgroup, Subgroups
from bvf.views.coverage import two_factors


@dataclass(frozen=True)
class Sector:
    """A subgroup.

    Args:
        level: Of the factor of its ring.
        start: Where it begins, as a share of the circle.
        width: Of the circle, likewise: its share of prompts.
        rows: How many prompts.
        rate: The share in which the model deviates.
        disparity: Log odds of deviating less those of the others; None: undefined, or too few prompts to tell.
    """

    level: str
    start: float
    width: float
    rows: int
    rate: float
    disparity: float | None


@dataclass(frozen=True)
class Sunburst:
    """The sectors of two rings.

    Args:
        first: The factor of the inner ring.
        second: The factor of the outer ring.
        inner: Its sectors, in the order of levels.
        outer: Those of pairs; each lies within that of its first level.
        rate: Of all prompts.
    """

    first: str
    second: str
    inner: tuple[Sector, ...]
    outer: tuple[Sector, ...]
    rate: float

    @property
    def furthest(self) -> float:
        """The largest disparity to either side; 0 where none is known."""
        return max((abs(each.disparity or 0.0) for each in (*self.inner, *self.outer)), default=0.0)


def sunburst(inner: Subgroups, outer: Subgroups, first: str, second: str) -> Sunburst:
    """Return the rings of two factors.

    Args:
        inner: Subgroups of one factor.
        outer: Of two factors.
        first: The factor of the inner ring.
        second: The factor of the outer ring.

    Raises:
        BvfError: There are no such subgroups.
    """
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
    """Return the rings of two factors of an analysis.

    Args:
        analysis: An analysis of two factors or more.
        first: The factor of the inner ring; empty: the first.
        second: That of the outer one; empty: the next.

    Raises:
        BvfError: There are no two factors, or none of such a name.
    """
    first, second = two_factors(analysis, first, second)
    return sunburst(analysis.subgroups[0], analysis.subgroups[1], first, second)


def _sector(each: Subgroup, factor: str, start: float, width: float) -> Sector:
    disparity = None if each.few else each.disparity
    return Sector(_level(each, factor), start, width, each.rows, each.rate, disparity)


def _level(each: Subgroup, factor: str) -> str:
    return each.levels[each.factors.index(factor)]
