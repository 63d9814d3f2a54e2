"""Coverage (CP) and Gini index of designs: worked numbers, published ones, and a plain computation."""

import numpy as np
import pytest
from bvf_factors.covering import CoverageResult, covered, gini, prompts_per_cell
from bvf_factors.reading.table import FactorColumn
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from pydantic import ValidationError

from bvf import BvfError


def coverage_of(levels, sizes):
    return covered(
        tuple(
            FactorColumn(f"f{number}", tuple(map(str, range(size))), 0, codes)
            for number, (size, codes) in enumerate(zip(sizes, levels.T, strict=True))
        )
    )


def coverage_of_counts(counts):
    return coverage_of(np.repeat(np.arange(len(counts)), counts)[:, np.newaxis], (len(counts),))


def plain_gini(counts):
    """The Gini coefficient by Eq. 2, computed plainly over all cells including empty ones."""
    n, N = np.sort(np.asarray(counts, dtype=float)), len(counts)
    return 1 - 2 * sum(n[k - 1] / n.sum() * (N - k + 0.5) / N for k in range(1, N + 1))


@given(arrays(np.int64, st.integers(1, 30), elements=st.integers(0, 9)).filter(lambda counts: counts.any()))
def test_the_gini_index_is_that_of_all_cells_in_closed_form(counts):
    of_cells = coverage_of_counts(counts)
    assert of_cells.gini == pytest.approx(plain_gini(counts), abs=1e-12)
    assert of_cells.proportion == pytest.approx((counts > 0).mean())


def test_worked_tables():
    table = np.array([[4, 0, 2], [0, 3, 1]])
    levels = np.repeat(np.argwhere(table > 0), table[table > 0], axis=0)
    both = coverage_of(levels, (2, 3))
    assert (both.cells, both.filled, both.gini) == (6, 4, pytest.approx(0.5))
    assert coverage_of(levels[:, :1], (2,)).gini == pytest.approx(0.1)
    assert coverage_of(levels[:, 1:], (3,)).gini == pytest.approx(0.066667, abs=1e-6)
    assert gini(prompts_per_cell(levels, (2, 3)), 4) == pytest.approx(0.25)


def test_more_cells_than_any_number_are_counted_without_a_tensor():
    levels = np.array([[0] * 40, [1] * 40, [1] * 40])
    assert sorted(prompts_per_cell(levels, (9,) * 40).tolist()) == [1, 2]
    of_all = coverage_of(levels, (9,) * 40)
    assert (of_all.cells, of_all.filled) == (9**40, 2)
    assert of_all.gini == pytest.approx(1.0)


def test_what_cannot_be_covered_is_one_line():
    with pytest.raises(BvfError, match="there is no prompt"):
        gini(np.array([], dtype=int), 4)
    with pytest.raises(BvfError, match="5 combinations have prompts, and only 4 are possible"):
        gini(np.ones(5, dtype=int), 4)


@pytest.mark.parametrize("factors", [(), ("another",), ("f0", "f0")])
def test_coverage_of_no_factor_or_of_one_without_counts_is_refused(factors):
    single = coverage_of_counts([1, 2])
    fields = {"rows": 3, "pairs": (), "joint": None, "decided": {}, "same_rows": (), "constants": {}, "unseen": {}}
    assert CoverageResult(single=(single,), counts={"f0": {"0": 1, "1": 2}}, **fields)
    with pytest.raises(ValidationError, match="there are no counts of these factors"):
        CoverageResult(
            single=(single.model_copy(update={"factors": factors}),), counts={"f0": {"0": 1, "1": 2}}, **fields
        )
