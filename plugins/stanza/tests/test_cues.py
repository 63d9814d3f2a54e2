"""What in a template tells of Y: dropped by default, and kept with its name where the options say so."""

import pytest
from bvf_stanza import Lexicon, Unfit
from bvf_stanza.cues import name_of_cues, without_cues
from bvf_stanza.options import StanzaOptions

from bvf.domain.context import Template
from bvf.interfaces.miner import Document, Match, Span

WORDS = {
    "script": "LATIN",
    "sentence_end": "[.]",
    "pronouns": {"he": "masculine", "she": "feminine"},
    "subject_pronouns": ["he", "she"],
    "other_pronouns": [],
    "persons": [],
    "feminine": ["wife"],
    "masculine": ["host"],
    "names": {"feminine": ["Ann", "Will"]},
    "implied": {"dress": ["gown", "top_hat"]},
    "endings": ["s", "ed"],
    "no_cues": ["hosted"],
    "second_person": r"\btold \s (?:me|someone)\b",
}
LEXICON = Lexicon.model_validate(WORDS)
DROP, KEEP = StanzaOptions(), StanzaOptions(cues="keep")


def matched(*texts):
    document = Document("d", "The nurse said that she was tired.")
    return [Match(Template(text), document, Span(0, 34), Span(4, 9), Span(20, 23)) for text in texts]


@pytest.mark.parametrize(
    ("template", "cue"),
    [
        ("The [X] saw the gowns when [Y]", "gowns"),
        ("The [X] saw a Gown when [Y]", "gown"),
        ("The [X] lost the top hat when [Y]", "top hat"),
        ("The [X] left the top of the hat and [Y]", ""),
        ("The [X] met Ann when [Y]", "ann"),
        ("The [X] will come when [Y]", ""),
        ("The [X] hosted a party when [Y]", ""),
        ("The [X] saw the hosts when [Y]", "hosts"),
        ("The [X] was a midwife when [Y]", ""),
    ],
)
def test_a_cue_is_a_whole_word_that_is_listed(template, cue):
    assert LEXICON.cue(template) == cue


def test_in_a_language_without_spaces_a_cue_stands_anywhere():
    lexicon = Lexicon.model_validate({**WORDS, "spaced": False, "feminine": ["女"], "no_cues": ["子女"]})
    assert (lexicon.cue("[X]买女鞋时[Y]来"), lexicon.cue("[X]有子女时[Y]来")) == ("女", "")


def test_cues_are_dropped_or_kept_with_their_words():
    plain, gown, told = matched("The [X] left as [Y]", "The [X] in a gown left as [Y]", "The [X] told me that [Y]")
    assert without_cues([plain, gown, told], LEXICON, DROP) == [plain]
    kept = without_cues([plain, gown, told], LEXICON, KEEP)
    assert [match.cue for match in kept] == ["", "gown", "told me"]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("The [X] in a gown told me that [Y]", "a word of the template tells of Y: gown"),
        ("The [X] told someone that [Y]", "the word of Y may mean a second person: told someone"),
    ],
)
def test_the_rule_is_that_of_the_first_match(text, rule):
    with pytest.raises(Unfit, match=rule):
        without_cues(matched(text), LEXICON, DROP)


def test_a_record_names_the_words_by_number_and_digest():
    more = Lexicon.model_validate({**WORDS, "feminine": ["wife", "aunt"]})
    (language, number, digest), other = (name_of_cues("en", each).split(", ") for each in (LEXICON, more))
    assert (language, number, len(digest)) == ("en", "4 words", 16)
    assert other[1] == "5 words"
    assert other[2] != digest
