"""Adjusted p values of a family are those of statsmodels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from statsmodels.stats.multitest import multipletests

from bvf.stats.comparing.adjusting import benjamini_hochberg, benjamini_yekutieli, holm

WAYS = {"holm": holm, "fdr_bh": benjamini_hochberg, "fdr_by": benjamini_yekutieli}


@pytest.mark.parametrize("method", WAYS)
@given(arrays(np.float64, st.integers(1, 8), elements=st.floats(0.0, 1.0)))
def test_adjusted_p_values_are_those_of_statsmodels(method, p_values):
    assert WAYS[method](p_values) == pytest.approx(multipletests(p_values, method=method)[1])


@pytest.mark.parametrize("way", WAYS.values())
def test_no_test_is_no_family(way):
    assert way(np.array([])).tolist() == []
