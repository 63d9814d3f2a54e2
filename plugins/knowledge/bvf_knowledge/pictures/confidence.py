"""The confidence curve (Appendix E.2), and the picture of mastery against the confidence gap."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import scipy

from bvf import BvfError, ResultBase
from bvf.drawing import (
    CROSS,
    GREY,
    Axis,
    Dots,
    Line,
    Mark,
    MarkedPicture,
    Marks,
    PointNames,
    Value,
    caption_of,
    looks,
    shown_name,
    what_bars_are,
    whole_name,
)
from bvf.results import comparable_choices, name_of, refuse_mixed, value_of, with_distinct_names
from bvf.stats import FloatArray
from bvf.tables import counted
from bvf_knowledge.result import KnowledgeResult, knowledge_only

A_GUESSER = "a guesser"
ROUNDING = 1e-9


@dataclass(frozen=True)
class Curve:
    """The share of subjects with the true answer on top in at least a share of wordings, at each step of it."""

    name: str
    wordings: FloatArray
    subjects: FloatArray

    def at(self, share: float) -> float:
        """Return the share of subjects that are right in at least this share of wordings."""
        return float(self.subjects[int(np.searchsorted(self.wordings, share - ROUNDING))])


@dataclass(frozen=True)
class Confidence(MarkedPicture):
    """The picture of how firmly models know what they know: a curve for each model, and one for a guesser."""

    kind: ClassVar[str] = "confidence"
    title: ClassVar[str] = "How firmly subjects are known"

    curves: tuple[Curve, ...]
    guesser: Curve
    relations: tuple[str, ...]
    of: int  # subjects of the first model

    def caption(self) -> str:
        where = shown_name(self.relations[0]) if len(self.relations) == 1 else f"{len(self.relations)} relations"
        return caption_of(
            f"Share of {counted(self.of, 'subject')} of {where} with the true answer on top in at least a share of the "
            "wordings.",
            *(
                f"{whole_name(each.name)}: {each.at(1.0):.0%} of subjects in all wordings, {each.at(0.5):.0%} in half "
                f"or more, {1.0 - each.subjects[1]:.0%} in none."
                for each in self.curves
            ),
            "A firm model has a flat curve: it knows a subject in every wording or in none.",
            "Dashed: a guesser, with a new answer for each wording.",
        )

    def marks(self) -> Marks:
        """A falling stair for each model, and a dashed one for a guesser."""
        guesser, hover = self.guesser, "%{y:.0%} of subjects in %{x:.0%} of wordings or more"
        marks = [Line(guesser.wordings, guesser.subjects, GREY, 0.8, "dashed", A_GUESSER, stepped=True)]
        for each, (colour, _) in zip(self.curves, looks(len(self.curves)), strict=True):
            marks.append(Line(each.wordings, each.subjects, colour, 1.3, name=each.name, stepped=True, hover=hover))
        axes = Axis("share of wordings", (0.0, 1.0)), Axis("share of subjects, right in as many or more", (0.0, 1.02))
        return Marks(marks, *axes, heights=(2.6, 2.6), grid="both")


def confidence(results: Sequence[ResultBase]) -> Confidence:
    """Return the picture of results of knowledge, all relations of a model together. Refuses others."""
    of_knowledge = [knowledge_only(result) for result in results]
    refuse_mixed(of_knowledge, "draw them one by one", comparable_choices)
    by_model = dict[str, list[KnowledgeResult]]()
    apart = len({each.topic for each in of_knowledge}) == 1
    for each in with_distinct_names(of_knowledge) if apart else of_knowledge:
        by_model.setdefault(name_of(each), []).append(each)
    first = next(iter(by_model.values()))
    return Confidence(
        curves=tuple(_curve(name, of_model) for name, of_model in by_model.items()),
        guesser=_guessed(first),
        relations=tuple(dict.fromkeys(each.topic for each in of_knowledge)),
        of=sum(len(each.groups) for each in first),
    )


def _curve(name: str, results: Sequence[KnowledgeResult]) -> Curve:
    shares = list[float]()
    for result in results:
        for group in result.groups:
            if group.right is None:
                raise BvfError(
                    f"{result.folder or result.model}: an older version of bvf wrote the result, without how often "
                    "subjects are right",
                    "bvf analyse DIR --save-as new, then --analysis new",
                )
            shares.append(group.right)
    weights = np.concatenate([[group.weight for group in result.groups] for result in results]) / len(results)
    steps = np.unique([0.0, *np.round(shares, 9), 1.0])
    at_least = np.array(shares)[:, np.newaxis] >= steps - ROUNDING
    return Curve(name, steps, weights @ at_least)


def _guessed(results: Sequence[KnowledgeResult]) -> Curve:
    """The curve of a guesser, over as many wordings as the first result has."""
    wordings = results[0].number_of_contexts
    right = np.arange(wordings + 1)
    shares = [
        each.weight * scipy.stats.binom.sf(right - 1, wordings, result.chance if each.chance is None else each.chance)
        for result in results
        for each in result.groups
    ]
    return Curve(A_GUESSER, right / wordings, np.sum(shares, axis=0) / len(results))


@dataclass(frozen=True)
class Point:
    """A model in a relation: mastery, the confidence gap, and those of a guesser among the same answers."""

    model: str
    relation: str
    mastery: Value
    gap: Value
    guesser: tuple[float, float]  # its mastery and its gap


@dataclass(frozen=True)
class Mastery(MarkedPicture):
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

    def marks(self) -> Marks:
        """A point with two intervals for each relation and model, and a cross for a guesser."""
        marks: list[Mark] = [Line(*_places(together), GREY, 0.7) for together in self._joined()]
        for model, (colour, marker) in zip(self.models, looks(len(self.models)), strict=True):
            points = [each for each in self.points if each.model == model]
            mastery, gaps = [each.mastery for each in points], [each.gap for each in points]
            texts, hover = [each.relation for each in points], "%{text}<br>mastery %{x}, gap %{y}"
            marks.append(Dots(mastery, gaps, colour, marker, model, 4.0, bar=CROSS, texts=texts, hover=hover))
        x, y = np.array(self._guessers()).T
        marks.append(Dots(x, y, GREY, "+", "a guesser", 4.5, hover="%{x}, %{y}"))
        if len(self.relations) > 1:
            names = [each.relation for each in self.points]
            marks.append(PointNames(*_places(self.points), names, range(len(names))))
        across = Axis("mastery", from_zero=True, at_most=1.0)
        return Marks(marks, across, Axis("confidence gap (lost to wording)", (0.0, None)), grid="both")

    def _joined(self) -> list[list[Point]]:
        """The points of each relation that several models were asked, where there are several relations."""
        of_each = [[each for each in self.points if each.relation == relation] for relation in self.relations]
        return [points for points in of_each if len(points) > 1] if len(of_each) > 1 else []

    def _guessers(self) -> list[tuple[float, float]]:
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
    """Return the picture of results of knowledge that were analysed alike. Refuses others."""
    of_knowledge = [knowledge_only(result) for result in results]
    refuse_mixed(of_knowledge, "draw them one by one", comparable_choices)
    short = [result.topic.rpartition("/")[2] for result in of_knowledge]
    whole = [f"{result.topic} ({result.language})" for result in of_knowledge]
    relations = short if len(set(short)) == len(set(whole)) else whole
    named = zip(of_knowledge, _models(of_knowledge, relations), relations, strict=True)
    return Mastery(
        points=tuple(_point(each, model, relation) for each, model, relation in named),
        criterion=of_knowledge[0].criterion,
        level=next(filter(None, (each.uncertainty.level_of_intervals for each in of_knowledge)), None),
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


def _models(results: Sequence[KnowledgeResult], relations: Sequence[str]) -> list[str]:
    """The names of models, with the context set where one was asked a relation in several sets."""
    models = [each.model for each in with_distinct_names(results)]
    if len(set(zip(models, relations, strict=True))) == len(models):
        return models
    return [f"{model}, {Path(each.contexts).stem}" for model, each in zip(models, results, strict=True)]


def _places(points: Sequence[Point]) -> tuple[FloatArray, FloatArray]:
    return np.array([each.mastery.value for each in points]), np.array([each.gap.value for each in points])
