"""Finds the topic of a measurement by name or in a file, or crosses several, and selects groups as the folder began."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bvf.domain.asked import WordForms
from bvf.domain.context import ContextSet
from bvf.domain.crossing import crossed
from bvf.domain.groups import Selection, drawn_groups, named_groups, own_groups
from bvf.domain.pair import PAIR, PLACES, about_two
from bvf.domain.paired import topic_of_pairs
from bvf.domain.topic import Topic
from bvf.errors import BvfError, ContractError
from bvf.files.topics import read_topic
from bvf.hooks.loader import Plugins
from bvf.interfaces.language import Language
from bvf.measuring.config import MeasureConfig
from bvf.measuring.folder import read_record


def chosen_topic(config: MeasureConfig, plugins: Plugins) -> tuple[Topic, Language]:
    """Return the topic of a configuration, with its own words of classes, and the rules of the topic's language.

    Raises:
        BvfError: There is no such topic, it is in another language than ``--lang``, or its rules are not installed.
    """
    named = config.given().get("lang")
    if named is not None:
        plugins.languages.find(named)
    if config.cross:
        for value in (getattr(config.topic, "name", config.topic), ", ".join(config.topic_options)):
            if value:
                raise BvfError(
                    f"--topic {value} and --cross {','.join(config.cross)} do not go together",
                    "leave one out: crossed topics have their own groups and classes",
                )
        topics = [find_topic(name, plugins, config.lang) for name in config.cross]
        language = plugins.languages.make(topics[0].asked_in(named, plugins.languages.names()))
        return crossed_topic(topics, config.phrase, config.words, language), language
    if config.phrase:
        raise BvfError(f'--phrase "{config.phrase}": no topics are crossed', "it goes with --cross race,gender")
    topic = find_topic(config.topic, plugins, config.lang, config.topic_options)
    language = plugins.languages.make(topic.asked_in(named, plugins.languages.names()))
    return topic.with_words(config.words) if config.words else topic, language


def word_forms_of(topic: Topic, groups: Sequence[str], language: Language) -> tuple[WordForms, ...]:
    """Return the forms of a topic's words by the features of groups that they agree with; empty: they do not agree.

    Raises:
        BvfError: The language has no forms of words, or two words have one form.
    """
    names = topic.words_agree_with
    form_of = _named if topic.words_are_people else language.word_form
    if names and form_of != _named and type(language).word_form is Language.word_form:
        message = f"topic {topic.name}: its words agree with {', '.join(names)}, and the rules of {language.code} have "
        raise BvfError(f"{message}no forms of words", "leave words_agree_with out, or write Language.word_form")
    sets = dict.fromkeys(tuple(group.features[name] for name in names) for group in topic.described(groups) if names)
    words, made = [word for listed in topic.counted_words().values() for word in listed], list[WordForms]()
    for features in (dict(zip(names, values, strict=True)) for values in sets):
        by_form = dict[str, str]()
        for word in words:
            form = form_of(word, features)
            if not isinstance(form, str) or not form or form != form.strip():
                raise ContractError(
                    f"{type(language).__name__}.word_form({word!r}) returned {form!r}, which is no word"
                )
            if form in by_form:
                raise BvfError(
                    f'topic {topic.name}: "{by_form[form]}" and "{word}" are both "{form}" of groups with {features}',
                    "list a word in one form: its other forms are made of it",
                )
            by_form[form] = word
        made.append(WordForms(features=features, forms={word: form for form, word in by_form.items() if form != word}))
    return tuple(made)


def _named(word: str, people: Mapping[str, str]) -> str:
    """A word with the two people of a text in their slots."""
    return word.replace(PAIR[0], people[PLACES[0]]).replace(PAIR[1], people[PLACES[1]])


def find_topic(spec: str | Topic, plugins: Plugins, language: str, options: Mapping[str, Any] | None = None) -> Topic:
    """Return a topic by its name in a language, or from a ``.toml`` file. A `Topic` is returned unchanged."""
    if isinstance(spec, Topic) or _is_file(spec):
        if options:
            called = f"topic {spec.name}" if isinstance(spec, Topic) else f"topic file {spec}"
            raise BvfError(f"the {called} has no options, and {next(iter(options))} is set", "leave it out")
        return spec if isinstance(spec, Topic) else read_topic(Path(spec))
    topic: Topic = plugins.topics.in_language(language).make(spec, options)
    return topic


def options_of(spec: str, plugins: Plugins, language: str) -> type[Any] | None:
    """Return the pydantic class of the options of a topic; None if it has none, as a file."""
    name = spec.partition(":")[0]
    return None if _is_file(spec) else plugins.topics.in_language(language).find(name).options()


def _is_file(spec: str) -> bool:
    return spec.endswith(".toml")


def crossed_topic(
    topics: Sequence[Topic], pattern: str, words: Mapping[str, tuple[str, ...]], language: Language
) -> Topic:
    """Return the topic that crosses several topics.

    ``pattern`` says how their words are joined (empty: one after another, as the language joins words), and ``words``
    replaces the words of a class of one topic before that.
    """
    owners = {name: [topic for topic in topics if name in topic.attribute_names] for name in words}
    for name, having in owners.items():
        if len(having) != 1:
            number = "none of the crossed topics has" if not having else "several of the crossed topics have"
            classes = ", ".join(each for topic in topics for each in topic.attribute_names)
            raise BvfError(f'--words: {number} the class "{name}"', f"their classes are {classes}")
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


def selected_groups(topic: Topic, config: MeasureConfig) -> tuple[tuple[str, ...], Selection | None]:
    """Return the groups that are scored, and also how they were selected (None: all are scored).

    Names that the topic does not have are groups of the user's own: `Selection.own` of the second.
    For ``--limit-groups`` earlier versions of bvf took the first groups; a folder begun by them keeps these groups.
    """
    own = own_groups(config.groups, topic.groups)
    known, limit = (*topic.groups, *own), config.limit_groups
    groups = named_groups(config.groups, known, f"of {topic.name}") if config.groups else known
    if not limit or limit >= len(groups):
        return groups, None if groups == topic.groups else Selection(of=len(known), own=own)
    if _begun_with(config.out, groups[:limit]):
        return groups[:limit], None
    return drawn_groups(groups, limit, config.seed), Selection(of=len(groups), own=own, seed=config.seed)


def in_pairs(
    topic: Topic, groups: tuple[str, ...], selection: Selection | None, contexts: ContextSet
) -> tuple[Topic, tuple[str, ...], Selection | None]:
    """Return topic, groups and their selection for contexts about two people: groups are ordered pairs then.

    Raises:
        BvfError: Some contexts are about two people and others about one, words are people and contexts are about one,
            groups are no pairs, or one that was named is in no pair.
    """
    about = {about_two(text) for text in contexts.texts}
    if about == {False} and not topic.words_are_people:
        return topic, groups, selection
    if about != {True}:
        others = "others" if len(about) == 2 else f"words of {topic.name}"
        message = f"{contexts.name}: contexts have [X], and {others} [X1] and [X2]"
        raise BvfError(message, "write [X1] and [X2] in each context of two people")
    of_pairs = topic_of_pairs(topic, groups)
    alone = set(groups).difference(*(each.values() for each in of_pairs.factors.values()))
    if alone and selection and selection.seed is None:
        raise BvfError(f'--groups: "{min(alone)}" is in no pair of {topic.name}', "name both groups of a pair")
    of = len(topic.pairs) * 2 or selection.of * (selection.of - 1) if selection else 0
    return of_pairs, of_pairs.groups, selection and selection.model_copy(update={"of": of})


def _begun_with(out: str, groups: tuple[str, ...]) -> bool:
    """Whether a folder has the measurement of these groups by a version of bvf that drew none."""
    if not out:
        return False
    try:
        asked = read_record(Path(out)).asked
    except BvfError:
        return False  # there is none, or it is refused when the measurement begins
    return asked.selection is None and asked.group_names == groups
