"""Pictures of a comparison: models in the same contexts, trends over a label, pairs of runs, words and texts."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

import numpy as np

from bvf import BvfError, Comparison
from bvf.drawing import (
    CROSS,
    FONT,
    GREY,
    SMALL,
    Axis,
    Beside,
    ColumnNames,
    Dots,
    Line,
    Mark,
    MarkedPicture,
    Marks,
    Matrix,
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
from bvf.errors import nearest
from bvf.results import LEAN, ComparedModel, TopicComparison, number_in
from bvf.stats import FloatArray
from bvf.study import RISK
from bvf.tables import between, correlation, counted, in_a_list, listed, p_value, percent, symbol, symbols
from bvf_report.pictures.risk.models import model_marks

WIDE = 20.0
"""The axis is logarithmic if the ratio of the largest to the smallest label is above this."""
WIDEST, LONGEST = 22, 45
"""The most columns of the name of a model below the axis, and of the title of the axis."""
NAMES_APART = 0.07
"""Smallest distance of two names, as a share of the axis; otherwise one of them is left out."""
CORRELATIONS = 3
"""The most correlations between topics in a caption; the tables of the comparison show all."""
BELOW = 1.0
"""Inches below the cells for slanted names of topics."""


@dataclass(frozen=True)
class Compared(MarkedPicture):
    """The picture of the compared models of one topic."""

    kind: ClassVar[str] = "compare"
    title: ClassVar[str] = "Models in the same contexts"

    topic: TopicComparison
    level: float  # of intervals and ranks

    @property
    def models(self) -> list[ComparedModel]:
        """The models, the one with the highest first figure first."""
        return sorted(self.topic.models, key=lambda model: -model.first_figure)

    def caption(self) -> str:
        topic, names = self.topic, symbols(*self.models[0].in_trends)
        first = ", ".join(f"{whole_name(each.name)} {each.first_figure:.3f}" for each in self.models)
        ranked = any(each.ranks for each in self.models)
        return caption_of(
            f"{in_a_list(names)} of {counted(len(self.models), topic.called)} in the "
            f"{counted(topic.number_of_contexts, 'context')} and "
            f"{counted(len(topic.groups), 'group')} of {shown_name(topic.topic)} that all were asked.",
            f"{names[0]}: {first}.",
            f"At the right the ranks that a {topic.called} may have by {names[0]}." if ranked else "",
            what_bars_are(None if topic.undefined else self.level, topic.undefined),
        )

    def marks(self) -> Marks:
        """Figures of models, and their possible ranks by the first figure (R). The highest model is on top."""
        ranks = [(place, each.ranks.get(next(iter(each.figures)))) for place, each in enumerate(self.models)]
        known = [
            (place, f"{ends[0]}" if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}") for place, ends in ranks if ends
        ]
        named = [(each.name, values_of(each)) for each in self.models]
        return model_marks(named, "risk in the contexts that all share", [Beside(known, "rank")])


def values_of(model: ComparedModel) -> dict[str, Value]:
    """Return the figures of a model and their intervals, by field."""
    ends = {figure: (interval.low, interval.high) for figure, interval in model.intervals.items()}
    return {figure: Value(value, *ends.get(figure, ())) for figure, value in model.figures.items()}


@dataclass(frozen=True)
class Trend(MarkedPicture):
    """The picture of R, R^b (bias) and R^v (volatility) of models against a numeric label of their runs."""

    kind: ClassVar[str] = "trend"
    title: ClassVar[str] = f"{listed(*RISK)} over a label"

    topic: TopicComparison
    label: str
    level: float

    @property
    def models(self) -> list[ComparedModel]:
        """The models by ascending label."""
        return sorted(self.topic.models, key=lambda model: _number(model, self.label))

    @property
    def at(self) -> FloatArray:
        """The label of each model as a number, (M,)."""
        return np.array([_number(model, self.label) for model in self.models])

    @property
    def is_logarithmic(self) -> bool:
        """Whether the axis of the label is logarithmic. This is so if the values differ by a large factor."""
        return bool(self.at[0] > 0 and self.at[-1] > WIDE * self.at[0])

    def caption(self) -> str:
        topic, label = self.topic, shown_name(self.label)
        tests = [
            f"Spearman's correlation of {symbol(each.figure)} with {label} is {each.correlation:+.2f} "
            f"(Holm {equal_to_p(each.adjusted_p or each.p_value)})."
            for each in topic.trends
        ]
        return caption_of(
            f"{listed(*self.models[0].in_trends)} of {counted(len(self.models), 'model')} by {label}, in the "
            f"{counted(topic.number_of_contexts, 'context')} of {shown_name(topic.topic)} that all were asked.",
            *tests,
            what_bars_are(None if topic.undefined else self.level, topic.undefined),
        )

    def marks(self) -> Marks:
        """The figures of models and their intervals against the label."""
        marks, models, at = list[Mark](), self.models, self.at
        names = [model.name for model in models]
        for field in models[0].in_trends:
            wide = {"size": 5.0, "joined": 2.4, "alpha": 0.45} if field == "R" else {"size": 3.2, "joined": 1.0}
            hover = "%{text}<br>%{x}: %{y}"  # the line of R is wide, as that of R^b often lies upon it
            values = [values_of(model)[field] for model in models]
            marks.append(figure_dots(field, at, values, bar=(1.0, 0.6), texts=names, hover=hover, **wide))
        named = _with_room(np.log(at) if self.is_logarithmic else at)
        ticks = [(float(at[m]), f"{shown_name(names[m], WIDEST)} ({_short(at[m])})") for m in named]
        across = Axis(shown_name(self.label, LONGEST), logarithmic=self.is_logarithmic, ticks=ticks)
        return Marks(marks, across, Axis("risk", from_zero=True), heights=(2.6, 3.4), grid="y")


def _number(model: ComparedModel, label: str) -> float:
    if label == Comparison.PARAMETERS and label not in model.labels and model.parameters is not None:
        return float(model.parameters)
    text = model.labels.get(label)
    if text is None:
        raise BvfError(f"{model.name}: no label {label}", nearest(label, [Comparison.PARAMETERS, *model.labels]))
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
        if at[m] - at[places[-1]] >= NAMES_APART * width:
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


@dataclass(frozen=True)
class TopicMatrix(MarkedPicture):
    """The picture of R by model and topic, and of rank correlations between topics."""

    kind: ClassVar[str] = ""
    title: ClassVar[str] = "R of models by topics"

    models: tuple[str, ...]  # M
    topics: tuple[str, ...]  # T
    R: FloatArray  # (M, T); NaN where a model was not asked a topic
    low: FloatArray  # (M, T); NaN where there is no interval
    high: FloatArray  # (M, T)
    correlations: FloatArray  # Spearman's, (T, T); NaN for fewer than three models
    p_values: FloatArray  # of permutation tests, (T, T)

    def caption(self) -> str:
        sentences = [
            f"R of {counted(len(self.models), 'model')} in {counted(len(self.topics), 'topic')}: the darker the higher."
        ]
        for t, topic in enumerate(self.topics):
            m = int(np.nanargmax(self.R[:, t]))
            sentences.append(f"Highest in {shown_name(topic)}: {whole_name(self.models[m])} {self.R[m, t]:.3f}.")
        pairs = combinations(range(len(self.topics)), 2)
        known = [(i, j) for i, j in pairs if np.isfinite(self.correlations[i, j])]
        sentences += [
            f"Spearman's correlation of {shown_name(self.topics[i])} and {shown_name(self.topics[j])} over models is "
            f"{self.correlations[i, j]:+.2f} ({equal_to_p(self.p_values[i, j])})."
            for i, j in known[:CORRELATIONS]
        ]
        return caption_of(
            *sentences, "" if known else "Too few models to say whether topics put them in the same order."
        )

    def marks(self) -> Marks:
        """A matrix of R by model and topic. A cell is white if the model was not measured on the topic."""
        texts = [
            ["" if np.isnan(low) else f"({between(low, high, 3)})" for low, high in zip(*ends, strict=True)]
            for ends in zip(self.low, self.high, strict=True)
        ]
        most = float(np.nanmax(self.R)) or 1.0
        cells = Matrix(self.R, (0.0, most), "R", digits=".3f", texts=texts, hover="R %{z} %{customdata}")
        across = ColumnNames(self.topics, BELOW, slant=30, font=FONT)
        return Marks([cells], across, RowNames(self.models, pitch=0.2, edges=BELOW + 0.2), grid="")


def topic_matrix(compared: Comparison) -> TopicMatrix:
    """Return the picture of a comparison that has several topics."""
    models = tuple(dict.fromkeys(model.name for topic in compared.topics for model in topic.models))
    topics = tuple(topic.topic for topic in compared.topics)
    R, low, high = np.full((3, len(models), len(topics)), np.nan)
    for t, topic in enumerate(compared.topics):
        for model in topic.models:
            m, interval = models.index(model.name), model.intervals.get(next(iter(model.figures)))
            R[m, t] = model.first_figure
            if interval is not None:
                low[m, t], high[m, t] = interval.low, interval.high
    correlations, p_values = np.full((2, len(topics), len(topics)), np.nan)
    for each in compared.correlations:
        i, j = topics.index(each.first), topics.index(each.second)
        if each.correlation is not None:
            correlations[i, j] = correlations[j, i] = each.correlation
            p_values[i, j] = p_values[j, i] = each.p_value
    return TopicMatrix(models, topics, R, low, high, correlations, p_values)


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
    def _decisions(self) -> dict[tuple[str, str, str], str]:
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
    paired, label = not by or by == compared.by, by or compared.by or compared.PARAMETERS
    return tuple(
        Pairs(topic, label)
        if paired and topic.matched and not topic.is_by_size(compared.by)
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
