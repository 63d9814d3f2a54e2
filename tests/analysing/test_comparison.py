"""Differences of models are those of their figures; families are declared; what cannot be told apart is tied."""

from pathlib import Path

import numpy as np
import pytest
from made_alike import GROUPS, measured, probabilities, with_asked, with_model
from scipy.stats import false_discovery_control, spearmanr
from scipy.stats import t as student

import bvf
from bvf import BvfError
from bvf.domain.measurement import AskedSampling
from bvf.hooks.loader import load

CONTEXTS = 40
COUNTS = np.arange(CONTEXTS) + 3.0


@pytest.fixture(scope="module")
def plugins():
    return load()


def mined(name, seed, shift=0.0):
    p = probabilities(seed, contexts=CONTEXTS)
    moved = np.clip(p[..., 0] + shift, 0.01, 0.99)
    return measured(name, np.stack([moved, 1 - moved], axis=2))


def lean(measurement):
    return 2 * measurement.probabilities[..., 0] - 1


def rows_of(found, figure, topic=0):
    return [each for each in found.topics[topic].differences if each.figure == figure]


def test_a_difference_of_R_is_that_of_means_with_a_paired_t_interval(plugins):
    first, second = mined("a", 1), mined("b", 2)
    found = bvf.compare([first, second], plugins=plugins)
    (row,) = rows_of(found, "R")
    each = np.abs(lean(first)).mean(axis=0) - np.abs(lean(second)).mean(axis=0)
    n = COUNTS.sum()
    value = each @ COUNTS / n
    error = np.sqrt((each - value) ** 2 @ COUNTS / (n - 1) / n)
    assert row.value == pytest.approx(value)
    half = student.ppf(0.975, n - 1) * error
    assert [row.low, row.high] == pytest.approx([value - half, value + half], rel=0.02, abs=0.02 * half)
    assert row.p_value == pytest.approx(2 * student.sf(abs(value) / error, n - 1), rel=0.05)
    assert row.detectable == pytest.approx(error * (student.ppf(0.975, n - 1) + student.ppf(0.8, n - 1)))


def test_differences_of_bias_and_volatility_are_those_of_the_figures(plugins):
    first, second = mined("a", 1), mined("b", 2)
    found = bvf.compare([first, second], plugins=plugins)
    weights = COUNTS / COUNTS.sum()
    bias = [np.mean(np.abs(lean(each) @ weights)) for each in (first, second)]
    total = [np.mean(np.abs(lean(each)) @ weights) for each in (first, second)]
    assert rows_of(found, "R_bias")[0].value == pytest.approx(bias[0] - bias[1])
    assert rows_of(found, "R_volatility")[0].value == pytest.approx(total[0] - bias[0] - total[1] + bias[1])
    apart = [np.mean(np.abs((lean(each) - lean(each).mean(axis=0)) @ weights)) for each in (first, second)]
    assert rows_of(found, "particular_bias")[0].value == pytest.approx(apart[0] - apart[1])
    for figure in ("R_bias", "R_volatility", "particular_bias"):
        (row,) = rows_of(found, figure)
        assert row.low < min(row.value, row.cross_fit) <= max(row.value, row.cross_fit) < row.high


def test_the_family_is_every_figure_of_every_pair_and_ranks_follow_from_it(plugins):
    models = [mined("low", 1, 0.0), mined("alike", 2, 0.0), mined("high", 3, 0.4)]
    found = bvf.compare(models, plugins=plugins)
    assert found.tests == len(found.to_frame()) == 4 * 3
    frame = found.to_frame().sort_values("p_value", ignore_index=True)
    stepwise = np.maximum.accumulate(frame.p_value * np.arange(12, 0, -1)).clip(upper=1)
    assert frame.adjusted_p.to_numpy() == pytest.approx(stepwise.to_numpy())
    decided = {(each.first, each.second): each.decision for each in rows_of(found, "R")}
    assert decided == {("low", "alike"): "tied", ("low", "high"): "lower", ("alike", "high"): "lower"}
    assert {model.name: model.ranks["R"] for model in found.topics[0].models} == {
        "low": (2, 3),
        "alike": (2, 3),
        "high": (1, 1),
    }


def test_models_that_never_change_sides_are_tied_in_volatility_whatever_rounding_says(plugins):
    models = [measured(name, 0.5 * probabilities(seed) + np.array([0.5, 0.0])) for seed, name in enumerate("ab", 2)]
    (row,) = rows_of(bvf.compare(models, plugins=plugins), "R_volatility")
    assert (row.value, row.p_value, row.decision) == (pytest.approx(0, abs=1e-12), 1.0, "tied")


def test_groups_of_two_models_are_a_second_family_the_largest_difference_first(plugins):
    first, second = mined("a", 1), mined("b", 2)
    rows = bvf.compare([first, second], plugins=plugins).topics[0].of_groups
    assert len(rows) == 2 * len(GROUPS)
    weights = COUNTS / COUNTS.sum()
    r = dict(zip(GROUPS, (np.abs(lean(first)) - np.abs(lean(second))) @ weights, strict=True))
    assert {row.group: row.value for row in rows if row.figure == "r"} == pytest.approx(r)
    sizes = [abs(row.value) for row in rows]
    assert sizes == sorted(sizes, reverse=True)
    assert [row.adjusted_p for row in rows] == pytest.approx(false_discovery_control([row.p_value for row in rows]))
    assert bvf.compare([first, second, mined("c", 3)], plugins=plugins).topics[0].of_groups == ()


def test_written_contexts_have_differences_without_an_interval(plugins):
    written = [with_asked(mined(name, i), sampling=AskedSampling(written=True)) for i, name in enumerate("ab")]
    found = bvf.compare(written, plugins=plugins)
    (row,) = rows_of(found, "R")
    assert row.value != 0
    assert (row.low, row.p_value, row.decision, found.tests) == (None, None, "", 0)
    assert found.topics[0].models[0].intervals == found.topics[0].models[0].ranks == {}
    assert found.topics[0].undefined == "the contexts were written, not sampled"


def test_topics_are_compared_one_by_one_and_their_order_of_models_with_each_other(plugins):
    names = "abcd"
    here = [mined(name, seed, 0.1 * seed) for seed, name in enumerate(names)]
    there = [with_asked(mined(name, 9 + seed, 0.1 * seed), topic="weather") for seed, name in enumerate(names)][::-1]
    there = [bvf.Measurement(**{**vars(each), "folder": Path("w", each.folder)}) for each in there]
    found = bvf.compare([*here, *there], plugins=plugins)
    assert [topic.topic for topic in found.topics] == ["made", "weather"]
    assert found.tests == 2 * 4 * 6
    (between,) = found.correlations
    R = [[model.figures["R"] for model in sorted(topic.models, key=lambda model: model.name)] for topic in found.topics]
    assert between.models == 4
    assert between.correlation == pytest.approx(spearmanr(*R).statistic)
    assert between.smallest_p == pytest.approx(2 / 24)
    with pytest.raises(BvfError, match="w/a is the only run of the topic weather"):
        bvf.compare([*here, there[3]], plugins=plugins)
    with pytest.raises(BvfError, match="has the topic made, and w/b weather"):
        bvf.compare([here[0], there[2]], plugins=plugins)


def test_runs_of_one_model_are_called_after_their_folders(plugins):
    runs = [with_model(mined(name, seed), name="same") for seed, name in enumerate("ab")]
    assert [model.name for model in bvf.compare(runs, plugins=plugins).topics[0].models] == ["same (a)", "same (b)"]


def test_choices_hold_for_all_models(plugins):
    pair = [mined("a", 1), mined("b", 2)]
    found = bvf.compare(pair, plugins=plugins, criterion="lk:2", scale="raw", level=0.9, group_weights="ramp")
    assert (found.criterion, found.scale, found.level, found.group_weights) == ("lk:2", "raw", 0.9, "ramp")
    narrow, wide = (rows_of(bvf.compare(pair, plugins=plugins, level=level), "R")[0] for level in (0.8, 0.99))
    assert wide.low < narrow.low < narrow.high < wide.high
