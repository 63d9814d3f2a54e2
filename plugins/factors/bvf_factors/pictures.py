"""The pictures of an analysis of factors, and an analysis that was printed as JSON: its report sections."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from pydantic import ValidationError

from bvf import BvfError, Picture, ReportedFile, Section
from bvf.domain import first_wrong
from bvf.drawing import (
    FIRST,
    FONT,
    GREY,
    INK,
    SECOND,
    Axis,
    ColumnNames,
    Dash,
    Dots,
    Line,
    Mark,
    MarkedPicture,
    Marks,
    Matrix,
    Rings,
    RowNames,
    Rule,
    Value,
    caption_of,
    colours_of,
    looks,
    shown_name,
    side_by_side,
)
from bvf.errors import nearest
from bvf.interfaces import ROWS_SHOWN, Columns, Figure
from bvf.stats import FloatArray, IntArray
from bvf.tables import percent
from bvf_factors.benchmarks.scored import BenchmarkScores, ScoreFigure
from bvf_factors.covering import cell_counts
from bvf_factors.rates.spread import distance_to
from bvf_factors.rates.subgroups import Subgroup, Subgroups
from bvf_factors.reading.table import FactorColumn
from bvf_factors.regressing.importance import Importance, LevelEffect
from bvf_factors.run import FactorsResult
from bvf_factors.tables import result_sections

BELOW = 1.0
"""Inches for the slanted names below the cells."""
MOST_CELLS = 4_000
"""The most cells that a browser draws quickly."""


@dataclass(frozen=True)
class Coverage(MarkedPicture):
    """Numbers of prompts of each pair of levels. Rows are levels of the first factor, columns of the second."""

    kind: ClassVar[str] = "coverage"
    title: ClassVar[str] = "How many prompts there are of pairs of levels"
    wide: ClassVar[Columns] = 2

    first: str
    second: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    counts: IntArray

    def caption(self) -> str:
        first, second = shown_name(self.first), shown_name(self.second)
        return caption_of(
            f"How many prompts there are of each pair of {first} and {second}: {self.counts.sum():,} in all, none in "
            f"{(self.counts == 0).sum()} of {self.counts.size} pairs, which are crossed out."
        )

    def marks(self) -> Marks:
        """The number of prompts of each pair of levels. Pairs without prompts are white and crossed out."""
        there = np.where(self.counts > 0, self.counts, np.nan)
        cells = Matrix(there, (0.0, float(self.counts.max())), "prompts (x: none)", digits=",.0f", hover="%{z} prompts")
        rows, columns = np.nonzero(self.counts == 0)
        crosses = Dots(columns.astype(float), rows.astype(float), GREY, "x", hover="none")
        below = ColumnNames(self.columns, BELOW, shown_name(self.second), font=FONT)
        beside = RowNames(self.rows, pitch=0.2, edges=BELOW + 0.3, title=shown_name(self.first))
        return Marks([cells, crosses], below, beside, grid="")

    def interactive(self) -> Figure | None:
        """Return the picture for plotly; None: there are too many cells for a browser."""
        return super().interactive() if self.counts.size <= MOST_CELLS else None


def coverage(first: FactorColumn, second: FactorColumn) -> Coverage:
    """Return the number of prompts of each pair of levels of two factors of a table."""
    counts = cell_counts(first, second)
    return Coverage(
        first.name, second.name, tuple(map(str, counts.index)), tuple(map(str, counts.columns)), counts.to_numpy()
    )


def coverage_of(analysis: FactorsResult, first: str = "", second: str = "") -> Coverage:
    """Return the number of prompts of each pair of levels of two factors, by default the first two of the analysis."""
    first, second = two_factors(analysis, first, second)
    levels = analysis.coverage.counts
    rows, columns = tuple(levels[first]), tuple(levels[second])
    counts = np.zeros((len(rows), len(columns)), dtype=np.intp)
    for each in analysis.subgroups[1].found:
        if set(each.factors) == {first, second}:
            level_of = dict(zip(each.factors, each.levels, strict=True))
            counts[rows.index(level_of[first]), columns.index(level_of[second])] = each.rows
    return Coverage(first, second, rows, columns, counts)


def two_factors(analysis: FactorsResult, first: str = "", second: str = "") -> tuple[str, str]:
    """Return the two named factors. An empty name stands for the first other factor of the analysis."""
    known = refuse_unknown(analysis, [name for name in (first, second) if name])
    others = [name for name in known if name not in {first, second}]
    chosen = [name or (others.pop(0) if others else "") for name in (first, second)]
    if not all(chosen) or chosen[0] == chosen[1]:
        raise BvfError(f"{analysis.title}: a picture of pairs takes two factors", f"its factors are {', '.join(known)}")
    return chosen[0], chosen[1]


def refuse_unknown(analysis: FactorsResult, names: Sequence[str]) -> list[str]:
    """Return the names of the factors of an analysis. Refuses given names that are not among these."""
    known = list(analysis.coverage.counts)
    for name in names:
        if name not in known:
            raise BvfError(f"{analysis.title}: there is no factor {name}", nearest(name, known))
    return known


DASHES: tuple[Dash, ...] = ("solid", "dashed", "dashdot", "dotted")


@dataclass(frozen=True)
class Ecdf(MarkedPicture):
    """The picture of distribution functions of deviation rates, the target rate C, and a marked rate ``line``.

    ``rates`` are those of subgroups, ascending, by model or table, and ``distances`` their DM.
    """

    kind: ClassVar[str] = ""
    title: ClassVar[str] = "The shares of subgroups by their rates"

    rates: dict[str, FloatArray]
    distances: dict[str, float]
    target: float
    line: float | None

    def caption(self) -> str:
        distances = ", ".join(f"{shown_name(name)} {distance:.3f}" for name, distance in self.distances.items())
        return caption_of(
            "The share of subgroups in which the model deviates at most so often.",
            f"Mean distance of their rates from {self.target:g}: {distances}.",
        )

    def marks(self) -> Marks:
        """Distribution functions as steps. The area between a function and the target is DM, its mean distance."""
        marks = [Rule(x=self.target, colour=INK, width=0.7)]
        marks += [] if self.line is None else [Rule(x=self.line, dash="dotted")]
        hover = "%{y:.0%} of subgroups have a rate of at most %{x:.3f}"
        steps = list[Line]()
        of_each = zip(self.rates.items(), looks(len(self.rates)), strict=True)
        for number, ((name, rates), (colour, _)) in enumerate(of_each):
            heights = np.arange(len(rates), 0, -1) / len(rates)
            x, y, dash = [1.0, *rates[::-1], 0.0], [1.0, *heights, 0.0], DASHES[number % len(DASHES)]
            steps.append(Line(x, y, colour, 1.2, dash, name, stepped=True, hover=hover))
        axes = Axis("rate of deviations in a subgroup"), Axis("share of subgroups", (0.0, 1.02))
        return Marks([*steps, *marks], *axes, heights=(2.6, 2.6), grid="both", legend=len(steps) > 1)


def ecdf(rates: Mapping[str, Sequence[float]], target: float = 0.0, line: float | None = None) -> Ecdf:
    """Return the picture of the distribution functions of the rates of subgroups, one per model or table by name."""
    ascending = {name: np.sort(np.asarray(of, dtype=np.float64)) for name, of in rates.items()}
    return Ecdf(ascending, {name: distance_to(each, target) for name, each in ascending.items()}, target, line)


SIDES = {"more": ("deviates more", FIRST), "less": ("deviates less", SECOND), "neither": ("cannot tell", GREY)}
"""Name and colour of each side: whether the model deviates significantly more or less, by p adjusted for all levels."""


@dataclass(frozen=True)
class Forest(MarkedPicture):
    """The levels with coefficients furthest from 0, the largest first. ``of`` is the number of all levels."""

    kind: ClassVar[str] = "forest"
    title: ClassVar[str] = "Which levels make a model deviate"
    limited: ClassVar[bool] = True

    importance: Importance
    effects: tuple[LevelEffect, ...]
    of: int

    def caption(self) -> str:
        fitted, level = self.importance, self.importance.level
        references = dict.fromkeys(f"{shown_name(each.term)}={shown_name(each.reference)}" for each in self.effects)
        return caption_of(
            f"Which levels make the model deviate, all other factors held ({fitted.method}, {fitted.rows:,} prompts): "
            f"the coefficient of each against its reference ({', '.join(references)}).",
            f"{len(self.effects)} of {self.of} levels, those furthest from 0." if len(self.effects) < self.of else "",
            f"Bars: intervals of {percent(level)}. Coloured: p < {1 - level:.2g}, adjusted by Holm.",
        )

    def side(self, effect: LevelEffect) -> str:
        """Return the side of a level, one of `SIDES`."""
        if effect.adjusted_p is None or effect.adjusted_p >= 1.0 - self.importance.level:
            return "neither"
        return "more" if effect.coefficient > 0 else "less"

    def marks(self) -> Marks:
        """The coefficients of levels and their intervals, the largest on top, and a line at 0."""
        dots, level = list[Dots](), self.importance.level
        for side, (called, colour) in SIDES.items():
            places = [place for place, each in enumerate(self.effects) if self.side(each) == side]
            if places:
                shown = [self.effects[place] for place in places]
                values = [Value(each.coefficient, each.low, each.high) for each in shown]
                dots.append(Dots(values, places, colour, name=called, bar=(1.2, 1.0)))
        across = Axis(f"coefficient, {percent(level)} interval (coloured: p < {1 - level:.2g} by Holm)")
        rows = RowNames([f"{each.term}={each.level}" for each in self.effects], edges=0.45)
        return Marks([*dots, Rule(x=0.0, colour=INK, width=0.7)], across, rows, legend=len(dots) > 1)


def forest(importance: Importance, show: int = 24, factors: Sequence[str] = ()) -> Forest:
    """Return the picture of the ``show`` (0: all) levels, of some factors or all, furthest from 0."""
    chosen = [each for each in importance.effects if not factors or each.term in factors]
    furthest = sorted(chosen, key=lambda each: -abs(each.coefficient))[: show or None]
    return Forest(importance, tuple(sorted(furthest, key=lambda each: -each.coefficient)), len(chosen))


def forest_of(analysis: FactorsResult, show: int = 24, factors: Sequence[str] = ()) -> Forest:
    """Return the levels of an analysis as `forest` does. Refuses an analysis without a regression."""
    refuse_unknown(analysis, factors)
    if analysis.importance is None:
        raise BvfError(f"{analysis.title}: no regression: {analysis.importance_refused}")
    return forest(analysis.importance, show, factors)


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


SHIFT = 0.22
"""Distance between the dots of two models, in rows."""


@dataclass(frozen=True)
class Scores(MarkedPicture):
    """Parts of a benchmark as rows, and one of its scores for each as a dot per model."""

    kind: ClassVar[str] = "scores"
    title: ClassVar[str] = "Scores of a benchmark"
    limited: ClassVar[bool] = True

    benchmark: str
    score: str
    parts: tuple[str, ...]  # the names of the rows: the whole benchmark, then its parts
    values: dict[str, tuple[Value | None, ...]]  # the values of each model, one per row; None: it has none there
    of: int  # how many parts there are
    cluster: str
    level: float
    ideal: float | None = None  # the value of an ideal model; None: no value is ideal

    def caption(self) -> str:
        return caption_of(
            f"{self.benchmark}: {self.score} of {', '.join(self.values)}.",
            f"{len(self.parts)} of {self.of} parts." if len(self.parts) < self.of else "",
            f"Bars: intervals of {percent(self.level)} by {self.cluster}.",
            "" if self.ideal is None else f"Line: the ideal value, {self.ideal:.4g}.",
        )

    def marks(self) -> Marks:
        """A row per part, with a dot and an interval per model, and a line at the ideal value."""
        marks = list[Mark]([] if self.ideal is None else [Rule(x=self.ideal, colour=INK, width=0.7)])
        several = len(self.values) > 1
        for number, (colour, (model, values)) in enumerate(
            zip(colours_of(list(self.values)), self.values.items(), strict=True)
        ):
            at = side_by_side(len(values), number, len(self.values), SHIFT)
            placed = [(each, row) for each, row in zip(values, at, strict=True) if each is not None]
            dots, rows = [each for each, _ in placed], [row for _, row in placed]
            marks.append(Dots(dots, rows, colour, name=model if several else ""))
        return Marks(marks, Axis(f"{self.score}, {percent(self.level)} interval"), RowNames(self.parts, edges=0.45))


def scores_of(scores: BenchmarkScores, show: int = 24, names: Sequence[str] = ()) -> Scores:
    """Return the picture of the first of ``names``, or of the scores with intervals, in ``show`` parts (0: all)."""
    known = dict.fromkeys(each.name for each in scores.scores if each.low is not None)
    if not known:
        raise BvfError(f"{scores.title}: no score has an interval", "ask more items")
    name = names[0] if names else next(iter(known))
    if name not in known:
        raise BvfError(f'{scores.title}: no score "{name}" with an interval', f"it has {', '.join(known)}")
    figures = [each for each in scores.scores if each.name == name]
    keys = sorted(dict.fromkeys(each.key for each in figures), key=lambda key: len(key[1]))
    shown = keys[: show or None]
    by_place = {(each.model, each.key): each for each in figures}
    values = {each.model: tuple(_value(by_place.get((each.model, key))) for key in shown) for each in scores.models}
    return Scores(
        benchmark=scores.title,
        score=name,
        parts=tuple(", ".join(value for _, value in of) or "all" for _, of in shown),
        values=values,
        of=len(keys),
        cluster=scores.cluster,
        level=scores.level,
        ideal=figures[0].ideal,
    )


def _value(score: ScoreFigure | None) -> Value | None:
    return None if score is None or score.value is None else Value(score.value, score.low, score.high)


class FactorsFile(ReportedFile):
    """An analysis that ``bvf factors analyse --format json`` printed. The file's name replaces a missing title."""

    what = "Factors of a benchmark"
    pictures = (Coverage, Sunburst, Forest, Ecdf)

    def __init__(self, values: Mapping[str, Any], name: str) -> None:
        try:
            analysis = FactorsResult.model_validate(dict(values))
        except ValidationError as error:
            raise BvfError(f"not an analysis of factors: {first_wrong(error)}") from error
        self.analysis = analysis if analysis.title else analysis.model_copy(update={"title": name})
        self.title = self.analysis.title

    def sections(self, show: int = ROWS_SHOWN) -> list[Section]:
        """Return the tables of all results."""
        is_number = all(each.disparity is None for level in self.analysis.subgroups for each in level.found)
        first, *others = result_sections(self.title, self.analysis, show, is_number=is_number)
        return [replace(first, notes=[*first.notes, *self.analysis.notes]), *others]

    def picture(self, of: type[Picture], *, show: int = ROWS_SHOWN, factors: Sequence[str] = ()) -> Picture:
        """Return a picture of two factors, of the levels furthest from 0, or of the rates of subgroups."""
        if of is Coverage:
            return coverage_of(self.analysis, *factors)
        if of is Sunburst:
            return sunburst_of(self.analysis, *factors)
        if of is Forest:
            return forest_of(self.analysis, show, factors)
        of_most_factors = self.analysis.subgroups[-1].found
        return ecdf({self.title: [each.rate for each in of_most_factors if not each.few]})
