"""The wording rules of Spanish."""

import pytest
from bvf_es.rules import Spanish, plural
from bvf_testing import language_checks

from bvf import Group, Template

FEMININE, PLURAL = {"gender": "feminine"}, {"gender": "feminine", "number": "plural"}


@pytest.mark.parametrize(
    ("template", "group", "features", "text"),
    [
        ("El [X] es [Y]", "médica", FEMININE, "La médica es [Y]"),
        ("El [X] es [Y]", "médico", {}, "El médico es [Y]"),
        ("Llamé al [X] y vi que era [Y]", "médica", FEMININE, "Llamé a la médica y vi que era [Y]"),
        ("El coche del [X] es [Y]", "médica", FEMININE, "El coche de la médica es [Y]"),
        ("Vino un [X] muy [Y]", "médicas", PLURAL, "Vino unas médicas muy [Y]"),
        ("Hablé con los del [X]: [Y]", "jueces", {"number": "plural"}, "Hablé con los de los jueces: [Y]"),
        ("El [X] es [Y]", "ama de casa", FEMININE, "El ama de casa es [Y]"),
        ("[X]: así es [Y]", "médico", {}, "Médico: así es [Y]"),
        ("Su [X] está [Y]", "dentista", {}, "Su dentista está [Y]"),
        ("Ayer vino [Y] [X]. [X] es su oficio", "dentista", {}, "Ayer vino [Y] dentista. dentista es su oficio"),
    ],
)
def test_the_words_of_a_prompt(template, group, features, text):
    assert str(Spanish().prompt(Template(template), group, features)) == text


@pytest.mark.parametrize(
    ("word", "feminine"),
    [
        *(("violento", "violenta"), ("cansado", "cansada"), ("alemán", "alemana"), ("francés", "francesa")),
        *(("trabajador", "trabajadora"), ("español", "española"), ("andaluz", "andaluza"), ("comilón", "comilona")),
        *((one, one) for one in ("mayor", "mejor", "superior", "cortés", "joven", "capaz", "marroquí", "budista")),
        *(("nacido en Cuba", "nacida en Cuba"), ("de barrio rico", "de barrio rico"), ("mal pagado", "mal pagada")),
    ],
)
def test_an_adjective_takes_the_gender_of_the_group(word, feminine):
    assert Spanish().word_form(word, FEMININE) == feminine
    assert Spanish().word_form(word, {"gender": "masculine"}) == Spanish().word_form(word, {}) == word


def test_a_plural_takes_gender_and_number():
    plurals = {"violento": "violentas", "alemán": "alemanas", "joven": "jóvenes", "capaz": "capaces"}
    assert {word: Spanish().word_form(word, PLURAL) for word in plurals} == plurals
    plurals = {"juez": "jueces", "francés": "franceses", "marroquí": "marroquíes", "bebé": "bebés"}
    assert {word: plural(word) for word in plurals} == plurals


def test_the_kit_tries_the_rules():
    groups = [Group(name="médica", features=FEMININE), Group(name="médicos", features={"number": "plural"}), "dentista"]
    templates = ["El [X] dijo que era [Y]", "Llamé al [X] y era [Y]", "Vino [Y] [X]"]
    for check in language_checks(Spanish(), templates, groups):
        check()
