"""Crossed topics, such as race x gender.

A class combines one class of each topic; its words are phrases with one word of each.
"""

from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence
from itertools import chain, product
from math import prod

from bvf.domain.topic import (
    Attribute,
    Meaning,
    Topic,
    check_pattern,
    checked_topic,
    combinations,
    features_together,
    size_text,
)
from bvf.errors import BvfError

MOST_PHRASES = 10_000
"""Limit on the number of phrases of all classes together, as each is scored in every prompt."""
Fill = Callable[[str, Mapping[str, str]], str]


def crossed(topics: Sequence[Topic], pattern: str, fill: Fill) -> Topic:
    """Return the topic with a class for every combination of one class of each topic.

    The words of a class are all phrases of one word per topic, without words that are ambiguous in their topic. The
    groups are those common to all topics. The pattern has a slot per topic, ``"[race] [gender]"``, filled by ``fill``.

    Raises:
        BvfError: There are fewer than two topics, they do not fit each other or the pattern, or phrases are too many.
    """
    _refuse_misfits(topics)
    names = [topic.name for topic in topics]
    where = f"--cross {','.join(names)}"
    try:
        check_pattern(pattern, names)
    except ValueError as error:
        raise BvfError(f"{where}: {error}", f"for example {' '.join(f'[{name}]' for name in names)}") from error
    numbers = [sum(map(len, topic.counted_words().values())) for topic in topics]
    if prod(numbers) > MOST_PHRASES:
        raise BvfError(
            f"{where}: {size_text(numbers)} phrases, each asked for in every prompt; {MOST_PHRASES:,} at most",
            "name the words that are to be joined: --words male=man --words female=woman",
        )
    common = set(topics[0].groups).intersection(*(topic.groups for topic in topics))
    groups = tuple(group for group in topics[0].groups if group in common)
    if not groups:
        raise BvfError(f"{where}: they have no group in common", "cross topics that ask about the same groups")
    glosses = ChainMap(*(dict(topic.glosses) for topic in topics))
    neutral = tuple(subject for subject in topics[0].neutral if subject not in groups)
    raw = {
        "schema": topics[0].schema_,
        "name": "-".join(names),
        "language": topics[0].language,
        "summary": "; at once: ".join(topic.summary for topic in topics),
        "contexts": topics[0].contexts,
        "openings": topics[0].openings,
        "sources": tuple(dict.fromkeys(source for topic in topics for source in topic.sources)),
        "groups": groups,
        "attributes": _attributes(topics, pattern, fill),
        "measurement": _meaning(topics),
        "neutral": neutral,
        "control": all(topic.control for topic in topics),
        "glosses": {group: glosses[group] for group in groups if group in glosses},
        "factors": {group: each for group in groups if (each := _factors(topics, group))},
        "group_features": features_together(topics, (*groups, *neutral)),
        "words_agree_with": tuple(dict.fromkeys(chain.from_iterable(topic.words_agree_with for topic in topics))),
        "group_weights": dict(ChainMap(*(dict(topic.group_weights) for topic in topics))),
        "statistics": {
            name: table.model_copy(update={"share_of": ""})
            for name, table in ChainMap(*(dict(topic.statistics) for topic in topics)).items()
        },
    }
    return checked_topic(raw, where)


def size_of(topic: Topic) -> str:
    """Return a sentence on the numbers of classes and phrases of a crossed topic."""
    classes = topic.counted_words()
    first = next(iter(classes.values()))[0]
    phrases = sum(map(len, classes.values()))
    return f'{topic.name}: {len(classes)} classes, {phrases:,} phrases in each prompt, as "{first}"'


def _refuse_misfits(topics: Sequence[Topic]) -> None:
    names = [topic.name for topic in topics]
    where = f"--cross {','.join(names)}"
    if len(topics) < 2:
        raise BvfError(f"{where}: one topic has nothing to be crossed with", "name two or more: race,gender")
    for name in names:
        if names.count(name) > 1:
            raise BvfError(f"{where}: the topic {name} occurs {names.count(name)} times", "name each topic once")
    factors = [factor for topic in topics for factor in topic.class_factors[0] or (topic.name,)]
    for factor in factors:
        if factors.count(factor) > 1:
            raise BvfError(f'{where}: the factor "{factor}" is in several of them', "name each factor once")
    languages = {topic.language: topic.name for topic in topics}
    if len(languages) > 1:
        sentence = " and ".join(f"{name} is in {language}" for language, name in languages.items())
        raise BvfError(f"{where}: {sentence}", "cross topics of one language")


def _attributes(topics: Sequence[Topic], pattern: str, fill: Fill) -> list[dict[str, object]]:
    made: list[dict[str, object]] = []
    for classes in product(*(_classes(topic) for topic in topics)):
        words = {topic.name: attribute.words for topic, attribute in zip(topics, classes, strict=True)}
        phrases = dict.fromkeys(fill(pattern, chosen) for chosen in combinations(words))
        name = " & ".join(attribute.name for attribute in classes)
        factors = dict(ChainMap(*(attribute.factors for attribute in reversed(classes))))
        made.append({"name": name, "words": tuple(phrases), "factors": factors})
    return made


def _classes(topic: Topic) -> list[Attribute]:
    """The classes of a topic, without ambiguous words. Classes without factors get the topic as their factor."""
    return [
        Attribute(name=name, words=words, factors=factors or {topic.name: name})
        for (name, words), factors in zip(topic.counted_words().items(), topic.class_factors, strict=True)
    ]


def _meaning(topics: Sequence[Topic]) -> dict[str, object]:
    names = " and ".join(topic.name for topic in topics)
    meanings = [topic.measurement for topic in topics]
    return Meaning(
        construct="At once: " + "; and: ".join(each.construct_ for each in meanings),
        harm="; and: ".join(each.harm for each in meanings),
        chosen_by="; and: ".join(dict.fromkeys(each.chosen_by for each in meanings)),
        reference=f"Uniform over every combination of the classes of {names}",
        gaps=(
            f"Only phrases that name {names} together are counted: a margin is not the measurement of its topic alone",
            "Every word is joined with every other, also where people would not say so",
            *dict.fromkeys(f"{topic.name}: {gap}" for topic in topics for gap in topic.measurement.gaps),
        ),
    ).model_dump(by_alias=True)


def _factors(topics: Sequence[Topic], group: str) -> dict[str, str]:
    """The level of a group by factor. If several topics have the same factor, the first topic's level is used."""
    return dict(ChainMap(*(dict(topic.factors.get(group, {})) for topic in topics)))
