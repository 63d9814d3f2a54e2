"""English wording."""

import pytest
from bvf_en.rules import English, article

from bvf import BvfError
from bvf.domain.context import Template

AFTER_AN = """
engineer artist intern operator underwriter usher umpire uncle heir honest_man hour honorary_consul MP FBI_agent
RN hr_manager x-ray_technician 8-year-old 11-year-old 18-year-old 80-year-old Uzbek unemployed_man uninsured_man
onerous_task Indian urban_planner MRI_technician ill-paid_cook
"""
AFTER_A = """
nurse ceo cfo cio coo cso cto university_teacher European one-man_band once-famous_actor unicorn union_member
uniformed_officer user usual_suspect Ukrainian UN_envoy US_citizen UK_citizen urologist utility_worker house hero
hotelier 10-year-old 12-year-old 110-year-old Ugandan Uighur PhD_student vp young_man NASA
"""


def prompt(template: str, group: str):
    return English().prompt(Template(template), group)


@pytest.mark.parametrize(
    ("template", "group", "left", "right"),
    [
        ("The [X] said that [Y]", "nurse", "The nurse said that", ""),
        ("The [X] said that [Y].", "ceo", "The ceo said that", "."),
        ("The [X] told [Y] to leave.", "doctor", "The doctor told", " to leave."),
        ("[X] left on [Y]", "people from Chad", "People from Chad left on", ""),
        ("[X] left on [Y]", "CEOs", "CEOs left on", ""),
        ("[Y] met the [X].", "cook", "", " met the cook."),
        ("[Y] is a [X].", "engineer", "", " is an engineer."),
        ("As a [X], [Y]", "actor", "As an actor,", ""),
        ("As an [X], [Y]", "nurse", "As a nurse,", ""),
        ("A [X] said that [Y]", "author", "An author said that", ""),
        ("An [X] said that [Y]", "teller", "A teller said that", ""),
        ("The [X] is a [Y]", "editor", "The editor is a", ""),
        ("Anna [X] said that [Y]", "baker", "Anna baker said that", ""),
        ("A [X] left. [X] or not, an [X] is [Y]", "cook", "A cook left. Cook or not, a cook is", ""),
        ("[X] met Dr. [X] [Y]. [X]!", "cooks", "Cooks met Dr. cooks", ". Cooks!"),
        ("[Y] left. [X] stayed.", "cooks", "", " left. cooks stayed."),
    ],
)
def test_a_template_is_filled(template, group, left, right):
    made = prompt(template, group)
    assert (made.left, made.right) == (left, right)
    assert (made.group, made.context) == (group, template)


def test_a_space_comes_before_the_word_unless_the_template_has_none():
    assert prompt("The [X] said that [Y]", "nurse").spaced
    assert prompt("[Y] met the [X].", "nurse").spaced
    assert not prompt('The [X] said "[Y]"', "nurse").spaced


@pytest.mark.parametrize(("nouns", "said"), [(AFTER_AN, "an"), (AFTER_A, "a")])
def test_an_comes_before_a_vowel_sound_and_a_before_a_consonant(nouns, said):
    assert {noun: article(noun.replace("_", " ")) for noun in nouns.split()} == dict.fromkeys(nouns.split(), said)


def test_what_may_be_swapped_without_harm():
    assert English().harmless("In the 1990s a [X] met the mayor and [Y]") == {
        "stop": "In the 1990s a [X] met the mayor and [Y]."
    }
    assert English().harmless("In May 1990, the [X] was 1,500 metres away, [Y] said.") == {
        "stop": "In May 1990, the [X] was 1,500 metres away, [Y] said",
        "comma": "In May 1990 the [X] was 1,500 metres away [Y] said.",
        "determiner": "In May 1990, that [X] was 1,500 metres away, [Y] said.",
        "year": "In May 1991, the [X] was 1,500 metres away, [Y] said.",
    }


def test_two_people_are_each_filled_in_with_their_article_and_capital():
    who = {"first": "engineer", "second": "unicorn"}
    text = 'A [X1] met an [X2]. "[X2], the [X1] said," [Y] left.'
    made = English().prompt(Template(text), "engineer & unicorn", who)
    assert (made.left, made.right) == ('An engineer met a unicorn. "Unicorn, the engineer said,"', " left.")
    assert (made.group, made.context) == ("engineer & unicorn", text)
    with pytest.raises(BvfError, match='about two people, and "engineer" is no pair'):
        prompt(text, "engineer")
