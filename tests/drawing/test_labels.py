"""Labels fit the figure, and never touch."""

from itertools import pairwise

import pytest
from helpers.made_pictures import boxes, leans, many
from matplotlib.figure import Figure

from bvf.drawing.fonts import lettering
from bvf.drawing.labels import figure_label


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


def test_a_figure_of_risk_alone_has_a_superscript():
    assert [figure_label(lettering(["R", "x^2"]), name) for name in ("r^b", "R", "x^2")] == ["r$^b$", "R", "x^2"]
