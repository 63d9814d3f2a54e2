"""Figures show the numbers of their views; labels fit; names from strangers break nothing."""

import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hostile_texts import HOSTILE
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from bvf import BvfError
from bvf.plot import lettering
from bvf.plot.drawing import draw, save
from bvf.plot.lettering import lettering as lettering_of
from bvf.views.captions import caption
from bvf.views.comparison import Compared, Ranked, Rise, Trend
from bvf.views.distributions import Distributions
from bvf.views.scale import Place, Scale
from bvf.views.scatter import Scatter
from bvf.views.values import Value


def named(axes):
    return [label.get_text() for label in axes.get_yticklabels()]


def laid_out(axes):
    FigureCanvasAgg(axes.get_figure(root=True)).draw()


def boxes(axes):
    laid_out(axes)
    return [label.get_window_extent() for label in axes.get_yticklabels() if label.get_text()]


def keys(axes):
    (legend,) = axes.get_figure(root=True).legends
    return [text.get_text() for text in legend.get_texts()]


def many(number):
    return [f"occupation number {x}" for x in range(number)]


def distributions(groups, classes):
    shape = (len(groups), len(classes))
    quantiles = np.sort(np.random.default_rng(0).uniform(size=(*shape, 5)), axis=2)
    shares = np.full((*shape, 40), 1 / 40)
    means, p_star = quantiles[..., 2], np.full(shape, 1 / len(classes))
    return Distributions(
        "made", "made", classes, tuple(groups), quantiles, means, p_star, shares, np.linspace(0, 1, 41), 9, len(groups)
    )


def risks(groups):
    bias, volatility = np.random.default_rng(1).uniform(size=(2, len(groups)))
    values = tuple(map(Value, bias))
    leads = np.arange(len(groups)) % 2
    return Scatter(
        "made", "made", ("male", "female"), tuple(groups), np.full(len(groups), 0.1), bias, volatility, values, values,
        leads, 9, None,
    )  # fmt: skip


def scale(names):
    value = Value(0.4, 0.3, 0.6)
    places = tuple(Place(name, "made", value, Value(0.3), Value(0.1)) for name in names)
    return Scale(places, (Place("stereotyped", "made", Value(1.0), Value(1.0), Value(0.0)),), "linf", "unit",
                 (10,) * len(names), (4,) * len(names), 0.95, {})  # fmt: skip


def compared(names):
    values = {"R": Value(0.4, 0.3, 0.6), "R_bias": Value(0.3), "R_volatility": Value(0.1)}
    models = tuple(Ranked(name, values, {"R": (1, 2)}) for name in names)
    return Compared("made", models, (), 10, 4, 0.95, "")


def trend(names):
    values = tuple(Value(0.1 * x, 0.1 * x - 0.02, 0.1 * x + 0.02) for x in range(len(names)))
    figures = dict.fromkeys(("R", "R_bias", "R_volatility"), values)
    at = 1e6 * 10.0 ** np.arange(len(names))
    return Trend("made", "parameters", tuple(names), at, figures, {"R": Rise(1.0, 0.3)}, 0.95, 10, "")


def test_dots_and_intervals_are_the_leans(leans):
    view = leans(["captain", "judge", "nurse"])
    axes = draw(view)
    assert named(axes) == ["captain", "judge", "nurse"]
    dots = {line.get_ydata()[0]: line for line in axes.lines if line.get_marker() == "o"}
    for place, each in enumerate(view.groups):
        assert dots[place].get_xdata()[0] == each.lean[0].value
    hollow = [place for place, dot in dots.items() if dot.get_markerfacecolor() == "white"]
    assert hollow == [0]
    spans = [tuple(line.get_xdata()) for line in axes.lines if len(line.get_xdata()) == 2 and line.get_alpha()]
    assert spans == [(each.lean[0].low, each.lean[0].high) for each in view.groups]
    top, bottom = axes.transData.transform([(0, 0), (0, 2)])[:, 1]
    assert top > bottom


@pytest.mark.parametrize(("number", "columns"), [(1, 1), (3, 2), (24, 1), (120, 1), (250, 2)])
def test_names_of_groups_never_touch_and_stay_on_the_page(leans, number, columns):
    axes = draw(leans(many(number)), columns=columns)
    figure = axes.get_figure(root=True)
    assert figure.get_figwidth() == {1: 3.5, 2: 7.16}[columns]
    assert figure.get_figheight() <= 9.6
    names = boxes(axes)
    assert all(upper.y0 >= lower.y1 - 0.5 for upper, lower in pairwise(names))
    assert min(box.x0 for box in names) >= 0
    if number <= 120:
        assert len(names) == number
    else:
        assert axes.get_ylabel() == f"{len(names)} of {number} are named"


def test_names_fit_the_axes_of_somebody_else(leans):
    figure = Figure(figsize=(4, 2))
    axes = figure.add_subplot()
    assert draw(leans(many(60)), axes) is axes
    names = boxes(axes)
    assert all(upper.y0 >= lower.y1 - 0.5 for upper, lower in pairwise(names))
    assert "of 60 are named" in axes.get_ylabel()


def test_a_heat_map_has_the_leans_and_a_colour_for_what_is_missing(cells):
    axes = draw(cells, columns=2)
    shown = axes.images[0].get_array()
    assert shown.filled(9.0) == pytest.approx(np.nan_to_num(cells.values, nan=9.0))
    low, high = axes.images[0].get_clim()
    assert low == -high == -0.4
    assert [label.get_text() for label in axes.get_xticklabels()] == list(cells.contexts)
    assert "no answer" in keys(axes)


def test_more_classes_have_a_colour_each_and_white_at_the_reference(cells):
    leads = np.array([[0, 1, 2], [2, -1, 1]])
    values = np.array([[0.4, 0.1, 0.2], [0.0, np.nan, 0.4]])
    axes = draw(replace(cells, classes=("one", "two", "three"), leads=leads, values=values))
    shown = np.asarray(axes.images[0].get_array())
    assert shown[1, 0] == pytest.approx([1, 1, 1])
    assert len(np.unique(shown[[0, 1, 0], [0, 2, 2]], axis=0)) == 3
    assert keys(axes)[:3] == ["one", "two", "three"]


def test_a_distribution_has_its_quantiles_and_means():
    view = distributions(["captain", "nurse"], ("male", "female"))
    axes = draw(view)
    thick = [tuple(line.get_xdata()) for line in axes.lines if line.get_linewidth() == 1.6]
    assert thick == [(view.quantiles[x, 0, 1], view.quantiles[x, 0, 3]) for x in range(2)]
    assert [line.get_xdata()[0] for line in axes.lines if line.get_marker() == "o"] == view.means[:, 0].tolist()


def test_a_scatter_has_a_dot_per_group_and_names_that_do_not_touch():
    view = risks(many(40))
    axes = draw(view)
    dots = np.concatenate([np.asarray(each.get_offsets()) for each in axes.collections])
    expected = np.column_stack([view.r_bias, view.r_volatility])
    assert dots[dots[:, 0].argsort()] == pytest.approx(expected[expected[:, 0].argsort()])
    laid_out(axes)
    names = [text.get_window_extent() for text in axes.texts]
    assert 3 <= len(names) <= 10
    assert not any(one.overlaps(other) for x, one in enumerate(names) for other in names[:x])


def test_figures_of_models_have_a_marker_for_each_figure_and_ranks():
    axes = draw(compared(["a", "b"]))
    at = [(line.get_marker(), line.get_xdata()[0]) for line in axes.lines if line.get_linestyle() == "None"]
    assert at == [("o", 0.4), ("D", 0.3), ("^", 0.1)] * 2
    assert [text.get_text() for text in axes.texts] == ["1 to 2", "1 to 2", "rank"]


def test_a_trend_over_sizes_is_logarithmic():
    axes = draw(trend(["small", "middle", "large"]))
    assert axes.get_xscale() == "log"
    assert [label.get_text() for label in axes.get_xticklabels()] == ["small (1M)", "middle (10M)", "large (100M)"]


@pytest.mark.parametrize("kind", ["lean", "grid", "distribution", "scatter", "scale", "compared", "trend"])
def test_names_of_strangers_break_no_figure(kind, leans, cells, tmp_path):
    names, longest, formula = HOSTILE, "W" * 300, "$x^{"
    view = {
        "lean": lambda: leans(names, classes=(longest, formula), model="half \ud800"),
        "grid": lambda: replace(
            cells, groups=(longest, formula), contexts=tuple(names[:3]), classes=(longest, formula)
        ),
        "distribution": lambda: distributions(names, (longest, formula, "one\ntwo")),
        "scatter": lambda: replace(risks(names), classes=(longest, formula)),
        "scale": lambda: scale(names),
        "compared": lambda: compared(names),
        "trend": lambda: trend(names),
    }[kind]()
    axes, file = draw(view, columns=1), tmp_path / "figure.svg"
    save(axes, file, "a title", caption(view))
    ET.parse(file)
    box = axes.get_figure(root=True).get_tightbbox()
    assert box.x0 >= -0.05
    assert box.x1 <= 3.55
    shown = [text.get_text() for text in axes.findobj(match=lambda each: hasattr(each, "get_text"))]
    assert not any(sign in text for text in shown for sign in "\n\x07\x1b\u202e\ud800")


def test_a_dollar_sign_is_a_dollar_sign():
    written = lettering_of(["$x^2$"])
    assert written.label("$x^2$") == r"\$x^2\$"


@pytest.mark.parametrize("ending", ["svg", "pdf", "png"])
def test_the_same_figure_is_the_same_file_with_its_caption(ending, leans, tmp_path):
    view = leans(["captain", "nurse"])
    said = caption(view)
    for name in ("one", "other"):
        save(draw(view), tmp_path / f"{name}.{ending}", "How far groups lean", said)
    one, other = ((tmp_path / f"{name}.{ending}").read_bytes() for name in ("one", "other"))
    assert one == other
    assert one.startswith({"svg": b"<?xml", "pdf": b"%PDF", "png": b"\x89PNG"}[ending])
    if ending != "pdf":
        assert b"How far groups lean" in one
        assert said.encode() in one
    assert b"CreationDate" not in one
    assert b"dc:date" not in one


def test_files_that_are_no_figure_or_cannot_be_written_are_refused(leans, tmp_path):
    axes = draw(leans(["captain"]))
    with pytest.raises(BvfError, match="no kind of figure") as refused:
        save(axes, tmp_path / "f.gif")
    assert ".pdf, .svg, .png" in refused.value.hint
    with pytest.raises(BvfError, match="no kind of figure") as refused:
        save(axes, tmp_path / "f.sgv")
    assert "did you mean svg" in refused.value.hint
    with pytest.raises(BvfError, match="cannot be written"):
        save(axes, tmp_path / "none" / "f.png")


def test_a_figure_of_three_columns_is_refused(leans):
    with pytest.raises(BvfError, match="a figure of 3 columns"):
        draw(leans(["captain"]), columns=3)


def test_without_matplotlib_one_line_says_what_to_install(leans, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(BvfError, match="need matplotlib") as refused:
        draw(leans(["captain"]))
    assert "bvf[figures]" in refused.value.hint


def font_of(text, file):
    """A font in which every character of a text is a box."""
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    pen = TTGlyphPen(None)
    pen.moveTo((100, 0))
    for point in [(100, 700), (900, 700), (900, 0)]:
        pen.lineTo(point)
    pen.closePath()
    box = pen.glyph()
    names = {ord(character): f"u{ord(character):04X}" for character in text}
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder([".notdef", *names.values()])
    builder.setupCharacterMap(names)
    builder.setupGlyf({name: box for name in [".notdef", *names.values()]})
    builder.setupHorizontalMetrics({name: (1000, 100) for name in [".notdef", *names.values()]})
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Boxes of bvf", "styleName": "Regular", "psName": "Boxes"})
    builder.setupOS2()
    builder.setupPost()
    builder.save(file)


def test_chinese_without_a_font_is_one_line_that_says_how_to_get_one(leans, monkeypatch):
    monkeypatch.setattr(lettering, "_installed", dict)
    with pytest.raises(BvfError, match="no font that is installed has 医, 士, 护, 生") as refused:
        draw(leans(["医生", "护士"]))
    assert "fonts-noto-cjk" in refused.value.hint
    rare = "\N{SYMBOL FOR TYPE A ELECTRONICS}"
    assert lettering_of([rare]).label(rare) == "\N{WHITE SQUARE}"


def test_a_font_that_was_installed_since_is_found(leans, monkeypatch, tmp_path):
    from matplotlib import font_manager

    font_of("医生护士", tmp_path / "boxes.ttf")
    monkeypatch.setattr(font_manager.fontManager, "ttflist", [*font_manager.fontManager.ttflist])
    monkeypatch.setattr(font_manager, "findSystemFonts", lambda: [str(tmp_path / "boxes.ttf")])
    installed = lettering._installed()
    monkeypatch.setattr(lettering, "_installed", lambda: {"Boxes of bvf": installed["Boxes of bvf"]})
    axes = draw(leans(["医生", "护士", "nurse"]))
    assert "Boxes of bvf" in axes.get_yticklabels()[0].get_fontfamily()
    save(axes, tmp_path / "f.pdf")
    assert b"Boxes" in (tmp_path / "f.pdf").read_bytes()


def test_a_font_with_a_sign_for_everything_has_no_letters():
    assert not any("LastResort" in name.replace(" ", "") for name in lettering._installed())


def test_a_control_has_a_row_below_its_model_and_the_caption_says_whose_it_is():
    long = "A-Model-Whose-Name-Takes-All-The-Room"
    value = Value(0.5)
    control = Place("control weekday", "weekday", value, value, value, of=long)
    view = scale([long])
    view = replace(view, models=(*view.models, control))
    assert "control weekday" in named(draw(view))
    assert f"control weekday, {long}: R 0.500" in caption(view)
