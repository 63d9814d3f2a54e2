"""The Chinese miner with the bundled parser: what it counts as one, and where Y stands."""

import csv
from pathlib import Path

import pytest
from bvf_stanza.options import StanzaOptions
from helpers.miners import made, mined

from bvf.errors import BvfError
from bvf.interfaces.miner import Document

pytest.importorskip("stanza")


@pytest.fixture(scope="module")
def miner():
    return made("zh")


@pytest.mark.parametrize("text", ["医生说他累了。", "医生说了他累了。", "医生说，他累了。", "这位医生说他累了。"])
def test_aspect_punctuation_and_determiner_do_not_matter(miner, text):
    assert mined(miner, text)[0] == ["[X]说[Y]已经……"]


def test_a_hundred_kept_sentences_were_read_twice_and_nine_in_ten_are_right_by_both_readings():
    file = Path(__file__).parent / "mining" / "kept.csv"
    rows = list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))
    assert len({(row["document"], row["start"]) for row in rows}) == 100
    assert {row[reading] for row in rows for reading in ("first", "second")} == {"yes", "no"}
    assert min(sum(row[reading] == "yes" for row in rows) for reading in ("first", "second")) >= 90


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


def test_words_of_a_predicate_topic_are_mined_in_both_places():
    templates, _ = mined(made("zh", "region"), "善良的老师走进了教室。老师喜欢音乐。")
    assert templates == ["那位[Y]的[X]走进了教室", "那位喜欢音乐的[X]很[Y]"]


def test_coref_of_stanza_is_refused():
    with pytest.raises(BvfError, match="no coref model of Chinese"):
        made("zh", options=StanzaOptions(coref="stanza"))
