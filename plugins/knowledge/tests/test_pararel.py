"""``--topic pararel:FOLDER --relation P36``: reading ParaRel's own files; choices and truths that are refused."""

import json

import pytest
from helpers.topic_text import topic_text

from bvf.errors import BvfError
from bvf.hooks.loader import load

FACTS = [("France", "Paris"), ("Japan", "Tokyo"), ("Bolivia", "Sucre"), ("Bolivia", "La Paz")]
PATTERNS = ["The capital of [X] is [Y] .", "[Y] is the capital of [X] .", "[X]'s capital is [Y]."]


@pytest.fixture
def folder(tmp_path):
    write(tmp_path / "trex", [{"sub_label": subject, "obj_label": answer} for subject, answer in FACTS])
    write(tmp_path / "patterns", [{"pattern": pattern} for pattern in PATTERNS])
    return tmp_path


def write(part, objects):
    part.mkdir(exist_ok=True)
    lines = [json.dumps(each, ensure_ascii=False) for each in objects]
    (part / "P1.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def topic(folder, relation="P1"):
    return load().topics.make(f"pararel:{folder}", {"relation": relation})


def contexts(folder):
    return load().contexts.make(f"pararel:{folder}#P1")


def test_a_relation_becomes_a_topic_and_its_patterns_contexts(folder):
    made = topic(folder)
    assert made.truth == {"France": "Paris", "Japan": "Tokyo"}
    assert made.attribute_names == ("La Paz", "Paris", "Sucre", "Tokyo")
    assert made.measurement.gaps == ("1 of 3 subjects left out: they have several answers",)
    contexts = load().contexts.make(made.contexts)
    assert [template.text for template in contexts.templates] == PATTERNS
    assert set(contexts.counts) == {1.0}
    assert contexts.sampling.written


@pytest.mark.parametrize(
    ("part", "line", "message"),
    [
        ("trex", b'{"sub_label": "Chad"}', 'P1.jsonl, line 2: no "obj_label"'),
        ("trex", b'{"sub_label": "", "obj_label": "Rome"}', 'P1.jsonl, line 2: no "sub_label"'),
        ("trex", b"{", "P1.jsonl, line 2: not JSON"),
        ("trex", b"[1]", "P1.jsonl, line 2: not a JSON object"),
        (
            "trex",
            '{"sub_label": "Köln", "obj_label": "x"}'.encode("latin-1"),
            "P1.jsonl: not UTF-8 at byte 62, in line 2",
        ),
        ("trex", rb'{"sub_label": "New\nYork", "obj_label": "x"}', 'line 2: "sub_label" has a line break'),
        ("trex", rb'{"sub_label": "a\ud800", "obj_label": "x"}', "P1.jsonl, line 2: not JSON: half a character"),
        ("trex", b"[" * 100_000, "P1.jsonl, line 2: not JSON: nested too deeply"),
        ("trex", b"9" * 5000, "P1.jsonl, line 2: not JSON: a number is too long"),
        ("patterns", b'{"pattern": "no slots"}', r"P1.jsonl, line 2: a template needs \[X\], and \[Y\] once"),
    ],
)
def test_a_line_that_is_wrong_is_named(folder, part, line, message):
    file = folder / part / "P1.jsonl"
    first = file.read_bytes().splitlines()[0]
    file.write_bytes(first + b"\n" + line + b"\n")
    with pytest.raises(BvfError, match=message):
        (topic if part == "trex" else contexts)(folder)


def test_labels_may_have_any_character_of_text_and_spaces_become_plain(folder):
    facts = [("A\u2028b\xa0c", "x"), *FACTS]
    write(folder / "trex", [{"sub_label": subject, "obj_label": answer} for subject, answer in facts])
    assert "A\u2028b c" in topic(folder).truth


def test_folders_and_relations_that_are_not_there(folder):
    with pytest.raises(BvfError, match="has 1 relations") as caught:
        load().topics.make(f"pararel:{folder}")
    assert caught.value.hint == "give --relation: P1"
    with pytest.raises(BvfError, match="--relation P2: not in"):
        topic(folder, "P2")
    for nowhere in (folder / "nowhere", "x" * 300, "a\0b"):
        with pytest.raises(BvfError, match="no folders patterns and trex there"):
            topic(nowhere)


def test_patterns_with_the_answer_first_are_asked_too(folder, tmp_path, command):
    asked = ("--topic", f"pararel:{folder}", "--relation", "P1", "--out", tmp_path / "out")
    done = command("run", *asked, "--format", "json", "--quiet")
    assert done.code == 0, done.err
    result = json.loads(done.out)
    assert result["number_of_contexts"] == 3
    assert {"mastery", "expected_score", "confidence_gap", "accuracy", "consistency"} <= set(result)


@pytest.mark.parametrize(
    ("topic", "distractors", "message"),
    [
        ("gender", 3, "--distractors 3: linf is not a criterion of knowledge"),
        ("knowledge/continents", 9, "--distractors 9: of 4 answers, 3 are wrong"),
    ],
)
def test_choices_that_do_not_go_together_are_one_line(tmp_path, command, monkeypatch, topic, distractors, message):
    monkeypatch.chdir(tmp_path)
    done = command("run", "--topic", topic, "--distractors", distractors)
    assert done.code == 2
    assert message in done.err
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("truth", "message"),
    [
        ('France = "Rome"', 'the truth of "France" is "Rome", which is not an attribute'),
        ('France = "Paris"', 'has none for "Japan"'),
        ('Peru = "Paris"', '"truth" names the group "Peru"'),
        ('France = "Paris', "at line 14, column 16"),
    ],
)
def test_a_topic_whose_truth_is_wrong(tmp_path, command, truth, message):
    words = {name: [name] for name in ("Paris", "Tokyo")}
    text = topic_text(words, name="x", groups=("France", "Japan"), tables=f"[truth]\n{truth}")
    (tmp_path / "topic.toml").write_text(text)
    done = command("run", "--topic", tmp_path / "topic.toml", "--criterion", "knowledge:sqrt")
    assert done.code == 2
    assert message in done.err
    assert "topic.toml" in done.err or "topic x" in done.err or "x has" in done.err
