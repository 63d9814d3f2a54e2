"""Coverage (CP) and Gini index of designs: worked numbers, published ones, and a plain computation."""

from itertools import product

import numpy as np
import pytest
from bvf_factors.covering.coverage import CoverageResult, covered, gini, prompts_per_cell
from bvf_factors.reading.table import FactorColumn
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from pydantic import ValidationError

from bvf import BvfError


def coverage_of(levels, sizes):
    return covered(
        tuple(
            FactorColumn(f"f{number}", "prompt", tuple(map(str, range(size))), 0, codes)
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


@given(st.integers(1, 40), st.integers(1, 50), st.integers(1, 9))
def test_cells_filled_alike_have_a_gini_index_of_what_is_empty(filled, empty, each):
    of_cells = coverage_of_counts([each] * filled + [0] * empty)
    assert of_cells.gini == pytest.approx(1 - of_cells.proportion)


def test_worked_tables():
    table = np.array([[4, 0, 2], [0, 3, 1]])
    levels = np.repeat(np.argwhere(table > 0), table[table > 0], axis=0)
    both = coverage_of(levels, (2, 3))
    assert (both.cells, both.filled, both.gini) == (6, 4, pytest.approx(0.5))
    assert coverage_of(levels[:, :1], (2,)).gini == pytest.approx(0.1)
    assert coverage_of(levels[:, 1:], (3,)).gini == pytest.approx(0.066667, abs=1e-6)
    assert gini(prompts_per_cell(levels, (2, 3)), 4) == pytest.approx(0.25)


FACTORS = ("stigma", "gender", "style", "biased", "cot", "template")
SIZES = {"stigma": 94, "gender": 4, "style": 4, "biased": 2, "cot": 2, "template": 37}


@pytest.fixture(scope="module")
def stigma_qa():
    """The design of SocialStigmaQA: 37 templates, each in three styles for 93 stigmas and as a base prompt."""
    gender_of = np.repeat([1, 2, 3], [4, 8, 25])  # of the templates; 0 is no gender, that of base prompts
    biased_of = np.zeros(37, dtype=int)
    biased_of[12:26] = 1  # 14 templates, all gender neutral
    rows = []
    for template, cot in product(range(37), range(2)):
        rows.append((0, 0, 0, biased_of[template], cot, template))
        rows += [
            (stigma, gender_of[template], style, biased_of[template], cot, template)
            for stigma, style in product(range(1, 94), range(1, 4))
        ]
    return np.array(rows)


def of(prompts, *names):
    return coverage_of(prompts[:, [FACTORS.index(name) for name in names]], tuple(SIZES[name] for name in names))


def test_the_structure_of_social_stigma_qa_has_the_published_figures(stigma_qa):
    assert len(stigma_qa) == 20_720
    ginis = {"stigma": 0.0071, "template": 0.0, "gender": 0.5292, "style": 0.2464, "biased": 0.1216, "cot": 0.0}
    assert {name: round(of(stigma_qa, name).gini, 4) for name in ginis} == pytest.approx(ginis, abs=5e-5)
    every = of(stigma_qa, "stigma", "gender", "style", "biased", "cot")
    assert (every.cells, every.filled) == (6_016, 2_236)
    assert (every.proportion, every.gini) == (pytest.approx(0.3717, abs=5e-5), pytest.approx(0.7114, abs=5e-5))
    with_template = of(stigma_qa, *FACTORS)
    assert with_template.cells == 222_592
    assert with_template.proportion == pytest.approx(0.0931, abs=5e-5)
    assert with_template.gini == pytest.approx(0.9069, abs=5e-5)


@pytest.mark.parametrize(
    ("pair", "filled", "proportion", "gini"),
    [
        (("stigma", "style"), 280, 0.7447, 0.2553),
        (("stigma", "gender"), 280, 0.7447, 0.5369),
        (("gender", "style"), 10, 0.625, 0.6473),
        (("gender", "biased"), 6, 0.75, 0.6085),
        (("template", "gender"), 74, 0.5, 0.7482),
    ],
)
def test_pairs_of_social_stigma_qa(stigma_qa, pair, filled, proportion, gini):
    of_pair = of(stigma_qa, *pair)
    assert of_pair.filled == filled
    assert of_pair.proportion == pytest.approx(proportion, abs=5e-5)
    assert of_pair.gini == pytest.approx(gini, abs=5e-4)


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
