"""Names of strangers in pictures: one line, of characters that draw something."""

import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from helpers.hostile_texts import HOSTILE
from helpers.made_pictures import cells, compared, distributions, leans, risks, scale, trend

from bvf.drawing.files import save
from bvf.drawing.names import shown_name


def test_a_name_is_cut_in_the_middle_and_keeps_its_signs():
    assert shown_name("x" * 300, 11) == "xxxxx…xxxxx"
    assert shown_name(" e\u0301t\u00e9 <b>&</b> ") == "\u00e9t\u00e9 <b>&</b>"
    assert shown_name("a\u202eb\x00") == "ab\N{REPLACEMENT CHARACTER}"


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
