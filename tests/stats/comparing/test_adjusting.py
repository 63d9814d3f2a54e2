"""Adjusted p values of a family: worked numbers, and the same by statsmodels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from statsmodels.stats.multitest import multipletests

from bvf.stats.comparing.adjusting import benjamini_hochberg, benjamini_yekutieli, holm

WAYS = {"holm": holm, "fdr_bh": benjamini_hochberg, "fdr_by": benjamini_yekutieli}
WORKED = np.array([0.001, 0.01, 0.03, 0.04])


@pytest.mark.parametrize("method", WAYS)
@given(arrays(np.float64, st.integers(1, 8), elements=st.floats(0.0, 1.0)))
def test_adjusted_p_values_are_those_of_statsmodels(method, p_values):
    assert WAYS[method](p_values) == pytest.approx(multipletests(p_values, method=method)[1])


def test_worked_families():
    assert holm(WORKED) == pytest.approx([0.004, 0.03, 0.06, 0.06])
    assert benjamini_hochberg(WORKED) == pytest.approx([0.004, 0.02, 0.04, 0.04])
    harmonic = 1 + 1 / 2 + 1 / 3 + 1 / 4
    assert benjamini_yekutieli(WORKED) == pytest.approx(np.array([0.004, 0.02, 0.04, 0.04]) * harmonic)


@pytest.mark.parametrize("way", WAYS.values())
def test_the_order_of_tests_does_not_matter_and_no_test_is_no_family(way):
    assert way(WORKED[::-1]) == pytest.approx(way(WORKED)[::-1])
    assert way(np.array([])).tolist() == []
