"""The topic that is asked about: by its name, from a file, or several crossed."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bvf.domain.crossing import crossed
from bvf.domain.topic import Topic
from bvf.errors import BvfError
from bvf.files.topics import read_topic
from bvf.hooks.loader import Plugins
from bvf.interfaces.language import Language
from bvf.measuring.config import MeasureConfig

Words = Mapping[str, tuple[str, ...]]


def chosen_topic(config: MeasureConfig, plugins: Plugins, language: Language) -> Topic:
    """Return the topic of a configuration with the words that it wants.

    Raises:
        BvfError: A name is unknown, a file is wrong, or choices do not fit each other.
    """
    if config.cross:
        _refuse_beside_cross(config)
        topics = [find_topic(name, plugins, language) for name in config.cross]
        return crossed_topic(topics, config.phrase, config.words, language)
    if config.phrase:
        raise BvfError(f'--phrase "{config.phrase}": no topics are crossed', "it goes with --cross race,gender")
    topic = find_topic(config.topic, plugins, language, config.topic_options)
    return topic.with_words(config.words) if config.words else topic


def find_topic(
    spec: str | Topic, plugins: Plugins, language: Language, options: Mapping[str, Any] | None = None
) -> Topic:
    """Return a topic by its name in a language, or from a ``.toml`` file; a `Topic` is returned as it is.

    Raises:
        BvfError: The name is unknown, the file is wrong, or there is no such option.
    """
    if isinstance(spec, Topic) or spec.endswith(".toml"):
        if options:
            called = f"topic {spec.name}" if isinstance(spec, Topic) else f"topic file {spec}"
            raise BvfError(f"the {called} has no options, and {next(iter(options))} is set", "leave it out")
        return spec if isinstance(spec, Topic) else read_topic(Path(spec))
    topic: Topic = plugins.topics.in_language(language.code).make(spec, options)
    return topic


def crossed_topic(topics: Sequence[Topic], pattern: str, words: Words, language: Language) -> Topic:
    """Return topics crossed as their language joins words, with other words for some of their classes.

    Args:
        topics: Two or more.
        pattern: How their words are joined; empty: one after another.
        words: By class of a topic, before words are joined.
        language: Joins words.

    Raises:
        BvfError: No topic or several have a class of ``words``, or the topics cannot be crossed.
    """
    owners = {name: [topic for topic in topics if name in topic.attribute_names] for name in words}
    for name, having in owners.items():
        if len(having) != 1:
            told = "none of the crossed topics has" if not having else "several of the crossed topics have"
            classes = ", ".join(each for topic in topics for each in topic.attribute_names)
            raise BvfError(f'--words: {told} the class "{name}"', f"their classes are {classes}")
    words_by_topic = [{name: words[name] for name in words if owners[name] == [topic]} for topic in topics]
    changed = [
        topic.with_words(chosen) if chosen else topic for topic, chosen in zip(topics, words_by_topic, strict=True)
    ]
    default = language.between_words.join(f"[{topic.name}]" for topic in topics)
    made = crossed(changed, pattern or default, language.phrase)
    if made.language != language.code:
        raise BvfError(
            f"--cross {','.join(topic.name for topic in topics)}: the topics are in {made.language}, and their words "
            f"would be joined as in {language.code}",
            f"add --lang {made.language}",
        )
    return made


def _refuse_beside_cross(config: MeasureConfig) -> None:
    options = ", ".join(config.topic_options)
    for option, value in (("topic", getattr(config.topic, "name", config.topic)), ("topic", options)):
        if value:
            raise BvfError(
                f"--{option} {value} and --cross {','.join(config.cross)} do not go together",
                "leave one out: crossed topics have their own groups and classes",
            )
