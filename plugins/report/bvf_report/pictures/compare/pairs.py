"""The picture of pairs of runs that differ in one label only, such as before and after tuning (Figures 6 and 8)."""

from dataclasses import dataclass
from typing import ClassVar

from bvf import Comparison
from bvf.drawing import (
    GREY,
    SMALL,
    Axis,
    Beside,
    Dots,
    Line,
    Mark,
    MarkedPicture,
    Marks,
    RowNames,
    Value,
    caption_of,
    colour_of,
    figure_dots,
    segments,
    shown_name,
    side_by_side,
    whole_name,
)
from bvf.results import Decision, TopicComparison, by_size
from bvf.tables import counted, listed, symbol
from bvf_report.pictures.compare.compared import values_of
from bvf_report.pictures.compare.trend import Trend, trend

PITCH, EDGES = 0.36, 0.45
"""Inches per pair, and outside the rows."""
WIDEST_END = 2.4
"""Inches: the largest width of a value of the label in the legend."""
APART = 0.27
"""Distance between the figures of one pair, in rows."""


@dataclass(frozen=True)
class Pair:
    """Two runs that differ in one label only: by field, a figure's two values, and the decision on them."""

    first: str
    second: str
    values: dict[str, tuple[Value, Value]]  # by field: of the first and of the second run
    decisions: dict[str, Decision]  # of the second run, by field; empty: differences have no interval


@dataclass(frozen=True)
class Pairs(MarkedPicture):
    """The picture of pairs of runs of one topic: in each pair, a label has its first value, and then its second."""

    title: ClassVar[str] = "Runs that differ in a label alone"

    topic: str
    label: str
    ends: tuple[str, str]  # the first and the second value of the label
    pairs: tuple[Pair, ...]
    unmatched: tuple[str, ...]  # runs without a partner, which are not drawn
    contexts: int
    undefined: str  # why differences have no interval; empty: they have one

    @property
    def fields(self) -> list[str]:
        """The fields of the figures that are drawn, such as ``R_bias``."""
        return list(self.pairs[0].values)

    @property
    def _named_ends(self) -> list[str]:
        return [f"{self.label}={end}" for end in self.ends]

    def caption(self) -> str:
        first, second = map(shown_name, self.ends)
        decisions = "On the right: whether the difference is significant (Holm over the whole comparison)."
        return caption_of(
            f"{listed(*self.fields)} of {counted(len(self.pairs), 'pair')} of runs that differ in "
            f"{shown_name(self.label)} alone, from {first} (hollow) to {second} (filled), in the "
            f"{counted(self.contexts, 'context')} of {shown_name(self.topic)} that all were asked.",
            *(f"{whole_name(each.first)} to {whole_name(each.second)}: {self._moves(each)}." for each in self.pairs),
            f"Without a partner: {', '.join(map(whole_name, self.unmatched))}." if self.unmatched else "",
            f"No tests: {self.undefined}." if self.undefined else decisions,
        )

    def marks(self) -> Marks:
        """A row per pair of runs. Each figure is a line from the run with the first value of the label to the other."""
        marks, words = list[Mark](), list[tuple[float, str]]()
        for number, field in enumerate(self.fields):
            rows = side_by_side(len(self.pairs), number, len(self.fields), APART)
            before, after = ([each.values[field][end].value for each in self.pairs] for end in (0, 1))
            marks.append(Line(*segments(before, after, rows), colour_of(field), alpha=0.7))
            for name, x, hollow in zip(self._named_ends, (before, after), (True, False), strict=True):
                look = {"name": "" if hollow else symbol(field), "hollow": [True] * len(x) if hollow else []}
                marks.append(
                    figure_dots(field, x, rows, size=3.6, texts=[name] * len(x), hover="%{text}: %{x}", **look)
                )
            words += [(row, each.decisions.get(field, "")) for row, each in zip(rows, self.pairs, strict=True)]
        first, second = self._named_ends
        marks += [Dots(colour=GREY, name=first, size=3.6, hollow=[True]), Dots(colour=GREY, name=second, size=3.6)]
        rows_of = RowNames([each.second for each in self.pairs], pitch=PITCH, edges=EDGES)
        return Marks([*marks, Beside(words, font=SMALL)], Axis("risk", from_zero=True), rows_of, widest_key=WIDEST_END)

    def _moves(self, pair: Pair) -> str:
        return ", ".join(
            " ".join(filter(None, [
                f"{symbol(field)} {before.value:.3f} to {after.value:.3f}",
                f"({pair.decisions[field]})" if pair.decisions.get(field) else "",
            ]))
            for field, (before, after) in pair.values.items()
        )  # fmt: skip


def by_label(compared: Comparison, by: str = "") -> tuple[Trend | Pairs, ...]:
    """Return one picture per topic: pairs of runs, or a trend if the label has more than two values.

    Two models of two sizes differ in more than their size, so they have a trend.
    ``by`` is a label or ``parameters``; empty: the label of the comparison.
    """
    paired = not by or by == compared.by
    return tuple(
        _pairs(topic, compared.by)
        if paired and topic.matched and not by_size(topic.models, compared.by)
        else trend(topic, by or compared.by, compared.level)
        for topic in compared.topics
    )


def _pairs(topic: TopicComparison, label: str) -> Pairs:
    first, second = topic.matched_values
    models = {model.name: model for model in topic.models}
    found = dict.fromkeys((each.second, each.first) for each in topic.matched)
    decisions = {(each.second, each.first, each.figure): each.decision for each in topic.matched}
    fields = topic.models[0].in_trends
    return Pairs(
        topic=topic.topic,
        label=label,
        ends=(first, second),
        pairs=tuple(
            Pair(
                *names,
                {field: (values_of(models[names[0]])[field], values_of(models[names[1]])[field]) for field in fields},
                {field: decisions[*names, field] for field in fields if decisions[*names, field]},
            )
            for names in found
        ),
        unmatched=topic.unmatched,
        contexts=topic.number_of_contexts,
        undefined=topic.undefined,
    )
