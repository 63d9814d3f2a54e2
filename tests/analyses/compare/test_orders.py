"""Probable words beside texts of the same model: one comparison, and whether both order the groups alike."""

import numpy as np
import pytest

import bvf
from bvf.analyses.compare.orders import orders_of
from bvf.errors import BvfError
from bvf.stats.rank_agreement import rank_agreement

ASKED = {"model": "bundled:en-causal", "limit_groups": 6, "contexts": "gender-all", "sample_contexts": 12}


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


def test_groups_and_differences_are_those_of_the_two_results(comparison, folders):
    (topic,) = comparison.topics
    probable, said = map(bvf.read_result, folders)
    assert len(topic.groups) == 6
    assert topic.models[1].figures["R"] == pytest.approx(said.R)
    difference = next(each for each in topic.differences if each.figure == "R")
    assert difference.value == pytest.approx(probable.R - said.R)
    assert {each.group for each in topic.of_groups} == set(topic.groups)


def test_the_agreement_is_kendalls_of_the_groups(comparison, folders):
    (topic,) = comparison.topics
    by_figure = {each.figure: each for each in topic.orders}
    assert list(by_figure) == ["lean to male", "r", "r_bias"]
    of_both = []
    for result in map(bvf.read_result, folders):
        leans = {group.group: group.mean_probabilities["male"] for group in result.groups}
        of_both.append(np.array([leans[name] for name in topic.groups]))
    expected = rank_agreement(*of_both)
    assert by_figure["lean to male"].kendall == pytest.approx(expected.kendall)
    assert (by_figure["lean to male"].low, by_figure["lean to male"].high) == pytest.approx(
        (expected.low, expected.high)
    )


def test_two_runs_of_one_reading_have_no_such_table(run_of):
    assert bvf.compare([run_of().folder, run_of(model="toy:alike").folder]).topics[0].orders == ()
    assert orders_of([]) == ()


def test_texts_read_in_two_ways_are_no_rows_of_one_table(folders, tmp_path):
    bvf.run(**ASKED, reading="generated", samples=6, tokens=6, seed=1, reader="share", out=str(tmp_path / "other"))
    with pytest.raises(BvfError, match="the reader first-word"):
        bvf.compare([folders[1], str(tmp_path / "other")])
