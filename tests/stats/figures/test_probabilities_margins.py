"""Margins of crossed classes: sums that never lie further from p* than the product does."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from bvf.builtin.criteria import Lk, TotalVariation
from bvf.stats.figures.probabilities import margins
from bvf.stats.figures.risk import decompose_risk

GENDER, RACE = np.array([0, 1, 0, 1]), np.array([0, 0, 1, 1])
"""Of the classes white man, white woman, black man, black woman."""


def test_a_worked_example():
    p = np.array([[[0.1, 0.2, 0.3, 0.4]]])
    np.testing.assert_allclose(margins(p, GENDER), [[[0.4, 0.6]]])
    np.testing.assert_allclose(margins(p, RACE), [[[0.3, 0.7]]])


def test_what_is_missing_stays_missing():
    p = np.array([[[0.1, 0.2, 0.3, 0.4], [np.nan] * 4]])
    assert np.isnan(margins(p, GENDER)).tolist() == [[[False, False], [True, True]]]


def test_a_bias_against_a_pair_alone_is_in_no_margin():
    """Half of the black people are women and half of the women black, yet there is no black woman."""
    p = np.array([[[0.0, 0.5, 0.5, 0.0]]])
    risks = [
        decompose_risk(each, TotalVariation(), scale="raw").R for each in (p, margins(p, GENDER), margins(p, RACE))
    ]
    assert risks == [0.5, 0, 0]


@st.composite
def products(draw):
    """p of shape (X, C, A * B), p* of shape (X, A * B), and the level of each of the two factors in each class."""
    a, b = draw(st.integers(2, 4)), draw(st.integers(2, 3))
    x, c = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    mass = draw(arrays(np.float64, (x, c, a * b), elements=st.just(0.0) | st.floats(0.001, 1.0)))
    mass[..., 0] += 0.001
    p_star = draw(arrays(np.float64, (x, a * b), elements=st.floats(0.01, 1.0)))
    levels = [np.repeat(np.arange(a), b), np.tile(np.arange(b), a)]
    return mass / mass.sum(-1, keepdims=True), p_star / p_star.sum(-1, keepdims=True), levels


@given(products())
def test_a_margin_is_a_distribution_and_no_further_from_p_star_than_the_product(case):
    p, p_star, factors = case
    product = np.abs(p - p_star[:, np.newaxis]).sum(-1) / 2
    for levels in factors:
        margin, margin_star = margins(p, levels), margins(p_star, levels)
        np.testing.assert_allclose(margin.sum(-1), 1)
        distance = np.abs(margin - margin_star[:, np.newaxis]).sum(-1) / 2
        assert (distance <= product + 1e-12).all()
        whole = decompose_risk(p, TotalVariation(), reference=p_star, scale="raw")
        part = decompose_risk(margin, TotalVariation(), reference=margin_star, scale="raw")
        assert (part.r <= whole.r + 1e-12).all()
        assert (part.r_bias <= whole.r_bias + 1e-12).all()


@given(products())
def test_lk1_by_the_number_of_classes_is_total_variation_and_shrinks_with_it(case):
    p, _, factors = case
    tv, lk1 = (decompose_risk(p, each, scale="raw").r for each in (TotalVariation(), Lk("1")))
    np.testing.assert_allclose(lk1 / p.shape[2], tv, atol=1e-12)
    for levels in factors:
        margin = margins(p, levels)
        part = decompose_risk(margin, Lk("1"), scale="raw").r / margin.shape[2]
        assert (part <= lk1 / p.shape[2] + 1e-12).all()


@given(products(), st.randoms(use_true_random=False))
def test_the_order_of_classes_does_not_matter(case, random):
    p, _, (levels, _) = case
    order = random.sample(range(p.shape[2]), p.shape[2])
    np.testing.assert_allclose(margins(p[..., order], levels[order]), margins(p, levels), atol=1e-15)
