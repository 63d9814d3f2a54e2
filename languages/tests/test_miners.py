"""What the miner of each language makes of sentences and templates that were labelled by hand, with its own parser."""

import csv
import runpy
from pathlib import Path

import pytest
from bvf_stanza.options import StanzaOptions
from bvf_testing import miner_checks
from helpers.miners import made, mined

from bvf.interfaces.miner import Document

pytest.importorskip("stanza")
LANGUAGES = Path(__file__).resolve().parents[1]
DOCUMENTS = {
    "en": (
        Document("a", "The nurse said that she was tired. It was late.\n\nThe plumber says he will come on Tuesday."),
        Document("b", "Nothing happened."),
        Document("c", "We met. The minister has announced that she will resign. The doctor shaved his beard."),
    ),
    "zh": (
        Document("a", "医生说他明天不来了。天气很好。\n护士承认她错了。"),
        Document("b", "天气很好。"),
        Document("c", "他来了。他说他很累。老师认为他是对的。"),
    ),
}
NOUNS = {"zh": {"age": ("青年",), "religion": ("穆斯林", "佛教徒"), "education": ("大学毕业生",)}}
"""Words for people that stand before a noun in the labelled sentences; topics of the pack ask for other words."""


@pytest.fixture(scope="module", params=["en", "zh"])
def code(request):
    return request.param


def labelled(code, name):
    return list(csv.DictReader((LANGUAGES / code / "tests" / "mining" / f"{name}.csv").read_text("utf-8").splitlines()))


def test_contract(code):
    for check in miner_checks(made(code), DOCUMENTS[code]):
        check()


def test_what_is_kept_of_the_labelled_sentences_is_right_and_the_rest_is_dropped_with_the_reason(code, record_property):
    miner = made(code)
    if code == "en":  # also parse those in which word lists alone exclude a match
        miner.sieve.means_nobody = lambda *_: ""
    rows = labelled(code, "sentences")
    answers = [(row, *mined(miner, row["text"])) for row in rows]
    kept = [(row["template"], got[0]) for row, got, _ in answers if got]
    right, wanted = sum(label == got for label, got in kept), sum(bool(row["template"]) for row in rows)
    record_property("precision", right / len(kept))
    record_property("recall", right / wanted)
    assert right / len(kept) >= 0.9
    assert right / wanted >= 0.9
    for row, got, reasons in answers:
        if not row["template"]:
            assert (row["text"], got, reasons) == (row["text"], [], [row["reason"]])


@pytest.mark.parametrize(
    ("code", "text", "rule"),
    [
        ("en", "The nurse told Tom that she was tired.", "the word of Y may mean a second person: someone"),
        ("en", "The cook went to a convent school because she was poor.", "a word of the template tells of Y: convent"),
        ("zh", "医生告诉我他很累。", "the word of Y may mean a second person: 告诉我"),
        ("zh", "当老师化妆的时候\uff0c她很累。", "a word of the template tells of Y: 化妆"),
    ],
)
def test_templates_with_a_cue_are_dropped_unless_kept(code, text, rule):
    assert mined(made(code, options=None), text) == ([], [rule])
    (match,) = made(code)([Document("d", text)]).matches
    assert match.cue in match.template.text


@pytest.mark.parametrize(("code", "recall", "persons"), [("en", 0.9, 6), ("zh", 0.85, 5)])
def test_the_lexicon_finds_cues_and_second_persons_in_labelled_templates(code, recall, persons, record_property):
    lexicon, rows = made(code).lexicon, labelled(code, "cues")
    found = {row["template"] for row in rows if lexicon.cue(row["template"])}
    cues = {row["template"] for row in rows if row["label"] == "cue"}
    record_property("recall of cues", len(found) / len(cues))
    assert found <= cues
    assert len(found) / len(cues) >= recall
    others = [row for row in rows if row["label"] != "cue"]
    of_persons = {row["template"] for row in others if lexicon.second(row["template"])}
    assert of_persons <= {row["template"] for row in others if row["label"] == "second person"}
    assert len(of_persons) == persons


def test_attributes_before_the_noun_are_found_in_labelled_sentences_and_dropped_in_doubt(code, record_property):
    rows, before = labelled(code, "attributes"), StanzaOptions(attribute="before")
    nouns = NOUNS.get(code, {})
    miners = {topic: made(code, topic, nouns.get(topic, ()), before) for topic in {row["topic"] for row in rows}}
    answers = [(row, *mined(miners[row["topic"]], row["text"])) for row in rows]
    kept = [(row["template"], got[0]) for row, got, _ in answers if got]
    recall = len(kept) / sum(bool(row["template"]) for row in rows)
    record_property("recall", recall)
    assert [label for label, _ in kept] == [got for _, got in kept]
    assert recall >= 0.9
    dropped = [(row["text"], *why) for row, got, why in answers if row["reason"] and not got]
    assert dropped == [(row["text"], row["reason"]) for row in rows if row["reason"]]


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("en", ["CC BY-SA 4.0", "21,061 sentences", "82.00", "EWT", "GUM", "PUD"]),
        ("zh", ["CC BY-SA 4.0", "60.75", "GSD", "PUD", "jieba"]),
    ],
)
def test_the_parser_is_small_and_has_a_card(code, words):
    folder = LANGUAGES / code / f"bvf_{code}" / "models" / "stanza"
    assert sum(file.stat().st_size for file in folder.rglob("*.pt")) < 6_000_000
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert [each for each in words if each not in card] == []


@pytest.mark.long
@pytest.mark.shared
@pytest.mark.parametrize(("code", "number", "right", "found"), [("en", 200, 0.95, 0.1), ("zh", 100, 0.9, 0.3)])
def test_sentences_labelled_by_hand(code, number, right, found, shared, record_property):
    """Labels are positions in external corpora. Recall is relative to the sentences that an early version parsed."""
    script = runpy.run_path(str(LANGUAGES.parent / "benchmarks" / "mining" / "labelled.py"))
    judged = script["judge"](made(code), code, shared)
    kept = [row["means_subject"] for row, is_kept in judged if is_kept]
    recall = script["recall"](judged, script["STRATA"][code])
    record_property("kept, recall", str((kept.count("yes"), len(kept), recall)))
    assert len(judged) == number
    assert len(kept) >= number // 4
    assert kept.count("yes") >= right * len(kept)
    assert recall >= found
