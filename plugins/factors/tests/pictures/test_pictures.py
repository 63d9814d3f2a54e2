"""Pictures of factors: the numbers of their table, drawn on paper and in a browser; plotly accepts every one."""

from dataclasses import replace

import numpy as np
import plotly.graph_objects
import pytest
from bvf_factors.pictures import coverage, coverage_of, ecdf, forest, forest_of, sunburst, sunburst_of
from bvf_factors.run import analyse_table
from bvf_report.page.build import page_of
from helpers.factor_tables import stigma_qa, table_of

from bvf import BvfError, Picture
from bvf.hooks.loader import load


def rows():
    """Level b deviates often, level q a little; level c never occurs together with q."""
    generator = np.random.default_rng(3)
    return [
        {"f": f, "g": g, "t": t, "d": bool(generator.random() < 0.2 + 0.4 * (f == "b") + 0.05 * (g == "q"))}
        for t in range(45)
        for f in "abc"
        for g in "pq"
        if (f, g) != ("c", "q")
        for _ in range(1 + (f == "a"))
    ]


ROWS = rows()


@pytest.fixture(scope="module")
def table():
    return table_of(ROWS, outcome="d", cluster="t", factors={"f": {"reference": "a"}, "g": {"reference": "p"}})


@pytest.fixture(scope="module")
def analysis(table):
    return analyse_table(table)


def count(**levels):
    return sum(all(row[name] == level for name, level in levels.items()) for row in ROWS)


def in_browser(view):
    """The picture as a plotly figure. plotly validates it."""
    figure = view.interactive()
    plotly.graph_objects.Figure(figure)
    return figure["data"], figure["layout"]


def test_a_heat_map_has_the_prompts_of_cells_and_crosses_where_there_are_none(table, analysis):
    view = coverage(table.factor("f"), table.factor("g"))
    assert (view.rows, view.columns) == (("a", "b", "c"), ("p", "q"))
    counts = [[count(f=f, g=g) for g in "pq"] for f in "abc"]
    assert view.counts.tolist() == counts
    again = coverage_of(analysis)
    assert (again.first, again.second, again.counts.tolist()) == ("f", "g", counts)
    assert coverage_of(analysis, second="f").counts.tolist() == view.counts.T.tolist()
    total = sum(map(sum, counts))
    said = f"How many prompts there are of each pair of f and g: {total:,} in all, none in 1 of 6 pairs, which"
    assert view.caption().startswith(said)

    (cells, crosses), layout = in_browser(view)
    assert cells["z"] == [*counts[:2], [counts[2][0], None]]
    assert (cells["zmin"], cells["zmax"]) == (0, max(map(max, counts)))
    assert list(zip(crosses["y"], crosses["x"], strict=True)) == [(2, 1)]
    for axis, title, names in (("yaxis", "f", ["a", "b", "c"]), ("xaxis", "g", ["p", "q"])):
        assert (layout[axis]["title"]["text"], layout[axis]["ticktext"]) == (title, names)


def test_of_very_many_cells_there_is_a_drawing_alone_that_says_how_many_are_named():
    prompts = stigma_qa(("stigma", "template"), cots=("no",))
    view = coverage(prompts.factor("stigma"), prompts.factor("template"))
    assert view.interactive() is not None
    assert replace(view, counts=np.repeat(view.counts, 2, axis=0)).interactive() is None
    axes = view.draw(columns=1)
    assert axes.get_ylabel().startswith("stigma")
    assert axes.get_xlabel().startswith("template (")
    assert "are named" in axes.get_xlabel()


def test_what_is_not_there_is_refused(analysis):
    untold = analysis.model_copy(update={"importance": None, "importance_refused": "levels are the same rows"})
    for message, picture, *given in (
        ("no factor h", coverage_of, analysis, "h"),
        ("two factors", sunburst_of, analysis, "f", "f"),
        ("no subgroups of f and h", sunburst, *analysis.subgroups, "f", "h"),
        ("there is no factor h", forest_of, analysis, 24, ["h"]),
        ("no regression: levels are the same rows", forest_of, untold),
    ):
        with pytest.raises(BvfError, match=message):
            picture(*given)


def test_rings_have_the_prompts_and_disparities_of_subgroups(analysis):
    view = sunburst_of(analysis)
    assert [(each.level, each.within, each.rows) for each in view.sectors] == [
        *((f, -1, count(f=f)) for f in "abc"),
        *((g, "abc".index(f), count(f=f, g=g)) for f, g in ("ap", "aq", "bp", "bq", "cp")),
    ]
    b = next(each for each in analysis.subgroups[0].found if each.levels == ("b",))
    assert (view.sectors[1].disparity, view.sectors[1].rate) == (b.disparity, b.rate)
    (rings, scale), _ = in_browser(view)
    assert rings["values"] == [analysis.rows, *(each.rows for each in view.sectors)]
    assert rings["customdata"][2] == f"rate {b.rate:.3f}, log disparity {b.disparity:+.2f}"
    assert scale["marker"]["cmax"] == max(abs(each.disparity) for each in view.sectors)
    unknown = replace(view, sectors=(replace(view.sectors[0], disparity=None), *view.sectors[1:]))
    (rings, _), _ = in_browser(unknown)
    assert rings["marker"]["colors"][1] == "#ffffff"
    assert rings["customdata"][1].endswith(", too few prompts to tell")
    assert replace(view, sectors=view.sectors * 200).interactive() is None


def test_a_forest_has_the_effects_and_their_intervals_largest_first(analysis):
    view = forest_of(analysis)
    effects = {f"{each.term}={each.level}": each for each in analysis.importance.effects}
    assert list(view.effects) == sorted(effects.values(), key=lambda each: -each.coefficient)
    for each in view.effects:
        assert (view.side(each) != "neither") == (each.adjusted_p < 0.05)
    assert view.side(view.effects[0]) == "more"
    short = forest(analysis.importance, show=1)
    assert (len(short.effects), short.of) == (1, 3)

    traces, layout = in_browser(view)
    names = layout["yaxis"]["ticktext"]
    shown = {names[y]: (trace["name"], x, low, high) for trace in traces for x, y, low, high in points(trace)}
    assert shown.keys() == effects.keys()
    assert (names[0], shown["f=b"][0]) == ("f=b", "deviates more")
    for name, each in effects.items():
        assert shown[name][1:] == pytest.approx((each.coefficient, each.low, each.high), abs=2e-4)


def points(trace):
    bars = trace["error_x"]
    for x, y, below, above in zip(trace["x"], trace["y"], bars["arrayminus"], bars["array"], strict=True):
        yield x, y, x - below, x + above


def test_a_forest_of_named_factors_has_their_levels_alone(analysis):
    view = forest_of(analysis, factors=["f"])
    assert {(each.term, each.level) for each in view.effects} == {("f", "b"), ("f", "c")}
    assert view.of == 2
    assert "g=" not in view.caption()


def test_a_distribution_function_is_a_flight_of_steps_from_0_to_1():
    view = ecdf({"one": [0.6, 0.1, 0.2], "two": [0.5]}, target=0.1, line=0.2)
    assert "Mean distance of their rates from 0.1: one 0.200, two 0.400." in view.caption()
    (first, second), layout = in_browser(view)
    assert (first["name"], second["name"]) == ("one", "two")
    assert first["x"] == [1, 0.6, 0.2, 0.1, 0]
    assert first["y"] == pytest.approx([1, 1, 2 / 3, 1 / 3, 0], abs=1e-4)
    assert first["line"]["shape"] == "vh", "from the right: down to the share of a rate, then left to it"
    assert first["line"]["dash"] != second["line"]["dash"]
    assert [line["x0"] for line in layout["shapes"]] == [0.1, 0.2]
    assert layout["showlegend"]


def test_every_picture_of_a_page_of_factors_answers_to_the_mouse(analysis, tmp_path):
    file = tmp_path / "mine.json"
    file.write_text(analysis.model_dump_json(by_alias=True), "utf-8")
    page = page_of([file], load())
    views = [block for part in page.parts for block in part.blocks if isinstance(block, Picture)]
    assert [type(view).__name__ for view in views] == ["Coverage", "Sunburst", "Forest", "Ecdf"]
    assert all(view.interactive() for view in views)
    assert page.subtitle == "mine"
