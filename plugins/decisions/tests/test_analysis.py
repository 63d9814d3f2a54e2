"""Rates and impact ratios of names and categories, worked out by hand and by a plain computation."""

import numpy as np
import pytest
from bvf_decisions.result import ImpactResult
from helpers import two_people
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import t as student

import bvf
from bvf import BvfError

PEOPLE = {
    "Emily": {"sex": "female", "ethnicity": "white"},
    "Greg": {"sex": "male", "ethnicity": "white"},
    "Lakisha": {"sex": "female", "ethnicity": "Black"},
    "Jamal": {"sex": "male", "ethnicity": "Black"},
}
TWELVE = [[0.9, 0.6, 0.8], [0.7, 0.4, 0.2], [0.6, 0.3, 0.55], [0.1, 0.2, 0.52]]
"""p(hire) of four names in three documents."""


def asked(p, people=PEOPLE):
    """A measurement of written documents; ``p`` is that of hiring, (X, C)."""
    return two_people.asked(p, people, ("hire", "reject"), groups=two_people.people(people))


def impact(measurement, rule="", **choices) -> ImpactResult:
    return bvf.analyse(measurement, criterion=f"impact:{rule}" if rule else "impact", **choices)


def ratios(result):
    return {each.category: each.impact_ratio for each in result.categories}


def test_twelve_candidates_by_hand():
    result = impact(asked(TWELVE), "above=0.5")
    assert [each.selection_rate for each in result.groups] == pytest.approx([1, 1 / 3, 2 / 3, 1 / 3])
    rows = {each.category: (each.applicants, each.selected, each.selection_rate) for each in result.categories}
    assert rows["female"] == (6, 5, pytest.approx(5 / 6))
    assert rows["male"] == (6, 2, pytest.approx(2 / 6))
    assert rows["white"] == (6, 4, pytest.approx(4 / 6))
    assert rows["male & Black"] == (3, 1, pytest.approx(1 / 3))
    of_all = {"female": 1, "male": 0.4, "white": 1, "Black": 0.75, "female & white": 1, "male & white": 1 / 3}
    assert ratios(result) == pytest.approx({**of_all, "female & Black": 2 / 3, "male & Black": 1 / 3})
    assert result.impact_ratio == pytest.approx(1 / 3)
    assert (result.selection_rate, result.documents) == (pytest.approx(7 / 12), 3)


def test_the_top_three_of_twelve():
    result = impact(asked(TWELVE), "top=3,by=sex")
    assert {each.category: each.selected for each in result.categories} == {"female": 2, "male": 1}
    assert ratios(result) == pytest.approx({"female": 1.0, "male": 0.5})


def test_names_of_which_none_has_all_factors_have_categories_of_each_factor():
    people = {"Emily": {"sex": "female"}, "Greg": {"sex": "male"}}
    people |= {"Li": {"ethnicity": "Asian"}, "Ann": {"ethnicity": "w"}}
    assert {each.by for each in impact(asked(TWELVE, people), "above=0.5").categories} == {"sex", "ethnicity"}


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 1000), share=st.integers(1, 100), names=st.integers(2, 9), documents=st.integers(1, 6))
def test_rates_are_those_of_a_plain_count(seed, share, names, documents):
    rng = np.random.default_rng(seed)
    p = rng.choice([0.1, 0.3, 0.5, 0.7, 0.9], size=(names, documents))
    people = {f"name {x}": {"side": rng.choice(["left", "right"])} for x in range(names)}
    result = impact(asked(p, people), f"above={share / 100:g}")
    scores = {
        side: [s for row, of in zip(p, people.values(), strict=True) if of["side"] == side for s in row]
        for side in ("left", "right")
    }
    rates = {side: sum(score > share / 100 for score in of) / len(of) for side, of in scores.items() if of}
    assert {each.category: each.selection_rate for each in result.categories} == pytest.approx(rates)
    if len(rates) == 2 and (most := max(rates.values())):
        assert ratios(result) == pytest.approx({side: rate / most for side, rate in rates.items()})


def test_a_threshold_that_nobody_meets_or_everybody_leaves_no_ratio_or_all_equal():
    nobody = impact(asked(TWELVE), "above=0.95")
    assert (nobody.impact_ratio, set(ratios(nobody).values())) == (None, {None})
    assert any("no candidate is selected: p(hire) is from 0.1 to 0.9" in each for each in nobody.warnings)
    everybody = impact(asked(TWELVE), "above=0.05")
    assert everybody.impact_ratio == 1.0
    assert any("every candidate is selected" in each for each in everybody.warnings)


def test_a_cell_below_the_size_of_the_law_is_shown_and_not_computed():
    people = {f"name {x}": {"sex": "female" if x % 2 else "male"} for x in range(60)}
    people |= {"Alex": {"sex": "other"}, "Kim": {}}
    p = np.full((62, 2), 0.4)
    p[1::2], p[-2:] = 0.6, 0.99
    result = impact(asked(p, people), "above=0.5")
    assert ratios(result) == {"male": 0.0, "female": 1.0, "other": None}
    small = result.categories[-1]
    assert (small.applicants, small.selected, small.selection_rate, small.below_2_percent) == (2, 2, 1.0, True)
    assert result.unknown == 2  # Kim is in no category
    assert any("no impact ratio of other" in each for each in result.notes)


def test_a_document_without_an_answer_for_a_name_is_left_out_for_all():
    p = np.array(TWELVE)
    p[3, 0] = np.nan
    result = impact(asked(p), "above=0.5")
    assert (result.documents, result.selection_rate) == (2, pytest.approx(4 / 8))
    assert any("1 document left out" in each for each in result.notes)


def test_intervals_are_for_names_of_the_same_cells_or_for_documents_as_if_drawn():
    rng = np.random.default_rng(4)
    people = {f"{sex} {x}": {"sex": sex} for sex in ("female", "male") for x in range(8)}
    measurement = asked(rng.uniform(size=(16, 30)), people)
    by_names, by_documents = impact(measurement), impact(measurement, unit="template")
    for result, what in ((by_names, "other names"), (by_documents, "as if these templates had been drawn")):
        interval = result.uncertainty.intervals["impact_ratio"]
        assert interval.low < result.impact_ratio <= interval.high
        assert what in result.intervals_are_for
    assert impact(asked(TWELVE), "by=sex").intervals_are_for
    assert not impact(asked(TWELVE), "by=sex", unit="template").intervals_are_for  # three documents are too few


def test_documents_are_paired():
    p = np.random.default_rng(5).uniform(size=(6, 41)) ** np.repeat([1, 2], 3)[:, np.newaxis]
    p[0, 7] = np.nan
    people = {f"name {x}": {"sex": "male" if x > 2 else "female"} for x in range(6)}
    result = impact(asked(p, people), "above=0.5", unit="template")
    female, male = (np.delete(p[own] > 0.5, 7, axis=1).mean(axis=0) for own in (slice(3), slice(3, 6)))
    for end in (result.categories[1].low, result.categories[1].high):
        apart = male - end * female
        assert abs(apart.mean()) == pytest.approx(student.ppf(0.975, 39) * apart.std(ddof=1) / np.sqrt(40))


@pytest.mark.parametrize(
    ("choices", "refused"),
    [
        ({"criterion": "impact:by=religion"}, 'no group of made has "religion"'),
        ({"criterion": "linf", "analysis": "impact"}, "needs a rule of its own, and linf is none"),
        ({"criterion": "impact", "groups": ("Nemo",)}, "Nemo"),
    ],
)
def test_what_does_not_fit_is_refused(choices, refused):
    with pytest.raises(BvfError, match=refused):
        bvf.analyse(asked(TWELVE), **choices)
