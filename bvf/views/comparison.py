"""What pictures of a comparison show: figures and ranks, differences, a trend over a label, topics by models."""

from dataclasses import dataclass

import numpy as np

from bvf.analyses.compare.labels import OF_TRENDS, PARAMETERS, number_in
from bvf.analyses.compare.result import FIGURES, ComparedModel, Comparison, Decision, TopicComparison
from bvf.arrays import FloatArray
from bvf.errors import BvfError, nearest
from bvf.views.values import Value, with_interval

WIDE = 20.0
"""Steps are logarithmic if the largest label is this many times the smallest."""


@dataclass(frozen=True)
class Ranked:
    """A model.

    Args:
        name: Name of the model.
        values: Its figures with intervals, by their fields: ``R``, ``R_bias``, ``R_volatility``, ``particular_bias``.
        ranks: First and last rank that it may have by each figure, 1 the highest; none where contexts are no sample.
    """

    name: str
    values: dict[str, Value]
    ranks: dict[str, tuple[int, int]]


@dataclass(frozen=True)
class Gap:
    """A figure of one model less that of another.

    Args:
        figure: Its field.
        first: The one model.
        second: The other.
        value: The difference.
        decision: Of the first: higher, lower, or tied; empty: contexts are no sample.
    """

    figure: str
    first: str
    second: str
    value: Value
    decision: Decision


@dataclass(frozen=True)
class Compared:
    """Models in one topic.

    Args:
        topic: What they were asked.
        models: That of the highest R first.
        gaps: Of every figure and pair, the largest of each figure first.
        contexts: How many contexts all share.
        groups: How many groups.
        level: Of intervals and ranks.
        undefined: Why there are no intervals; empty: there are some.
    """

    topic: str
    models: tuple[Ranked, ...]
    gaps: tuple[Gap, ...]
    contexts: int
    groups: int
    level: float
    undefined: str


@dataclass(frozen=True)
class Rise:
    """Whether a figure rises with a label: Spearman's correlation, and the p value of a permutation test."""

    correlation: float
    p_value: float


@dataclass(frozen=True)
class Trend:
    """Figures of models over a label.

    Args:
        topic: What they were asked.
        label: What they are compared by.
        names: Models, by ascending label.
        at: The label as a number, shape (M,).
        values: R, R^b and R^v by their fields, length M each.
        tests: By field; none where the comparison tested none, or the figure is the same for all.
        level: Of the intervals.
        contexts: How many contexts all share.
        undefined: Why there are no intervals; empty: there are some.
    """

    topic: str
    label: str
    names: tuple[str, ...]
    at: FloatArray
    values: dict[str, tuple[Value, ...]]
    tests: dict[str, Rise]
    level: float
    contexts: int
    undefined: str

    @property
    def is_logarithmic(self) -> bool:
        """Whether labels differ so much that steps are better as multiples."""
        return bool(self.at[0] > 0 and self.at[-1] > WIDE * self.at[0])


@dataclass(frozen=True)
class TopicMatrix:
    """R of models by topics, and whether topics put models in the same order.

    Args:
        models: M, in the order in which they are met.
        topics: T.
        R: Shape (M, T); NaN where a model was not asked a topic.
        low: Lower ends of intervals, shape (M, T); NaN where there are none.
        high: Upper ends.
        correlations: Spearman's between every two topics, shape (T, T); NaN for fewer than three models.
        p_values: Of permutation tests, likewise.
    """

    models: tuple[str, ...]
    topics: tuple[str, ...]
    R: FloatArray
    low: FloatArray
    high: FloatArray
    correlations: FloatArray
    p_values: FloatArray


def comparison(compared: Comparison) -> tuple[Compared, ...]:
    """Return the models of every topic with their figures, their ranks and their differences."""
    return tuple(_compared(topic, compared.level) for topic in compared.topics)


def trends(compared: Comparison, by: str = "") -> tuple[Trend, ...]:
    """Return R, R^b and R^v over a label in every topic.

    Args:
        compared: A comparison.
        by: The label, or ``parameters``; empty: that of the comparison.

    Raises:
        BvfError: There is no such label, or its values are no numbers.
    """
    label = by or compared.by or PARAMETERS
    return tuple(_trend(topic, label, compared.level) for topic in compared.topics)


def topic_matrix(compared: Comparison) -> TopicMatrix:
    """Return R of models by topics, with the rank correlations between topics."""
    models = tuple(dict.fromkeys(model.name for topic in compared.topics for model in topic.models))
    topics = tuple(topic.topic for topic in compared.topics)
    R, low, high = np.full((3, len(models), len(topics)), np.nan)
    for t, topic in enumerate(compared.topics):
        for model in topic.models:
            m, interval = models.index(model.name), model.intervals.get("R")
            R[m, t] = model.figures["R"]
            if interval is not None:
                low[m, t], high[m, t] = interval.low, interval.high
    correlations, p_values = np.full((2, len(topics), len(topics)), np.nan)
    for each in compared.correlations:
        i, j = topics.index(each.first), topics.index(each.second)
        if each.correlation is not None:
            correlations[i, j] = correlations[j, i] = each.correlation
            p_values[i, j] = p_values[j, i] = each.p_value
    return TopicMatrix(models, topics, R, low, high, correlations, p_values)


def _compared(topic: TopicComparison, level: float) -> Compared:
    models = sorted(topic.models, key=lambda model: -model.figures["R"])
    gaps = sorted(topic.differences, key=lambda each: (FIGURES.index(each.figure), -abs(each.value)))
    return Compared(
        topic=topic.topic,
        models=tuple(Ranked(model.name, _values(model), model.ranks) for model in models),
        gaps=tuple(
            Gap(each.figure, each.first, each.second, Value(each.value, each.low, each.high), each.decision)
            for each in gaps
        ),
        contexts=topic.number_of_contexts,
        groups=len(topic.groups),
        level=level,
        undefined=topic.undefined,
    )


def _values(model: ComparedModel) -> dict[str, Value]:
    return {figure: with_interval(value, model.intervals.get(figure)) for figure, value in model.figures.items()}


def _trend(topic: TopicComparison, label: str, level: float) -> Trend:
    at = np.array([_number(model, label) for model in topic.models])
    order = np.argsort(at, kind="stable")
    models = [topic.models[m] for m in order]
    return Trend(
        topic=topic.topic,
        label=label,
        names=tuple(model.name for model in models),
        at=at[order],
        values={figure: tuple(_values(model)[figure] for model in models) for figure in OF_TRENDS},
        tests={each.figure: Rise(each.correlation, each.p_value) for each in topic.trends},
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
        raise BvfError(f"{model.name}: the label {label} is {text}, no number", "a trend is over sizes: 350m, 7b, 1e9")
    return number
