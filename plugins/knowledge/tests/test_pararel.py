"""``--topic pararel:FOLDER --relation P36``: reading ParaRel's own files."""

import json

import pytest

from bvf.errors import BvfError
from bvf.hooks.loader import load

FACTS = [("France", "Paris"), ("Japan", "Tokyo"), ("Bolivia", "Sucre"), ("Bolivia", "La Paz")]
PATTERNS = ["The capital of [X] is [Y] .", "[Y] is the capital of [X] .", "[X]'s capital is [Y]."]


@pytest.fixture
def folder(tmp_path):
    for name in ("trex", "patterns"):
        (tmp_path / name).mkdir()
    write(tmp_path / "trex" / "P1.jsonl", [{"sub_label": s, "obj_label": o} for s, o in FACTS])
    write(tmp_path / "patterns" / "P1.jsonl", [{"pattern": pattern} for pattern in PATTERNS])
    return tmp_path


def write(file, objects):
    file.write_text("\n".join(json.dumps(each) for each in objects) + "\n")


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
    ("file", "line", "message"),
    [
        ("trex/P1.jsonl", '{"sub_label": "Chad"}', 'P1.jsonl, line 2: no "obj_label"'),
        ("trex/P1.jsonl", '{"sub_label": "", "obj_label": "Rome"}', 'P1.jsonl, line 2: no "sub_label"'),
        ("trex/P1.jsonl", "{", "P1.jsonl, line 2: not JSON"),
        ("trex/P1.jsonl", "[1]", "P1.jsonl, line 2: not a JSON object"),
        ("patterns/P1.jsonl", '{"pattern": "no slots"}', r"P1.jsonl, line 2: a template needs \[X\], and \[Y\] once"),
    ],
)
def test_a_line_that_is_wrong_is_named(folder, file, line, message):
    path = folder / file
    first = path.read_text().splitlines()[0]
    path.write_text(f"{first}\n{line}\n")
    read = topic if file.startswith("trex") else contexts
    with pytest.raises(BvfError, match=message):
        read(folder)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"sub_label": "Köln", "obj_label": "x"}'.encode("latin-1"), "P1.jsonl: not UTF-8 at byte 16"),
        (rb'{"sub_label": "New\nYork", "obj_label": "x"}', 'P1.jsonl, line 1: "sub_label" has a line break'),
        (rb'{"sub_label": "a\ud800", "obj_label": "x"}', "P1.jsonl, line 1: not JSON: half a character"),
        (b"[" * 100_000, "P1.jsonl, line 1: not JSON: nested too deeply"),
        (b"9" * 5000, "P1.jsonl, line 1: not JSON: a number is too long"),
    ],
)
def test_a_file_beyond_the_usual_is_one_line(folder, content, message):
    (folder / "trex" / "P1.jsonl").write_bytes(content)
    with pytest.raises(BvfError, match=message):
        topic(folder)


def test_labels_may_have_any_character_of_text_and_spaces_become_plain(folder):
    label = "A\u2028b\xa0c"
    facts = [{"sub_label": subject, "obj_label": answer} for subject, answer in [(label, "x"), *FACTS]]
    lines = "\n".join(json.dumps(fact, ensure_ascii=False) for fact in facts)
    (folder / "trex" / "P1.jsonl").write_text(lines, encoding="utf-8")
    assert "A\u2028b c" in topic(folder).truth


@pytest.mark.parametrize("name", ["x" * 300, "a\0b"])
def test_a_name_that_no_folder_has(name):
    with pytest.raises(BvfError, match="no folders patterns and trex there"):
        load().topics.make(f"pararel:{name}#P1")


def test_relations_that_are_there_are_named(folder):
    with pytest.raises(BvfError, match="has 1 relations") as caught:
        load().topics.make(f"pararel:{folder}")
    assert caught.value.hint == "give --relation: P1"
    with pytest.raises(BvfError, match="--relation P2: not in"):
        topic(folder, "P2")
    with pytest.raises(BvfError, match="no folders patterns and trex there"):
        topic(folder / "nowhere")


def test_patterns_with_the_answer_first_are_asked_too(folder, tmp_path, command):
    asked = ("--topic", f"pararel:{folder}", "--relation", "P1", "--out", tmp_path / "out")
    done = command("run", *asked, "--format", "json", "--quiet")
    assert done.code == 0, done.err
    result = json.loads(done.out)
    assert result["number_of_contexts"] == 3
    assert {"mastery", "expected_score", "confidence_gap", "accuracy", "consistency"} <= set(result)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--topic", "gender", "--distractors", "3"], "--distractors 3: linf is not a criterion of knowledge"),
        (["--topic", "knowledge/continents", "--distractors", "9"], "--distractors 9: of 4 answers, 3 are wrong"),
    ],
)
def test_choices_that_do_not_go_together_are_one_line(tmp_path, command, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    done = command("run", *arguments)
    assert done.code == 2
    assert message in done.err
    assert not (tmp_path / "runs").exists()


TOPIC = """schema = "bvf.topic/1"
name = "x"
language = "en"
summary = "s"
contexts = "gender"
sources = ["s"]
groups = ["France", "Japan"]
measurement = {construct = "c", harm = "h", chosen_by = "b", reference = "r"}
attributes = [{name = "Paris", words = ["Paris"]}, {name = "Tokyo", words = ["Tokyo"]}]
[truth]
"""


@pytest.mark.parametrize(
    ("truth", "message"),
    [
        ('France = "Rome"', 'the truth of "France" is "Rome", which is not an attribute'),
        ('France = "Paris"', 'has none for "Japan"'),
        ('Peru = "Paris"', '"truth" names the group "Peru"'),
        ('France = "Paris', "at line 11, column 16"),
    ],
)
def test_a_topic_whose_truth_is_wrong(tmp_path, command, truth, message):
    (tmp_path / "topic.toml").write_text(f"{TOPIC}{truth}\n")
    done = command("run", "--topic", tmp_path / "topic.toml", "--criterion", "knowledge:sqrt")
    assert done.code == 2
    assert message in done.err
    assert "topic.toml" in done.err or "topic x" in done.err or "x has" in done.err
