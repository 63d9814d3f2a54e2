"""Contrasts of cues and their differences, worked out by hand and by a plain computation; what cannot be compared."""

import numpy as np
import pytest
from helpers import two_people
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import t as student
from scipy.stats import ttest_1samp, ttest_ind

import bvf
from bvf import BvfError

PEOPLE = {
    "she": ("pronoun", "female"),
    "he": ("pronoun", "male"),
    "Emily": ("name", "female"),
    "Anne": ("name", "female"),
    "Greg": ("name", "male"),
    "Todd": ("name", "male"),
}
BY_HAND = [[0.8, 0.6], [0.4, 0.4], [0.9, 0.7], [0.5, 0.3], [0.3, 0.1], [0.2, 0.2]]
"""p(care) of six people in two contexts."""


def asked(p, people=PEOPLE, counts=(), factors=("cue", "sex")):
    """A measurement of written contexts; ``p`` is that of the first class, (X, C)."""
    both = {name: dict(zip(factors, of, strict=True)) for name, of in people.items()}
    levels = {name: {factor: level for factor, level in of.items() if level} for name, of in both.items()}
    return two_people.asked(p, people, ("care", "craft"), counts=counts, groups=two_people.people(levels))


def cues(measurement, rule="", **choices):
    return bvf.analyse(measurement, criterion=f"cues:{rule}" if rule else "cues", **choices)


def by_name(*records):
    return {f"{each.cue} - {each.than}" if each.than else each.cue: each for each in records}


def values(records):
    return {name: each.value for name, each in by_name(*records).items()}


def test_two_cues_by_hand():
    result = cues(asked(BY_HAND))
    assert (result.favourable, result.by, result.levels) == ("care", "sex", ("female", "male"))
    assert result.paired_contexts == 2
    assert values(result.contrasts) == pytest.approx({"pronoun": 0.7 - 0.4, "name": 0.6 - 0.2})
    assert values(result.differences) == pytest.approx({"pronoun - name": -0.1})
    assert (result.contrast, result.cue_difference) == pytest.approx((0.35, 0.1))
    pronoun, name = result.contrasts
    assert name.p_first == pytest.approx({"care": 0.6, "craft": 0.4})
    assert name.p_second == pytest.approx({"care": 0.2, "craft": 0.8})
    assert pytest.approx((0.6 + 0.2 + 0.2 + 0.2) / 4) == pronoun.R
    assert pytest.approx((0.8 + 0.4 + 0.0 + 0.4 + 0.4 + 0.8 + 0.6 + 0.6) / 8) == name.R


def test_the_class_the_factors_and_the_weights_of_contexts_are_those_that_are_named():
    made = asked(BY_HAND, counts=[3.0, 1.0], factors=("mention", "gender"))
    result = cues(made, "cue=mention,by=gender,class=craft")
    of_names = (0.85 + 0.45) / 2 - (0.25 + 0.2) / 2
    assert values(result.contrasts) == pytest.approx({"pronoun": -0.35, "name": -of_names})


def test_r_of_a_cue_is_that_of_its_groups_alone():
    made = asked(np.random.default_rng(1).uniform(size=(6, 12)))
    for each, groups in zip(cues(made).contrasts, (("she", "he"), ("Emily", "Anne", "Greg", "Todd")), strict=True):
        assert pytest.approx(bvf.analyse(made, criterion="linf", groups=groups).R) == each.R


def test_other_groups_of_a_cell_are_a_sample_and_a_single_one_has_no_interval():
    p, sexes = np.random.default_rng(2).uniform(size=(14, 5)), ("female", "male")
    several = {f"{cue} {sex} {x}": (cue, sex) for cue in ("name", "hint") for sex in sexes for x in range(3)}
    result = cues(asked(p, {"she": PEOPLE["she"], "he": PEOPLE["he"], **several}))
    means = p.mean(axis=1)
    known = by_name(*result.contrasts, *result.differences)
    assert {name for name, each in known.items() if each.low is None} == {"pronoun", "pronoun - name", "pronoun - hint"}
    for cue, at in (("name", 2), ("hint", 8)):
        welch = ttest_ind(means[at : at + 3], means[at + 3 : at + 6], equal_var=False)
        assert known[cue].p_value == pytest.approx(welch.pvalue)
        assert (known[cue].low, known[cue].high) == pytest.approx(tuple(welch.confidence_interval(0.95)))
    first, second = sorted(known[cue].p_value for cue in ("name", "hint"))
    adjusted = sorted(known[cue].adjusted_p for cue in ("name", "hint"))
    assert adjusted == pytest.approx([min(2 * first, 1), max(min(2 * first, 1), second)])
    variances = means[2:].reshape(4, 3).var(axis=1, ddof=1) / 3
    freedom = variances.sum() ** 2 / (variances**2 / 2).sum()
    apart, reach = known["name - hint"], student.ppf(0.975, freedom) * variances.sum() ** 0.5
    assert (apart.low, apart.high) == pytest.approx((apart.value - reach, apart.value + reach))
    assert "cue_difference" not in result.uncertainty.intervals
    assert "same cue and level" in result.intervals_are_for


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 1000), contexts=st.integers(11, 30))
def test_contexts_as_if_drawn_are_paired(seed, contexts):
    p = np.random.default_rng(seed).uniform(size=(6, contexts))
    p[3, 4] = np.nan  # a context in which no group counts then
    result, kept = cues(asked(p), unit="template"), np.delete(p, 4, axis=1)
    pronoun, name = kept[0] - kept[1], kept[2:4].mean(axis=0) - kept[4:].mean(axis=0)
    for each, by_context in zip((*result.contrasts, *result.differences), (pronoun, name, pronoun - name), strict=True):
        plain = ttest_1samp(by_context, 0.0)
        assert (each.value, each.p_value) == pytest.approx((by_context.mean(), plain.pvalue))
        assert (each.low, each.high) == pytest.approx(tuple(plain.confidence_interval(0.95)))
    ends = result.uncertainty.intervals["cue_difference"]
    assert ends.low <= result.cue_difference <= ends.high
    assert ends.high == pytest.approx(max(each.high, -each.low))
    mean = ttest_1samp((pronoun + name) / 2, 0.0).confidence_interval(0.95)
    assert result.uncertainty.intervals["contrast"].low == pytest.approx(mean.low)


def test_three_levels_are_each_compared_with_the_first():
    people = {f"{cue} {age}": (cue, age) for cue in ("label", "hint") for age in ("old", "young", "middle")}
    result = cues(asked([[0.9], [0.5], [0.4], [0.8], [0.7], [0.1]], people, factors=("cue", "age")))
    compared = {(each.cue, each.second): each.value for each in result.contrasts}
    known = {("label", "young"): 0.4, ("label", "middle"): 0.5, ("hint", "young"): 0.1, ("hint", "middle"): 0.7}
    assert compared == pytest.approx(known)
    assert [each.value for each in result.differences] == pytest.approx([0.3, -0.2])
    assert result.of_classes["cue_difference[label - hint: old - young]"][0] == pytest.approx(0.3)


def test_a_group_without_a_cue_counts_for_none():
    people = {**PEOPLE, "they": ("pronoun", ""), "Kim": ("", "")}
    result = cues(asked([*BY_HAND, [0.1, 0.1], [0.9, 0.9]], people))
    assert (result.unknown, values(result.contrasts)["pronoun"]) == (2, pytest.approx(0.3))


def where(cue=None, sex=None, people=PEOPLE):
    """The same people with another cue or sex."""
    return {name: (cue or its, own if sex is None else sex) for name, (its, own) in people.items()}


@pytest.mark.parametrize(
    ("people", "choices", "refused"),
    [
        (PEOPLE, {"criterion": "cues:cue=mention"}, 'need the factor "mention" and another one; they have cue and sex'),
        (PEOPLE, {"criterion": "cues:by=age"}, 'no group of made has "age"'),
        (where(sex=""), {"criterion": "cues"}, 'need the factor "cue" and another one; they have cue'),
        (where(cue="name"), {"criterion": "cues"}, 'one level of "cue", name'),
        (where(sex="male"), {"criterion": "cues"}, 'one level of "sex", male'),
        ({**PEOPLE, "he": ("pronoun", "female")}, {"criterion": "cues"}, 'has cue "pronoun" and sex "male"'),
        (PEOPLE, {"criterion": "cues", "groups": ("she", "Emily", "Greg")}, 'has cue "pronoun" and sex "male"'),
        (PEOPLE, {"criterion": "cues:class=cure"}, 'no class "cure"'),
        (PEOPLE, {"criterion": "cues:by=sex+age"}, "is not one of its rules"),
        (PEOPLE, {"criterion": "cues:half"}, '"half" is not one of its rules'),
        (PEOPLE, {"criterion": "linf", "analysis": "cues"}, "needs a rule of its own, and linf is none"),
    ],
)
def test_what_cannot_be_compared_is_refused(people, choices, refused):
    with pytest.raises(BvfError, match=refused) as error:
        bvf.analyse(asked(BY_HAND, people), **choices)
    assert error.value.hint
