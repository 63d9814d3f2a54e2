"""Shares corrected for the counted error of a reader, and intervals that include what is not known of that error."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from bvf_texts.misread import SPLITS, Confusion, differs_between, reaches
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from bvf.analyses.risk.sampled import further
from bvf.builtin.criteria import Linf
from bvf.stats.figures.risk import decompose_risk
from bvf.stats.sampling.sampled_answers import Answers, corrected, on_simplex
from bvf.stats.sampling.sampled_risk import sampled_risk
from bvf.stats.sampling.samples import ContextSample
from bvf.study.study import named_intervals, parts_of_risk

TWO = Confusion(np.array([[90, 10], [20, 80]]))
THREE = Confusion(np.array([[80, 10, 10], [5, 90, 5], [0, 30, 70]]))


def test_intervals_hold_with_the_error_of_the_matrix_and_not_without():
    """The labelled texts say 0.83 and 0.7 where 0.9 and 0.8 are right: by one standard error and a half."""
    rng, sample, truth = np.random.default_rng(3), ContextSample(np.ones(150)), np.array([[0.9, 0.1], [0.2, 0.8]])
    p = np.stack([share := rng.beta(20, 10, (2, 150)), 1.0 - share], axis=-1)
    right, unlucky = decompose_risk(p, Linf()), Confusion(np.array([[33, 7], [12, 28]]))
    judged = rng.multinomial(np.full((2, 150), 20), p @ truth)
    answers = Answers(judged, np.full((2, 1, 2), 0.5), matrix=unlucky.matrix)
    risk_of = partial(sampled_risk, criterion=Linf(), sample=sample)
    whole = parts_of_risk(found := risk_of(answers))[0]
    reach = reaches(answers, unlucky, lambda given: parts_of_risk(risk_of(given)), found.group_weights, 0.95)
    intervals = named_intervals(whole.sampled.estimates(found.group_weights, 0.95), whole.names)
    shown = dict(zip(whole.names, map(float, whole.sampled.values(found.group_weights)), strict=True))
    for figure, by in zip(whole.names, reach[whole.names][:, 0], strict=True):
        wider = further(intervals[figure], shown[figure], by)
        assert wider.low <= getattr(right, figure) <= wider.high
    assert not intervals["R_bias"].low <= right.R_bias <= intervals["R_bias"].high
    again = [risk_of(replace(answers, matrix=each, splits=SPLITS)) for each in (unlucky.matrix, *unlucky.drawn_again())]
    R, *drawn = (float(parts_of_risk(each)[0].sampled.values(each.group_weights)[0]) for each in again)
    low, high = np.quantile(drawn, (0.025, 0.975))
    assert R - low != pytest.approx(high - R)
    assert reach[whole.names][0, 0] == pytest.approx(max(R - low, high - R))  # the same to both sides


def test_two_classes_are_corrected_as_by_rogan_and_gladen():
    """Prevalence = (share + specificity - 1) / (sensitivity + specificity - 1), here (0.45 + 0.8 - 1) / 0.7."""
    assert corrected(np.array([0.45, 0.55]), TWO.matrix)[0] == pytest.approx((0.45 + 0.8 - 1.0) / (0.9 + 0.8 - 1.0))


def test_the_shares_that_are_read_of_known_probabilities_are_corrected_to_these():
    p = np.array([[0.2, 0.5, 0.3], [0.0, 1.0, 0.0]])
    assert corrected(p @ THREE.matrix, THREE.matrix) == pytest.approx(p)


@given(arrays(np.float64, 3, elements=st.floats(-2, 2)))
def test_the_nearest_point_of_the_simplex_is_nearer_than_any_other(v):
    v = v - (v.sum() - 1.0) / 3.0
    nearest = on_simplex(v)
    assert nearest.sum() == pytest.approx(1.0)
    assert (nearest >= 0).all()
    others = np.random.default_rng(0).dirichlet(np.ones(3), 200)
    assert (np.linalg.norm(others - v, axis=1) >= np.linalg.norm(nearest - v) - 1e-9).all()


def test_halves_of_few_answers_are_unbiased_and_nothing_is_where_there_is_no_answer():
    p, rng = np.array([0.7, 0.2, 0.1]), np.random.default_rng(1)
    hits = np.tile([1, 2, 3, 5], 5_000)[np.newaxis]
    counts = rng.multinomial(hits, p @ THREE.matrix)
    answers = Answers(counts, np.full((1, 1, 3), 1 / 3), splits=1, matrix=THREE.matrix)
    for half in (answers.shares, *answers.halves[0]):
        for number in (1, 2, 3, 5):
            assert half[hits == number].mean(axis=0) == pytest.approx(p, abs=0.04)
    spread = answers.shares[0].var(axis=0, ddof=1)
    assert answers.variances[0].mean(axis=0) == pytest.approx(spread, rel=0.1)
    assert np.isnan(replace(answers, counts=counts * 0).shares).all()


def test_errors_that_differ_between_groups_are_found():
    """Of 40 texts of each group 4 and 20 were read wrongly: chi-square 15.2 of one degree, p = 9.5e-5, twice that."""
    unequal = np.array([[[4, 36], [0, 40]], [[20, 20], [1, 39]]])
    assert differs_between(unequal) == pytest.approx(2 * 9.51e-5, rel=0.01)
    assert differs_between(np.array([[[4, 36], [0, 40]], [[4, 36], [0, 40]]])) == 1.0
    assert differs_between(unequal[:1]) is None
