"""What cannot be drawn is one line that says what would do."""

import sys

import pytest
from helpers.made_pictures import leans

from bvf import BvfError


def test_a_figure_of_three_columns_is_refused():
    with pytest.raises(BvfError, match="a figure of 3 columns"):
        leans(["captain"]).draw(columns=3)


def test_without_matplotlib_one_line_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(BvfError, match="need matplotlib") as refused:
        leans(["captain"]).draw()
    assert "bvf[figures]" in refused.value.hint
