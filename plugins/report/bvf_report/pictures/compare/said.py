"""The picture of probable words against texts: how far each group leans in both."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bvf import BvfError, Comparison
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
    shown_name,
    what_bars_are,
)
from bvf.results import LEAN, GroupLean, OrderAgreement, TopicComparison
from bvf.tables import between, correlation, counted, p_value


@dataclass(frozen=True)
class Said(MarkedPicture):
    """The picture of one topic: a point per group, its lean by probable words and by the texts that a model wrote."""

    kind: ClassVar[str] = "said"
    title: ClassVar[str] = "Probable words against texts"

    topic: str
    points: tuple[GroupLean, ...]
    agreement: OrderAgreement | None  # of the orders by lean; None: too few groups, or all lean alike
    contexts: int
    level: float
    undefined: str  # why there are no intervals; empty: there are some

    @property
    def called(self) -> str:
        """The name of the lean."""
        return f"lean to {self.points[0].to}"

    def caption(self) -> str:
        return caption_of(
            f"{shown_name(self.called, len(self.called)).capitalize()} of {counted(len(self.points), 'group')} of "
            f"{shown_name(self.topic)} in {counted(self.contexts, 'context')}, by probable words (across) and by "
            "texts (upwards). A point is a group; on the line both are the same.",
            self._agreement(),
            what_bars_are(None if self.undefined else self.level, self.undefined),
        )

    def _agreement(self) -> str:
        found = self.agreement
        if found is None:
            return "Too few groups, or none that differ, to say whether both put them in one order."
        ends = between(found.low, found.high, 2)
        interval = f" ({found.level:.0%}: {ends})" if ends else ""
        of_orders = f"Kendall's correlation of the two orders {correlation(found.kendall)}{interval}"
        return f"{of_orders}, p {p_value(found.p_value)}."

    def marks(self) -> Marks:
        """A point with two intervals for each group, and the line on which both leans are the same."""
        probable = [Value(each.probable, each.probable_low, each.probable_high) for each in self.points]
        texts = [Value(each.said, each.said_low, each.said_high) for each in self.points]
        names, hover = [each.group for each in self.points], "%{text}<br>probable words %{x}, texts %{y}"
        x, y = (np.array([each.value for each in values]) for values in (probable, texts))
        (low, high), others = with_margin(probable), with_margin(texts)
        ends = min(low, others[0]), max(high, others[1])
        order = np.argsort(-np.abs(x - y), kind="stable").tolist()
        marks: list[Mark] = [
            Line(ends, ends, GREY, 0.8, "dashed"),
            Dots(probable, texts, size=3.6, bar=CROSS, texts=names, hover=hover),
            PointNames(x, y, names, order),
        ]
        across, upwards = (Axis(f"{self.called}, {of}", ends) for of in ("probable words", "texts"))
        return Marks(marks, across, upwards, heights=(3.3, 5.0), grid="both")


def said(compared: Comparison) -> tuple[Said, ...]:
    """Return a picture for each topic in which probable words of a model are compared with its texts; may be empty."""
    return tuple(_said(topic, compared.level) for topic in compared.topics if topic.leans)


def refuse_none(pictures: tuple[Said, ...]) -> tuple[Said, ...]:
    """Return pictures, of which there is at least one.

    Raises:
        BvfError: There is none, as no topic has two runs of which one was read by its texts.
    """
    if not pictures:
        raise BvfError(
            "no topic has two runs of which one was read by probabilities and the other by texts",
            "name two folders: of a run, and of the same with --reading generated",
        )
    return pictures


def _said(topic: TopicComparison, level: float) -> Said:
    return Said(
        topic=topic.topic,
        points=topic.leans,
        agreement=next((each for each in topic.orders if each.figure.startswith(LEAN)), None),
        contexts=topic.number_of_contexts,
        level=level,
        undefined=topic.undefined,
    )


def with_margin(values: Sequence[Value]) -> tuple[float, float]:
    """Return the ends of an axis on which numbers and their intervals lie, with a margin of 5 %."""
    low = min(each.value if each.low is None else each.low for each in values)
    high = max(each.value if each.high is None else each.high for each in values)
    margin = 0.05 * (high - low) or 0.05
    return low - margin, high + margin
