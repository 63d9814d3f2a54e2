"""A picture of the scores of models on a benchmark, and their intervals."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from bvf import BvfError, Picture
from bvf.drawing import (
    FONT,
    INK,
    Value,
    apart,
    axes_of,
    caption_of,
    colours_of,
    dots,
    draw_values,
    in_rows,
    lettering,
    name_rows,
    plain_axes,
    rows_of,
)
from bvf.interfaces import Columns, Figure
from bvf_factors.benchmarks.scored import BenchmarkScores, ScoreFigure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHIFT = 0.22
"""Distance between the dots of two models, in rows."""


@dataclass(frozen=True)
class Scores(Picture):
    """Parts of a benchmark as rows, and one of its scores for each as a dot per model.

    Args:
        score: Name of the score.
        parts: The names of the rows: the whole benchmark, then its parts.
        values: The values of each model, one per row; None: it has none there.
        of: How many parts there are.
        ideal: The value of an ideal model; None: no value is ideal.
    """

    kind: ClassVar[str] = "scores"
    title: ClassVar[str] = "Scores of a benchmark"
    limited: ClassVar[bool] = True

    benchmark: str
    score: str
    parts: tuple[str, ...]
    values: dict[str, tuple[Value | None, ...]]
    of: int
    cluster: str
    level: float
    ideal: float | None = None

    def caption(self) -> str:
        return caption_of(
            f"{self.benchmark}: {self.score} of {', '.join(self.values)}.",
            f"{len(self.parts)} of {self.of} parts." if len(self.parts) < self.of else "",
            f"Bars: intervals of {self.level:.0%} by {self.cluster}.",
            "" if self.ideal is None else f"Line: the ideal value, {self.ideal:.4g}.",
        )

    def draw(self, ax: "Axes | None" = None, columns: Columns = 1) -> Any:
        """Draw a row per part, with a dot and an interval per model."""
        rows = rows_of(len(self.parts), ax, edges=0.45)
        axes: Any = axes_of(ax, columns, rows.height)
        letters = lettering(self.parts)
        plain_axes(axes)
        colours = colours_of(list(self.values))
        for number, (model, values) in enumerate(self.values.items()):
            placed = [(row, each) for row, each in enumerate(values) if each is not None]
            at = [row + self._shift(number) for row, _ in placed]
            draw_values(axes, at, [each for _, each in placed], "o", colours[number])
            axes.plot([], [], "o", color=colours[number], markersize=3.4, label=model)
        if self.ideal is not None:
            axes.axvline(self.ideal, color=INK, linewidth=0.7)
        if len(self.values) > 1:
            axes.legend(fontsize=FONT, frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1.0))
        name_rows(axes, rows, list(self.parts), letters)
        axes.set_xlabel(f"{self.score}, {self.level:.0%} interval", fontsize=FONT)
        return axes

    def interactive(self) -> Figure:
        """Return a plotly figure with a row per part, and a dot and an interval per model."""
        traces, colours = [], colours_of(list(self.values))
        for number, (model, values) in enumerate(self.values.items()):
            placed = [(row + self._shift(number), each) for row, each in enumerate(values) if each is not None]
            trace = dots([each for _, each in placed], [row for row, _ in placed])
            traces.append({**trace, "name": apart([model])[0], "marker": {"color": colours[number], "size": 8}})
        title = f"{self.score}, {self.level:.0%} interval"
        return in_rows(traces, apart(self.parts), title, legend=len(self.values) > 1)

    def _shift(self, number: int) -> float:
        return SHIFT * (number - (len(self.values) - 1) / 2)


def scores_of(scores: BenchmarkScores, show: int = 24, names: Sequence[str] = ()) -> Scores:
    """Return the picture of one score, for the first ``show`` parts of a benchmark (0: all).

    The score is the first of ``names``, or the first that has intervals.
    """
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
