"""``bvf topics show``: a topic by its name, from a file, and from a folder by an option."""

import json
import re

import pytest


@pytest.fixture
def holisticbias(tmp_path):
    """Return a topic that is read from a folder, and needs an option."""
    files = {
        "descriptors": {"age": {"young": ["young"], "old": ["old", "elderly"]}, "looks": {"all": ["tall", "short"]}},
        "nouns": {"female": [["woman", "women"]], "neutral": [["kid", "kids"]]},
        "sentence_templates": {"I like {plural_noun_phrase}.": {}},
    }
    for name, values in files.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(values))
    return f"holisticbias:{tmp_path}"


def test_a_topic_from_a_folder_is_shown_by_the_option_that_its_refusal_names(command, in_json, refused, holisticbias):
    assert "give -T axis=NAME: age, looks" in refused("topics", "show", holisticbias)
    shown = command("topics", "show", holisticbias, "-T", "axis=age")
    assert re.search(r"class old +old, elderly\n", shown.out), shown
    assert re.search(r"option -T axis= +An axis of the folder, such as age\.\n", shown.out)
    assert in_json("topics", "show", holisticbias, "-T", "axis=looks")["groups"] == ["women", "kids"]


def test_a_relation_is_shown_by_its_everyday_option_and_by_that_of_the_topic(command, refused, tmp_path):
    for folder in ("trex", "patterns"):
        (tmp_path / folder).mkdir()
    facts = [{"sub_label": "France", "obj_label": "Paris"}, {"sub_label": "Japan", "obj_label": "Tokyo"}]
    (tmp_path / "trex" / "P36.jsonl").write_text("\n".join(map(json.dumps, facts)))
    (tmp_path / "patterns" / "P36.jsonl").write_text('{"pattern": "The capital of [X] is [Y]."}')
    called = ("topics", "show", f"pararel:{tmp_path}")
    assert "give --relation: P36" in refused(*called)
    everyday = command(*called, "--relation", "P36")
    assert re.search(r"2 groups +France, Japan\n", everyday.out), everyday
    assert command(*called, "-T", "relation=P36").out == everyday.out


def test_mining_takes_the_option_too(refused, holisticbias, tmp_path):
    corpus, out = tmp_path / "corpus.txt", tmp_path / "mined.csv"
    corpus.write_text("The old women said that it rained.")
    called = ("mine", corpus, "-o", out, "--topic", holisticbias)
    assert "give -T axis=NAME: age, looks" in refused(*called)
    wrong = refused(*called, "-T", "axis=agee")
    assert ("-T axis=agee: not in" in wrong, "did you mean age?" in wrong) == (True, True)
