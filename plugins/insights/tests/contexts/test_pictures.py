"""The picture over context sets has the figures of its comparison, drawn and in a browser."""

from dataclasses import replace

import numpy as np
import pytest
from bvf_insights.contexts.analysis import compare_contexts
from bvf_insights.contexts.pictures import OverContexts, over_contexts
from helpers.made_pictures import plotted

from bvf.study.config import AnalysisConfig

R = np.array([[0.2, 0.3, 0.5], [0.25, 0.2, 0.4]])

SETS = OverContexts(
    topic="gender",
    criterion="linf",
    scale="unit",
    groups=12,
    models=("a", "b", "c"),
    sets=("books", "talk"),
    figures={"R": R, "R_bias": R - 0.05, "R_volatility": np.full((2, 3), 0.05)},
    distances=np.array([[0.0, 0.75], [0.75, 0.0]]),
    kendall=(0.5, 0.9),
    orders=("the order of models by R: rank correlation +0.50, p 1.0000",),
)


def test_every_model_has_a_line_over_the_sets_and_every_set_its_distance():
    axes = SETS.draw()
    lines = [line for line in axes.lines if len(line.get_xdata()) == 2]
    assert [line.get_xdata().tolist() for line in lines] == R.T.tolist()
    assert len({line.get_marker() for line in lines}) == len({line.get_color() for line in lines}) == 3
    assert [text.get_text() for text in axes.texts] == ["0.00", "0.75", "distance"]
    data, layout = plotted(SETS)
    assert [(trace["name"], trace["x"]) for trace in data] == list(zip("abc", R.T.tolist(), strict=True))
    assert len({trace["marker"]["symbol"] for trace in data}) == 3
    assert layout["yaxis"]["ticktext"] == ["books", "talk"]
    assert [each["text"] for each in layout["annotations"]] == ["0.00", "0.75", "distance"]
    said = SETS.caption()
    assert "R: a 0.200 to 0.250, b 0.200 to 0.300, c 0.400 to 0.500." in said
    assert said.endswith("The order of models by R: rank correlation +0.50, p 1.0000.")


def test_a_single_model_has_all_three_figures():
    one = {name: np.array(values) for name, values in (("R", [[0.2], [0.3]]), ("R_bias", [[0.1], [0.2]]))}
    one["R_volatility"] = np.array([[0.1], [0.1]])
    view = replace(SETS, models=("a",), figures=one, orders=())
    shown = {line.get_marker(): line.get_xdata().tolist() for line in view.draw().lines}
    assert shown == {"o": [0.2, 0.3], "D": [0.1, 0.2], "^": [0.1, 0.1]}
    assert [trace["x"] for trace in plotted(view)[0]] == list(shown.values())


def test_more_models_than_signs_have_another_line():
    many = replace(
        SETS, models=tuple(map(str, range(11))), figures={"R": np.random.default_rng(0).uniform(size=(2, 11))}
    )
    lines = [line for line in many.draw().lines if len(line.get_xdata()) == 2]
    assert len({(line.get_marker(), line.get_linestyle()) for line in lines}) == 11


def test_a_picture_over_context_sets_has_what_was_compared(run_of):
    runs = [run_of(contexts=name, sample_contexts=0) for name in ("gender", "gender-table8")]
    compared = compare_contexts([each.folder for each in runs], AnalysisConfig())
    view = over_contexts(compared)
    assert view.figures["R_bias"].ravel() == pytest.approx([each.R_bias for each in runs])
    assert view.distances[0, 1] == view.distances[1, 0] == compared.pairs[0].total_variation
    assert view.kendall == (compared.pairs[0].kendall,) * 2
