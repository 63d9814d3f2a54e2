"""The packs: facts with sources, and the project's own phrasings."""

import json
import re

import pytest
from helpers.benchmark_answers import PUBLISHED, needs_shared

from bvf.hooks.loader import load

PARAREL = PUBLISHED / "pararel"
PLUGINS = load()
NAMES = sorted(
    (entry.provider.language, entry.provider.name)
    for entry in PLUGINS.topics
    if entry.provider.name.startswith("knowledge/")
)
PROPERTIES = {"capitals": "P36", "continents": "P30", "official-languages": "P37", "developers": "P178"}
PROPERTIES |= {"networks": "P449", "fields": "P101", "native-languages": "P103", "birthplaces": "P19"}


def topic_of(language, name):
    return PLUGINS.topics.in_language(language).find(name).make()


def facts_of(topic):
    """Every pair of a subject and a true answer of it."""
    truth = topic.truth.items()
    return [(each, answer) for each, of in truth for answer in ([of] if isinstance(of, str) else of)]


def contexts_of(language, name):
    return PLUGINS.contexts.in_language(language).find(name).make()


@pytest.mark.parametrize(("language", "name"), NAMES)
def test_every_subject_has_an_answer_among_the_candidates_which_does_not_stand_in_it(language, name):
    topic = topic_of(language, name)
    facts = facts_of(topic)
    assert len(topic.groups) >= 30
    assert set(topic.truth) == set(topic.groups)
    assert {answer for _, answer in facts} == set(topic.attribute_names)
    assert all(attribute.words == (attribute.name,) for attribute in topic.attributes)
    assert (topic.criterion, topic.contexts) == ("knowledge:sqrt", name)
    assert not [subject for subject, answer in facts if answer.lower() in subject.lower()]


@pytest.mark.parametrize(("language", "name"), NAMES)
def test_at_least_ten_wordings_have_the_subject_first_and_all_count_alike(language, name):
    contexts = contexts_of(language, name)
    assert len({template.text for template in contexts.templates}) == len(contexts.templates)
    assert len([template for template in contexts.templates if not template.group_right_of_slot]) >= 10
    assert any(template.group_right_of_slot for template in contexts.templates) or language == "zh"
    assert set(contexts.counts) == {1.0}
    assert contexts.sampling.written


@needs_shared
def test_no_wording_is_one_of_pararel():
    def plain(text):
        return re.sub(r"[^\w\[\]]+", " ", text.lower()).strip()

    theirs = {
        plain(json.loads(line)["pattern"])
        for file in (PARAREL / "patterns").glob("*.jsonl")
        for line in file.read_text("utf-8").splitlines()
        if line.strip()
    }
    assert len(theirs) > 300
    ours = [t.text for language, name in NAMES if language == "en" for t in contexts_of(language, name).templates]
    assert not [text for text in ours if plain(text) in theirs]


@needs_shared
@pytest.mark.parametrize("name", sorted(PROPERTIES))
def test_every_fact_is_one_of_trex(name):
    facts = {
        (fact["sub_label"], fact["obj_label"])
        for fact in map(json.loads, (PARAREL / "trex" / f"{PROPERTIES[name]}.jsonl").read_text("utf-8").splitlines())
    }
    first = {subject: answer for subject, answer in reversed(facts_of(topic_of("en", f"knowledge/{name}")))}
    assert first.items() <= facts
