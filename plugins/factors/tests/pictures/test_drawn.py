"""Figures of factors show the numbers of their analysis."""

import numpy as np
import pytest
from bvf_factors.pictures.coverage import coverage
from bvf_factors.pictures.ecdf import ecdf
from bvf_factors.pictures.forest import forest
from bvf_factors.pictures.sunburst import sunburst
from bvf_factors.rates.subgroups import subgroups
from bvf_factors.regressing.importance import importance
from helpers.factor_tables import stigma_qa, table_of


@pytest.fixture(scope="module")
def prompts():
    return stigma_qa(("gender", "style", "biased"), cots=("no",))


def made_up():
    """Effects of two factors over 45 clusters. Level b deviates more, and level q a little more."""
    generator = np.random.default_rng(3)
    rows = [
        {"f": f, "g": g, "t": t, "d": bool(generator.random() < 0.2 + 0.4 * (f == "b") + 0.05 * (g == "q"))}
        for t in range(45)
        for f in "abc"
        for g in "pq"
        for _ in range(3)
    ]
    return table_of(rows, outcome="d", cluster="t", factors={"f": {"reference": "a"}, "g": {"reference": "p"}})


def test_a_heat_map_has_the_counts_and_crosses_where_there_are_none(prompts):
    axes = coverage(prompts.factor("gender"), prompts.factor("style")).draw()
    values = np.asarray(axes.images[0].get_array().filled(0))
    assert values.sum() == prompts.rows
    assert len(axes.collections[0].get_offsets()) == (values == 0).sum() == 6
    assert sum(int(text.get_text().replace(",", "")) for text in axes.texts) == prompts.rows
    assert [label.get_text() for label in axes.get_yticklabels()] == ["female", "male", "neutral", "none"]


def test_a_heat_map_of_very_many_levels_says_how_many_are_named():
    table = stigma_qa(("stigma", "template"), cots=("no",))
    axes = coverage(table.factor("stigma"), table.factor("template")).draw(columns=1)
    assert axes.get_ylabel().startswith("stigma")
    assert axes.get_xlabel().startswith("template (")
    assert "are named" in axes.get_xlabel()


def test_a_forest_has_the_intervals_largest_on_top():
    matters = importance(made_up())
    axes = forest(matters).draw()
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert names[0] == "f=b"
    intervals = [
        tuple(line.get_xdata()) for line in axes.lines if len(line.get_xdata()) == 2 and line.get_linewidth() > 1
    ]
    ends = np.array(sorted((each.low, each.high) for each in matters.effects))
    assert np.array(sorted(intervals)) == pytest.approx(ends)
    colours = {names[int(line.get_ydata()[0])]: line.get_color() for line in axes.lines if line.get_marker() == "o"}
    clear = {f"{each.term}={each.level}" for each in matters.effects if each.adjusted_p < 0.05}
    assert {name for name, colour in colours.items() if colour != "#767676"} == clear
    assert clear


def test_rings_are_as_wide_as_there_are_prompts():
    table = made_up()
    axes = sunburst(subgroups(table, 1), subgroups(table, 2), "f", "g").draw()
    widths = [bar.get_width() for bar in axes.patches]
    inner = [bar.get_width() for bar in axes.patches if bar.get_y() < 0.8]
    assert sum(inner) == pytest.approx(2 * np.pi)
    assert sum(widths) == pytest.approx(4 * np.pi)
    assert inner == pytest.approx([2 * np.pi / 3] * 3)


def test_a_distribution_function_rises_at_its_rates():
    axes = ecdf({"a": [0.2, 0.1, 0.6], "b": [0.5]}, line=0.2).draw()
    assert list(axes.lines[0].get_xdata()) == [0.0, 0.1, 0.2, 0.6, 1.0]
    assert list(axes.lines[0].get_ydata()) == pytest.approx([0, 1 / 3, 2 / 3, 1, 1])
    assert [text.get_text() for text in axes.get_figure(root=True).legends[0].get_texts()] == ["a", "b"]
