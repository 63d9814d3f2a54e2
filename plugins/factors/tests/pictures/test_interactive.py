"""Pictures of factors in a browser have the numbers of their analysis. plotly accepts every one."""

from dataclasses import replace

import numpy as np
import plotly.graph_objects
import pytest
from bvf_factors.pictures.coverage import coverage, coverage_of
from bvf_factors.pictures.ecdf import ecdf
from bvf_factors.pictures.forest import forest
from bvf_factors.pictures.sunburst import sunburst_of
from bvf_factors.regressing.importance import importance
from bvf_factors.run import analyse_table
from bvf_report.page.build import page_of
from helpers.factor_tables import stigma_qa, table_of

from bvf import Picture
from bvf.hooks.loader import load


@pytest.fixture(scope="module")
def table():
    """A table in which level b deviates often. Level c never occurs together with q."""
    generator = np.random.default_rng(3)
    rows = [
        {"f": f, "g": g, "case": case, "deviates": bool(generator.random() < 0.2 + 0.5 * (f == "b"))}
        for case in range(45)
        for f, g in ("ap", "aq", "bp", "bq", "cp")
        for _ in range(3)
    ]
    factors = {"f": {"reference": "a"}, "g": {"reference": "p"}}
    return table_of(rows, outcome="deviates", cluster="case", factors=factors)


@pytest.fixture(scope="module")
def analysis(table):
    return analyse_table(table)


def drawn(view):
    """The picture as a plotly figure. plotly validates it."""
    figure = view.interactive()
    plotly.graph_objects.Figure(figure)
    return figure["data"], figure["layout"]


def test_cells_have_their_prompts_and_a_cross_stands_where_there_are_none(analysis):
    (cells, crosses), layout = drawn(coverage_of(analysis))
    assert cells["z"] == [[135, 135], [135, 135], [135, None]]
    assert (cells["zmin"], cells["zmax"]) == (0, 135)
    assert list(zip(crosses["y"], crosses["x"], strict=True)) == [(2, 1)]
    assert (layout["yaxis"]["ticktext"], layout["xaxis"]["ticktext"]) == (["a", "b", "c"], ["p", "q"])


def test_of_very_many_cells_there_is_a_drawing_in_place_of_a_picture():
    prompts = stigma_qa(("stigma", "template"), cots=("no",))
    view = coverage(prompts.factor("stigma"), prompts.factor("template"))
    assert view.interactive() is not None
    assert replace(view, counts=np.repeat(view.counts, 2, axis=0)).interactive() is None


def test_every_sector_lies_in_its_level_and_is_as_wide_as_its_prompts(analysis):
    (rings, _), _ = drawn(sunburst_of(analysis))
    rows = dict(zip(rings["ids"], rings["values"], strict=True))
    assert rows[rings["ids"][0]] == analysis.rows
    levels = dict(zip(rings["ids"], rings["labels"], strict=True))
    within = {}
    for sector, parent in zip(rings["ids"], rings["parents"], strict=True):
        within.setdefault(parent, []).append(sector)
    for parent, children in within.items():
        if parent:
            assert sum(rows[child] for child in children) == rows[parent]
    middle = within[rings["ids"][0]]
    assert {levels[each]: {levels[child] for child in within[each]} for each in middle} == {
        "a": {"p", "q"},
        "b": {"p", "q"},
        "c": {"p"},
    }


def test_the_colour_of_a_sector_is_its_disparity_and_white_where_nobody_can_tell(analysis):
    view = sunburst_of(analysis)
    (a, b, c), outer = view.inner, view.outer
    (rings, _), _ = drawn(replace(view, inner=(a, replace(b, disparity=view.furthest), replace(c, disparity=None))))
    colours = dict(zip(rings["ids"], rings["marker"]["colors"], strict=True))
    assert [colours[f"i{place}"] for place in (1, 2)] == ["#b35806", "#ffffff"]
    red, _, blue = bytes.fromhex(colours["i0"][1:])
    assert a.disparity < 0
    assert blue > red
    assert len(colours) == 1 + 3 + len(outer)


def test_a_forest_has_the_intervals_by_what_can_be_told(table):
    matters = importance(table)
    traces, layout = drawn(forest(matters))
    names = layout["yaxis"]["ticktext"]
    shown = {names[y]: (trace["name"], x, low, high) for trace in traces for x, y, low, high in points(trace)}
    assert shown.keys() == {"f=b", "f=c", "g=q"}
    assert names[0] == "f=b"
    assert shown["f=b"][0] == "deviates more"
    for each in matters.effects:
        _, *numbers = shown[f"{each.term}={each.level}"]
        assert numbers == pytest.approx([each.coefficient, each.low, each.high], abs=2e-4)


def points(trace):
    bars = trace["error_x"]
    for x, y, below, above in zip(trace["x"], trace["y"], bars["arrayminus"], bars["array"], strict=True):
        yield x, y, x - below, x + above


def test_a_distribution_function_is_a_flight_of_steps_from_0_to_1():
    (first, second), layout = drawn(ecdf({"one": [0.2, 0.1, 0.6], "two": [0.5]}, target=0.1, line=0.2))
    assert first["x"] == [0, 0.1, 0.2, 0.6, 1]
    assert first["y"] == pytest.approx([0, 1 / 3, 2 / 3, 1, 1], abs=1e-4)
    assert first["line"]["shape"] == "hv"
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
