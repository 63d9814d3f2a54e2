"""Pictures of factors: the numbers of their table, drawn on paper and in a browser; plotly accepts every one."""

from dataclasses import replace

import numpy as np
import plotly.graph_objects
import pytest
from bvf_factors.pictures.coverage import coverage, coverage_of
from bvf_factors.pictures.ecdf import ecdf
from bvf_factors.pictures.forest import forest, forest_of
from bvf_factors.pictures.sunburst import sunburst, sunburst_of
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

    axes = view.draw()
    assert np.asarray(axes.images[0].get_array().filled(0)).tolist() == counts
    assert axes.collections[0].get_offsets().tolist() == [[1, 2]]
    assert [int(text.get_text()) for text in axes.texts] == [n for each in counts for n in each if n]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["a", "b", "c"]

    (cells, crosses), layout = in_browser(view)
    assert cells["z"] == [*counts[:2], [counts[2][0], None]]
    assert (cells["zmin"], cells["zmax"]) == (0, max(map(max, counts)))
    assert list(zip(crosses["y"], crosses["x"], strict=True)) == [(2, 1)]
    assert (layout["yaxis"]["ticktext"], layout["xaxis"]["ticktext"]) == (["a", "b", "c"], ["p", "q"])


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
    with pytest.raises(BvfError, match="no factor h"):
        coverage_of(analysis, "h")
    with pytest.raises(BvfError, match="two factors"):
        sunburst_of(analysis, "f", "f")
    with pytest.raises(BvfError, match="no subgroups of f and h"):
        sunburst(*analysis.subgroups, "f", "h")
    with pytest.raises(BvfError, match="there is no factor h"):
        forest_of(analysis, factors=["h"])
    refused = analysis.model_copy(update={"importance": None, "importance_refused": "levels are the same rows"})
    with pytest.raises(BvfError, match="no regression: levels are the same rows"):
        forest_of(refused)


def test_rings_are_shares_of_prompts(table, analysis):
    view = sunburst_of(analysis)
    assert [each.level for each in view.inner] == ["a", "b", "c"]
    widths = [count(f=f) / table.rows for f in "abc"]
    assert [each.width for each in view.inner] == pytest.approx(widths)
    assert [each.start for each in view.inner] == pytest.approx(np.cumsum([0, *widths])[:3])
    assert [(each.level, each.width) for each in view.outer] == [
        (g, pytest.approx(count(f=f, g=g) / table.rows)) for f, g in ("ap", "aq", "bp", "bq", "cp")
    ]
    assert view.outer[2].start == pytest.approx(view.inner[1].start)
    one = next(each for each in analysis.subgroups[0].found if each.levels == ("b",))
    assert (view.inner[1].disparity, view.inner[1].rate) == (one.disparity, one.rate)
    assert view.furthest >= abs(one.disparity)

    inner = [bar.get_width() for bar in view.draw().patches if bar.get_y() < 0.8]
    assert inner == pytest.approx([2 * np.pi * width for width in widths])

    (rings, _), _ = in_browser(view)
    rows = dict(zip(rings["ids"], rings["values"], strict=True))
    assert rows[rings["ids"][0]] == analysis.rows
    levels = dict(zip(rings["ids"], rings["labels"], strict=True))
    within = {}
    for sector, parent in zip(rings["ids"], rings["parents"], strict=True):
        within.setdefault(parent, []).append(sector)
    middle = within[rings["ids"][0]]
    for parent in (rings["ids"][0], *middle):
        assert sum(rows[child] for child in within[parent]) == rows[parent]
    children = {levels[each]: {levels[child] for child in within[each]} for each in middle}
    assert children == {"a": {"p", "q"}, "b": {"p", "q"}, "c": {"p"}}


def test_the_colour_of_a_sector_is_its_disparity_and_white_where_nobody_can_tell(analysis):
    view = sunburst_of(analysis)
    (a, b, c), outer = view.inner, view.outer
    (rings, _), _ = in_browser(
        replace(view, inner=(a, replace(b, disparity=view.furthest), replace(c, disparity=None)))
    )
    colours = dict(zip(rings["ids"], rings["marker"]["colors"], strict=True))
    assert [colours[f"i{place}"] for place in (1, 2)] == ["#b35806", "#ffffff"]
    red, _, blue = bytes.fromhex(colours["i0"][1:])
    assert a.disparity < 0
    assert blue > red
    assert len(colours) == 1 + 3 + len(outer)


def test_a_forest_has_the_effects_and_their_intervals_largest_first(analysis):
    view = forest_of(analysis)
    effects = {f"{each.term}={each.level}": each for each in analysis.importance.effects}
    assert [each.value.value for each in view.effects] == sorted(
        (e.coefficient for e in effects.values()), reverse=True
    )
    for each in view.effects:
        effect = effects[f"{each.term}={each.level}"]
        assert (each.value.low, each.value.high, each.reference) == (effect.low, effect.high, effect.reference)
        assert (each.side != "neither") == (effect.adjusted_p < 0.05)
    assert view.effects[0].side == "more"
    short = forest(analysis.importance, show=1)
    assert (len(short.effects), short.of) == (1, 3)

    axes = view.draw()
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert names[0] == "f=b"
    drawn = [tuple(line.get_xdata()) for line in axes.lines if len(line.get_xdata()) == 2 and line.get_linewidth() > 1]
    ends = np.array(sorted((each.low, each.high) for each in effects.values()))
    assert np.array(sorted(drawn)) == pytest.approx(ends)
    colours = {names[int(line.get_ydata()[0])]: line.get_color() for line in axes.lines if line.get_marker() == "o"}
    clear = {name for name, each in effects.items() if each.adjusted_p < 0.05}
    assert {name for name, colour in colours.items() if colour != "#767676"} == clear != set()

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
    assert view.steps[0].rates.tolist() == [0.1, 0.2, 0.6]
    assert view.steps[0].distance == pytest.approx(0.2)
    axes = view.draw()
    assert [text.get_text() for text in axes.get_figure(root=True).legends[0].get_texts()] == ["one", "two"]
    (first, second), layout = in_browser(view)
    for steps in ((axes.lines[0].get_xdata(), axes.lines[0].get_ydata()), (first["x"], first["y"])):
        assert list(steps[0]) == [0, 0.1, 0.2, 0.6, 1]
        assert list(steps[1]) == pytest.approx([0, 1 / 3, 2 / 3, 1, 1], abs=1e-4)
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
