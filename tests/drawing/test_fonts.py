"""Fonts: every character of a label has one, or one line says how to get one; names of strangers are one line."""

import pytest
from helpers.made_pictures import leans

from bvf import BvfError
from bvf.drawing import fonts
from bvf.drawing.files import save
from bvf.drawing.fonts import lettering as lettering_of
from bvf.drawing.fonts import shown_name


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
    monkeypatch.setattr(fonts, "_installed", dict)
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
    installed = fonts._installed()
    monkeypatch.setattr(fonts, "_installed", lambda: {"Boxes of bvf": installed["Boxes of bvf"]})
    axes = leans(["医生", "护士", "nurse"]).draw()
    assert "Boxes of bvf" in axes.get_yticklabels()[0].get_fontfamily()
    save(axes, tmp_path / "f.pdf")
    assert b"Boxes" in (tmp_path / "f.pdf").read_bytes()


def test_a_font_with_a_sign_for_everything_has_no_letters():
    assert not any("LastResort" in name.replace(" ", "") for name in fonts._installed())


def test_a_name_is_cut_in_the_middle_and_keeps_its_signs():
    assert lettering_of(["$x^2$"]).label("$x^2$") == r"\$x^2\$"
    assert shown_name("x" * 300, 11) == "xxxxx…xxxxx"
    assert shown_name(" e\u0301t\u00e9 <b>&</b> ") == "\u00e9t\u00e9 <b>&</b>"
    assert shown_name("a\u202eb\x00") == "ab\N{REPLACEMENT CHARACTER}"
