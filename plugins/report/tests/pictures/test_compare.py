"""Pictures of comparisons show the figures, ranks and differences of the comparison itself."""

from dataclasses import replace

import numpy as np
import plotly.graph_objects
import pytest
from bvf_report.pictures.compare import Compared, Pairs, by_label, topic_matrix
from helpers.made_alike import measured, probabilities, with_asked, with_model
from helpers.made_pictures import keys, named, plotted
from scipy.stats import spearmanr

import bvf
from bvf import BvfError
from bvf.analyses.compare.tables import sections

R_B_V = ("R", "R_bias", "R_volatility")
SIZES = {"a": 1_000, "b": 10_000, "c": 100_000}


def sized(name, seed):
    return with_model(measured(name, probabilities(seed)), parameters=SIZES[name])


@pytest.fixture(scope="module")
def compared():
    models = [sized(name, seed) for seed, name in enumerate("cab")]
    other = [with_asked(sized(name, 9 + seed), topic="other") for seed, name in enumerate("cab")]
    return bvf.compare([*models, *other], by="parameters")


def test_models_stand_with_their_intervals_and_ranks_highest_first(compared):
    for topic in compared.topics:
        view = Compared(topic, compared.level)
        figures = [each.figures["R"] for each in view.models]
        assert figures == sorted(figures, reverse=True)
        for field, trace in zip(R_B_V, view.interactive()["data"], strict=True):
            assert trace["x"] == pytest.approx([each.figures[field] for each in view.models], abs=1e-4)
            lows = [each.figures[field] - each.intervals[field].low for each in view.models]
            assert trace["error_x"]["arrayminus"] == pytest.approx(lows, abs=1e-4)
        ends = [each.ranks["R"] for each in view.models]
        beside = [f"{first}" if first == last else f"{first} to {last}" for first, last in ends]
        assert [text.get_text() for text in view.draw().texts] == [*beside, "rank"]
        assert len(topic.differences) == 12


def test_a_trend_is_over_the_label_as_a_number(compared):
    first = by_label(compared)[0]
    assert (first.label, [model.name for model in first.models]) == ("parameters", ["a", "b", "c"])
    assert first.at.tolist() == [1e3, 1e4, 1e5]
    figures = {model.name: model.figures["R_bias"] for model in compared.topics[0].models}
    tested = {each.figure: each.correlation for each in first.topic.trends}
    assert tested["R_bias"] == pytest.approx(spearmanr(first.at, [figures[name] for name in "abc"])[0])
    with pytest.raises(BvfError, match="no label size"):
        by_label(compared, "size")[0].caption()


def test_two_models_of_two_sizes_have_a_trend_as_they_differ_in_more_than_their_size():
    compared = bvf.compare([sized(name, seed) for seed, name in enumerate("ab")], by="parameters")
    (view,) = by_label(compared)
    assert ([model.name for model in view.models], view.at.tolist()) == (["a", "b"], [1e3, 1e4])
    assert "2 models by parameters" in view.caption()
    titles = [section.title for section in sections(compared)]
    assert "Runs of two sizes: 10,000 less 1,000 parameters" in titles


@pytest.fixture(scope="module")
def paired():
    labels = {"small": ("1b", "no"), "small chat": ("1b", "chat"), "alone": ("7b", "no")}
    models = [measured(name, probabilities(seed)) for seed, name in enumerate(labels)]
    marked = [{"labels": {"size": size, "tuned": tuned}} for size, tuned in labels.values()]
    return bvf.compare(
        [replace(each, record=each.record.model_copy(update=its)) for each, its in zip(models, marked, strict=True)],
        by="tuned",
    )


def test_a_label_of_two_values_gives_pairs_with_the_figures_and_decisions_of_the_comparison(paired):
    (view,) = by_label(paired)
    (pair,) = view.pairs
    R = {model.name: model.figures["R"] for model in paired.topics[0].models}
    assert (view.topic.matched_values, view.topic.unmatched) == (("no", "chat"), ("alone",))
    assert [each.name for each in pair] == ["small", "small chat"]
    assert {each.figure for each in paired.topics[0].matched} >= set(R_B_V)
    assert f"small to small chat: R {R['small']:.3f} to {R['small chat']:.3f} (" in view.caption()
    assert "Without a partner: alone." in view.caption()


def test_pairs_are_lines_from_a_hollow_to_a_filled_mark_with_the_decision_beside_it(paired):
    (view,) = by_label(paired)
    ((first, second),) = view.pairs
    axes = view.draw()
    lines = [(line.get_marker(), list(line.get_xdata()), line.get_markerfacecolor() == "white") for line in axes.lines]
    circles = [("o", [each.figures["R"]], hollow) for each, hollow in ((first, True), (second, False))]
    assert [line for line in lines if line[0] == "o"] == circles
    decisions = {each.figure: each.decision for each in paired.topics[0].matched}
    assert [text.get_text() for text in axes.texts] == [decisions[field] for field in R_B_V]
    assert named(axes) == ["small chat"]
    assert keys(axes) == ["R", "R$^b$", "R$^v$", "tuned=no", "tuned=chat"]
    traces, _ = plotted(view)
    assert [trace["marker"]["symbol"] for trace in traces if "marker" in trace][:2] == [["circle-open"], "circle"]
    topic = view.topic.model_copy(update={"matched_values": ("bare", "chat, assistant's turn")})
    assert "wording=chat, assistant's turn" in keys(Pairs(topic, "wording").draw()), "a value of some length is whole"


def test_topics_by_models_have_the_correlations_of_the_comparison(compared):
    matrix = topic_matrix(compared)
    assert matrix.topics == ("made", "other")
    assert matrix.R.shape == (3, 2)
    for t, topic in enumerate(compared.topics):
        for model in topic.models:
            m = matrix.models.index(model.name)
            assert matrix.R[m, t] == model.figures["R"]
            assert matrix.low[m, t] < matrix.R[m, t] < matrix.high[m, t]
    assert matrix.correlations[0, 1] == matrix.correlations[1, 0] == pytest.approx(spearmanr(*matrix.R.T)[0])
    assert np.isnan(matrix.correlations[0, 0])


def test_topics_by_models_are_cells_with_their_figures_on_paper_and_in_a_browser(compared):
    matrix = topic_matrix(compared)
    lacking = replace(matrix, R=np.where(np.eye(3, 2) > 0, np.nan, matrix.R))
    axes = lacking.draw()
    shown = {text.get_position(): text.get_text() for text in axes.texts}
    assert shown == {(t, m): f"{matrix.R[m, t]:.3f}" for m in range(3) for t in range(2) if m != t}
    figure = lacking.interactive()
    plotly.graph_objects.Figure(figure)
    cells, layout = figure["data"][0], figure["layout"]
    assert cells["z"][0][0] is None
    assert cells["z"][2][1] == pytest.approx(matrix.R[2, 1], abs=1e-4)
    assert cells["customdata"][2][1] == f"({matrix.low[2, 1]:.3f} to {matrix.high[2, 1]:.3f})"
    assert (layout["yaxis"]["ticktext"], layout["xaxis"]["ticktext"]) == (list(matrix.models), ["made", "other"])


def test_the_caption_of_topics_by_models_says_which_are_highest_and_whether_topics_agree(compared):
    matrix = topic_matrix(compared)
    said = matrix.caption()
    for t, m in enumerate(matrix.R.argmax(axis=0)):
        assert f"Highest in {matrix.topics[t]}: {matrix.models[m]} {matrix.R[m, t]:.3f}." in said
    assert f"made and other over models is {matrix.correlations[0, 1]:+.2f}" in said
    unknown = replace(matrix, correlations=np.full((2, 2), np.nan))
    assert unknown.caption().endswith("Too few models to say whether topics put them in the same order.")


def test_a_trend_in_a_browser_has_steps_of_multiples_where_labels_are_far_apart(compared):
    view = by_label(compared)[0]
    figure = view.interactive()
    plotly.graph_objects.Figure(figure)
    assert figure["layout"]["xaxis"]["type"] == "log"
    assert [text for _, text in view.marks().across.ticks] == ["a (1k)", "b (10k)", "c (100k)"]
    trace = next(each for each in figure["data"] if each["name"] == "R")
    assert trace["x"] == view.at.tolist()
    assert trace["y"] == pytest.approx([each.figures["R"] for each in view.models], abs=1e-4)
    heights = [each.intervals["R"].high - each.figures["R"] for each in view.models]
    assert trace["error_y"]["array"] == pytest.approx(heights, abs=1e-4)
    assert "error_x" not in trace
    models = [
        each.model_copy(update={"labels": {"parameters": f"{n + 1}"}}) for n, each in enumerate(view.topic.models)
    ]
    near = replace(view, topic=view.topic.model_copy(update={"models": tuple(models)}))
    assert "type" not in near.interactive()["layout"]["xaxis"]
