"""Criteria that compare p with any p*, against SciPy's own distances."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.distance import cityblock, jensenshannon, sqeuclidean
from scipy.stats import chisquare, entropy

import bvf
from bvf.builtin.criteria import ChiSquared, JensenShannon, KullbackLeibler, SquaredHellinger, TotalVariation
from bvf.errors import BvfError

BY_SCIPY = {
    "tv": lambda p, p_star: cityblock(p, p_star) / 2,
    "hellinger": lambda p, p_star: sqeuclidean(np.sqrt(p), np.sqrt(p_star)) / 2,
    "kl": entropy,
    "js": lambda p, p_star: jensenshannon(p, p_star) ** 2,
    "chi2": lambda p, p_star: chisquare(p, p_star).statistic,
}


@st.composite
def cases(draw):
    """p with zeros here and there, shape (X, C, Y), and p*, shape (X, Y)."""
    shape = (draw(st.integers(1, 3)), draw(st.integers(1, 3)), draw(st.integers(2, 5)))
    mass = draw(arrays(np.float64, shape, elements=st.just(0.0) | st.floats(0.001, 1.0)))
    mass[..., 0] += 0.001
    p_star = draw(arrays(np.float64, (shape[0], shape[2]), elements=st.floats(0.01, 1.0)))
    return mass / mass.sum(axis=-1, keepdims=True), p_star / p_star.sum(axis=-1, keepdims=True)


@pytest.mark.parametrize("name", BY_SCIPY)
@given(case=cases())
def test_they_are_what_scipy_computes(name, case):
    p, p_star = case
    risk = bvf.decompose(p, reference=p_star, criterion=name, scale="raw")
    expected = [[BY_SCIPY[name](vector, p_star[x]) for vector in p[x]] for x in range(len(p))]
    of_mean = [BY_SCIPY[name](p[x].mean(axis=0), p_star[x]) for x in range(len(p))]
    assert risk.r == pytest.approx(np.mean(expected, axis=1), rel=1e-9, abs=1e-12)
    assert risk.r_bias == pytest.approx(of_mean, rel=1e-9, abs=1e-12)


def test_total_variation_is_bounded_however_rare_a_class_is():
    risk = bvf.decompose([[[0.0, 1.0]]], reference=[0.999, 0.001], criterion="tv", scale="raw")
    assert pytest.approx(0.999) == risk.R
    assert pytest.approx(999.0) == bvf.decompose([[[0.0, 1.0]]], reference=[0.999, 0.001], scale="raw").R


@pytest.mark.parametrize("divergence", [TotalVariation, SquaredHellinger, KullbackLeibler, JensenShannon, ChiSquared])
def test_without_a_reference_they_say_what_is_missing(divergence):
    with pytest.raises(BvfError, match=r"needs p\*"):
        divergence()([0.1, -0.1])


def test_a_parameter_of_a_divergence_stays_when_it_is_given_a_reference():
    class Scaled(TotalVariation):
        def __init__(self, factor):
            self.factor = factor

        def between(self, p, p_star):
            return self.factor * super().between(p, p_star)

    assert Scaled(3.0).for_reference(np.array([0.5, 0.5]))([1.0, -1.0]) == pytest.approx(1.5)
