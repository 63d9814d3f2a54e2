"""Marks are drawn alike on paper and in a browser: where they are, in which colour, and what they are called."""

import numpy as np
import plotly.graph_objects
import pytest
from bvf_report.pictures.compare import with_margin
from helpers.hostile_texts import HOSTILE
from helpers.made_pictures import keys, laid_out, named
from matplotlib.colors import to_hex

from bvf.drawing.browser import figure_of_marks, rounded
from bvf.drawing.marks import (
    Axis,
    Band,
    Beside,
    Box,
    ColumnNames,
    Dots,
    Line,
    Marks,
    Matrix,
    PointNames,
    Rings,
    RowNames,
    Rule,
    Shares,
    Strokes,
    Value,
    figure_dots,
    segments,
)  # fmt: skip
from bvf.drawing.paper import draw_marks

ACROSS, ROWS = Axis("x"), RowNames(["first", "second"])
VALUES = [Value(0.2, 0.1, 0.4), Value(0.5)]


def on_paper(*marks, across=ACROSS, upwards=ROWS, columns=1, **choices):
    axes = draw_marks(Marks(marks, across, upwards, **choices), None, columns)
    laid_out(axes)
    return axes


def in_browser(*marks, across=ACROSS, upwards=ROWS, **choices):
    figure = figure_of_marks(Marks(marks, across, upwards, **choices))
    plotly.graph_objects.Figure(figure)
    return figure["data"], figure["layout"]


def test_dots_have_their_intervals_and_their_looks():
    dots = Dots(VALUES, [0, 1], "#aa0000", "D", "a name", hollow=[True, False], texts=["one", "<i>two"])
    bars, filled, hollow = on_paper(dots).lines
    assert bars.get_xdata()[:2].tolist() == [0.1, 0.4]
    assert (filled.get_xydata().tolist(), hollow.get_xydata().tolist()) == ([[0.5, 1]], [[0.2, 0]])
    assert (filled.get_marker(), filled.get_color(), hollow.get_markerfacecolor()) == ("D", "#aa0000", "white")
    (trace,), layout = in_browser(dots)
    assert (trace["x"], trace["y"], trace["text"]) == ([0.2, 0.5], [0, 1], ["one", "&lt;i&gt;two"])
    assert (trace["error_x"]["array"], trace["error_x"]["arrayminus"]) == ([0.2, 0.0], [0.1, 0.0])
    assert (trace["marker"]["symbol"], trace["marker"]["color"]) == (["diamond-open", "diamond"], "#aa0000")
    assert "error_y" not in trace
    assert (layout["showlegend"], trace["showlegend"]) == (True, True)


def test_intervals_of_both_coordinates_cross():
    plane = {"upwards": Axis("y")}
    across, upright, _ = on_paper(Dots(VALUES[:1], [Value(3.0, 2.0, 5.0)]), **plane).lines
    assert across.get_xydata()[:2].tolist() == [[0.1, 3.0], [0.4, 3.0]]
    assert upright.get_xydata()[:2].tolist() == [[0.2, 2.0], [0.2, 5.0]]
    (trace,), layout = in_browser(Dots(VALUES[:1], [Value(3.0, 2.0, 5.0)]), **plane)
    assert (trace["error_y"]["array"], trace["error_y"]["arrayminus"]) == ([2.0], [1.0])
    assert layout["yaxis"]["title"]["text"] == "y"


def test_lines_bands_strokes_and_rules_are_where_they_are_said_to_be():
    at = np.array([0.0, 1.0, 2.0])
    marks = (
        Band(at, at, at + 1.0, "#00aa00"),
        Line(*segments([0.0, 0.5], [1.0, 1.5], [0, 1]), "#0000aa", 2.0, "dashed"),
        Strokes([0.3, 0.6], -0.1, 0.1, "#aa00aa"),
        Rule(x=0.25),
        Rule(y=0.5),
    )
    axes = on_paper(*marks)
    line, upright, level = axes.lines
    assert line.get_xdata()[[0, 1, 3, 4]].tolist() == [0.0, 1.0, 0.5, 1.5]
    assert (list(upright.get_xdata()), list(level.get_ydata())) == ([0.25] * 2, [0.5] * 2)
    band, strokes = axes.collections
    assert to_hex(band.get_facecolor()[0]) == "#00aa00"
    assert [segment.tolist() for segment in strokes.get_segments()] == [[[x, -0.1], [x, 0.1]] for x in (0.3, 0.6)]
    (area, lines, short), layout = in_browser(*marks)
    assert (area["x"], area["y"]) == ([0, 1, 2, 2, 1, 0], [1, 2, 3, 2, 1, 0])
    assert (lines["x"], lines["y"]) == ([0.0, 1.0, None, 0.5, 1.5, None], [0, 0, None, 1, 1, None])
    assert (lines["line"]["dash"], lines["hoverinfo"]) == ("dash", "skip")
    assert (short["x"], short["y"]) == ([0.3, 0.6], [0.0, 0.0])
    assert [(each["x0"], each["y0"]) for each in layout["shapes"]] == [(0.25, 0), (0, 0.5)]


def test_boxes_and_shares():
    box = Box(np.array([0.1, 0.2, 0.6]), 0.0, 0.5, "#000000", ["#aa0000"] * 3, (0.15, 0.2, 0.4), ["a", "b", "c"])
    axes = on_paper(box, Shares([0.6], [1]))
    outline, median = axes.lines
    assert (min(outline.get_xdata()), max(outline.get_xdata()), median.get_xdata()[0]) == (0.15, 0.4, 0.2)
    assert (axes.patches[0].get_width(), [text.get_text() for text in axes.texts]) == (0.6, ["60%"])
    (boxes, bars), _ = in_browser(box, Shares([0.6], [1]))
    assert (boxes["type"], boxes["x"], boxes["text"]) == ("box", [0.1, 0.2, 0.6], ["a", "b", "c"])
    assert (bars["type"], bars["x"], bars["y"]) == ("bar", [0.6], [1])


def test_a_matrix_has_its_numbers_and_a_missing_value_has_none():
    values = np.array([[0.1, 0.9], [np.nan, 0.5]])
    cells = Matrix(values, (0.0, 1.0), "p", digits=".2f", texts=[["a", "b"], ["c", "d"]])
    columns = {"across": ColumnNames(["left", "right"], 1.0), "grid": ""}
    axes = on_paper(cells, **columns)
    numbers = {text.get_position(): text.get_text() for text in axes.texts}
    assert numbers == {(0, 0): "0.10", (1, 0): "0.90", (1, 1): "0.50"}
    assert [label.get_text() for label in axes.get_xticklabels()] == ["left", "right"]
    (heat,), layout = in_browser(cells, **columns)
    assert (heat["z"], heat["customdata"]) == ([[0.1, 0.9], [None, 0.5]], [["a", "b"], ["c", "d"]])
    assert layout["xaxis"]["ticktext"] == ["left", "right"]


@pytest.mark.parametrize(("columns", "shown"), [(1, []), (2, ["left", "right"])])
def test_columns_have_names_where_there_is_room(columns, shown):
    across = ColumnNames(["left", "right"], 1.0, "2 columns", most=2, below=1.0)
    axes = on_paper(Matrix(np.eye(2), (0.0, 1.0), "p"), across=across, columns=columns)
    assert [label.get_text() for label in axes.get_xticklabels()] == shown
    assert axes.get_xlabel() == ("" if shown else "2 columns")
    assert in_browser(Matrix(np.eye(2), (0.0, 1.0), "p"), across=across)[1]["xaxis"]["title"]["text"] == "2 columns"


def test_of_many_columns_some_have_names_and_the_title_says_how_many():
    rows, cells = RowNames(["first"], title="sizes"), Matrix(np.ones((1, 30)), (0.0, 1.0), "p")
    axes = on_paper(cells, across=ColumnNames(list("abcdefghijklmnopqrstuvwxyzABCD"), 1.0, "letters"), upwards=rows)
    assert [label.get_text() for label in axes.get_xticklabels()] == list("acegikmoqsuwyAC")
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("letters (15 of 30 are named)", "sizes")
    axes = on_paper(cells, across=ColumnNames(["one"], 1.0, "letters"), upwards=RowNames(["a"] * 200, title="sizes"))
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("letters", "sizes (100 of 200 are named)")


def test_parts_fill_the_sector_of_which_they_are_parts():
    """Halves of a circle; the second has two parts, of one and of three quarters."""
    names, values = ["one", "two", "small", "large"], np.array([1.0, np.nan, -2.0, 2.0])
    rings = Rings(names, [-1, -1, 1, 1], [40, 40, 10, 30], values, 2.0, "far", ["all", *names], "%{label}")
    start, width, ring = rings.places()
    assert (start.tolist(), width.tolist()) == ([0.0, 0.5, 0.5, 0.625], [0.5, 0.5, 0.125, 0.375])
    assert ring == [0, 0, 1, 1]
    axes = on_paper(rings, upwards=Axis())
    assert [bar.get_width() / (2 * np.pi) for bar in axes.patches] == pytest.approx(width)
    assert [to_hex(bar.get_facecolor()) for bar in axes.patches][1:] == ["#ffffff", "#2d004b", "#7f3b08"]
    assert [text.get_text() for text in axes.texts] == names
    (sectors, scale), _ = in_browser(rings, upwards=Axis())
    assert (sectors["parents"], sectors["values"]) == (["", "all", "all", "1", "1"], [80, *rings.sizes])
    assert sectors["marker"]["colors"][2:] == ["#ffffff", "#542788", "#b35806"]
    assert (scale["marker"]["cmin"], scale["marker"]["cmax"]) == (-2.0, 2.0)


def test_texts_beside_rows_and_headings_are_on_paper_and_in_a_browser():
    rows = RowNames(["A heading", "first"], headings=[0])
    axes = on_paper(Dots([1.0], [1]), Beside([(1, "a word")], "what"), upwards=rows)
    assert named(axes) == ["", "first"]
    assert sorted(text.get_text() for text in axes.texts) == ["A heading", "a word", "what"]
    _, layout = in_browser(Dots([1.0], [1]), Beside([(1, "a word")], "what"), upwards=rows)
    assert layout["yaxis"]["ticktext"] == ["<b>A heading</b>", "first"]
    assert [each["text"] for each in layout["annotations"]] == ["a word", "what"]


def test_a_name_is_in_the_legend_once_and_a_mark_without_points_is_there_alone():
    dots = (figure_dots("R_bias", [0.1], [0]), figure_dots("R_bias", [0.2], [1]))
    marks = (*dots, Line(name="normal"), Band(name="area"))
    assert keys(on_paper(*marks)) == ["R$^b$", "normal", "area"]
    traces, _ = in_browser(*marks)
    assert [each["name"] for each in traces if each["showlegend"]] == ["R<sup>b</sup>", "normal", "area"]
    assert not on_paper(*marks, legend=False).get_figure(root=True).legends
    assert not in_browser(*marks, legend=False)[1]["showlegend"]


def test_axes_have_their_limits():
    plane = {"upwards": Axis("y", (0.0, None)), "across": Axis("x", from_zero=True, at_most=1.0)}
    axes = on_paper(Dots([0.5, 0.99], [3.0, 4.0]), **plane)
    assert (axes.get_xlim(), axes.get_ylim()[0]) == ((0.0, 1.0), 0.0)
    _, layout = in_browser(Dots([0.5], [3.0]), across=Axis("x", (0.0, 2.0)), upwards=Axis("y", from_zero=True))
    assert (layout["xaxis"]["range"], layout["yaxis"]["rangemode"]) == ([0.0, 2.0], "tozero")
    ticks = Axis("x", logarithmic=True, ticks=[(1e3, "small"), (1e6, "large")])
    axes = on_paper(Dots([1e3, 1e6], [1.0, 2.0]), across=ticks, upwards=Axis("y"))
    assert (axes.get_xscale(), [label.get_text() for label in axes.get_xticklabels()]) == ("log", ["small", "large"])
    assert in_browser(Dots([1e3], [1.0]), across=ticks, upwards=Axis("y"))[1]["xaxis"]["type"] == "log"


def test_rows_from_both_ends_have_a_line_where_others_are_left_out():
    (line,) = (each for each in on_paper(upwards=RowNames(["a", "b"], of=9)).lines if each.get_linestyle() == "--")
    assert list(line.get_ydata()) == [0.5, 0.5]
    assert not on_paper(upwards=RowNames(["a", "b"], of=2)).lines


def test_texts_of_strangers_stay_text():
    at = np.arange(len(HOSTILE), dtype=float)
    dots = [Dots([0.1], [x], name=name, texts=[name]) for x, name in enumerate(HOSTILE)]
    names = PointNames(at, at, HOSTILE, range(len(HOSTILE)))
    on_paper(*dots, Beside([(0, HOSTILE[0])]), across=Axis(HOSTILE[1]), upwards=RowNames(HOSTILE))
    on_paper(*dots, names, across=Axis(HOSTILE[1]), upwards=Axis(HOSTILE[2]))
    traces, layout = in_browser(*dots, Beside([(0, HOSTILE[0])]), across=Axis(HOSTILE[1]), upwards=RowNames(HOSTILE))
    written = [*layout["yaxis"]["ticktext"], layout["xaxis"]["title"]["text"], *(each["name"] for each in traces)]
    written += [text for each in traces for text in each["text"]] + [each["text"] for each in layout["annotations"]]
    assert not any(tag in text for text in written for tag in ("<script", "<i>", "\n", "\u202e"))


def test_numbers_are_short_and_ends_have_a_margin():
    assert rounded([0.123456789, 51234.0, np.nan, Value(2.0), None]) == [0.123457, 51234.0, None, 2.0, None]
    assert with_margin(VALUES) == (pytest.approx(0.08), pytest.approx(0.52))
