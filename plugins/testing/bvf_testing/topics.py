"""Checks of topics, beyond the rules of their file format, and of context sets."""

import re
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from bvf import BvfError, ContextSet, Topic, load
from bvf.files import CONTEXT_ENDINGS, read_group_values, read_group_weights, read_reference
from bvf.hooks import Plugins
from bvf_testing.check import Check, checks_of, require


def topic_checks(topic: Topic, plugins: Plugins | None = None) -> list[Check]:
    """Return the checks of a topic.

    It holds what a topic file must; no word is counted in two classes or stands in a neutral subject; sources and the
    statement of what is measured are not empty; groups and words can stand in a template; tables can be read; truths
    and features are complete; words have a form for each group that they agree with; the rules of its language, its
    context set and its criterion are in ``plugins``, or installed.
    """
    return [*checks_of(TOPIC_CHECKS, topic), *checks_of(PLACE_CHECKS, topic, plugins or load())]


def holds_what_a_topic_file_must(topic: Topic) -> None:
    """The topic is valid, and stays the same when it is written to a file and read, wherever it comes from."""
    try:
        again = Topic.model_validate(topic.model_dump(by_alias=True, warnings="error"))
    except (BvfError, ValueError) as error:
        why = error.message if isinstance(error, BvfError) else error
        raise AssertionError(f"topic {topic.name} is not valid: {why}") from error
    require(again == topic, f"topic {topic.name} is another one after it was written and read")


def no_word_is_in_two_classes(topic: Topic) -> None:
    """Every counted word belongs to only one class, ignoring case."""
    seen: dict[str, str] = {}
    for attribute in topic.attributes:
        for word in (word.casefold() for word in attribute.words if word not in topic.ambiguous):
            owner = seen.setdefault(word, attribute.name)
            require(owner == attribute.name, f'the word "{word}" is in two classes, {owner} and {attribute.name}')


def sources_are_given(topic: Topic) -> None:
    """There are sources, and each can be looked up. The source of an example topic must name all groups instead."""
    require(topic.sources, f"topic {topic.name} has no sources")
    for source in topic.vague_sources:
        require(
            source.startswith(topic.EXAMPLE) and all(group in source for group in topic.groups),
            f'the source "{source}" cannot be looked up: give author, title, year, and where it is',
        )


def says_what_it_measures(topic: Topic) -> None:
    """The summary is one line, and no statement on what is measured is empty."""
    require(topic.summary.strip() and "\n" not in topic.summary, f"the summary of {topic.name} is not one line")
    stated = topic.measurement.model_dump(by_alias=True, exclude={"gaps"}, exclude_defaults=True)
    for field in ("construct", "harm", "chosen_by", "reference"):
        require(stated.get(field, "").strip(), f"[measurement] of {topic.name} does not say its {field}")


def groups_and_words_fit_a_template(topic: Topic) -> None:
    """Nothing that goes into a template has slots or line breaks of its own, but words may be one of two people."""
    for text in (*topic.groups, *topic.neutral, *(word for attribute in topic.attributes for word in attribute.words)):
        message = f'"{text}" has a bracket, tab or line break: it cannot stand in a sentence'
        require(not set(re.sub(r"\[X[12]\]", "", text)) & set("[]\n\t"), message)


def neutral_subjects_have_no_word_of_a_class(topic: Topic) -> None:
    """No word of a class occurs in a neutral subject, as predictions for it must not show a lean of the subject."""
    words = {word.casefold() for attribute in topic.attributes for word in attribute.words}
    for subject in topic.neutral:
        shared = words.intersection(subject.casefold().split())
        require(not shared, f'the neutral subject "{subject}" of {topic.name} has the word "{min(shared, default="")}"')


def tables_can_be_read(topic: Topic) -> None:
    """Tables of weights, references and statistics can be read, have valid values, and name groups of the topic."""
    classes = topic.attribute_names
    try:
        tables: list[tuple[str, Iterable[str]]] = [
            *((name, read_group_weights(Path(each.file))) for name, each in topic.group_weights.items()),
            *((name, read_reference(Path(each.file), classes)) for name, each in topic.references.items()),
            *((name, read_group_values(Path(each.file), each.column)) for name, each in topic.statistics.items()),
        ]
    except BvfError as error:
        raise AssertionError(f"a table of {topic.name} cannot be read: {error.message}") from error
    for name, table in tables:
        groups = set(topic.groups).intersection(table)
        require(groups, f'the table "{name}" names no group of {topic.name}')


def truths_are_complete(topic: Topic) -> None:
    """Either every group has a true attribute, or none has."""
    without = [group for group in topic.groups if group not in topic.truth]
    message = f'{topic.name} has a true attribute for some groups, none for "{without[:1]}"'
    require(not topic.truth or not without, message)


def features_are_complete(topic: Topic) -> None:
    """Every group has each feature: wording rules cannot agree with a noun whose gender they do not know."""
    for name, table in topic.group_features.items():
        without = [group for group in topic.groups if group not in table]
        require(not without, f'{topic.name} has the feature "{name}" of some groups, not of "{without[:1]}"')


def rules_of_its_language_exist(topic: Topic, plugins: Plugins) -> None:
    """The wording rules of the topic's language are installed: a run is asked in that language."""
    topic.asked_in(None, plugins.languages.names())


def words_have_a_form_for_each_group(topic: Topic, plugins: Plugins) -> None:
    """Where words agree with groups, the language makes another word of each, without spaces around it, every time."""
    words = [word for listed in topic.counted_words().values() for word in listed]
    for group in topic.described(topic.groups) if topic.words_agree_with else ():
        language = plugins.languages.make(topic.language)
        features = {name: group.features[name] for name in topic.words_agree_with}
        forms, again = ([language.word_form(word, features) for word in words] for _ in range(2))
        require(
            all(form and form == str(form).strip() for form in forms), f"of {words} it makes {forms} for {features}"
        )
        require(len({*forms}) == len(words), f"two of {words} have one form for {features}: {forms}")
        require(forms == again, f"the second time, other forms are made for {features}: {again}, not {forms}")


def contexts_and_criterion_exist(topic: Topic, plugins: Plugins) -> None:
    """The context set, the openings and the criterion that the topic names are installed and fit it."""
    sets = plugins.contexts.in_language(topic.language)
    for named in filter(None, (topic.contexts, topic.texts)):
        where = Path(named)
        require(
            named.partition(":")[0] in sets.names() or (where.suffix in CONTEXT_ENDINGS and where.is_file()),
            f'there is no context set "{named}" in {topic.language}; there are {", ".join(sets.names())}',
        )
    if topic.openings:
        pools = plugins.languages.make(topic.language).openings()
        message = f'there are no openings "{topic.openings}" in {topic.language}; there are {", ".join(pools)}'
        require(topic.openings in pools, message)
    if topic.criterion:
        try:
            criterion = plugins.criteria.make(topic.criterion)
            criterion = criterion.for_classes(topic.attribute_names) if hasattr(criterion, "for_classes") else criterion
            criterion(np.zeros(len(topic.attributes)))
        except BvfError as error:
            raise AssertionError(f'the criterion "{topic.criterion}" of {topic.name}: {error.message}') from error


TOPIC_CHECKS = (
    holds_what_a_topic_file_must,
    no_word_is_in_two_classes,
    sources_are_given,
    says_what_it_measures,
    groups_and_words_fit_a_template,
    neutral_subjects_have_no_word_of_a_class,
    tables_can_be_read,
    truths_are_complete,
    features_are_complete,
)
PLACE_CHECKS = (rules_of_its_language_exist, words_have_a_form_for_each_group, contexts_and_criterion_exist)


def contexts_checks(contexts: ContextSet) -> list[Check]:
    """Return the checks of a context set: templates are clean lines, weights sum to 1, and there is a source."""
    return checks_of(CONTEXTS_CHECKS, contexts)


def templates_are_clean(contexts: ContextSet) -> None:
    """Lines of templates have no space at either end and no double space, and none is empty: a model would see them."""
    for template in contexts.templates:
        clean = "\n".join(" ".join(line.split()) for line in template.text.split("\n") if line.strip())
        require(template.text == clean, f"{template.text!r} has spaces or line breaks that a model would see")


def weights_are_a_distribution(contexts: ContextSet) -> None:
    """Each weight is above 0, and they sum to 1."""
    weights = contexts.weights()
    require(np.isclose(weights.sum(), 1.0), f"the weights of {contexts.name} sum to {weights.sum():g}")
    lightest = contexts.templates[int(weights.argmin())].text
    require(weights.min() > 0, f'"{lightest}" has weight 0: it would be scored and count for nothing')


def source_is_given(contexts: ContextSet) -> None:
    """The source of the counts is named."""
    require(contexts.source.strip(), f"{contexts.name} does not say where its counts are from")


CONTEXTS_CHECKS = (templates_are_clean, weights_are_a_distribution, source_is_given)
