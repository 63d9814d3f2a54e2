"""Quantiles by special functions are those of scipy.stats."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from bvf.stats.figures.quantiles import pearson3_below, pearson3_quantile, student_quantile, student_tail

LEVELS = st.floats(1e-6, 1 - 1e-6)
SKEWNESS = st.one_of(st.just(0.0), st.floats(1e-4, 20.0), st.floats(-20.0, -1e-4))


@given(LEVELS, st.floats(0.5, 1e6), st.floats(-50.0, 50.0))
def test_students_t(level, freedom, t):
    assert student_quantile(level, freedom) == pytest.approx(stats.t.ppf(level, freedom), rel=1e-9, abs=1e-12)
    assert student_tail(t, freedom) == pytest.approx(stats.t.sf(t, freedom), rel=1e-9, abs=1e-300)


@given(LEVELS, SKEWNESS, st.floats(-8.0, 8.0))
def test_pearsons_type_three(level, skewness, x):
    assert pearson3_quantile(level, skewness) == pytest.approx(stats.pearson3.ppf(level, skewness), rel=1e-6, abs=1e-9)
    assert pearson3_below(x, skewness) == pytest.approx(stats.pearson3.cdf(x, skewness), rel=1e-6, abs=1e-12)
