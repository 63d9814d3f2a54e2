"""The picture of how far groups lean by model: a box plot per model (Figure 5 of the paper)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bvf import BvfError, ResultBase
from bvf.drawing import (
    INK,
    Axis,
    Box,
    Line,
    MarkedPicture,
    Marks,
    RowNames,
    Rule,
    caption_of,
    colours_of,
    shown_name,
    whole_name,
)
from bvf.results import names_of, refuse_mixed, risk_only
from bvf.stats import FloatArray
from bvf.tables import counted
from bvf_report.pictures.risk.leanings import LONGEST_CLASS

PITCH, PITCH_OF_CLASS = 0.32, 0.12
"""Inches per model, and least inches per class of a model."""
HIGH = 0.62
"""Height of the boxes of a model, in rows."""


@dataclass(frozen=True)
class OfModel:
    """The leans E_c[p] - p* of the groups of a model."""

    name: str
    groups: tuple[str, ...]  # X
    leans: FloatArray  # (X, Y)

    def quartiles(self, y: int) -> tuple[float, float, float]:
        """Return the quartiles of the leans to a class over groups. Each group counts once."""
        low, median, high = np.quantile(self.leans[:, y], [0.25, 0.5, 0.75])
        return float(low), float(median), float(high)


@dataclass(frozen=True)
class LeansOfModels(MarkedPicture):
    """The picture of the leans E_c[p] - p* of groups, as a box plot for each of several models."""

    title: ClassVar[str] = "How far groups lean by model"

    topic: str
    classes: tuple[str, ...]  # Y
    models: tuple[OfModel, ...]

    @property
    def shown(self) -> range:
        """Indices of the classes that are drawn: all, or the first of two, as the second has the opposite lean."""
        return range(1) if len(self.classes) == 2 else range(len(self.classes))

    def caption(self) -> str:
        first, *others = map(shown_name, self.classes)
        sides = f" Right of 0 {first}, left of it {others[0]}." if len(others) == 1 else ""
        of = first if len(others) == 1 else f"each of {len(self.classes)} classes"
        return caption_of(
            f"How far groups of {shown_name(self.topic)} lean by model: mean probability of {of} less that of the "
            f"unbiased model.{sides}",
            "A stroke is a group, the box the middle half of the groups, the line in it their median.",
            *(f"{whole_name(each.name)}: {self._median(each)}." for each in self.models),
        )

    def marks(self) -> Marks:
        """A row per model: a stroke per group, and a box plot. More than two classes have one box plot each."""
        two, colours = len(self.classes) == 2, colours_of(self.classes)
        high = HIGH / len(self.shown)
        boxes = [
            Box(
                each.leans[:, y], at, high, INK if two else colours[y], self._colours(each, y), each.quartiles(y),
                each.groups, "" if two else self.classes[y],
            )
            for each, y, at in self._boxes()
        ]  # fmt: skip
        keys = (
            [Line(colour=colour, name=name) for colour, name in zip(colours, self.classes, strict=True)] if two else []
        )
        what = shown_name(self.classes[0], LONGEST_CLASS) if two else "each class"
        rows = RowNames([each.name for each in self.models], pitch=max(PITCH, PITCH_OF_CLASS * len(self.shown)))
        return Marks(
            [Rule(x=0.0, colour=INK, width=0.7), *boxes, *keys], Axis(f"mean probability of {what}, less p*"), rows
        )

    def _boxes(self) -> Iterator[tuple[OfModel, int, float]]:
        """Yield the model, the index of the class and the vertical position of each box."""
        number = len(self.shown)
        for place, each in enumerate(self.models):
            for y in self.shown:
                yield each, y, place + (y - (number - 1) / 2) * HIGH / number

    def _colours(self, each: OfModel, y: int) -> list[str]:
        colours = colours_of(self.classes)
        if len(self.classes) > 2:
            return [colours[y]] * len(each.groups)
        return [colours[0 if lean >= 0.0 else 1] for lean in each.leans[:, 0]]

    def _median(self, each: OfModel) -> str:
        medians = [each.quartiles(y)[1] for y in range(len(self.classes))]
        if len(self.classes) > 2:
            y = int(np.argmax(medians))
            return f"highest median {shown_name(self.classes[y])} {medians[y]:+.2f}"
        first = int((each.leans[:, 0] > 0.0).sum())
        of = counted(len(each.groups), "group")
        return f"median {medians[0]:+.2f}, {first} of {of} right of 0"


def leans_of_models(results: Sequence[ResultBase]) -> LeansOfModels:
    """Return the picture of risk results of one topic.

    Raises:
        BvfError: The results differ in the topic, its classes or p*.
    """
    of_risk = [risk_only(result) for result in results]
    refuse_mixed(of_risk, "draw them one by one")
    classes, *others = (tuple(each.groups[0].mean_probabilities) for each in of_risk)
    for each, theirs in zip(of_risk[1:], others, strict=True):
        if theirs != classes:
            raise BvfError(f"{each.folder or each.model} has the classes {', '.join(theirs)}, not {', '.join(classes)}")
    return LeansOfModels(
        topic=of_risk[0].topic,
        classes=classes,
        models=tuple(
            OfModel(
                name,
                tuple(group.group for group in each.groups),
                np.array(
                    [
                        [p - group.reference_probabilities[y] for y, p in group.mean_probabilities.items()]
                        for group in each.groups
                    ]
                ),
            )
            for name, each in zip(names_of(of_risk), of_risk, strict=True)
        ),
    )
