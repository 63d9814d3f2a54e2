"""The miner of rules: worked examples, what it drops and why, and the words that a template may keep."""

import pytest
from bvf_es.miner import GENDER, WORD, RuleMiner
from bvf_testing import miner_checks
from hypothesis import given
from hypothesis import strategies as st

import bvf
from bvf import BvfError
from bvf.hooks.loader import load
from bvf.interfaces import Document, MiningRequest

DOCUMENTS = (
    Document("a", "La criada estaba muy cansada. El médico se quedó callado. Llovía."),
    Document("b", "No pasó nada."),
    Document("c", "Cuando amaneció, Julián estaba dormido; al fin entró la portera."),
)
PERSONS = sorted(noun for noun in GENDER if noun not in ("hombre", "mujer"))


def miner(topic="gender", **limits):
    return RuleMiner(MiningRequest(bvf.find_topic(topic, load(), "es"), **limits))


def mined(text, topic="gender", **limits):
    found = miner(topic, **limits)([Document("text", text)])
    return [match.template.text for match in found.matches], [why.partition(":")[0] for why in found.dropped]


def test_the_kit_tries_the_miner_and_the_plugin_offers_it():
    for check in miner_checks(miner(), DOCUMENTS):
        check()
    made = load().miners.in_language("es").find("es").make(MiningRequest(bvf.find_topic("age", load(), "es")))
    assert isinstance(made, RuleMiner)


@pytest.mark.parametrize(
    ("text", "template"),
    [
        ("La criada estaba muy cansada.", "Su [X] estaba muy [Y]"),
        ("Y el médico, sin embargo, se quedó callado.", "Su [X], sin embargo, se quedó [Y]"),
        ("-Cuando amaneció, mi tío estaba dormido.", "Cuando amaneció, mi [X] estaba [Y]"),
        ("Aquella tarde llegó Rosa muy preocupada a casa.", "Aquella tarde llegó su [X] muy [Y]"),
        ("Ella se vió perdida.", "Su [X] se vio [Y]"),
        ("exclamó la viuda, indignada.", "Exclamó su [X], [Y]"),
        ("El artista parecía nervioso.", "Su [X] parecía [Y]"),
    ],
)
def test_a_word_that_agrees_with_a_person_gives_a_template_without_an_article(text, template):
    assert mined(text) == ([template], [])


@pytest.mark.parametrize(
    ("text", "templates"),
    [
        ("De pronto entró la portera.", ["De pronto entró [Y] [X]"]),
        ("Llamaron al médico por la noche.", ["Llamaron [Y] [X]"]),
        ("Hablé con una vecina.", ["Hablé con [Y] [X]"]),
        ("La portera no dijo nada.", []),
        ("Entró el general Castro.", []),
    ],
)
def test_an_article_is_asked_after_a_verb(text, templates):
    assert mined(text, "gender-article") == (templates, [])


@pytest.mark.parametrize(
    ("text", "template"),
    [
        ("La médica era muy vieja.", "El [X] era muy [Y]"),
        ("Era un médico joven.", "Era un [X] [Y]"),
        ("El médico estaba cansado.", None),
    ],
)
def test_groups_of_two_forms_keep_an_article_and_only_the_words_of_their_topic_count(text, template):
    assert mined(text, "age") == ([template] if template else [], [])


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("La criada estaba callado.", "the word does not agree with the noun"),
        ("La casa de la criada estaba cerrada.", "the noun is no subject"),
        ("Al ver a su hermano, la criada estaba asustada.", "another person"),
        ("En Madrid la criada estaba cansada.", "a name, a digit or a dash"),
        ("Cuando él llegó, la criada estaba cansada.", "a pronoun of another person"),
        ("Pálida y triste, la criada estaba callada.", "another word that agrees"),
        ("Con su falda nueva, la criada estaba contenta.", "tells Y"),
        ("Sentose allí, y la criada estaba callada.", "no longer written"),
        ("¿La criada estaba cansada?", "a question or an exclamation"),
        ("Todo estaba preparado y todo lo vi.", "no person before the word"),
        ("Toledo estaba rodeada por el río.", "a word that is said of places too"),
        ("El apóstol Andrés estaba cansado.", "the name follows a noun"),
        ("Como no tenía nada que hacer en todo aquel largo día de lluvia, la criada estaba cansada.", "too long"),
    ],
)
def test_a_clause_that_tells_or_speaks_of_somebody_else_is_dropped_with_the_reason(text, why):
    assert mined(text) == ([], [why])


def test_a_word_farther_from_the_person_is_less_sure():
    text = "La criada, después de todo aquello, no estaba contenta."
    assert mined(text, min_confidence=0.95) == ([], ["too long"])
    (match,) = miner(min_confidence=0.9)([Document("text", text)]).matches
    assert (match.distance, match.confidence, match.verb) == (6, pytest.approx(0.94), "estar")
    assert (match.subject.of(match.document), match.word.of(match.document)) == ("La criada", "contenta")


@given(st.sampled_from(PERSONS), st.sampled_from(PERSONS), st.sampled_from(["estaba", "se quedó", "parecía"]))
def test_no_template_names_a_person(first, second, verb):
    article, told = {"m": ("El", "cansado"), "f": ("La", "cansada")}[GENDER[first]]
    said = f"{article} {first} {verb} {told}."
    templates, dropped = mined(f"{said} Cuando entró mi {second}, {said.lower()}")
    assert templates == [f"Su [X] {verb} [Y]"]
    assert dropped == ["another person"]
    assert not {*WORD.findall(templates[0].lower())} & {*PERSONS}


def test_pronouns_are_refused():
    with pytest.raises(BvfError, match="finds no pronouns"):
        miner("gender-pronoun")
