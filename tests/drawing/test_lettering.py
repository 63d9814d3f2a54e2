"""Labels fit, the same figure is the same file, and names from strangers break nothing."""

import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import pairwise

import pytest
from helpers.hostile_texts import HOSTILE
from helpers.made_pictures import boxes, cells, compared, distributions, leans, many, risks, scale, trend
from matplotlib.figure import Figure

from bvf import BvfError
from bvf.drawing import lettering
from bvf.drawing.files import save
from bvf.drawing.lettering import lettering as lettering_of


@pytest.mark.parametrize(("number", "columns"), [(1, 1), (3, 2), (24, 1), (120, 1), (250, 2)])
def test_names_of_groups_never_touch_and_stay_on_the_page(number, columns):
    axes = leans(many(number)).draw(columns=columns)
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


def test_names_fit_the_axes_of_somebody_else():
    figure = Figure(figsize=(4, 2))
    axes = figure.add_subplot()
    assert leans(many(60)).draw(axes) is axes
    names = boxes(axes)
    assert all(upper.y0 >= lower.y1 - 0.5 for upper, lower in pairwise(names))
    assert "of 60 are named" in axes.get_ylabel()


@pytest.mark.parametrize("kind", ["lean", "grid", "distribution", "scatter", "scale", "compared", "trend"])
def test_names_of_strangers_break_no_figure(kind, tmp_path):
    names, longest, formula = HOSTILE, "W" * 300, "$x^{"
    view = {
        "lean": lambda: leans(names, classes=(longest, formula), model="half \ud800"),
        "grid": lambda: replace(
            cells(), groups=(longest, formula), contexts=tuple(names[:3]), classes=(longest, formula)
        ),
        "distribution": lambda: distributions(names, (longest, formula, "one\ntwo")),
        "scatter": lambda: replace(risks(names), classes=(longest, formula)),
        "scale": lambda: scale(names),
        "compared": lambda: compared(names),
        "trend": lambda: trend(names),
    }[kind]()
    axes, file = view.draw(columns=1), tmp_path / "figure.svg"
    save(axes, file, "a title", view.caption())
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
def test_the_same_figure_is_the_same_file_with_its_caption(ending, tmp_path):
    view = leans(["captain", "nurse"])
    said = view.caption()
    for name in ("one", "other"):
        save(view.draw(), tmp_path / f"{name}.{ending}", "How far groups lean", said)
    one, other = ((tmp_path / f"{name}.{ending}").read_bytes() for name in ("one", "other"))
    assert one == other
    assert one.startswith({"svg": b"<?xml", "pdf": b"%PDF", "png": b"\x89PNG"}[ending])
    if ending != "pdf":
        assert b"How far groups lean" in one
        assert said.encode() in one
    assert b"CreationDate" not in one
    assert b"dc:date" not in one


def test_files_that_are_no_figure_or_cannot_be_written_are_refused(tmp_path):
    axes = leans(["captain"]).draw()
    with pytest.raises(BvfError, match="no kind of figure") as refused:
        save(axes, tmp_path / "f.gif")
    assert ".pdf, .svg, .png" in refused.value.hint
    with pytest.raises(BvfError, match="no kind of figure") as refused:
        save(axes, tmp_path / "f.sgv")
    assert "did you mean svg" in refused.value.hint
    with pytest.raises(BvfError, match="cannot be written"):
        save(axes, tmp_path / "none" / "f.png")


def test_a_figure_of_three_columns_is_refused():
    with pytest.raises(BvfError, match="a figure of 3 columns"):
        leans(["captain"]).draw(columns=3)


def test_without_matplotlib_one_line_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(BvfError, match="need matplotlib") as refused:
        leans(["captain"]).draw()
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


def test_chinese_without_a_font_is_one_line_that_says_how_to_get_one(monkeypatch):
    monkeypatch.setattr(lettering, "_installed", dict)
    with pytest.raises(BvfError, match="no font that is installed has 医, 士, 护, 生") as refused:
        leans(["医生", "护士"]).draw()
    assert "fonts-noto-cjk" in refused.value.hint
    rare = "\N{SYMBOL FOR TYPE A ELECTRONICS}"
    assert lettering_of([rare]).label(rare) == "\N{WHITE SQUARE}"


def test_a_font_that_was_installed_since_is_found(monkeypatch, tmp_path):
    from matplotlib import font_manager

    font_of("医生护士", tmp_path / "boxes.ttf")
    monkeypatch.setattr(font_manager.fontManager, "ttflist", [*font_manager.fontManager.ttflist])
    monkeypatch.setattr(font_manager, "findSystemFonts", lambda: [str(tmp_path / "boxes.ttf")])
    installed = lettering._installed()
    monkeypatch.setattr(lettering, "_installed", lambda: {"Boxes of bvf": installed["Boxes of bvf"]})
    axes = leans(["医生", "护士", "nurse"]).draw()
    assert "Boxes of bvf" in axes.get_yticklabels()[0].get_fontfamily()
    save(axes, tmp_path / "f.pdf")
    assert b"Boxes" in (tmp_path / "f.pdf").read_bytes()


def test_a_font_with_a_sign_for_everything_has_no_letters():
    assert not any("LastResort" in name.replace(" ", "") for name in lettering._installed())
