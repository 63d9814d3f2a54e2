"""What a comparison of models shows: figures and ranks, differences, a trend over a label, topics by models."""

from dataclasses import dataclass

import numpy as np

from bvf.analysing.comparison import FIGURES, ComparedModel, Comparison, Decision, TopicComparison
from bvf.analysing.labels import PARAMETERS, number_in
from bvf.arrays import FloatArray
from bvf.errors import BvfError, nearest
from bvf.views.values import Value, with_interval


@dataclass(frozen=True)
class Ranked:
    """A model by one figure.

    Args:
        name: Of the model.
        value: The figure.
        first: First rank that it may have, 1 the highest; None: contexts are no sample.
        last: Last rank that it may have.
    """

    name: str
    value: Value
    first: int | None
    last: int | None


@dataclass(frozen=True)
class Gap:
    """A figure of one model less that of another.

    Args:
        first: The one.
        second: The other.
        value: The difference.
        decision: Of the first: higher, lower, or tied; empty: contexts are no sample.
    """

    first: str
    second: str
    value: Value
    decision: Decision


@dataclass(frozen=True)
class Compared:
    """Models in one topic by one figure.

    Args:
        topic: What they were asked.
        figure: Its field: ``R``, ``R_bias``, ``R_volatility`` or ``particular_bias``.
        models: The highest first.
        gaps: Of every pair, the largest first.
        contexts: How many contexts all share.
        groups: How many groups.
        level: Of intervals and ranks.
        undefined: Why there are none; empty: there are.
    """

    topic: str
    figure: str
    models: tuple[Ranked, ...]
    gaps: tuple[Gap, ...]
    contexts: int
    groups: int
    level: float
    undefined: str


@dataclass(frozen=True)
class Trend:
    """A figure of models over a label.

    Args:
        topic: What they were asked.
        figure: Its field.
        label: What they are compared by.
        names: Models, by ascending label.
        at: The label as a number, shape (M,).
        values: The figure, length M.
        correlation: Spearman's; None: for fewer than three models, or where the figure is the same for all.
        p_value: Of the permutation test, two-sided; likewise.
        level: Of the intervals.
        contexts: How many contexts all share.
    """

    topic: str
    figure: str
    label: str
    names: tuple[str, ...]
    at: FloatArray
    values: tuple[Value, ...]
    correlation: float | None
    p_value: float | None
    level: float
    contexts: int


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


def comparison(found: Comparison) -> tuple[Compared, ...]:
    """Return the models by every figure, topic after topic."""
    return tuple(
        _compared(topic, figure, found.level)
        for topic in found.topics
        for figure in FIGURES
        if all(figure in model.figures for model in topic.models)
    )


def trends(found: Comparison, by: str = "") -> tuple[Trend, ...]:
    """Return R, R^b and R^v over a label, topic after topic.

    Args:
        found: A comparison.
        by: The label, or ``parameters``; empty: that of the comparison.

    Raises:
        BvfError: There is no such label, or its values are no numbers.
    """
    label = by or found.by or PARAMETERS
    return tuple(_trend(topic, figure, label, found.level) for topic in found.topics for figure in FIGURES[:3])


def topic_matrix(found: Comparison) -> TopicMatrix:
    """Return R of models by topics, with the rank correlations between topics."""
    models = tuple(dict.fromkeys(model.name for topic in found.topics for model in topic.models))
    topics = tuple(topic.topic for topic in found.topics)
    R, low, high = np.full((3, len(models), len(topics)), np.nan)
    for t, topic in enumerate(found.topics):
        for model in topic.models:
            m, interval = models.index(model.name), model.intervals.get("R")
            R[m, t] = model.figures["R"]
            if interval is not None:
                low[m, t], high[m, t] = interval.low, interval.high
    correlations, p_values = np.full((2, len(topics), len(topics)), np.nan)
    for each in found.correlations:
        i, j = topics.index(each.first), topics.index(each.second)
        if each.correlation is not None:
            correlations[i, j] = correlations[j, i] = each.correlation
            p_values[i, j] = p_values[j, i] = each.p_value
    return TopicMatrix(models, topics, R, low, high, correlations, p_values)


def _compared(topic: TopicComparison, figure: str, level: float) -> Compared:
    models = [_ranked(model, figure) for model in topic.models]
    gaps = [
        Gap(each.first, each.second, Value(each.value, each.low, each.high), each.decision)
        for each in topic.differences
        if each.figure == figure
    ]
    return Compared(
        topic=topic.topic,
        figure=figure,
        models=tuple(sorted(models, key=lambda model: -model.value.value)),
        gaps=tuple(sorted(gaps, key=lambda gap: -abs(gap.value.value))),
        contexts=topic.number_of_contexts,
        groups=len(topic.groups),
        level=level,
        undefined=topic.undefined,
    )


def _ranked(model: ComparedModel, figure: str) -> Ranked:
    first, last = model.ranks.get(figure, (None, None))
    return Ranked(model.name, with_interval(model.figures[figure], model.intervals.get(figure)), first, last)


def _trend(topic: TopicComparison, figure: str, label: str, level: float) -> Trend:
    at = np.array([_number(model, label) for model in topic.models])
    order = np.argsort(at, kind="stable")
    models = [topic.models[m] for m in order]
    tested = next((each for each in topic.trends if each.figure == figure), None)
    return Trend(
        topic=topic.topic,
        figure=figure,
        label=label,
        names=tuple(model.name for model in models),
        at=at[order],
        values=tuple(with_interval(model.figures[figure], model.intervals.get(figure)) for model in models),
        correlation=None if tested is None else tested.correlation,
        p_value=None if tested is None else tested.p_value,
        level=level,
        contexts=topic.number_of_contexts,
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
