"""A picture of the scores of models on a benchmark, and their intervals."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from bvf import BvfError
from bvf.drawing import (
    INK,
    Axis,
    Dots,
    Mark,
    MarkedPicture,
    Marks,
    RowNames,
    Rule,
    Value,
    caption_of,
    colours_of,
    side_by_side,
)
from bvf.tables import percent
from bvf_factors.benchmarks.scored import BenchmarkScores, ScoreFigure

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
