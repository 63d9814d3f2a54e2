"""Who of two people is meant: by hand, in other orders, and beside each alone."""

from dataclasses import replace

import numpy as np
import pytest
from bvf_decisions.pairs.result import PairsResult
from helpers.two_people import NAMES, asked, two_people
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import bvf
from bvf import BvfError, Group

SHE = [[0, 1.0, 2.0], [-0.6, 0, 0.8], [-1.4, -0.4, 0]]
"""Log odds of the first person over the second, in a text with *she*."""
HE = [[0, -0.2, 0.6], [0.4, 0, 0.6], [0.2, -0.2, 0]]
ODDS = np.stack([SHE, HE], axis=2)
ABOUT = ("female", "male")


def pairs(measurement, **choices) -> PairsResult:
    return bvf.analyse(measurement, criterion="pairs", **choices)


def scores(result):
    return {each.group: each.score for each in result.people}


def test_three_people_by_hand():
    result = pairs(two_people(ODDS[..., :1]))
    assert {(each.group, each.other): each.score for each in result.pairs} == pytest.approx(
        {("nurse", "pilot"): 0.8, ("nurse", "clerk"): 1.7, ("pilot", "clerk"): 0.6}
    )
    assert scores(result) == pytest.approx({"nurse": 1.25, "pilot": -0.1, "clerk": -1.15})
    assert [each.first for each in result.people] == pytest.approx([1.5, 0.1, -0.9])
    assert [each.second for each in result.people] == pytest.approx([1.0, -0.3, -1.4])
    assert result.place_effect == pytest.approx(1.4 / 6)
    assert (result.question, result.of, result.alone, result.correlation) == ("who", "", "", None)


def test_texts_of_two_classes_are_compared_so_that_the_word_for_a_person_cancels_out():
    result = pairs(two_people(ODDS, about=ABOUT))
    assert {(each.group, each.other): each.score for each in result.pairs} == pytest.approx(
        {("nurse", "pilot"): 0.8 + 0.3, ("nurse", "clerk"): 1.7 - 0.2, ("pilot", "clerk"): 0.6 - 0.4}
    )
    assert result.of == "female rather than male"
    assert result.place_effect == pytest.approx((1.4 + 1.4) / 12)
    frequent = np.array([0.0, 3.0, -1.0])[:, np.newaxis, np.newaxis]  # in both texts a word is more probable
    known = pairs(two_people(ODDS + frequent - frequent.transpose(1, 0, 2), about=ABOUT))
    assert scores(known) == pytest.approx(scores(result))


@settings(max_examples=10, deadline=None)
@given(odds=arrays(float, (3, 3, 4), elements=st.floats(-3, 3)), two=st.booleans())
def test_places_that_change_their_names_change_the_sign_of_the_place_and_nothing_else(odds, two):
    about = ABOUT * 2 if two else ()
    one, other = pairs(two_people(odds, about=about)), pairs(two_people(-odds.transpose(1, 0, 2), about=about))
    assert scores(other) == pytest.approx(scores(one), abs=1e-9)
    assert other.place_effect == pytest.approx(-one.place_effect, abs=1e-9)
    assert [each.first for each in other.people] == pytest.approx([each.second for each in one.people], abs=1e-9)
    assert sum(scores(one).values()) == pytest.approx(0.0, abs=1e-9)
    assert [each.score for each in other.pairs] == pytest.approx([each.score for each in one.pairs], abs=1e-9)


def test_a_word_of_a_class_after_two_people():
    first, second = np.array([0.9, 0.1, -1.0]), np.array([0.4, -0.5, 0.1])
    odds = 0.3 + first[:, np.newaxis, np.newaxis] + second[:, np.newaxis] + np.zeros(5)
    result = pairs(two_people(odds, classes=("male", "female")))
    assert [each.first for each in result.people] == pytest.approx(first)
    assert [each.second for each in result.people] == pytest.approx(second)
    assert [each.score for each in result.people] == pytest.approx(first + second)
    assert result.pairs[0].score == pytest.approx((0.9 + 0.4) - (0.1 - 0.5))
    assert result.place_effect == pytest.approx(first.std() - second.std())
    assert (result.question, result.of) == ("class", "male")
    with pytest.raises(BvfError, match="do not tell what is due to each"):
        pairs(two_people(odds[:2, :2], names=NAMES[:2], classes=("male", "female")))


@pytest.fixture
def alone(monkeypatch):
    """Stands for a folder with a run about one person; returns log odds of the first class, by person and context."""

    def put(odds, classes=("female", "male"), names=NAMES):
        made = asked(1.0 / (1.0 + np.exp(-np.array(odds))), list(names), classes)
        study = bvf.Study.of(made, bvf_choices(made))
        monkeypatch.setattr("bvf_decisions.pairs.found.Figures.of_run", lambda *_: type("Read", (), {"study": study}))

    return put


def bvf_choices(measurement, **config):
    from bvf.study import prepared

    return prepared(bvf.AnalysisConfig(unit="template", **config), measurement.record.asked, bvf.load())[1]


def test_together_and_alone_are_on_one_scale(alone):
    """If a model names a person by what each alone leads it to expect (Bayes), both say the same of every pair."""
    rng, of_person = np.random.default_rng(6), np.array([1.2, -0.7, 0.1])
    with_noise = of_person[:, np.newaxis] + 0.1 * rng.normal(size=(3, 14))
    alone(with_noise)
    female, male = (np.log(each) for each in (1 / (1 + np.exp(-with_noise)), 1 / (1 + np.exp(with_noise))))
    texts = [each[:, np.newaxis] - each[np.newaxis] + 0.5 for each in (female, male)]  # (G, G, C), the place gives 0.5
    measurement = two_people(np.concatenate(texts, axis=2), about=("female",) * 14 + ("male",) * 14)
    result = bvf.analyse(measurement, criterion="pairs:alone", unit="template")
    for each in (*result.people, *result.pairs):
        assert each.alone == pytest.approx(each.score)
        assert each.difference == pytest.approx(0.0, abs=1e-9)
        assert each.difference_low < 0.0 < each.difference_high
    assert {each.p_value for each in result.people} == {1.0}
    assert result.correlation == pytest.approx(1.0)
    assert result.place_effect == pytest.approx(0.5)
    assert result.alone == "made (made)"


def test_a_person_who_differs_alone_is_found(alone):
    rng = np.random.default_rng(7)
    alone(np.array([3.0, 0.0, 0.0])[:, np.newaxis] + 0.1 * rng.normal(size=(3, 12)))
    measurement = two_people(0.1 * rng.normal(size=(3, 3, 24)), about=ABOUT * 12)
    nurse = bvf.analyse(measurement, criterion="pairs:alone", unit="template").people[0]
    assert nurse.alone == pytest.approx(3.0, abs=0.2)
    assert nurse.difference_high < -2.0
    assert nurse.p_value < 0.001


def test_what_does_not_fit_is_refused(alone):
    one_order = ("nurse & pilot", "pilot & nurse", "clerk & nurse")
    with pytest.raises(BvfError, match='"clerk & nurse" stands there in one order only') as error:
        pairs(two_people(ODDS), groups=one_order)
    assert '"nurse & clerk"' in error.value.hint
    with pytest.raises(BvfError, match='"nurse" is one group'):
        pairs(asked(np.full((2, 2), 0.5), ["nurse", "pilot"], ("first", "second"), groups=(Group(name="nurse"),) * 1))
    with pytest.raises(BvfError, match="has female, male, other"):
        pairs(two_people(np.zeros((3, 3, 3)), about=(*ABOUT, "other")))
    alone(np.zeros((3, 12)))
    with pytest.raises(BvfError, match="do not say of which class"):
        bvf.analyse(two_people(ODDS), criterion="pairs:alone")
    alone(np.zeros((3, 12)), classes=("woman", "male"))
    with pytest.raises(BvfError, match='alone: has no class "female"'):
        bvf.analyse(two_people(ODDS, about=ABOUT), criterion="pairs:alone")
    alone(np.zeros((2, 12)), names=NAMES[:2])
    with pytest.raises(BvfError, match='alone: has no group "clerk"'):
        bvf.analyse(two_people(ODDS, about=ABOUT), criterion="pairs:alone")
    made = two_people(ODDS)
    with pytest.raises(BvfError, match="--rank risk"):
        bvf.load().analyses.make("pairs").check(made.record.asked, bvf_choices(made), bvf.View("risk"))


def test_a_context_without_an_answer_for_a_pair_is_left_out_for_all():
    p = two_people(np.concatenate([ODDS, np.full((3, 3, 1), 2.0)], axis=2))
    missing = p.probabilities.copy()
    missing[2, 2] = np.nan
    left = pairs(replace(p, probabilities=missing))
    assert scores(left) == pytest.approx(scores(pairs(two_people(ODDS))))
    assert any("1 context left out" in each for each in left.notes)
