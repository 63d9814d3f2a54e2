"""The picture over context sets has the figures of its comparison, drawn and in a browser."""

import numpy as np
import pytest
from bvf_insights.contexts.analysis import compare_contexts
from bvf_insights.contexts.pictures import OverContexts
from bvf_insights.contexts.result import ContextComparison, ContextSetPair, ContextSetRisk, ModelOrder
from helpers.made_pictures import plotted

from bvf.study.config import AnalysisConfig

R = np.array([[0.2, 0.3, 0.5], [0.25, 0.2, 0.4]])


def over(R, volatility=0.05, order=0.5):
    """Models over two sets, by their R, shape (S, M)."""
    names, sets = tuple("abcdefghijk"[: R.shape[1]]), ("books", "talk")
    risks = [
        ContextSetRisk.model_construct(
            contexts=sets[s], model=names[m], R=value, R_bias=value - volatility, R_volatility=volatility
        )
        for (s, m), value in np.ndenumerate(R)
    ]
    pair = {"first": "books", "second": "talk", "model": names[0], "total_variation": 0.75}
    pairs = [ContextSetPair.model_construct(**pair, kendall=kendall) for kendall in (0.5, 0.9)]
    orders = [ModelOrder(first="books", second="talk", figure="R", spearman=order, p_value=1.0)]
    of = {"topic": "gender", "criterion": "linf", "scale": "unit", "groups": 12, "models": names}
    return OverContexts(ContextComparison(**of, sets=risks, pairs=pairs, orders=orders))


SETS = over(R)


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
    assert "Kendall's correlation of r of groups between two sets is +0.50 to +0.90." in said
    assert "R: a 0.200 to 0.250, b 0.200 to 0.300, c 0.400 to 0.500." in said
    assert said.endswith("The order of models by R: rank correlation +0.50, p 1.0000.")


def test_a_single_model_has_all_three_figures():
    view = over(np.array([[0.2], [0.3]]), volatility=0.1)
    shown = {line.get_marker(): line.get_xdata().tolist() for line in view.draw().lines}
    assert shown == {"o": [0.2, 0.3], "D": pytest.approx([0.1, 0.2]), "^": [0.1, 0.1]}
    assert [trace["x"] for trace in plotted(view)[0]] == [pytest.approx(each) for each in shown.values()]


def test_more_models_than_signs_have_another_line():
    many = over(np.random.default_rng(0).uniform(size=(2, 11)))
    lines = [line for line in many.draw().lines if len(line.get_xdata()) == 2]
    assert len({(line.get_marker(), line.get_linestyle()) for line in lines}) == 11


def test_a_picture_over_context_sets_has_what_was_compared(run_of):
    runs = [run_of(contexts=name, sample_contexts=0) for name in ("gender", "gender-table8")]
    compared = compare_contexts([each.folder for each in runs], AnalysisConfig())
    view = OverContexts(compared)
    assert view.figure("R_bias").ravel() == pytest.approx([each.R_bias for each in runs])
    distance, kendall = f"{compared.pairs[0].total_variation:.2f}", compared.pairs[0].kendall
    assert [text.get_text() for text in view.draw().texts] == ["0.00", distance, "distance"]
    assert f"any two are {distance} to {distance} apart" in view.caption()
    assert f"between two sets is {kendall:+.2f} to {kendall:+.2f}." in view.caption()
