"""Finds runs of the same model across topics, and names the models."""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence

from bvf.domain.measurement import Asked, Measurement
from bvf.study.apart import Way, always_named, distinct_names, facts_of, number_of_contexts

Key = tuple[Hashable, ...]
TELLS_APART: tuple[Callable[[Measurement], Hashable], ...] = (
    lambda each: each.format,
    lambda each: frozenset(each.record.labels.items()),
    lambda each: (each.record.model.tolerance, each.record.order, each.record.asked.draws),
    lambda each: str(each.folder or each.record.digest),
)
"""What may distinguish several runs of one model in a topic; tried in this order until they differ."""


def names_over(by_topic: Sequence[Sequence[Measurement]]) -> list[list[str]]:
    """Return a model name per run of each topic. A model has one name in all topics; names within a topic are distinct.

    If several models have one name, facts in which their first runs differ are appended.
    """
    keys = _keys(by_topic)
    first = dict[Key, Measurement]()
    for of_topic, its_keys in zip(by_topic, keys, strict=True):
        for each, key in zip(of_topic, its_keys, strict=True):
            first.setdefault(key, each)
    runs = list(first.values())
    models = [each.record.model for each in runs]
    facts = facts_of(
        models,
        [each.record.labels for each in runs],
        [each.path for each in models],
        [asked_contexts(each.record.asked) for each in runs],
        [str(each.folder or each.record.digest) for each in runs],
        [_way(each) for each in runs],
    )
    always = [_always_named(each) for each in runs]
    names = dict(zip(first, distinct_names([each.name for each in models], facts, always=always), strict=True))
    return [[names[key] for key in its_keys] for its_keys in keys]


def _always_named(measurement: Measurement) -> str:
    """What always stands after the name: how the model was asked, or the format in place of its wording."""
    if not measurement.format:
        return always_named(measurement.record.model.wording, _way(measurement))
    return ", ".join(filter(None, (always_named("bare", _way(measurement)), measurement.format)))


def asked_contexts(asked: Asked) -> str:
    """Return how many contexts a model was scored in, or how many were drawn, as text."""
    return number_of_contexts(len(asked.templates), None if asked.draws is None else asked.draws.number)


def _keys(by_topic: Sequence[Sequence[Measurement]]) -> list[list[Key]]:
    """A key per run, equal for runs of one model in different topics. Within a topic, keys are distinct if possible."""
    keys: list[list[Key]] = [[(model_key(each),) for each in of_topic] for of_topic in by_topic]
    for of in TELLS_APART:
        several = {key for its_keys in keys for key, times in Counter(its_keys).items() if times > 1}
        keys = [
            [(*key, of(each)) if key in several else key for each, key in zip(of_topic, its_keys, strict=True)]
            for of_topic, its_keys in zip(by_topic, keys, strict=True)
        ]
    return keys


def model_key(measurement: Measurement) -> str:
    """Return a key of the measured model: its record as JSON.

    Settings of the run, and names that may vary, are left out.
    """
    model = measurement.record.model
    of_the_run = {"tolerance", "probe"} | ({"name", "path"} if model.weights else {"name"} if model.path else set())
    return f"{model.model_dump_json(exclude=of_the_run)} {_way(measurement)}"


def _way(measurement: Measurement) -> Way:
    return measurement.record.asked.generation or measurement.record.asked.thinking
