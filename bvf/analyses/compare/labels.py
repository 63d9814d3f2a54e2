"""Compares runs by a label: by a trend if its values are numbers, and in pairs of runs if it has two values."""

import re
from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np

from bvf.analyses.compare.result import ComparedModel, LabelTrend, ModelDifference, TopicComparison
from bvf.domain.measurement import WORDINGS
from bvf.errors import BvfError
from bvf.stats.comparing.adjusting import holm
from bvf.stats.comparing.comparison import trend
from bvf.study.pairing import WORDING

NUMBER = re.compile(r"(\d+(?:\.\d+)?(?:e[+-]?\d+)?) *([kmbt]?)", re.IGNORECASE)
TIMES = {"": 1.0, "k": 1e3, "m": 1e6, "b": 1e9, "t": 1e12}
DIGITS = 15
"""Significant digits of numeric labels; unrounded, 0.07b and 70m would differ."""
DECIMALS = 12
"""Decimals to which figures are rounded before they are ranked."""
TESTED = ("correlation", "p_value", "smallest_p", "exact")


def compared_by(topics: Sequence[TopicComparison], by: str) -> tuple[TopicComparison, ...]:
    """Return the comparisons with trends over the label ``by`` added, or with differences of pairs of runs."""
    values = [_values(topic, by) for topic in topics]
    order = _in_order(chain.from_iterable(values))
    return tuple(_compared(topic, by, of_topic, order) for topic, of_topic in zip(topics, values, strict=True))


def _compared(topic: TopicComparison, by: str, values: Sequence[str], order: Sequence[str]) -> TopicComparison:
    read = [_read(value) for value in values]
    distinct = [value for value in order if _read(value) in read]
    if len(distinct) == 2:
        return topic.model_copy(update=_matched(topic, by, read, distinct))
    numbers = [number for number in map(number_in, values) if number is not None]
    if len(distinct) == 1 or len(numbers) < len(values):
        raise BvfError(
            f"the label {by} is {', '.join(distinct)}: neither two values nor three numbers or more",
            "name the runs of two wordings" if by == WORDING else "write sizes as 350m, 7b or 1.3e9",
        )
    return topic.model_copy(update={"trends": tuple(_trends(topic.models, numbers))})


def _in_order(values: Iterable[str]) -> list[str]:
    """The distinct values of a label, as first written.

    They are sorted if all are numbers, else in the order of the runs.
    """
    distinct: dict[float | str, str] = {}
    for value in values:
        distinct.setdefault(_read(value), value)
    numbers = {value: number_in(value) for value in distinct.values()}
    return sorted(numbers, key=lambda value: numbers[value] or 0.0) if None not in numbers.values() else list(numbers)


def _read(value: str) -> float | str:
    """The value of a label as a number if it is one, else unchanged. So 7b and 7B are equal."""
    number = number_in(value)
    return value if number is None else number


def number_in(text: str) -> float | None:
    """Return the value of a label as a number; None if it is not a number.

    >>> number_in("7b"), number_in("350M"), number_in("1.3e9"), number_in("chat")
    (7000000000.0, 350000000.0, 1300000000.0, None)
    """
    match = NUMBER.fullmatch(text.strip())
    return None if match is None else float(f"{float(match[1]) * TIMES[match[2].lower()]:.{DIGITS}g}")


def _values(topic: TopicComparison, by: str) -> list[str]:
    """The value of the label ``by`` for each model. Raises `BvfError` if a model has none."""
    models = topic.models
    if topic.is_by_size(by):
        by_model = {model.name: None if model.parameters is None else str(model.parameters) for model in models}
    elif by == WORDING and by not in topic.labels:
        by_model = {model.name: WORDINGS[model.wording] for model in models}
    else:
        by_model = {model.name: model.labels.get(by) for model in models}
    without = [name for name, value in by_model.items() if value is None]
    if without:
        known = ", ".join(topic.labels) or "none"
        raise BvfError(
            f"{', '.join(without)}: no label {by}",
            f"the same bvf run again with --label {by}=VALUE adds it; labels there are {known}",
        )
    return [value for value in by_model.values() if value is not None]


def _trends(models: Sequence[ComparedModel], numbers: Sequence[float]) -> list[LabelTrend]:
    figures = {name: np.round([model.figures[name] for model in models], DECIMALS) for name in models[0].in_trends}
    found = {name: trend(np.array(numbers), each) for name, each in figures.items() if len(set(each)) > 1}
    adjusted = holm(np.array([each.p_value for each in found.values()])).tolist() if found else []
    return [
        LabelTrend(figure=name, **{field: getattr(each, field) for field in TESTED}, adjusted_p=p)
        for (name, each), p in zip(found.items(), adjusted, strict=True)
    ]


def _matched(
    topic: TopicComparison, by: str, values: Sequence[float | str], distinct: Sequence[str]
) -> dict[str, tuple[ModelDifference, ...] | tuple[str, ...]]:
    """Differences between paired runs whose other labels are equal, second value of ``by`` minus first.

    Returned as fields of `TopicComparison` by name.
    """
    runs: dict[tuple[frozenset[tuple[str, float | str]], float | str], str] = {}
    for model, value in zip(topic.models, values, strict=True):
        others = frozenset((name, _read(other)) for name, other in model.labels.items() if name != by)
        if (others, value) in runs:
            raise BvfError(
                f"{runs[others, value]} and {model.name} have the same labels, so that no pairs can be made by {by}",
                "tell them apart by another label, as --label family=NAME",
            )
        runs[others, value] = model.name
    first, second = map(_read, distinct)
    pairs = {
        (runs[others, second], name)
        for (others, value), name in runs.items()
        if value == first and (others, second) in runs
    }
    if not pairs:
        raise BvfError(f"no two runs differ in the label {by} alone", "give runs that belong together the same labels")
    paired = set(chain.from_iterable(pairs))
    return {
        "matched": tuple(
            each if (each.first, each.second) in pairs else each.turned()
            for each in topic.differences
            if (each.first, each.second) in pairs or (each.second, each.first) in pairs
        ),
        "matched_values": tuple(distinct),
        "unmatched": tuple(model.name for model in topic.models if model.name not in paired),
    }
