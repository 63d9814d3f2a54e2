"""The Chinese miner with the bundled parser: labelled sentences, and the checks for miners."""

import csv
import runpy
from pathlib import Path

import pytest
from bvf_stanza.options import StanzaOptions
from bvf_testing import miner_checks
from bvf_zh.rules import CLAUSE

from bvf.errors import BvfError
from bvf.hooks.loader import load
from bvf.interfaces.miner import Document, MiningRequest

pytest.importorskip("stanza")
HERE = Path(__file__).parent
MODELS = HERE.parent / "bvf_zh" / "models" / "stanza"
SENTENCES = list(csv.DictReader((HERE / "mining" / "sentences.csv").read_text(encoding="utf-8").splitlines()))
ATTRIBUTES = list(csv.DictReader((HERE / "mining" / "attributes.csv").read_text(encoding="utf-8").splitlines()))
NOUNS = {"age": ("青年",), "religion": ("穆斯林", "佛教徒"), "education": ("大学毕业生",)}
"""Words for people that stand before a noun in the labelled sentences; topics of the pack ask for other words."""
DOCUMENTS = (
    Document("a", "医生说他明天不来了。天气很好。\n护士承认她错了。"),
    Document("b", "天气很好。"),
    Document("c", "他来了。他说他很累。老师认为他是对的。"),
)


CUES = list(csv.DictReader((HERE / "mining" / "cues.csv").read_text(encoding="utf-8").splitlines()))
KEPT = StanzaOptions(cues="keep")


def made(topic="gender", words=(), options=KEPT, **limits):
    plugins = load()
    of_pack = plugins.topics.in_language("zh").make(topic)
    asked = of_pack.with_words({of_pack.attribute_names[0]: words}) if words else of_pack
    request = MiningRequest(asked, options=options, **limits)
    return plugins.miners.in_language("zh").find("zh").make(request)


@pytest.fixture(scope="module")
def miner():
    return made()


def mined(miner, text):
    outcome = miner([Document("text", text)])
    return [match.template.text for match in outcome.matches], list(outcome.dropped)


def test_what_is_kept_of_the_labelled_sentences_is_right(miner, record_property):
    answers = [(row["template"], *mined(miner, row["text"])[0]) for row in SENTENCES]
    kept = [answer for answer in answers if len(answer) > 1]
    right = sum(wanted == got for wanted, got in kept)
    all_wanted = sum(bool(row["template"]) for row in SENTENCES)
    record_property("precision", right / len(kept))
    record_property("recall", right / all_wanted)
    assert len(SENTENCES) == 64
    assert right / len(kept) >= 0.9
    assert right / all_wanted >= 0.9


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("医生告诉我他很累。", "the word of Y may mean a second person: 告诉我"),
        ("当老师化妆的时候，她很累。", "a word of the template tells of Y: 化妆"),
    ],
)
def test_templates_with_a_cue_are_dropped_unless_kept(miner, text, rule):
    assert mined(made(options=None), text) == ([], [rule])
    (match,) = miner([Document("d", text)]).matches
    assert match.cue in match.template.text


def test_the_lexicon_finds_cues_in_labelled_templates(miner, record_property):
    found = [miner.lexicon.cue(row["template"]) for row in CUES]
    labels = [row["label"] for row in CUES]
    right = sum(bool(cue) and label == "cue" for cue, label in zip(found, labels, strict=True))
    record_property("precision", right / sum(map(bool, found)))
    record_property("recall", right / labels.count("cue"))
    assert len(CUES) == 42
    assert right == sum(map(bool, found))
    assert right / labels.count("cue") >= 0.85


def test_second_persons_are_found_in_labelled_templates(miner):
    labelled = [row for row in CUES if row["label"] != "cue"]
    found = [row["template"] for row in labelled if miner.lexicon.second(row["template"])]
    assert set(found) < {row["template"] for row in labelled if row["label"]}
    assert len(found) == 5


def test_every_sentence_that_says_something_else_is_dropped_with_the_reason(miner):
    for row in SENTENCES:
        if not row["template"]:
            assert (row["text"], *mined(miner, row["text"])) == (row["text"], [], [row["reason"]])


def test_a_hundred_kept_sentences_were_read_twice_and_nine_in_ten_are_right_by_both_readings():
    rows = list(csv.DictReader((HERE / "mining" / "kept.csv").read_text(encoding="utf-8").splitlines()))
    assert len({(row["document"], row["start"]) for row in rows}) == 100
    assert {row[reading] for row in rows for reading in ("first", "second")} == {"yes", "no"}
    assert min(sum(row[reading] == "yes" for row in rows) for reading in ("first", "second")) >= 90


@pytest.mark.parametrize("check", miner_checks(made(), DOCUMENTS), ids=str)
def test_contract(check):
    check()


@pytest.mark.parametrize("text", ["医生说他累了。", "医生说了他累了。", "医生说，他累了。", "这位医生说他累了。"])
def test_aspect_punctuation_and_determiner_do_not_matter(miner, text):
    assert mined(miner, text)[0] == ["[X]说[Y]已经……"]


def test_a_pronoun_of_the_sentence_before_leaves_doubt(miner):
    assert mined(miner, "他来了。医生说他累了。") == (
        [],
        ["no word of Y after a subject", "the sentence before has the word of Y too"],
    )


def test_a_pronoun_that_takes_up_its_like_leaves_none(miner):
    assert mined(miner, "他来了。他说他累了。")[0] == ["[X]说[Y]已经……"]
    assert mined(miner, "她来了。他说她累了。")[0] == []


def test_the_whole_phrase_of_the_subject_goes(miner):
    (match,) = miner([Document("d", "天气很好。那家医院的年轻工程师说他不喜欢咖啡。")]).matches
    assert match.subject.of(match.document).endswith("工程师")
    assert match.word.of(match.document) == "他"
    assert match.sentence.of(match.document) == "那家医院的年轻工程师说他不喜欢咖啡。"


@pytest.mark.parametrize(
    ("text", "word", "family"),
    [
        ("医生说他累了。", "说", "reporting"),
        ("司机很累，可是他没有休息。", "可是", "contrast"),
        ("如果老师迟到了，她会打电话。", "如果", "condition"),
        ("当画家走进房间时，他笑了。", "时", "time"),
    ],
)
def test_a_match_says_what_leads_to_the_clause(miner, text, word, family):
    (match,) = miner([Document("d", text)]).matches
    assert (match.verb, match.family) == (word, family)


def test_what_stands_right_of_the_pronoun_is_the_same_in_each(miner):
    for row in SENTENCES:
        assert row["template"] == "" or row["template"].endswith(f"[Y]{CLAUSE}")


def test_words_of_a_predicate_topic_are_still_mined():
    matches = made("region")([Document("d", "老师喜欢音乐。")]).matches
    assert [match.template.text for match in matches] == ["那位喜欢音乐的[X]很[Y]"]


@pytest.fixture(scope="module")
def attributes():
    """The labelled sentences in which a word of Y may describe the subject, and what the miner makes of each."""
    topics = sorted({row["topic"] for row in ATTRIBUTES})
    before = StanzaOptions(attribute="before")
    miners = {topic: made(topic, NOUNS.get(topic, ()), options=before) for topic in topics}
    return [(row, *mined(miners[row["topic"]], row["text"])) for row in ATTRIBUTES]


def test_attributes_before_the_noun_are_found_in_labelled_sentences(attributes, record_property):
    kept = [(row["template"], got[0]) for row, got, _ in attributes if got]
    right, wanted = sum(label == got for label, got in kept), sum(bool(row["template"]) for row in ATTRIBUTES)
    record_property("precision", right / len(kept))
    record_property("recall", right / wanted)
    assert right == len(kept)
    assert right / wanted >= 0.9


def test_attributes_in_doubt_are_dropped_with_the_reason(attributes):
    dropped = [(row["text"], row["reason"]) for row in ATTRIBUTES if row["reason"]]
    assert [(row["text"], *why) for row, got, why in attributes if row["reason"] and not got] == dropped


def test_without_an_option_both_places_count():
    miner, told = made("region"), Document("d", "善良的老师走进了教室。老师喜欢音乐。")
    templates = [match.template.text for match in miner([told]).matches]
    assert templates == ["那位[Y]的[X]走进了教室", "那位喜欢音乐的[X]很[Y]"]


def test_coref_of_stanza_is_refused():
    with pytest.raises(BvfError, match="no coref model of Chinese"):
        made(options=StanzaOptions(coref="stanza"))


@pytest.mark.parametrize("words", ["CC BY-SA 4.0", "60.75", "GSD", "PUD", "jieba"])
def test_the_parser_has_a_card(words):
    assert words in (MODELS / "README.md").read_text(encoding="utf-8")


def test_the_parser_is_small():
    assert sum(file.stat().st_size for file in MODELS.rglob("*.pt")) < 6_000_000


@pytest.mark.long
@pytest.mark.shared
def test_sentences_labelled_by_hand(shared, miner, record_property):
    """Labels are positions in external corpora. Recall is relative to the sentences that an early version parsed."""
    labelled = runpy.run_path(str(HERE.parents[2] / "benchmarks" / "mining" / "labelled.py"))
    judged = labelled["judge"](miner, "zh", shared)
    kept = [row["means_subject"] for row, is_kept in judged if is_kept]
    recall = labelled["recall"](judged, labelled["STRATA"]["zh"])
    record_property("kept, recall", str((kept.count("yes"), len(kept), recall)))
    assert len(judged) == 100
    assert len(kept) >= 100 // 4
    assert kept.count("yes") >= 0.9 * len(kept)
    assert recall >= 0.3
