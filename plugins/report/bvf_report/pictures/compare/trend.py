"""The picture of R, R^b (bias) and R^v (volatility) of models against a label, such as their size."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bvf import BvfError
from bvf.drawing import Axis, Mark, MarkedPicture, Marks, Value, caption_of, figure_dots, shown_name, what_bars_are
from bvf.errors import nearest
from bvf.results import PARAMETERS, ComparedModel, TopicComparison, number_in
from bvf.stats import FloatArray
from bvf.study import RISK
from bvf.tables import counted, listed, p_value, symbol
from bvf_report.pictures.compare.compared import values_of

WIDE = 20.0
"""The axis is logarithmic if the ratio of the largest to the smallest label is above this."""
WIDEST, LONGEST = 22, 45
"""The most columns of the name of a model below the axis, and of the title of the axis."""
APART = 0.07
"""Smallest distance of two names, as a share of the axis; otherwise one of them is left out."""


@dataclass(frozen=True)
class Rise:
    """Spearman's correlation of a figure with a label, and the p value of its permutation test, adjusted by Holm."""

    correlation: float
    p_value: float


@dataclass(frozen=True)
class Trend(MarkedPicture):
    """The picture of R, R^b (bias) and R^v (volatility) of models against a numeric label of their runs."""

    kind: ClassVar[str] = "trend"
    title: ClassVar[str] = f"{listed(*RISK)} over a label"

    topic: str
    label: str
    names: tuple[str, ...]  # models by ascending label, M
    at: FloatArray  # the label as a number, (M,)
    values: dict[str, tuple[Value, ...]]  # R, R^b and R^v by field, length M each
    tests: dict[str, Rise]  # by field; only the figures that were tested
    level: float
    contexts: int
    undefined: str  # why there are no intervals; empty: there are some

    @property
    def is_logarithmic(self) -> bool:
        """Whether the axis of the label is logarithmic. This is so if the values differ by a large factor."""
        return bool(self.at[0] > 0 and self.at[-1] > WIDE * self.at[0])

    def caption(self) -> str:
        label = shown_name(self.label)
        tests = [
            f"Spearman's correlation of {symbol(figure)} with {label} is {each.correlation:+.2f} "
            f"(Holm {equal_to_p(each.p_value)})."
            for figure, each in self.tests.items()
        ]
        return caption_of(
            f"{listed(*self.values)} of {counted(len(self.names), 'model')} by {label}, in the "
            f"{counted(self.contexts, 'context')} of {shown_name(self.topic)} that all were asked.",
            *tests,
            what_bars_are(None if self.undefined else self.level, self.undefined),
        )

    def marks(self) -> Marks:
        """The figures of models and their intervals against the label."""
        marks = list[Mark]()
        for field, values in self.values.items():
            wide = {"size": 5.0, "joined": 2.4, "alpha": 0.45} if field == "R" else {"size": 3.2, "joined": 1.0}
            hover = "%{text}<br>%{x}: %{y}"  # the line of R is wide, as that of R^b often lies upon it
            marks.append(figure_dots(field, self.at, values, bar=(1.0, 0.6), texts=self.names, hover=hover, **wide))
        named = _with_room(np.log(self.at) if self.is_logarithmic else self.at)
        ticks = [(float(self.at[m]), f"{shown_name(self.names[m], WIDEST)} ({_short(self.at[m])})") for m in named]
        across = Axis(shown_name(self.label, LONGEST), logarithmic=self.is_logarithmic, ticks=ticks)
        return Marks(marks, across, Axis("risk", from_zero=True), heights=(2.6, 3.4), grid="y")


def trend(topic: TopicComparison, label: str, level: float) -> Trend:
    """Return the picture of a topic over a label, or over ``parameters`` if the label is empty."""
    label = label or PARAMETERS
    at = np.array([_number(model, label) for model in topic.models])
    order = np.argsort(at, kind="stable")
    models = [topic.models[m] for m in order]
    return Trend(
        topic=topic.topic,
        label=label,
        names=tuple(model.name for model in models),
        at=at[order],
        values={figure: tuple(values_of(model)[figure] for model in models) for figure in models[0].in_trends},
        tests={each.figure: Rise(each.correlation, each.adjusted_p or each.p_value) for each in topic.trends},
        level=level,
        contexts=topic.number_of_contexts,
        undefined=topic.undefined,
    )


def _number(model: ComparedModel, label: str) -> float:
    if label == PARAMETERS and label not in model.labels and model.parameters is not None:
        return float(model.parameters)
    text = model.labels.get(label)
    if text is None:
        raise BvfError(f"{model.name}: no label {label}", nearest(label, [PARAMETERS, *model.labels]))
    number = number_in(text)
    if number is None:
        raise BvfError(
            f"{model.name}: the label {label} is {text}, not a number", "a trend is over sizes: 350m, 7b, 1e9"
        )
    return number


def _with_room(at: FloatArray) -> list[int]:
    """Indices of the models whose names fit below the axis. Each name must begin to the right of the one before it."""
    width = float(np.ptp(at)) or 1.0
    places = [0]
    for m in range(1, len(at)):
        if at[m] - at[places[-1]] >= APART * width:
            places.append(m)
    return places


def _short(number: float) -> str:
    """A large number in short form: 350M for 350,000,000."""
    for size, letter in ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{number / size:.3g}{letter}"
    return f"{number:.3g}"


def equal_to_p(value: float) -> str:
    """Return a p value as text with ``p =`` or ``p <``, for a sentence.

    >>> equal_to_p(0.0312), equal_to_p(1e-9)
    ('p = 0.0312', 'p < 0.0001')
    """
    shown = p_value(value)
    return f"p < {shown[1:]}" if shown.startswith("<") else f"p = {shown}"
