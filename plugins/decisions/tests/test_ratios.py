"""Intervals of ratios are those of Fieller's theorem, and hold the ratio to the rate that is truly the highest."""

import numpy as np
import pytest
from bvf_decisions.ratios import impact_ends, names_as_units, ratio_ends
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student


def units(first, second):
    """Names of two cells."""
    cells = np.repeat([0, 1], [len(first), len(second)])
    shares = np.eye(2)[cells].T / np.bincount(cells)[:, np.newaxis]
    rates = np.concatenate([first, second])
    return shares @ rates, names_as_units(rates, shares, cells)


rates = st.lists(st.floats(0, 1), min_size=3, max_size=8).map(np.array)


@given(first=rates, second=rates, r=st.floats(0.01, 5))
def test_an_interval_has_the_ratios_that_a_t_test_does_not_reject(first, second, r):
    (k, j), of = units(first, second)
    v, w = first.var(ddof=1) / len(first), second.var(ddof=1) / len(second)
    if min(k, j) < 0.01 or v + w < 1e-6:
        return
    low, high = (ends[0, 1] for ends in ratio_ends(np.array([k, j]), of, 0.9))
    total = v + (k / j) ** 2 * w
    freedom = total**2 / (v**2 / (len(first) - 1) + (k / j) ** 4 * w**2 / (len(second) - 1))
    distance = abs(k - r * j) - student.ppf(0.95, freedom) * np.sqrt(v + r**2 * w)
    if abs(distance) > 1e-6:
        assert (low <= r <= high) == (distance < 0)


def test_a_single_name_of_its_kind_has_no_known_error():
    of_all, of = units([0.5], [0.4, 0.6])
    assert np.isnan(impact_ends(of_all, of, 0.95)).all()


def test_names_that_are_all_alike_leave_no_error_and_nobody_selected_is_no_reference():
    of_all, of = units([0.4, 0.4], [0.8, 0.8])
    assert impact_ends(of_all, of, 0.95) == (pytest.approx([0.5, 1.0]), pytest.approx([0.5, 1.0]))
    of_all, of = units([0.0, 0.0], [0.8, 0.8])
    assert impact_ends(of_all, of, 0.95) == (pytest.approx([0.0, 1.0]), pytest.approx([0.0, 1.0]))
