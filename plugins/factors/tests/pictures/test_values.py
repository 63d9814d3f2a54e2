"""Pictures of factors show the numbers of the table itself."""

import numpy as np
import pytest
from bvf_factors.pictures.coverage import coverage, coverage_of
from bvf_factors.pictures.ecdf import ecdf
from bvf_factors.pictures.forest import forest, forest_of
from bvf_factors.pictures.sunburst import sunburst, sunburst_of
from bvf_factors.run import analyse_table
from helpers.factor_tables import table_of

from bvf import BvfError


def rows():
    generator = np.random.default_rng(3)
    return [
        {"f": f, "g": g, "t": t, "d": bool(generator.random() < 0.2 + 0.4 * (f == "b") + 0.05 * (g == "q"))}
        for t in range(45)
        for f in "abc"
        for g in "pq"
        if (f, g) != ("c", "q")
        for _ in range(1 + (f == "a"))
    ]


@pytest.fixture(scope="module")
def table():
    return table_of(rows(), outcome="d", cluster="t", factors={"f": {"reference": "a"}, "g": {"reference": "p"}})


@pytest.fixture(scope="module")
def analysis(table):
    return analyse_table(table)


def count(**levels):
    return sum(all(row[name] == level for name, level in levels.items()) for row in rows())


def test_counts_are_those_of_the_table_and_of_its_analysis(table, analysis):
    view = coverage(table.factor("f"), table.factor("g"))
    assert (view.rows, view.columns) == (("a", "b", "c"), ("p", "q"))
    assert view.counts.tolist() == [[count(f=f, g=g) for g in "pq"] for f in "abc"]
    assert (view.counts.sum(), (view.counts == 0).sum()) == (table.rows, 1)
    again = coverage_of(analysis)
    assert (again.first, again.second, again.counts.tolist()) == ("f", "g", view.counts.tolist())
    assert coverage_of(analysis, second="f").counts.tolist() == view.counts.T.tolist()


def test_factors_that_are_not_there_are_refused(analysis):
    with pytest.raises(BvfError, match="no factor h"):
        coverage_of(analysis, "h")
    with pytest.raises(BvfError, match="two factors"):
        sunburst_of(analysis, "f", "f")


def test_factors_without_subgroups_make_no_rings(analysis):
    with pytest.raises(BvfError, match="no subgroups of f and h"):
        sunburst(*analysis.subgroups, "f", "h")


def test_rings_are_shares_of_prompts(table, analysis):
    view = sunburst_of(analysis)
    assert [each.level for each in view.inner] == ["a", "b", "c"]
    assert [each.width for each in view.inner] == pytest.approx([count(f=f) / table.rows for f in "abc"])
    assert [each.start for each in view.inner] == pytest.approx(
        np.cumsum([0, *(each.width for each in view.inner)])[:3]
    )
    assert [(each.level, each.width) for each in view.outer] == [
        (g, pytest.approx(count(f=f, g=g) / table.rows)) for f, g in ("ap", "aq", "bp", "bq", "cp")
    ]
    assert view.outer[2].start == pytest.approx(view.inner[1].start)
    one = next(each for each in analysis.subgroups[0].found if each.levels == ("b",))
    assert (view.inner[1].disparity, view.inner[1].rate) == (one.disparity, one.rate)
    assert view.furthest >= abs(one.disparity)


def test_a_forest_has_the_effects_largest_first(analysis):
    view = forest_of(analysis)
    effects = {(each.term, each.level): each for each in analysis.importance.effects}
    assert [each.value.value for each in view.effects] == sorted(
        (each.value.value for each in view.effects), reverse=True
    )
    for each in view.effects:
        effect = effects.pop((each.term, each.level))
        assert (each.value.low, each.value.high, each.reference) == (effect.low, effect.high, effect.reference)
        assert (each.side != "neither") == (effect.adjusted_p < 0.05)
    assert not effects
    assert view.effects[0].side == "more"
    short = forest(analysis.importance, show=1)
    assert (len(short.effects), short.of) == (1, 3)


def test_a_forest_of_named_factors_has_their_levels_alone(analysis):
    view = forest_of(analysis, factors=["f"])
    assert {(each.term, each.level) for each in view.effects} == {("f", "b"), ("f", "c")}
    assert view.of == 2
    assert "g=" not in view.caption()
    with pytest.raises(BvfError, match="there is no factor h"):
        forest_of(analysis, factors=["h"])


def test_an_analysis_without_a_regression_has_no_forest(analysis):
    refused = analysis.model_copy(update={"importance": None, "importance_refused": "levels are the same rows"})
    with pytest.raises(BvfError, match="no regression: levels are the same rows"):
        forest_of(refused)


def test_a_distribution_function_rises_at_each_rate():
    (steps,) = ecdf({"a": [0.6, 0.1, 0.2]}, target=0.1).steps
    assert steps.rates.tolist() == [0.1, 0.2, 0.6]
    assert steps.heights == pytest.approx([1 / 3, 2 / 3, 1])
    assert steps.distance == pytest.approx(0.2)
