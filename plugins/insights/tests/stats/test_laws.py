"""Laws of positive values: fitted as scipy fits them, compared by Vuong's formula, found where they were planted."""

import numpy as np
import pytest
from bvf_insights.stats.laws import fitted_laws, vuong
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats


def planted(name, n=200, seed=3):
    rng = np.random.default_rng(seed)
    if name == "normal":
        return np.abs(rng.normal(4.0, 1.0, n))
    return rng.lognormal(-6.0, 1.2, n) if name == "log-normal" else 0.002 * (1.0 + rng.pareto(1.5, n))


@pytest.mark.parametrize("name", ["log-normal", "Pareto"])
def test_the_law_that_values_were_drawn_from_is_found_and_better_than_the_others(name):
    laws = {law.name: law for law in fitted_laws(planted(name))}
    assert max(laws.values(), key=lambda law: law.log_likelihood).name == name
    for other in set(laws) - {name}:
        test = vuong(laws[name], laws[other])
        assert test.z > 0
        assert test.p_value < 0.01


def test_a_normal_law_is_found_where_values_are_drawn_from_it():
    laws = fitted_laws(planted("normal", n=2000))
    assert max(laws, key=lambda law: law.log_likelihood).name == "normal"


@pytest.mark.parametrize("drawn", ["normal", "log-normal", "Pareto"])
def test_each_fit_has_the_likelihood_of_the_fit_of_scipy(drawn):
    values = planted(drawn)
    fits = {
        "normal": (stats.norm, stats.norm.fit(values)),
        "log-normal": (stats.lognorm, stats.lognorm.fit(values, floc=0.0)),
        "Pareto": (stats.pareto, stats.pareto.fit(values, floc=0.0, fscale=values.min())),
    }
    for law in fitted_laws(values):
        family, parameters = fits[law.name]
        assert law.log_likelihood == pytest.approx(family.logpdf(values, *parameters).sum(), rel=1e-6)


def test_no_other_parameters_make_a_likelihood_larger():
    values = planted("log-normal", n=40)
    normal, log_normal, pareto = fitted_laws(values)
    for by in (0.98, 1.02):
        mean, deviation = normal.parameters.values()
        moved = (stats.norm.logpdf(values, mean * by, deviation), stats.norm.logpdf(values, mean, deviation * by))
        assert max(each.sum() for each in moved) < normal.log_likelihood
        mean, deviation = log_normal.parameters.values()
        moved = (
            stats.lognorm.logpdf(values, deviation, scale=np.exp(mean * by)),
            stats.lognorm.logpdf(values, deviation * by, scale=np.exp(mean)),
        )
        assert max(each.sum() for each in moved) < log_normal.log_likelihood
        smallest, exponent = pareto.parameters.values()
        assert stats.pareto.logpdf(values, exponent * by, scale=smallest).sum() < pareto.log_likelihood
    assert stats.pareto.logpdf(values, exponent, scale=smallest * 0.98).sum() < pareto.log_likelihood


def test_likelihoods_by_hand():
    """Values 1, 2, 4: logs 0, log 2, 2 log 2, of variance 2/3 log(2)^2."""
    normal, log_normal, pareto = fitted_laws(np.array([1.0, 2.0, 4.0]))
    log2, variance = np.log(2.0), 14.0 / 9.0
    assert normal.log_likelihood == pytest.approx(-1.5 * np.log(2 * np.pi * variance) - 1.5)
    spread = 2.0 / 3.0 * log2**2
    assert log_normal.log_likelihood == pytest.approx(-1.5 * np.log(2 * np.pi * spread) - 1.5 - 3 * log2)
    exponent = 1.0 / log2
    assert pareto.log_likelihood == pytest.approx(3 * np.log(exponent) - (exponent + 1) * 3 * log2)


def test_vuong_by_hand():
    first, _, last = fitted_laws(planted("log-normal", n=30))
    apart = [a - b for a, b in zip(first.log_likelihoods, last.log_likelihoods, strict=True)]
    mean = sum(apart) / 30
    deviation = (sum((each - mean) ** 2 for each in apart) / 30) ** 0.5
    test = vuong(first, last)
    assert test.z == pytest.approx(30**0.5 * mean / deviation)
    assert test.p_value == pytest.approx(2 * stats.norm.sf(abs(test.z)))
    assert vuong(last, first).z == pytest.approx(-test.z)


@given(st.lists(st.integers(1, 1000), min_size=3, max_size=30, unique=True), st.floats(0.01, 100.0))
def test_the_unit_of_values_decides_nothing(values, by):
    """Another unit adds the same to every likelihood."""
    ours, others = fitted_laws(np.array(values)), fitted_laws(by * np.array(values))
    moved = [other.log_likelihood - law.log_likelihood for law, other in zip(ours, others, strict=True)]
    assert moved == pytest.approx([-len(values) * np.log(by)] * 3, rel=1e-6, abs=1e-6)
