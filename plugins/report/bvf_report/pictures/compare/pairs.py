"""Pictures of pairs of runs that differ in one label (Figures 6 and 8), and of probable words against texts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bvf import Comparison
from bvf.drawing import (
    CROSS,
    GREY,
    SMALL,
    Axis,
    Beside,
    Dots,
    Line,
    Mark,
    MarkedPicture,
    Marks,
    PointNames,
    RowNames,
    Value,
    caption_of,
    colour_of,
    figure_dots,
    segments,
    shown_name,
    side_by_side,
    what_bars_are,
    whole_name,
)
from bvf.results import LEAN, PARAMETERS, ComparedModel, Decision, TopicComparison, by_size
from bvf.tables import between, correlation, counted, listed, p_value, percent, symbol
from bvf_report.pictures.compare.trend import Trend

PITCH, EDGES = 0.36, 0.45
"""Inches per pair, and outside the rows."""
WIDEST_END = 2.4
"""Inches: the largest width of a value of the label in the legend."""
APART = 0.27
"""Distance between the figures of one pair, in rows."""


@dataclass(frozen=True)
class Pairs(MarkedPicture):
    """The picture of pairs of runs of one topic: in each pair, a label has its first value, and then its second."""

    title: ClassVar[str] = "Runs that differ in a label alone"

    topic: TopicComparison
    label: str

    @property
    def pairs(self) -> list[tuple[ComparedModel, ComparedModel]]:
        """The runs with the first value of the label, and their partners with the second."""
        models = {model.name: model for model in self.topic.models}
        found = dict.fromkeys((each.second, each.first) for each in self.topic.matched)
        return [(models[first], models[second]) for first, second in found]

    @property
    def fields(self) -> list[str]:
        """The fields of the figures that are drawn, such as ``R_bias``."""
        return self.topic.models[0].in_trends

    @property
    def _decisions(self) -> dict[tuple[str, str, str], Decision]:
        """The decisions on the second run of each pair, by the names of both and the field of a figure."""
        return {(each.second, each.first, each.figure): each.decision for each in self.topic.matched}

    @property
    def _named_ends(self) -> list[str]:
        return [f"{self.label}={end}" for end in self.topic.matched_values]

    def caption(self) -> str:
        topic, (first, second) = self.topic, map(shown_name, self.topic.matched_values)
        decisions = "On the right: whether the difference is significant (Holm over the whole comparison)."
        return caption_of(
            f"{listed(*self.fields)} of {counted(len(self.pairs), 'pair')} of runs that differ in "
            f"{shown_name(self.label)} alone, from {first} (hollow) to {second} (filled), in the "
            f"{counted(topic.number_of_contexts, 'context')} of {shown_name(topic.topic)} that all were asked.",
            *(f"{whole_name(one.name)} to {whole_name(other.name)}: {self._moves(one, other)}."
              for one, other in self.pairs),
            f"Without a partner: {', '.join(map(whole_name, topic.unmatched))}." if topic.unmatched else "",
            f"No tests: {topic.undefined}." if topic.undefined else decisions,
        )  # fmt: skip

    def marks(self) -> Marks:
        """A row per pair of runs. Each figure is a line from the run with the first value of the label to the other."""
        marks, words = list[Mark](), list[tuple[float, str]]()
        for number, field in enumerate(self.fields):
            rows = side_by_side(len(self.pairs), number, len(self.fields), APART)
            before, after = ([pair[end].figures[field] for pair in self.pairs] for end in (0, 1))
            marks.append(Line(*segments(before, after, rows), colour_of(field), alpha=0.7))
            for name, x, hollow in zip(self._named_ends, (before, after), (True, False), strict=True):
                look = {"name": "" if hollow else symbol(field), "hollow": [True] * len(x) if hollow else []}
                marks.append(
                    figure_dots(field, x, rows, size=3.6, texts=[name] * len(x), hover="%{text}: %{x}", **look)
                )
            decisions = [self._decisions[one.name, other.name, field] for one, other in self.pairs]
            words += zip(rows, decisions, strict=True)
        first, second = self._named_ends
        marks += [Dots(colour=GREY, name=first, size=3.6, hollow=[True]), Dots(colour=GREY, name=second, size=3.6)]
        rows_of = RowNames([second.name for _, second in self.pairs], pitch=PITCH, edges=EDGES)
        return Marks([*marks, Beside(words, font=SMALL)], Axis("risk", from_zero=True), rows_of, widest_key=WIDEST_END)

    def _moves(self, one: ComparedModel, other: ComparedModel) -> str:
        moves = []
        for field in self.fields:
            decision = self._decisions[one.name, other.name, field]
            move = f"{symbol(field)} {one.figures[field]:.3f} to {other.figures[field]:.3f}"
            moves.append(f"{move} ({decision})" if decision else move)
        return ", ".join(moves)


def by_label(compared: Comparison, by: str = "") -> tuple[Trend | Pairs, ...]:
    """Return one picture per topic: pairs of runs, or a trend if the label has more than two values.

    Two models of two sizes differ in more than their size, so they have a trend.
    ``by`` is a label or ``parameters``; empty: the label of the comparison.
    """
    paired, label = not by or by == compared.by, by or compared.by or PARAMETERS
    return tuple(
        Pairs(topic, label)
        if paired and topic.matched and not by_size(topic.models, compared.by)
        else Trend(topic, label, compared.level)
        for topic in compared.topics
    )


@dataclass(frozen=True)
class Said(MarkedPicture):
    """The picture of one topic: a point per group, its lean by probable words and by the texts that a model wrote."""

    kind: ClassVar[str] = "said"
    title: ClassVar[str] = "Probable words against texts"

    topic: TopicComparison
    level: float

    @property
    def called(self) -> str:
        """The name of the lean."""
        return f"lean to {self.topic.leans[0].to}"

    def caption(self) -> str:
        topic = self.topic
        return caption_of(
            f"{shown_name(self.called, len(self.called)).capitalize()} of {counted(len(topic.leans), 'group')} of "
            f"{shown_name(topic.topic)} in {counted(topic.number_of_contexts, 'context')}, by probable words (across) "
            "and by texts (upwards). A point is a group; on the line both are the same.",
            self._agreement(),
            what_bars_are(None if topic.undefined else self.level, topic.undefined),
        )

    def _agreement(self) -> str:
        found = next((each for each in self.topic.orders if each.figure.startswith(LEAN)), None)
        if found is None:
            return "Too few groups, or none that differ, to say whether both put them in one order."
        ends = between(found.low, found.high, 2)
        interval = f" ({percent(found.level)}: {ends})" if ends else ""
        of_orders = f"Kendall's correlation of the two orders {correlation(found.kendall)}{interval}"
        return f"{of_orders}, p {p_value(found.p_value)}."

    def marks(self) -> Marks:
        """A point with two intervals for each group, and the line on which both leans are the same."""
        probable = [Value(each.probable, each.probable_low, each.probable_high) for each in self.topic.leans]
        texts = [Value(each.said, each.said_low, each.said_high) for each in self.topic.leans]
        names, hover = [each.group for each in self.topic.leans], "%{text}<br>probable words %{x}, texts %{y}"
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
    return tuple(Said(topic, compared.level) for topic in compared.topics if topic.leans)


def with_margin(values: Sequence[Value]) -> tuple[float, float]:
    """Return the ends of an axis on which numbers and their intervals lie, with a margin of 5 %."""
    low = min(each.value if each.low is None else each.low for each in values)
    high = max(each.value if each.high is None else each.high for each in values)
    margin = 0.05 * (high - low) or 0.05
    return low - margin, high + margin
