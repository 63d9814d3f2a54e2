"""The topics and context sets of Spanish, and a small run of each topic whose words agree."""

import csv
from importlib.resources import files

import bvf_es
import pytest
from bvf_es.miner import PERSONS, WORD
from bvf_es.rules import Spanish

import bvf

TOPICS = {each.name: each.load()() for each in bvf_es.bvf_topics()}
SETS = {each.name: each.load()() for each in bvf_es.bvf_contexts()}
OF_GENDER = {"gender", "gender-pronoun", "gender-article"}
ONE_FORM = {*OF_GENDER, "religion"}
FACTS = {f"knowledge/{name}" for name in ("capitals", "continents", "official-languages")}
MINED = {"gender-mined", "gender-article-mined"}


def test_these_are_the_topics_and_each_has_a_set():
    assert set(TOPICS) == {*OF_GENDER, *FACTS, "age", "nationality", "religion", "social-class", "occupation-traits"}
    assert set(SETS) == {*TOPICS, *MINED}


@pytest.mark.parametrize("name", sorted(MINED))
def test_a_mined_set_has_counts_and_documents_and_its_templates_name_nobody(name):
    mined = SETS[name]
    assert mined.sampling.documents > 50
    assert sum(mined.counts) > 300
    assert not [each.text for each in mined.templates if PERSONS & {*WORD.findall(each.text.lower())}]


@pytest.mark.parametrize("name", TOPICS)
def test_topics_say_what_they_leave_out_and_words_agree_where_groups_say_their_gender_alone(name):
    topic = TOPICS[name]
    assert topic.measurement.gaps
    assert SETS[name].sampling.written
    assert len(set(SETS[name].templates)) >= 10
    assert topic.words_agree_with == (() if name in ONE_FORM | FACTS else ("gender",))
    assert bool(topic.group_features) == (name not in OF_GENDER | FACTS)


@pytest.mark.parametrize("name", sorted(OF_GENDER))
def test_words_of_gender_are_pairs_and_no_template_says_a_gender(name):
    masculine, feminine = TOPICS[name].counted_words().values()
    assert len(masculine) == len(feminine)
    if name == "gender":
        assert [Spanish().word_form(word, {"gender": "feminine"}) for word in masculine] == list(feminine)
    assert not [each.text for each in SETS[name].templates if "l [X]" in each.text or "un [X]" in each.text]


def test_every_group_is_in_the_table_of_occupations_and_every_pair_has_one_code():
    with (files(bvf_es) / "occupations.csv").open(encoding="utf-8") as file:
        rows = {row["group"]: row for row in csv.DictReader(file)}
    assert set(rows) == {group for name in TOPICS.keys() - FACTS for group in TOPICS[name].groups}
    for group, factors in TOPICS["age"].factors.items():
        assert (factors["occupation"], factors["form"]) == (rows[group]["english"], rows[group]["form"])
    codes = {(row["english"], row["isco08"]) for row in rows.values()}
    assert len(codes) == len({english for english, _ in codes})


@pytest.mark.parametrize(("name", "groups"), [("gender", ("dentista", "chef")), ("age", ("médico", "médica"))])
def test_a_topic_is_asked_with_words_that_agree(name, groups, toy, tmp_path):
    choices = {"lang": "es", "topic": name, "model": "toy:hash", "plugin": (toy,), "groups": groups}
    result = bvf.run(**choices, out=str(tmp_path / "out"))
    assert (result.language, result.missing) == ("es", 0)
    assert any("viejo as vieja" in note for note in result.notes) == (name == "age")
