"""Pictures of a topic beside its controls, and among other words: how far groups are apart by each."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bvf import BvfError, Result, ResultBase
from bvf.drawing import (
    GREY,
    INK,
    PALE,
    Axis,
    Mark,
    MarkedPicture,
    Marks,
    RowNames,
    Rule,
    Strokes,
    Value,
    caption_of,
    colour_of,
    figure_dots,
    shown_name,
    whole_name,
)
from bvf.results import ControlResult, name_of, risk_only, value_of
from bvf.stats import FloatArray
from bvf.tables import counted, percent

PITCH = 0.46
"""Inches per topic, which has a row for each of two figures."""
OFFSETS = {"R": -0.2, "apart": 0.22}
"""Vertical offset of each figure from the middle of its topic, in rows."""
LOOK = {"R": "R", "apart": "particular_bias"}
"""Names under which `bvf.drawing.style` has the colour and marker of each figure."""
STROKE = 0.13
"""Half the height of the stroke that marks the value of a group, in rows."""
PITCH_OF_WORDS, TALL, PLACES = 0.4, 0.3, 3
"""Of the picture of other words: inches per row, half the height of a stroke in rows, and decimals of its place."""


@dataclass(frozen=True)
class Beside:
    """A row of the picture: the run's topic or a control topic, its figures by field, and those of each group."""

    name: str
    figures: dict[str, Value]  # R, and how far groups are apart (total variation) where that is defined, by field
    of_groups: dict[str, FloatArray]  # the same per group, (X,) each


@dataclass(frozen=True)
class Controls(MarkedPicture):
    """The picture of a run and its control topics."""

    kind: ClassVar[str] = "controls"
    title: ClassVar[str] = "A topic beside its controls"

    study: Result
    topics: tuple[Beside, ...]  # the study first

    def caption(self) -> str:
        study, *others = (shown_name(each.name) for each in self.topics)
        bars = any(value.low is not None for each in self.topics for value in each.figures.values())
        reasons = [(self.study.topic, self.study.uncertainty.undefined)]
        reasons += [(each.topic, each.undefined) for each in self.study.controls]
        why = "; ".join(f"{shown_name(name)}: {reason}" for name, reason in reasons if reason)
        return caption_of(
            "R, and how far groups are apart (total variation of their means from the mean over groups), of "
            f"{study} beside {counted(len(others), 'control')}, for {whole_name(name_of(self.study))}.",
            f"A dot is the figure, a stroke one of {counted(len(self.study.groups), 'group')}.",
            *(whole_name(f"{each}.") for each in self.study.beside_controls),
            f"Bars: intervals of {percent(self.study.uncertainty.level)}." if bars else "",
            f"No interval for {why}." if why else "",
        )

    def marks(self) -> Marks:
        """R of each topic, and the total variation of its groups where defined: a dot, and a stroke for each group."""
        strokes, dots = list[Mark](), list[Mark]()
        for figure, look in LOOK.items():
            there = [
                (place + OFFSETS[figure], each) for place, each in enumerate(self.topics) if figure in each.figures
            ]
            for at, each in there:
                strokes.append(Strokes(each.of_groups[figure], at - STROKE, at + STROKE, colour_of(look), alpha=0.3))
            values, rows = [each.figures[figure] for _, each in there], [at for at, _ in there]
            dots.append(figure_dots(look, values, rows, name=figure, size=4.6, edge="white", bar=(1.4, 1.0)))
        marks = [*strokes, *dots, Rule(y=0.5, colour=PALE, width=0.7), Strokes(name="a group", colour=INK, alpha=0.5)]
        rows_of = RowNames([each.name for each in self.topics], pitch=PITCH, pixels=40)
        title = f"R ({self.study.criterion}, {self.study.scale} scale); total variation"
        return Marks(marks, Axis(title, from_zero=True), rows_of)


def controls(result: ResultBase) -> Controls:
    """Return the picture of a risk result that has controls."""
    study = risk_only(result)
    if not study.controls:
        raise BvfError(f"{study.folder or study.model}: this run has no controls", "bvf run --controls asks them too")
    if not all(each.groups for each in study.controls):
        raise BvfError(f"{study.folder or study.model}: analysed by an earlier bvf", "bvf analyse DIR does it again")
    return Controls(study, (_beside_of(study), *map(_beside_of_control, study.controls)))


def _beside_of(study: Result) -> Beside:
    apart, groups = study.apart, study.controls[0].groups
    figures, of_groups = {"R": value_of(study, "R")}, {"R": np.array([each.r for each in study.groups])}
    if apart is not None:
        figures["apart"] = Value(apart, *study.controls[0].intervals.get("apart_in_topic", ()))
        of_groups["apart"] = np.array([each.apart_in_topic for each in groups], dtype=np.float64)
    return Beside(study.topic, figures, of_groups)


def _beside_of_control(control: ControlResult) -> Beside:
    figures = {"R": Value(control.R, *control.intervals.get("R", ()))}
    of_groups = {"R": np.array([each.r for each in control.groups])}
    if control.apart is not None:
        figures["apart"] = Value(control.apart, *control.intervals.get("apart", ()))
        of_groups["apart"] = np.array([each.apart for each in control.groups], dtype=np.float64)
    return Beside(control.topic, figures, of_groups)


@dataclass(frozen=True)
class AmongWords(MarkedPicture):
    """The picture of how far groups are apart by a topic, and by each set of other words."""

    kind: ClassVar[str] = "words"
    title: ClassVar[str] = "A topic among other words"

    model: str
    topic: str
    apart: float
    of_sets: FloatArray  # where one set or more are, rounded: a figure of 250 strokes would be large
    said: tuple[str, ...]  # the place of the topic, in a sentence

    def caption(self) -> str:
        return caption_of(
            "How far groups are apart (total variation of their means from the mean over groups), for "
            f"{whole_name(self.model)}: by {shown_name(self.topic)}, a dot, and by sets of other words in the same "
            "prompts, a stroke for those of one distance.",
            *map(whole_name, self.said),
        )

    def marks(self) -> Marks:
        """A dot for the topic, and below it a stroke for each set of other words."""
        strokes = Strokes(self.of_sets, 1.0 - TALL, 1.0 + TALL, GREY, alpha=0.4)
        topic = figure_dots("particular_bias", [Value(self.apart)], [0], name="", size=5.0)
        rows = RowNames([self.topic, "other words"], pitch=PITCH_OF_WORDS, pixels=40)
        return Marks([strokes, topic], Axis("total variation", from_zero=True), rows)


def among_words(result: ResultBase) -> AmongWords:
    """Return the picture of a risk result with other words."""
    study = risk_only(result)
    if study.other_words is None:
        raise BvfError(f"{study.folder or study.model}: other words were not asked", "bvf run --other-words asks them")
    return AmongWords(
        model=name_of(study),
        topic=study.topic,
        apart=study.other_words.apart,
        of_sets=np.unique([round(each.apart, PLACES) for each in study.other_words.sets]),
        said=tuple(study.among_words),
    )
