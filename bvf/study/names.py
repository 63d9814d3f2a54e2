"""Makes names distinct, by facts that differ between things of one name, and names the models of several topics."""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import zip_longest
from typing import Protocol

from bvf.domain.config import assignments
from bvf.domain.generation import Generation, Thinking
from bvf.domain.measurement import WORDINGS, Measurement, Wording
from bvf.domain.model_names import parts_of_path
from bvf.tables.words import shortened

PROBABLE, TEXTS, THOUGHT = "probable", "texts", "thought"
"""What is read of a model, in its name: the first only beside a model that wrote texts or thought."""
Way = Generation | Thinking | None
"""How a model wrote texts, or thought before it answered; None: it was asked for probabilities as it is."""
Key = tuple[Hashable, ...]
DISTINGUISHING: tuple[Callable[[Measurement], Hashable], ...] = (
    lambda each: each.format,
    lambda each: frozenset(each.record.labels.items()),
    lambda each: (each.record.model.tolerance, each.record.order, each.record.asked.draws),
    lambda each: str(each.folder or each.record.digest),
)
"""What may distinguish several runs of one model in a topic; tried in this order until they differ."""


def distinct_names(
    names: Sequence[str], facts: Sequence[Sequence[str]], within: Sequence[Hashable] = (), *, always: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return names made distinct. Facts that differ are appended to equal names, one by one, until no names are equal.

    Args:
        names: Names of things.
        facts: Facts about each thing, of the same kinds in the same order; an empty fact is not written.
        within: The place of each thing; names need to differ only within a place. Empty: all are in one place.
        always: A fact about each thing that stands after its name in any case, such as `always_named`; empty: none.

    >>> distinct_names(["a", "a", "b"], [["chat", "x"], ["bare", "x"], ["bare", "x"]])
    ('a (chat)', 'a (bare)', 'b')
    """
    shown: list[tuple[str, ...]] = [()] * len(names)
    places = within or ("",) * len(names)
    for of_each in zip_longest(*facts, fillvalue=""):
        equal = dict[Hashable, list[int]]()
        for index, key in enumerate(list(zip(names, places, shown, strict=True))):
            equal.setdefault(key, []).append(index)
        for indices in equal.values():
            if len({of_each[index] for index in indices}) > 1:
                for index in indices:
                    shown[index] += (of_each[index],) if of_each[index] else ()
    for index, fact in enumerate(always):
        if fact and fact not in shown[index]:
            shown[index] = (fact, *shown[index])
    return tuple(f"{name} ({', '.join(its)})" if its else name for name, its in zip(names, shown, strict=True))


def always_named(wording: Wording, way: Way) -> str:
    """Return the suffix of a model's name for how it was asked, such as ``chat`` or ``chat, texts``.

    It is empty for probabilities in bare contexts.
    """
    asked = [] if wording == "bare" else [WORDINGS[wording]]
    return ", ".join([*asked, *([] if way is None else [THOUGHT if isinstance(way, Thinking) else TEXTS])])


class AskedModel(Protocol):
    """The attributes of a model that `facts_of` reads. Measurements and results have them."""

    @property
    def wording(self) -> Wording: ...

    @property
    def system(self) -> str: ...

    @property
    def user(self) -> str: ...

    @property
    def chat_variables(self) -> Mapping[str, str]: ...

    @property
    def chat_date(self) -> str: ...

    @property
    def revision(self) -> str: ...


def facts_of(
    models: Sequence[AskedModel],
    labels: Sequence[Mapping[str, str]],
    paths: Sequence[str],
    contexts: Sequence[str] = (),
    folders: Sequence[str] = (),
    ways: Sequence[Way] = (),
) -> list[list[str]]:
    """Return facts in which runs of a model may differ, in the order in which they are appended to equal names.

    They are: how it was asked (as of `always_named`), turns, variables and date of the chat, revision, labels, parts of
    ``--model`` (last first), ``contexts`` (how many there are, as of `Asked.contexts_in_words`), and ``folders``.
    """
    keys = list(dict.fromkeys(key for each in labels for key in each))
    parts = [parts_of_path(path)[::-1] for path in paths]
    longest, unknown = max(map(len, parts), default=0), [""] * len(models)
    nothing: Sequence[Way] = [None] * len(models)
    several = any(ways)
    return [
        [
            always_named(each.wording, way) or (PROBABLE if several else WORDINGS[each.wording]),
            each.system and f"system: {shortened(each.system)}",
            each.user and f"user: {shortened(each.user)}",
            assignments(each.chat_variables),
            each.chat_date and f"date: {each.chat_date}",
            each.revision,
            *(f"{key}={its[key]}" if key in its else "" for key in keys),
            *of_path,
            *[""] * (longest - len(of_path)),
            size and f"{size} context{'' if size == '1' else 's'}",
            folder,
        ]
        for each, its, of_path, size, folder, way in zip(
            models, labels, parts, contexts or unknown, folders or unknown, ways or nothing, strict=True
        )
    ]


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
        [each.record.asked.contexts_in_words for each in runs],
        [str(each.folder or each.record.digest) for each in runs],
        [_way(each) for each in runs],
    )
    wordings = [always_named("bare" if each.format else each.record.model.wording, _way(each)) for each in runs]
    always = [", ".join(filter(None, (said, each.format))) for said, each in zip(wordings, runs, strict=True)]
    names = dict(zip(first, distinct_names([each.name for each in models], facts, always=always), strict=True))
    return [[names[key] for key in its_keys] for its_keys in keys]


def _keys(by_topic: Sequence[Sequence[Measurement]]) -> list[list[Key]]:
    """A key per run, equal for runs of one model in different topics. Within a topic, keys are distinct if possible."""
    keys: list[list[Key]] = [[(model_key(each),) for each in of_topic] for of_topic in by_topic]
    for of in DISTINGUISHING:
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
