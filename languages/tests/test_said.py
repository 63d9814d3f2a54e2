"""Mined contexts in which a word of a topic is said of a person."""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "recipes" / "contexts"))
import said

AGE, MARKS = said.Shapes("age"), Path(said.__file__).with_name("marks-age.csv")
TEMPLATES = {
    "Then the young doctor sat down.": ["Then the [Y] [X]"],
    "He was old, and Mary looks so young!": ["The [X] was [Y]", "The [X] looks so [Y]"],
    "Then an old doctor sat down.": [],  # "an" does not stand before "young"
    "Verloc saw the old doctor.": [],
    "Her father saw the old doctor.": [],
    "The doctor is older than the house.": [],
    "Then the old house burned.": [],
}


@pytest.mark.parametrize("sentence", TEMPLATES)
def test_a_word_counts_if_it_is_said_of_a_person_and_nothing_before_tells_it(sentence):
    assert list(AGE.found(sentence, f"then {sentence} her own")) == TEMPLATES[sentence]


def test_different_sentences_count_and_what_the_reader_refused_is_left_out(tmp_path):
    texts = ["She is old. She is old. He is old.", "The nurse is old, too.", "So the old nurse was so tired."]
    corpus = "\n".join(json.dumps({"id": str(at), "text": text}) for at, text in enumerate(texts))
    (tmp_path / "corpus.jsonl").write_text(corpus, "utf-8")
    (tmp_path / "marks.csv").write_text("template,mark\nSo the [Y] [X],nonsense\n", "utf-8")
    said.main("age", tmp_path, tmp_path / "marks.csv", tmp_path / "out.csv")
    assert said.read(tmp_path / "out.csv") == [{"template": "The [X] is [Y]", "count": "3", "documents": "2"}]


def test_the_set_that_is_shipped_is_what_the_reader_marked_ok():
    shipped, marks = said.read(said.PACK / "contexts/age-mined.csv"), said.read(MARKS)
    assert [row["template"] for row in shipped] == [row["template"] for row in marks if row["mark"] == "ok"]
