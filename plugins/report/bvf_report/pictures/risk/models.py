"""Pictures of models: R, R^b (bias) and R^v (volatility) beside references, and how far groups lean (Figure 5)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bvf import BvfError, Result, ResultBase
from bvf.domain import USUAL
from bvf.drawing import (
    GREY,
    INK,
    PALE,
    Axis,
    Box,
    Line,
    Mark,
    MarkedPicture,
    Marks,
    RowNames,
    Rule,
    Value,
    caption_of,
    colours_of,
    figure_dots,
    shown_name,
    side_by_side,
    what_bars_are,
    whole_name,
)
from bvf.results import (
    GroupRisk,
    comparable_choices,
    in_short,
    names_of,
    refuse_mixed,
    risk_only,
    shared_references,
    value_of,
)
from bvf.stats import FloatArray
from bvf.study import RISK
from bvf.tables import counted, listed, symbol, symbols
from bvf_report.pictures.risk.leanings import LONGEST_CLASS

PITCH_OF_MODEL, EDGES = 0.27, 0.45
"""Inches per model, and outside the rows."""
APART_IN_ROW = 0.24
"""Distance between the dots of one model, in rows."""
LIMIT = " *"
"""A suffix that is removed from names: in tables it marks figures in the limit of infinitely many contexts."""
PITCH, PITCH_OF_CLASS = 0.32, 0.12
"""Inches per model, and least inches per class of a model."""
HIGH = 0.62
"""Height of the boxes of a model, in rows."""


def model_marks(
    named: Sequence[tuple[str, Mapping[str, Value]]], title: str, others: Sequence[Mark] = (), references: int = 0
) -> Marks:
    """Return a row per model, the first on top, with dots for R, R^b and R^v, or for all figures without these.

    Args:
        named: For each model its name, and its figures by field of the result (``R``, ``R_bias``, ...).
        title: Title of the horizontal axis.
        others: Further marks.
        references: The number of reference models, the first ones in ``named``, which are grey.
    """
    first, marks = named[0][1], list[Mark]()
    figures = [figure for figure in RISK if figure in first] or list(first)
    for number, figure in enumerate(figures):
        rows, values = side_by_side(len(named), number, len(figures), APART_IN_ROW), [each[figure] for _, each in named]
        if references:
            marks.append(figure_dots(figure, values[:references], rows[:references], colour=GREY, name=""))
        marks.append(figure_dots(figure, values[references:], rows[references:]))
    if references:
        marks.append(Rule(y=references - 0.5, colour=PALE, width=0.7))
    rows_of = RowNames([name for name, _ in named], pitch=PITCH_OF_MODEL, edges=EDGES)
    return Marks([*marks, *others], Axis(title, from_zero=True), rows_of)


@dataclass(frozen=True)
class Place:
    """A row of the picture: a model, or a control topic measured on the model ``of``."""

    name: str
    values: dict[str, Value]  # R (risk), R^b (bias) and R^v (volatility) by field
    of: str = ""


@dataclass(frozen=True)
class Scale(MarkedPicture):
    """The picture of models, their controls, and reference models on one scale."""

    kind: ClassVar[str] = "scale"
    title: ClassVar[str] = f"{listed(*RISK)} of models"

    results: tuple[Result, ...]

    @property
    def models(self) -> list[Place]:
        """The models, each followed by its controls."""
        named, several = zip(names_of(self.results), self.results, strict=True), len(self.results) > 1
        return [place for name, each in named for place in _places(name, each, name if several else "")]

    @property
    def references(self) -> list[Place]:
        """The reference models, the same for all results."""
        rows = shared_references(self.results)
        return [Place(row.name.removesuffix(LIMIT), {each: Value(getattr(row, each)) for each in RISK}) for row in rows]

    def caption(self) -> str:
        first, numbers = self.results[0], {each.number_of_contexts for each in self.results}
        contexts = " to ".join(str(each) for each in sorted({min(numbers), max(numbers)}))
        whole, bias, volatility = symbols(*RISK)
        unit = ", where 1 is a fully stereotyped model" if first.scale == USUAL else ""
        level = next(filter(None, (each.uncertainty.level_of_intervals for each in self.results)), None)
        reasons = zip(names_of(self.results), (each.uncertainty.undefined for each in self.results), strict=True)
        undefined = {name: why for name, why in reasons if why}
        return caption_of(
            f"Discrimination risk {whole}, bias risk {bias} and volatility risk {volatility} by the criterion "
            f"{first.criterion}{unit}.",
            " ".join(f"{_figures(each)};" for each in self.models).removesuffix(";") + ".",
            f"{contexts} contexts.",
            "Grey: reference models, in the limit of infinitely many contexts." if self.references else "",
            what_bars_are(level, "; ".join(dict.fromkeys(undefined.values()))),
            *(f"No interval for {whole_name(name)}: {why}." for name, why in undefined.items() if level),
            in_short(doubts_of_controls(self.results)),
        )

    def marks(self) -> Marks:
        """The reference models in grey, and the other models below."""
        references, first = self.references, self.results[0]
        named = [(each.name, each.values) for each in (*references, *self.models)]
        return model_marks(named, f"risk ({first.criterion}, {first.scale} scale)", references=len(references))


def scale(results: ResultBase | Sequence[ResultBase]) -> Scale:
    """Return the picture of risk results and their controls on one scale."""
    of_risk = [risk_only(result) for result in ([results] if isinstance(results, ResultBase) else results)]
    refuse_mixed(of_risk, "draw them one by one", comparable_choices)
    return Scale(tuple(of_risk))


def doubts_of_controls(results: Sequence[Result]) -> dict[str, Sequence[str]]:
    """Return the warnings of the controls of risk results, by the names of the controls."""
    return {"": (), **{f"control {each.topic}": each.warnings for result in results for each in result.controls}}


def _places(name: str, result: Result, of: str) -> list[Place]:
    """The rows of a model and of its controls."""
    places = [Place(name, {figure: value_of(result, figure) for figure in RISK})]
    for control in result.controls:
        values = {figure: Value(getattr(control, figure), *control.intervals.get(figure, ())) for figure in RISK}
        places.append(Place(f"control {control.topic}", values, of))
    return places


def _figures(place: Place) -> str:
    values = ", ".join(f"{symbol(figure)} {each.value:.3f}" for figure, each in place.values.items())
    return f"{whole_name(f'{place.name}, {place.of}' if place.of else place.name)}: {values}"


@dataclass(frozen=True)
class OfModel:
    """What the groups of a model add to neutral subjects, or their leans E_c[p] - p*."""

    name: str
    groups: tuple[str, ...]  # X
    leans: FloatArray  # (X, Y)

    def quartiles(self, y: int) -> tuple[float, float, float]:
        """Return the quartiles of the leans to a class over groups. Each group counts once."""
        low, median, high = np.quantile(self.leans[:, y], [0.25, 0.5, 0.75])
        return float(low), float(median), float(high)


@dataclass(frozen=True)
class LeansOfModels(MarkedPicture):
    """The picture of what groups add to neutral subjects, as a box plot for each of several models.

    Where one of them was not asked about neutral subjects, it is that of the leans E_c[p] - p*.
    """

    title: ClassVar[str] = "How far groups lean by model"

    topic: str
    classes: tuple[str, ...]  # Y
    models: tuple[OfModel, ...]
    added: bool  # whether leans are associations: what groups add to neutral subjects

    @property
    def shown(self) -> range:
        """Indices of the classes that are drawn: all, or the first of two, as the second has the opposite lean."""
        return range(1) if len(self.classes) == 2 else range(len(self.classes))

    def caption(self) -> str:
        first, *others = map(shown_name, self.classes)
        sides = f" Right of 0 {first}, left of it {others[0]}." if len(others) == 1 else ""
        of = first if len(others) == 1 else f"each of {len(self.classes)} classes"
        less = "neutral subjects in the same contexts" if self.added else "the unbiased model"
        return caption_of(
            f"How far groups of {shown_name(self.topic)} lean by model: mean probability of {of} less that of {less}."
            f"{sides}",
            "A stroke is a group, the box the middle half of the groups, the line in it their median.",
            *(f"{whole_name(each.name)}: {self._median(each)}." for each in self.models),
        )

    def marks(self) -> Marks:
        """A row per model: a stroke per group, and a box plot. More than two classes have one box plot each."""
        two, colours = len(self.classes) == 2, colours_of(self.classes)
        high, middle = HIGH / len(self.shown), (len(self.shown) - 1) / 2
        boxes = [
            Box(
                each.leans[:, y], place + (y - middle) * high, high, INK if two else colours[y],
                self._colours(each, y), each.quartiles(y), each.groups, "" if two else self.classes[y],
            )
            for place, each in enumerate(self.models)
            for y in self.shown
        ]  # fmt: skip
        keys = (
            [Line(colour=colour, name=name) for colour, name in zip(colours, self.classes, strict=True)] if two else []
        )
        what = shown_name(self.classes[0], LONGEST_CLASS) if two else "each class"
        rows = RowNames([each.name for each in self.models], pitch=max(PITCH, PITCH_OF_CLASS * len(self.shown)))
        axis = Axis(f"mean probability of {what}, less {'neutral subjects' if self.added else 'p*'}")
        return Marks([Rule(x=0.0, colour=INK, width=0.7), *boxes, *keys], axis, rows)

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
    """Return the picture of risk results of one topic. Refuses results that differ in the topic, its classes or p*."""
    of_risk = [risk_only(result) for result in results]
    refuse_mixed(of_risk, "draw them one by one")
    classes, *others = (tuple(each.groups[0].mean_probabilities) for each in of_risk)
    for each, theirs in zip(of_risk[1:], others, strict=True):
        if theirs != classes:
            raise BvfError(f"{each.folder or each.model} has the classes {', '.join(theirs)}, not {', '.join(classes)}")
    added = all(group.added for each in of_risk for group in each.groups)
    return LeansOfModels(
        topic=of_risk[0].topic,
        classes=classes,
        models=tuple(
            OfModel(
                name,
                tuple(group.group for group in each.groups),
                np.array([list((group.added if added else _less_p_star(group)).values()) for group in each.groups]),
            )
            for name, each in zip(names_of(of_risk), of_risk, strict=True)
        ),
        added=added,
    )


def _less_p_star(group: GroupRisk) -> dict[str, float]:
    return {name: p - group.reference_probabilities[name] for name, p in group.mean_probabilities.items()}
