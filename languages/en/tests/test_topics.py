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
CLASSES = {
    "gender": ("male", "female"),
    "gender-2026": ("male", "female"),
    "decisions": ("accepted", "rejected"),
    "cues": ("women's jobs", "men's jobs"),
    "gender-they": ("he", "she", "they"),
    "race": ("white", "Black", "Asian", "Hispanic", "Native American"),
    "race-paper": ("white", "black", "asian", "hispanic", "indian"),
    "religion": ("Christian", "Muslim", "Jewish", "Hindu", "Buddhist", "none"),
    "religion-paper": ("Christian", "Muslim", "Irreligious", "Hindu", "Buddhist", "Jew"),
    "disability": ("sight", "hearing", "movement", "autism", "ADHD", "dyslexia", "epilepsy", "mental illness"),
    "disability-paper": ("deaf", "blind", "psychotic", "retarded", "autistic", "disordered", "handicapped"),
    "age": ("young", "old"),
    "traits": ("male", "female"),
    **dict.fromkeys(
        ("names", "names-origin", "nationality-traits", "occupation-traits"),
        ("competent", "incompetent", "warm", "cold"),
    ),
    **dict.fromkeys(
        ("nationality", "traits-nationality"),
        (
            *("American", "British", "French", "German", "Russian", "Chinese", "Japanese", "Indian", "Nigerian"),
            *("Mexican", "Brazilian", "Egyptian"),
        ),
    ),
    "ordinal": ("first", "second", "third"),
    "looks": ("attractive", "unattractive"),
    "politics": ("left", "center", "right"),
    "social-class": ("working class", "middle class", "upper class"),
    "sexual-orientation": ("heterosexual", "gay or lesbian", "bisexual", "asexual"),
    "race-gender": (
        *("white & male", "white & female", "black & male", "black & female", "asian & male", "asian & female"),
        *("hispanic & male", "hispanic & female", "indian & male", "indian & female"),
    ),
    **dict.fromkeys(
        ("weekday", "weekday-adjectives", "weekday-names"),
        ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    ),
    "hair-colour": ("black", "brown", "blond", "red"),
}
OF_OTHERS = {
    *("decisions", "cues"),
    *("names", "names-origin", "nationality-traits", "traits", "traits-nationality", "weekday-adjectives"),
    "weekday-names",
}
OF_NAMES = {"decisions", "names", "names-origin"}
OF_OCCUPATIONS = sorted(set(CLASSES) - OF_OTHERS)
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


def test_these_are_the_topics_of_the_pack():
    assert set(TOPICS) == {*CLASSES, "pairs"}


@pytest.mark.parametrize("name", CLASSES)
def test_a_topic_validates_and_has_its_classes(name):
    read = topic(name)
    assert read.name == name
    assert read.language == "en"
    assert read.attribute_names == CLASSES[name]


@pytest.mark.parametrize("name", OF_OCCUPATIONS)
def test_the_groups_are_the_occupations_of_appendix_d1_titles_as_they_are_written_and_single_persons(name):
    occupations = " ".join(OCCUPATIONS.split()).split(", ")
    assert len(occupations) == 120
    if name != "gender-2026" and not name.endswith("-paper"):
        occupations = [TITLES.get(each, each) for each in occupations if each not in SEVERAL_PERSONS]
    assert topic(name).groups == tuple(occupations)


@pytest.mark.parametrize("name", CLASSES)
def test_the_tables_that_a_topic_names_are_in_the_pack(name):
    read = topic(name)
    tables = [*read.group_weights.values(), *read.references.values()]
    folder = files("bvf_en") / "topics"
    assert ("employment" in read.group_weights) == (name in OF_OCCUPATIONS)
    assert [table.file for table in tables if not (folder / table.file).is_file()] == []


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


PAPER = {"race-paper", "religion-paper", "disability-paper"}


CAPITALS = {"race": ("African American", "Asian", "Hispanic", "Latino"), "religion": ("Jewish", "Hindu", "Muslim")}


@pytest.mark.parametrize("name", CAPITALS)
def test_words_are_written_as_people_write_them(name):
    words = {word for words in topic(name).counted_words().values() for word in words}
    assert words >= set(CAPITALS[name])
    assert not words & {word.lower() for word in CAPITALS[name]}


@pytest.mark.parametrize("name", sorted(set(TOPICS) - PAPER))
def test_no_word_is_an_insult(name):
    words = {word for words in topic(name).counted_words().values() for word in words}
    assert not words & {"retarded", "disordered", "handicapped", "psychotic"}


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


@pytest.mark.parametrize("name", sorted(set(CLASSES) - {"hair-colour", "ordinal", "cues"}))
def test_every_topic_has_a_control_whose_sentences_fit_its_groups(name):
    read = topic(name)
    if not read.control:
        of_these = "weekday-names" if name in OF_NAMES else "weekday"
        of_these = "weekday-adjectives" if name in OF_OTHERS - OF_NAMES else of_these
        assert of_these in [control.name for control in control_topics("en", read.groups, load())]
        assert set(read.groups) <= {*topic(of_these).groups, *TITLES, *SEVERAL_PERSONS}
