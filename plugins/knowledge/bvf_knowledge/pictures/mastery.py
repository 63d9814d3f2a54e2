"""The picture of mastery against the confidence gap: a point for each relation and model."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from bvf.arrays import FloatArray
from bvf.drawing.interactive import DIGITS, SYMBOLS_OF_MODELS, axis, bars, dots, layout_of, plain
from bvf.drawing.labels import key_label, legend
from bvf.drawing.lettering import lettering
from bvf.drawing.names import shown_name, whole_name
from bvf.drawing.point_names import name_points
from bvf.drawing.sentences import caption_of, what_bars_are
from bvf.drawing.style import FONT, GREY, MARKERS_OF_MODELS, SEVERAL, axes_of, plain_axes
from bvf.drawing.values import Value, draw_crosses
from bvf.interfaces.picture import Columns, Figure, Picture
from bvf.results.compatible import method, refuse_mixed
from bvf.results.names import with_distinct_names
from bvf.results.result import ResultBase
from bvf.results.values import level_of, value_of
from bvf.tables.words import counted
from bvf_knowledge.result import KnowledgeResult, knowledge_only

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEIGHTS = {1: 3.0, 2: 4.2}
"""Height in inches of a figure of one and of two columns."""
GAP = "confidence gap (lost to wording)"
A_GUESSER = "a guesser"


@dataclass(frozen=True)
class Point:
    """A model in a relation: mastery, the confidence gap, and those of a guesser among the same answers."""

    model: str
    relation: str
    mastery: Value
    gap: Value
    guesser: tuple[float, float]  # its mastery and its gap


@dataclass(frozen=True)
class Mastery(Picture):
    """The picture of what models know on average, and of how much of it wordings take, by relation."""

    kind: ClassVar[str] = "mastery"
    title: ClassVar[str] = "Mastery against confidence gap"

    points: tuple[Point, ...]
    criterion: str
    level: float | None  # of the intervals; None: no point has one
    undefined: str  # why points have no intervals; empty: all have

    @property
    def models(self) -> tuple[str, ...]:
        """The models, each once."""
        return tuple(dict.fromkeys(each.model for each in self.points))

    @property
    def relations(self) -> tuple[str, ...]:
        """The relations, each once."""
        return tuple(dict.fromkeys(each.relation for each in self.points))

    def caption(self) -> str:
        of = whole_name(self.models[0]) if len(self.models) == 1 else counted(len(self.models), "model")
        where = shown_name(self.relations[0]) if len(self.relations) == 1 else f"{len(self.relations)} relations"
        guessers = "Cross: a guesser" if len(self._guessers()) == 1 else "Crosses: guessers"
        return caption_of(
            f"Mastery (what is known on average over wordings) against confidence gap (what is lost to wording) of "
            f"{of} in {where}, by the criterion {self.criterion}.",
            *self._extremes(),
            "Lines join the models in a relation." if self._joined() else "",
            f"{guessers}, with a new answer for each wording.",
            what_bars_are(self.level, self.undefined),
            f"Some have none: {self.undefined}." if self.level is not None and self.undefined else "",
        )

    def draw(self, ax: "Axes | None" = None, columns: Columns = 1) -> Any:
        """Draw a point with two intervals for each relation and model, and a cross for a guesser."""
        axes: Any = axes_of(ax, columns, HEIGHTS.get(columns, HEIGHTS[1]))
        letters = lettering(self.relations, self.models)
        plain_axes(axes, grid="both")
        for together in self._joined():
            axes.plot(*_places(together), color=GREY, linewidth=0.7)
        for colour, marker, model, of_model in self._of_models(MARKERS_OF_MODELS):
            draw_crosses(axes, [each.mastery for each in of_model], [each.gap for each in of_model], colour)
            dot: dict[str, Any] = {"color": colour, "markersize": 4.0, "linestyle": "", "clip_on": False}
            axes.plot(*_places(of_model), marker, **dot, label=key_label(letters, model))
        axes.plot(*np.array(self._guessers()).T, "+", color=GREY, markersize=4.5, label=A_GUESSER)
        axes.set_xlabel("mastery", fontsize=FONT)
        axes.set_ylabel(GAP, fontsize=FONT)
        left, right = axes.get_xlim()
        axes.set_xlim(min(0.0, left), min(right, 1.0))
        axes.set_ylim(bottom=0.0)
        legend(axes, letters, axes.get_legend_handles_labels()[0], ax)
        if len(self.relations) > 1:
            names = [each.relation for each in self.points]
            name_points(axes, _places(self.points), names, range(len(names)), letters)
        return axes

    def interactive(self) -> Figure:
        traces = [_line(together) for together in self._joined()]
        for colour, marker, model, of_model in self._of_models(SYMBOLS_OF_MODELS):
            gaps = [each.gap for each in of_model]
            trace = dots([each.mastery for each in of_model], [round(gap.value, DIGITS) for gap in gaps])
            look = {"name": plain(model), "marker": {"color": colour, "size": 9, "symbol": marker}}
            shown = "%{text}<br>mastery %{x}, gap %{y}<extra></extra>"
            names = [plain(each.relation) for each in of_model]
            traces.append({**trace, **look, "error_y": bars(gaps), "text": names, "hovertemplate": shown})
        x, y = np.round(np.array(self._guessers()).T, DIGITS).tolist()
        grey = {"color": GREY, "size": 8, "symbol": "cross-thin-open"}
        traces.append({"type": "scatter", "mode": "markers", "x": x, "y": y, "name": A_GUESSER, "marker": grey})
        return {"data": traces, "layout": {**layout_of(420, "mastery", legend=True), "yaxis": axis(GAP)}}

    def _of_models(self, markers: Sequence[str]) -> list[tuple[str, str, str, list[Point]]]:
        """Colour, marker, name and points of each model."""
        return [
            (
                SEVERAL[number % len(SEVERAL)],
                markers[number % len(markers)],
                model,
                [each for each in self.points if each.model == model],
            )
            for number, model in enumerate(self.models)
        ]

    def _joined(self) -> list[list[Point]]:
        """The points of each relation that several models were asked, where there are several relations."""
        of_each = [[each for each in self.points if each.relation == relation] for relation in self.relations]
        return [points for points in of_each if len(points) > 1] if len(of_each) > 1 else []

    def _guessers(self) -> list[tuple[float, float]]:
        """Mastery and gap of the guessers, each once."""
        return list(dict.fromkeys(each.guesser for each in self.points))

    def _extremes(self) -> list[str]:
        """Sentences on the points with the highest and lowest mastery and with the largest gap; of one, on that one."""
        by_mastery = sorted(self.points, key=lambda each: -each.mastery.value)
        largest = max(self.points, key=lambda each: each.gap.value)
        if len(by_mastery) == 1:
            return [f"Mastery {largest.mastery.value:.3f}, gap {largest.gap.value:.3f}."]
        best, worst = (f"{self._called(each)} ({each.mastery.value:.3f})" for each in (by_mastery[0], by_mastery[-1]))
        return [
            f"Mastery is highest for {best} and lowest for {worst}.",
            f"The gap is largest for {self._called(largest)} ({largest.gap.value:.3f}).",
        ]

    def _called(self, point: Point) -> str:
        """The name of a point: model and relation where there are several."""
        of_model = whole_name(point.model) if len(self.models) > 1 or len(self.relations) == 1 else ""
        relation = shown_name(point.relation) if len(self.relations) > 1 else ""
        return ", ".join(filter(None, (of_model, relation)))


def mastery(results: Sequence[ResultBase]) -> Mastery:
    """Return the picture of results of knowledge, of one relation or of several.

    Raises:
        BvfError: A result is not of knowledge, or results differ in how they were analysed.
    """
    of_knowledge = [knowledge_only(result) for result in results]
    refuse_mixed(of_knowledge, "draw them one by one", method)
    relations = _relations(of_knowledge)
    named = zip(of_knowledge, _models(of_knowledge, relations), relations, strict=True)
    return Mastery(
        points=tuple(_point(each, model, relation) for each, model, relation in named),
        criterion=of_knowledge[0].criterion,
        level=next((level for level in map(level_of, of_knowledge) if level is not None), None),
        undefined="; ".join(dict.fromkeys(filter(None, (each.uncertainty.undefined for each in of_knowledge)))),
    )


def _point(result: KnowledgeResult, model: str, relation: str) -> Point:
    guesser = result.guesser
    return Point(
        model=model,
        relation=relation,
        mastery=value_of(result, "mastery"),
        gap=value_of(result, "confidence_gap"),
        guesser=(guesser.mastery, guesser.confidence_gap),
    )


def _relations(results: Sequence[KnowledgeResult]) -> list[str]:
    """The names of relations: the last part of the topic where that tells them apart, else topic and language."""
    short = [result.topic.rpartition("/")[2] for result in results]
    whole = [f"{result.topic} ({result.language})" for result in results]
    return short if len(set(short)) == len(set(whole)) else whole


def _models(results: Sequence[KnowledgeResult], relations: Sequence[str]) -> list[str]:
    """The names of models, with the context set where one was asked a relation in several sets."""
    models = [each.model for each in with_distinct_names(results)]
    if len(set(zip(models, relations, strict=True))) == len(models):
        return models
    return [f"{model}, {Path(each.contexts).stem}" for model, each in zip(models, results, strict=True)]


def _places(points: Sequence[Point]) -> tuple[FloatArray, FloatArray]:
    return np.array([each.mastery.value for each in points]), np.array([each.gap.value for each in points])


def _line(points: Sequence[Point]) -> Figure:
    """A plotly trace that joins points."""
    x, y = (np.round(values, DIGITS).tolist() for values in _places(points))
    look = {"mode": "lines", "line": {"color": GREY, "width": 1}, "hoverinfo": "skip", "showlegend": False}
    return {"type": "scatter", "x": x, "y": y, **look}
