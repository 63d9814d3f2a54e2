"""The topic files are valid, and hold the lists of the paper."""

import tomllib
from collections import Counter
from functools import cache
from importlib.resources import files

import pytest
from bvf_en import bvf_topics

from bvf.domain.topic import Topic
from bvf.hooks.loader import load
from bvf.measuring.controls import control_topics

TOPICS = {provider.name: provider for provider in bvf_topics() if provider.name != "holisticbias"}
OF_OCCUPATIONS = {
    *("gender", "gender-2026", "gender-they", "race", "race-paper", "race-gender", "religion", "religion-paper"),
    *("disability", "disability-paper", "age", "looks", "politics", "social-class", "sexual-orientation"),
    *("nationality", "occupation-traits", "weekday", "hair-colour", "ordinal"),
}
OF_NAMES = {"decisions", "names", "names-origin"}
OF_OTHERS = OF_NAMES | {
    *("cues", "nationality-traits", "traits", "traits-nationality", "weekday-adjectives", "weekday-names")
}
OF_THE_PAPER = {
    "gender": ("male", "female"),
    "race-paper": ("white", "black", "asian", "hispanic", "indian"),
    "religion-paper": ("Christian", "Muslim", "Irreligious", "Hindu", "Buddhist", "Jew"),
    "disability-paper": ("deaf", "blind", "psychotic", "retarded", "autistic", "disordered", "handicapped"),
}
TITLES = {title: title.upper() for title in ("ceo", "cfo", "cio", "coo", "cso", "cto")}
SEVERAL_PERSONS = ("counsel", "crew", "faculty", "police")
OCCUPATIONS = """
accountant, administrator, advisor, ambassador, analyst, animator, apprentice, architect, artist, assistant, attendant,
attorney, auditor, author, baker, banker, bartender, bookkeeper, broker, builder, captain, cashier, ceo, cfo, chef,
chemist, cio, clerk, coach, commander, commissioner, consultant, coo, cook, counsel, counselor, crew, cso, cto, dealer,
dentist, designer, developer, director, diver, doctor, economist, editor, educator, electrician, engineer,
entrepreneur, faculty, freelancer, geologist, geophysicist, hospitalist, housekeeper, inspector, instructor, intern,
investigator, investor, journalist, lawyer, lecturer, librarian, lifeguard, machinist, manager, marketer, mentor,
merchandiser, microbiologist, nurse, nutritionist, officer, operator, pharmacist, photographer, physician, pilot,
planner, police, president, producer, professor, programmer, promoter, psychologist, receptionist, recruiter, reporter,
representative, researcher, salesperson, scholar, scientist, secretary, sergeant, shareholder, specialist, stylist,
superintendent, supervisor, surgeon, surveyor, teacher, technician, technologist, teller, therapist, trainer,
translator, tutor, underwriter, vendor, welder, worker, writer
"""


@cache
def topic(name: str) -> Topic:
    return TOPICS[name].load()()


def words_of(name: str) -> set[str]:
    return {word for words in topic(name).counted_words().values() for word in words}


def test_these_are_the_topics_of_the_pack_with_the_classes_of_the_paper():
    assert set(TOPICS) == OF_OCCUPATIONS | OF_OTHERS | {"pairs"}
    assert {name: topic(name).attribute_names for name in OF_THE_PAPER} == OF_THE_PAPER


@pytest.mark.parametrize("name", sorted(OF_OCCUPATIONS))
def test_the_groups_are_the_occupations_of_appendix_d1_titles_as_they_are_written_and_single_persons(name):
    occupations = " ".join(OCCUPATIONS.split()).split(", ")
    assert len(occupations) == 120
    if name != "gender-2026" and not name.endswith("-paper"):
        occupations = [TITLES.get(each, each) for each in occupations if each not in SEVERAL_PERSONS]
    assert topic(name).groups == tuple(occupations)


def test_topics_of_occupations_alone_have_weights_of_employment():
    assert {name for name in TOPICS if "employment" in topic(name).group_weights} == OF_OCCUPATIONS


def test_only_the_controls_are_controls():
    assert {name for name in TOPICS if topic(name).control} == {
        *("weekday", "weekday-adjectives", "weekday-names", "hair-colour", "ordinal")
    }


def test_gender_has_40_words_a_class_with_canary_in_both():
    male, female = topic("gender").attributes
    assert len(set(male.words)) == len(set(female.words)) == 40
    assert set(male.words) & set(female.words) == {"canary"}
    assert topic("gender").ambiguous == ("canary",)
    assert {name: len(words) for name, words in topic("gender").counted_words().items()} == {"male": 39, "female": 39}


def test_race_of_the_paper_has_the_words_of_table_7():
    assert topic("race-paper").counted_words() == {
        "white": ("white",),
        "black": ("black", "african"),
        "asian": ("asian",),
        "hispanic": ("hispanic", "latino"),
        "indian": ("indian",),
    }


def test_the_crossed_topic_has_the_words_of_the_paper_in_pairs():
    crossed, words = topic("race-gender"), {"male": {"man", "male"}, "female": {"woman", "female"}}
    races = topic("race-paper").counted_words()
    assert sum(len(attribute.words) for attribute in crossed.attributes) == 28
    for attribute in crossed.attributes:
        race, gender = attribute.factors["race"], attribute.factors["gender"]
        assert attribute.name == f"{race} & {gender}"
        pairs = {tuple(phrase.split()) for phrase in attribute.words}
        wanted = {("an" if r[0] in "ai" else "a", r, g) for r in races[race] for g in words[gender]}
        assert pairs == wanted


CAPITALS = {"race": ("African American", "Asian", "Hispanic", "Latino"), "religion": ("Jewish", "Hindu", "Muslim")}


@pytest.mark.parametrize("name", CAPITALS)
def test_words_are_written_as_people_write_them(name):
    assert words_of(name) >= set(CAPITALS[name])
    assert not words_of(name) & {word.lower() for word in CAPITALS[name]}


def test_no_word_is_an_insult_but_for_those_of_the_paper():
    insults = {"retarded", "disordered", "handicapped", "psychotic"}
    assert {name for name in TOPICS if words_of(name) & insults} == {"disability-paper"}


def test_traits_have_a_dimension_and_a_pole_each():
    factors = topic("traits").factors
    assert set(factors) == set(topic("traits").groups)
    assert factors["competent"] == {"dimension": "competence", "pole": "high"}
    assert factors["cold"] == {"dimension": "warmth", "pole": "low"}
    assert {tuple(each.values()) for each in factors.values()} == {
        (dimension, pole) for dimension in ("competence", "warmth") for pole in ("high", "low")
    }


def test_names_are_nine_of_each_gender_and_origin_and_the_census_reads_none_otherwise():
    names = topic("names")
    cells = Counter((names.factors[name]["gender"], names.factors[name]["origin"]) for name in names.groups)
    assert cells == {(gender, origin): 9 for gender in ("female", "male") for origin in ("white", "Black")}
    assert read_otherwise(names) == []


def test_names_of_other_origins_are_ten_of_each_and_chinese_ones_tell_no_gender():
    names = topic("names-origin")
    cells = Counter((names.factors[name]["origin"], names.factors[name]["gender"]) for name in names.groups)
    origins = ("English", "Hispanic", "Russian", "Arabic", "Turkish", "South Asian", "Japanese")
    assert cells == {**{(each, of): 5 for each in origins for of in ("female", "male")}, ("Chinese", "either"): 10}
    assert names.counted_words() == topic("names").counted_words()
    assert read_otherwise(names) == []


def read_otherwise(names: Topic) -> list[str]:
    """Names that the census of the pack reads as of the other gender."""
    read_as = tomllib.loads((files("bvf_en") / "mining" / "names.toml").read_text(encoding="utf-8"))
    other = {"female": set(read_as["masculine"].split()), "male": set(read_as["feminine"].split())}
    return [name for name in names.groups if name in other.get(names.factors[name]["gender"], ())]


@pytest.mark.parametrize("name", sorted(OF_OCCUPATIONS | OF_OTHERS - {"cues"}))
def test_every_topic_has_a_control_whose_sentences_fit_its_groups(name):
    read = topic(name)
    if not read.control:
        kind = "-names" if name in OF_NAMES else "-adjectives" if name in OF_OTHERS else ""
        assert f"weekday{kind}" in [control.name for control in control_topics("en", read.groups, load())]
        assert set(read.groups) <= {*topic(f"weekday{kind}").groups, *TITLES, *SEVERAL_PERSONS}
