"""Probable words beside texts of the same model: one comparison, and whether both order the groups alike."""

import numpy as np
import plotly.graph_objects
import pytest
from bvf_report.pictures.compare import said

import bvf
from bvf.analyses.compare.orders import orders_of
from bvf.errors import BvfError
from bvf.stats.comparing.ranks import RankAgreement

ASKED = {"model": "bundled:en-causal", "limit_groups": 6, "contexts": "gender-mixed", "sample_contexts": 12}
ASKED |= {"topic": "gender-2026"}


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    folder = tmp_path_factory.mktemp("readings")
    bvf.run(**ASKED, out=str(folder / "probable"))
    bvf.run(**ASKED, reading="generated", samples=6, tokens=6, out=str(folder / "said"))
    return [str(folder / "probable"), str(folder / "said")]


@pytest.fixture(scope="module")
def comparison(folders):
    return bvf.compare(folders)


def test_the_reading_is_in_the_names(comparison, command, folders):
    (topic,) = comparison.topics
    assert [model.name for model in topic.models] == ["bundled:en-causal (probable)", "bundled:en-causal (texts)"]
    assert [model.generation and model.generation.samples for model in topic.models] == [None, 6]
    shown = command("compare", *folders)
    assert shown.code == 0
    assert "Do probable words and texts order the groups alike?" in shown.out


def test_the_agreement_is_kendalls_of_the_groups_and_leans_are_those_of_the_results_in_any_order(comparison, folders):
    (topic,) = comparison.topics
    by_figure = {each.figure: each for each in topic.orders}
    assert list(by_figure) == ["lean to male", "r", "r_bias"]
    of_both = []
    for reading, result in zip(("probable", "said"), map(bvf.read_result, folders), strict=True):
        leans = {group.group: group.mean_probabilities["male"] - 0.5 for group in result.groups}
        assert {each.group: getattr(each, reading) for each in topic.leans} == pytest.approx(leans)
        for each in topic.leans:
            assert getattr(each, f"{reading}_low") < getattr(each, reading) < getattr(each, f"{reading}_high")
        of_both.append(np.array([leans[name] for name in topic.groups]))
    expected, found = RankAgreement.of(*of_both), by_figure["lean to male"]
    assert (found.kendall, found.low, found.high) == pytest.approx((expected.kendall, expected.low, expected.high))
    assert {each.to for each in topic.leans} == {"male"}
    for one, other in zip(bvf.compare(folders[::-1]).topics[0].leans, topic.leans, strict=True):
        assert one.model_dump() == pytest.approx(other.model_dump())


def test_the_lean_of_texts_has_no_spread_that_is_noise(folders):
    result = bvf.read_result(folders[1])
    parts = result.parts_of_lean
    assert (parts.contexts, parts.rest, parts.explained, result.rest_spread) == (None,) * 4
    assert parts.classes[0].default.low < parts.classes[0].default.value < parts.classes[0].default.high
    assert parts.groups is not None
    assert "noise of sampled answers" in " ".join(result.lean_section.notes)


def test_the_picture_has_a_point_per_group_and_the_agreement(comparison, command, folders, tmp_path):
    (view,) = said(comparison)
    (topic,) = comparison.topics
    assert view.topic is topic
    (agreement,) = (each for each in topic.orders if each.figure == "lean to male")
    assert f"Kendall's correlation of the two orders {agreement.kendall:+.2f}" in view.caption()
    same, points = view.interactive()["data"]
    plotly.graph_objects.Figure(view.interactive())
    assert same["x"] == same["y"]
    assert points["x"] == pytest.approx([each.probable for each in topic.leans], abs=1e-3)
    assert points["y"] == pytest.approx([each.said for each in topic.leans], abs=1e-3)
    drawn = command("plot", *folders, "--kind", "said", "-o", tmp_path / "said.svg")
    assert drawn.code == 0, drawn.err
    assert "lean to male, texts" in (tmp_path / "said.svg").read_text("utf-8")
    assert bvf.plot.said(comparison).get_xlim() == bvf.plot.said(comparison).get_ylim()
    refused = command("plot", folders[0], folders[0], "--kind", "said", "-o", tmp_path / "said.svg")
    assert refused.code == 2


def test_other_runs_have_no_such_table_and_texts_read_in_two_ways_are_no_rows_of_one(run_of, folders, tmp_path):
    comparison = bvf.compare([run_of().folder, run_of(model="toy:alike").folder])
    assert comparison.topics[0].orders == comparison.topics[0].leans == ()
    assert orders_of([], []) == ()
    with pytest.raises(BvfError, match="one was read by probabilities and the other by texts"):
        bvf.plot.said(comparison)
    few = {"limit_groups": 2, "sample_contexts": 4, "samples": 6, "tokens": 6}
    bvf.run(**ASKED | few, reading="generated", reader="share", out=str(tmp_path / "other"))
    with pytest.raises(BvfError, match="the reader first-word"):
        bvf.compare([folders[1], str(tmp_path / "other")])
