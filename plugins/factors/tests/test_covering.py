"""Coverage (CP), Gini index and missing prompts: worked numbers, published ones, and a plain computation."""

from itertools import combinations, product

import numpy as np
import pytest
from bvf_factors.covering import (
    CoverageResult,
    cell_counts,
    coverage,
    covered,
    empty_cells,
    gini,
    missing_prompts,
    prompts_per_cell,
)
from bvf_factors.reading.table import FactorColumn
from helpers.factor_tables import stigma_qa, table_of
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from pydantic import ValidationError

from bvf import BvfError

NESTED = {"cot": {"type": "model"}, "seed": {"type": "model", "within": {"cot": ["yes"]}}, "style": {"type": "prompt"}}


@pytest.fixture(scope="module")
def prompts():
    return stigma_qa()


def test_the_published_figures_of_social_stigma_qa_come_from_its_table(prompts):
    of_table = coverage(prompts)
    ginis = {each.factors[0]: round(each.gini, 4) for each in of_table.single}
    published = {"stigma": 0.0071, "gender": 0.5292, "style": 0.2464, "biased": 0.1216, "cot": 0.0, "template": 0.0}
    assert ginis == pytest.approx(published, abs=5e-5)
    joint = coverage(prompts, ("stigma", "gender", "style", "biased", "cot")).joint
    assert (joint.cells, joint.filled) == (6_016, 2_236)
    assert (joint.proportion, joint.gini) == (pytest.approx(0.3717, abs=5e-5), pytest.approx(0.7114, abs=5e-5))
    every = covered([prompts.factor(name) for name in published])
    assert (every.cells, round(every.proportion, 4), round(every.gini, 4)) == (222_592, 0.0931, 0.9069)
    pairs = {each.factors: (each.filled, each.proportion, each.gini) for each in of_table.pairs}
    for pair, figures in {
        ("stigma", "style"): (280, 0.7447, 0.2553),
        ("stigma", "gender"): (280, 0.7447, 0.5369),
        ("gender", "style"): (10, 0.625, 0.6473),
        ("gender", "biased"): (6, 0.75, 0.6085),
        ("gender", "template"): (74, 0.5, 0.7482),
    }.items():
        assert pairs[pair] == pytest.approx(figures, abs=5e-4)


def test_a_template_decides_what_it_says(prompts):
    of_table = coverage(prompts, ("template", "biased", "cot"))
    assert of_table.decided == {"biased": "template"}
    pair = next(each for each in of_table.pairs if each.factors == ("template", "biased"))
    assert (pair.cells, pair.possible, pair.filled, pair.possible_proportion) == (74, 37, 37, 1.0)
    assert pair.possible_gini == pytest.approx(0.0)
    assert (of_table.joint.possible, of_table.joint.possible_proportion) == (74, 1.0)
    frame = of_table.to_frame()
    assert (frame["factors"].tolist()[-1], len(frame)) == ("template x biased x cot", 3 + 3 + 1)


def nested_rows():
    return [
        {"cot": cot, "seed": seed, "style": style}
        for style in "ab"
        for cot, seed in [("no", ""), ("yes", 1), ("yes", 2), ("yes", 3)]
    ]


def test_a_nested_factor_has_cells_only_within_another():
    table = table_of(nested_rows(), factors=NESTED)
    of_table = coverage(table)
    cells = {each.factors: (each.cells, each.possible, each.filled) for each in of_table.pairs}
    assert cells[("cot", "seed")] == (8, 4, 4)
    assert cells[("seed", "style")] == (6, 6, 6)
    assert (of_table.joint.possible, of_table.joint.possible_proportion) == (8, 1.0)
    assert next(each for each in of_table.single if each.factors == ("seed",)).cells == 3
    assert of_table.counts["seed"] == {"1": 2, "2": 2, "3": 2, "-": 2}


def test_cells_can_be_seen(prompts):
    gender, style = prompts.factor("gender"), prompts.factor("style")
    counts = cell_counts(gender, style)
    assert counts.loc["none", "base"] == 74
    assert counts.to_numpy().sum() == prompts.rows
    empty = empty_cells((gender, style))
    assert ("none", "doubt") in empty
    assert len(empty) == 16 - 10
    assert set(map(tuple, empty)) == {(g, s) for g in counts.index for s in counts.columns if counts.loc[g, s] == 0}
    with pytest.raises(BvfError, match="too many to list"):
        empty_cells(prompts.factors)
    with pytest.raises(BvfError, match="style is named twice"):
        coverage(prompts, ("style", "style"))


levels = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3), st.integers(0, 1)), min_size=1, max_size=30)


def of_lists(rows):
    """Dictionaries of rows, and of two more with all levels apart; and their table."""
    dicts = [dict(zip("abc", map(str, row), strict=True)) for row in [*rows, (0, 0, 0), (1, 1, 1)]]
    return dicts, table_of(dicts, factors={"a": {}, "b": {}, "c": {}})


def distinct(rows, names):
    return {tuple(row[name] for name in names) for row in rows}


@given(levels)
def test_a_full_design_lacks_what_is_not_there(rows):
    dicts, table = of_lists(rows)
    design = missing_prompts(table, ("a", "b", "c"))
    every = set(product(*(sorted({row[name] for row in dicts}) for name in "abc")))
    assert set(design.missing) == every - distinct(dicts, "abc")
    assert design.possible == len(every)
    assert design.filled + len(design.missing) == design.possible


@given(levels, st.integers(2, 3))
def test_a_fractional_design_lets_all_combinations_of_some_levels_meet(rows, strength):
    dicts, table = of_lists(rows)
    design = missing_prompts(table, ("a", "b", "c"), strength)
    after = dicts + [dict(zip(design.factors, levels, strict=True)) for levels in design.missing]
    for names in combinations("abc", strength):
        assert distinct(after, names) == set(product(*(sorted({row[name] for row in dicts}) for name in names)))
    full = missing_prompts(table, ("a", "b", "c")).missing
    assert len(design.missing) <= len(full)
    assert len(set(design.missing)) == len(design.missing)


def test_designs_know_what_is_nested_what_follows_and_what_never_meets():
    rows = [row for row in nested_rows() if not (row["style"] == "b" and row["seed"] in {2, ""})]
    table = table_of(rows, factors=NESTED)
    assert missing_prompts(table).missing == (("no", "-", "b"), ("yes", "2", "b"))
    assert missing_prompts(table, strength=2).missing == missing_prompts(table).missing
    rows = [{"t": t, "g": "f" if t < 3 else "m", "s": s} for t in range(6) for s in "ab"][:-1]
    design = missing_prompts(table_of(rows, factors={"t": {}, "g": {}, "s": {}}))
    assert (design.factors, design.missing, design.following) == (("t", "s"), (("5", "b"),), {"g": "t"})
    factors = {"cot": {}, "seed": {"within": {"cot": ["yes"]}}, "beam": {"within": {"cot": ["no"]}}, "s": {}}
    rows = [{"cot": "yes", "seed": seed, "s": s} for seed, s in ((1, "a"), (1, "b"), (2, "a"))]
    rows += [{"cot": "no", "beam": beam, "s": s} for beam, s in ((4, "a"), (8, "b"))]
    design = missing_prompts(table_of(rows, factors=factors), strength=2)
    assert set(design.missing) == {("yes", "2", "-", "b"), ("no", "-", "4", "b"), ("no", "-", "8", "a")}


def test_designs_that_are_refused(prompts):
    with pytest.raises(BvfError, match="a design of strength 4"):
        missing_prompts(prompts, strength=4)
    names = [f"f{number}" for number in range(6)]
    rows = np.random.default_rng(0).integers(0, 11, (400, 6))
    wide = table_of([dict(zip(names, row, strict=True)) for row in rows.tolist()], factors={name: {} for name in names})
    with pytest.raises(BvfError, match="1,771,561 cells: too many to list"):
        missing_prompts(wide)
    assert len(missing_prompts(wide, strength=2).missing) < 100


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
    with pytest.raises(BvfError, match="there is no prompt"):
        gini(np.array([], dtype=int), 4)


def test_more_cells_than_any_number_are_counted_without_a_tensor():
    levels = np.array([[0] * 40, [1] * 40, [1] * 40])
    assert sorted(prompts_per_cell(levels, (9,) * 40).tolist()) == [1, 2]
    of_all = coverage_of(levels, (9,) * 40)
    assert (of_all.cells, of_all.filled) == (9**40, 2)
    assert of_all.gini == pytest.approx(1.0)


@pytest.mark.parametrize("factors", [(), ("another",), ("f0", "f0")])
def test_coverage_of_no_factor_or_of_one_without_counts_is_refused(factors):
    single = coverage_of_counts([1, 2])
    fields = {"rows": 3, "pairs": (), "joint": None, "decided": {}, "same_rows": (), "constants": {}, "unseen": {}}
    fields |= {"counts": {"f0": {"0": 1, "1": 2}}}
    assert CoverageResult(single=(single,), **fields)
    with pytest.raises(ValidationError, match="there are no counts of these factors"):
        CoverageResult(single=(single.model_copy(update={"factors": factors}),), **fields)
