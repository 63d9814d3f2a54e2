"""Differences of models by risk and knowledge; families are declared; what shows no difference is tied."""

import shutil
from collections import Counter
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import numpy as np
import pytest
from helpers.made_alike import (
    GROUPS,
    asked_in_wordings,
    by_samples,
    drawn,
    measured,
    probabilities,
    with_asked,
    with_model,
)
from scipy.stats import false_discovery_control, spearmanr
from scipy.stats import t as student

import bvf
from bvf import BvfError, RunConfig
from bvf.analyses.compare.tables import sections, without_a_unit
from bvf.domain.answers import Samples
from bvf.domain.asked import AskedSampling
from bvf.files.folder import SHARDS
from bvf.hooks.loader import load
from bvf.stats.sampling.intervals import Sampled

CONTEXTS = 40
COUNTS = np.arange(CONTEXTS) + 3.0


def mined(name, seed, shift=0.0):
    p = probabilities(seed, contexts=CONTEXTS)
    moved = np.clip(p[..., 0] + shift, 0.01, 0.99)
    return measured(name, np.stack([moved, 1 - moved], axis=2))


def lean(measurement):
    return 2 * measurement.probabilities[..., 0] - 1


def rows_of(comparison, figure, topic=0):
    return [each for each in comparison.topics[topic].differences if each.figure == figure]


def test_differences_are_those_of_the_figures_and_that_of_R_has_a_paired_t_interval(plugins):
    first, second = mined("a", 1), mined("b", 2)
    comparison = bvf.compare([first, second], plugins=plugins)
    (row,) = rows_of(comparison, "R")
    each = np.abs(lean(first)).mean(axis=0) - np.abs(lean(second)).mean(axis=0)
    n = COUNTS.sum()
    value = each @ COUNTS / n
    error = np.sqrt((each - value) ** 2 @ COUNTS / (n - 1) / n)
    assert row.value == pytest.approx(value)
    half = student.ppf(0.975, n - 1) * error
    assert [row.low, row.high] == pytest.approx([value - half, value + half], rel=0.02, abs=0.02 * half)
    assert row.p_value == pytest.approx(2 * student.sf(abs(value) / error, n - 1), rel=0.05)
    widest = max(row.value - row.low, row.high - row.value)
    assert row.detectable == pytest.approx(widest + error * student.ppf(0.8, n - 1))
    weights = COUNTS / n
    bias = [np.mean(np.abs(lean(each) @ weights)) for each in (first, second)]
    apart = [np.mean(np.abs((lean(each) - lean(each).mean(axis=0)) @ weights)) for each in (first, second)]
    for figure, expected in (
        ("R_bias", bias[0] - bias[1]),
        ("R_volatility", value - bias[0] + bias[1]),
        ("particular_bias", apart[0] - apart[1]),
    ):
        (row,) = rows_of(comparison, figure)
        assert row.value == pytest.approx(expected)
        assert row.low < min(row.value, row.cross_fit) <= max(row.value, row.cross_fit) < row.high


def test_the_estimates_of_a_model_are_computed_once_however_many_it_is_compared_with(plugins, monkeypatch):
    computed, estimates, halves = Counter(), Sampled.estimates, Sampled.__dict__["_halves"].func
    monkeypatch.setattr(Sampled, "estimates", lambda *given: computed.update(["estimates"]) or estimates(*given))
    counted = cached_property(lambda sampled: computed.update(["halves"]) or halves(sampled))
    counted.__set_name__(Sampled, "_halves")
    monkeypatch.setattr(Sampled, "_halves", counted)
    models = [mined(name, seed) for seed, name in enumerate("abcdef")]
    bvf.compare(models, plugins=plugins)
    parts = 2  # the whole risk, and what is particular to groups
    assert computed == {"estimates": parts * len(models), "halves": parts * len(models)}


def test_the_family_is_every_figure_of_every_pair_and_ranks_follow_from_it(plugins):
    models = [mined("low", 1, 0.0), mined("alike", 2, 0.0), mined("high", 3, 0.4)]
    comparison = bvf.compare(models, plugins=plugins)
    assert comparison.tests == len(comparison.to_frame()) == 4 * 3
    frame = comparison.to_frame().sort_values("p_value", ignore_index=True)
    stepwise = np.maximum.accumulate(frame.p_value * np.arange(12, 0, -1)).clip(upper=1)
    assert frame.adjusted_p.to_numpy() == pytest.approx(stepwise.to_numpy())
    decided = {(each.first, each.second): each.decision for each in rows_of(comparison, "R")}
    assert decided == {("low", "alike"): "tied", ("low", "high"): "lower", ("alike", "high"): "lower"}
    ranks = {model.name: model.ranks["R"] for model in comparison.topics[0].models}
    assert ranks == {"low": (2, 3), "alike": (2, 3), "high": (1, 1)}


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


def test_written_contexts_have_differences_without_an_interval_and_tables_without_empty_columns(plugins):
    written = {"sampling": AskedSampling(written=True)}
    comparison = bvf.compare([with_asked(mined(name, i), **written) for i, name in enumerate("ab")], plugins=plugins)
    (row,), (topic,) = rows_of(comparison, "R"), comparison.topics
    assert row.value != 0
    assert (row.low, row.p_value, row.decision, comparison.tests) == (None, None, "", 0)
    assert topic.models[0].intervals == topic.models[0].ranks == {}
    assert topic.undefined == "the contexts were written, not sampled"
    p, q = probabilities(1), probabilities(2)
    runs = [measured("a", p[:2], groups=GROUPS[:2], **written), measured("b", q[:1], groups=GROUPS[:1], **written)]
    models, differences, *_ = sections(bvf.compare(runs, plugins=plugins), 0)
    assert models.columns == ("figure", "model", "value")
    assert {len(row) for row in models.rows} == {3}
    assert differences.columns == ("figure", "models", "difference")
    assert models.subtitle == ["the same 1 group in the same 12 contexts", "1 group left out: not asked of every model"]


def test_topics_are_compared_one_by_one_and_their_order_of_models_with_each_other(plugins):
    names = "abcd"
    here = [mined(name, seed, 0.1 * seed) for seed, name in enumerate(names)]
    there = [with_asked(mined(name, 9 + seed, 0.1 * seed), topic="weather") for seed, name in enumerate(names)][::-1]
    there = [bvf.Measurement(**{**vars(each), "folder": Path("w", each.folder)}) for each in there]
    comparison = bvf.compare([*here, *there], plugins=plugins)
    assert [topic.topic for topic in comparison.topics] == ["made", "weather"]
    assert comparison.tests == 2 * 4 * 6
    (between,) = comparison.correlations
    by_name = [sorted(topic.models, key=lambda model: model.name) for topic in comparison.topics]
    R = [[model.figures["R"] for model in models] for models in by_name]
    assert between.models == 4
    assert between.correlation == pytest.approx(spearmanr(*R).statistic)
    assert between.smallest_p == pytest.approx(2 / 24)
    with pytest.raises(BvfError, match="w/a is the only run of the topic weather"):
        bvf.compare([*here, there[3]], plugins=plugins)
    with pytest.raises(BvfError, match="has the topic made, and w/b weather"):
        bvf.compare([here[0], there[2]], plugins=plugins)


def of_topic(topic, *runs):
    """Runs named after a model, its revision and a seed, in folders of the topic."""
    made = [
        with_model(mined(f"{topic}/{revision}{seed}", seed), name=name, revision=revision)
        for name, revision, seed in runs
    ]
    return [with_asked(each, topic=topic) for each in made]


def test_models_are_the_same_in_all_topics_where_some_have_a_name_twice(plugins):
    here = of_topic("made", ("m", "old", 1), ("m", "new", 2), ("n", "", 3), ("o", "", 4))
    there = of_topic("weather", ("o", "", 5), ("n", "", 6), ("m", "new", 7), ("m", "old", 8))
    comparison = bvf.compare([*here, *there], plugins=plugins)
    here, there = ([model.name for model in topic.models] for topic in comparison.topics)
    assert here == there[::-1] == ["m (old)", "m (new)", "n", "o"]
    assert comparison.correlations[0].models == 4


def labelled(run, tuned):
    return replace(run, record=run.record.model_copy(update={"labels": {"tuned": tuned}}))


def test_runs_of_one_model_are_matched_by_their_labels(plugins):
    topics = [of_topic(topic, ("m", "", 1), ("m", "", 2)) for topic in ("made", "weather")]
    here, there = ([labelled(run, tuned) for run, tuned in zip(runs, ("no", "yes"), strict=True)] for runs in topics)
    comparison = bvf.compare([*here, *there[::-1]], plugins=plugins)
    no, yes = "m (tuned=no)", "m (tuned=yes)"
    assert [[model.name for model in topic.models] for topic in comparison.topics] == [[no, yes], [yes, no]]


def test_a_model_of_known_weights_is_the_same_by_any_path_and_runs_that_were_never_stored_have_names(plugins):
    here = with_model(of_topic("made", ("m", "", 1))[0], weights="w")
    there = with_model(of_topic("weather", ("./m", "", 2))[0], weights="w")
    others = [*of_topic("made", ("n", "", 3)), *of_topic("weather", ("n", "", 4))]
    comparison = bvf.compare([here, there, *others], plugins=plugins)
    assert [[model.name for model in topic.models] for topic in comparison.topics] == [["m", "n"]] * 2
    unstored = [replace(with_model(mined(name, seed), name="same"), folder=None) for seed, name in enumerate("ab")]
    names = [model.name for model in bvf.compare(unstored, plugins=plugins).topics[0].models]
    assert names == ["same (a)", "same (b)"]


def test_choices_hold_for_all_models(plugins):
    pair = [mined("a", 1), mined("b", 2)]
    comparison = bvf.compare(pair, plugins=plugins, criterion="lk:2", scale="raw", level=0.9, group_weights="ramp")
    chosen = (comparison.criterion, comparison.scale, comparison.level, comparison.group_weights)
    assert chosen == ("lk:2", "raw", 0.9, "ramp")
    narrow, wide = (rows_of(bvf.compare(pair, plugins=plugins, level=level), "R")[0] for level in (0.8, 0.99))
    assert wide.low < narrow.low < narrow.high < wide.high


def test_of_a_folder_of_runs_those_with_a_dot_are_left_alone_and_an_unfinished_one_can_be_left_out(tmp_path, plugins):
    def run(name, groups):
        chosen = {"limit_groups": groups, "limit_contexts": 3, "out": str(tmp_path / "runs" / name)}
        return bvf.run(RunConfig(model="baseline:random", **chosen)).folder

    run("a", 2), run("b", 3)
    shutil.copytree(tmp_path / "runs" / "a", tmp_path / "runs" / ".trash" / "a")
    assert len(bvf.compare([tmp_path / "runs"], plugins=plugins).topics[0].models) == 2
    unfinished = run("c", 4)
    for shard in (unfinished / SHARDS).iterdir():
        shard.unlink()
    with pytest.raises(BvfError, match="c: unfinished") as refused:
        bvf.compare([tmp_path / "runs"], plugins=plugins)
    assert refused.value.hint == "leave it out: name the folders of the others"
    with pytest.raises(BvfError, match="c: unfinished") as refused:
        bvf.compare([tmp_path / "runs" / "a", unfinished], plugins=plugins)
    assert "run the same command again" in refused.value.hint


def test_a_criterion_without_intervals_is_compared_by_its_defined_figures(tmp_path, monkeypatch):
    (tmp_path / "bending.py").write_text(
        "import numpy as np\nfrom bvf import Criterion, Provider, hookimpl\n\n\n"
        "class Bending(Criterion):\n"
        "    curvature = 'neither'\n"
        "    sublinear = False\n\n"
        "    def risk(self, s):\n        return np.sin(np.abs(s).max(axis=-1)) ** 2\n\n\n"
        "@hookimpl\ndef bvf_criteria():\n    return [Provider('bending', Bending)]\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    first, second = mined("a", 1), mined("b", 2)
    comparison = bvf.compare([first, second], criterion="bending", plugins=load(extra="bending"))
    (risk,) = rows_of(comparison, "R")
    of_a, of_b = ((np.sin(lean(each)) ** 2).mean(axis=0) @ COUNTS / COUNTS.sum() for each in (first, second))
    assert risk.value == pytest.approx((of_a - of_b) / np.sin(1.0) ** 2)  # 1: a model that is certain
    assert [each.figure for each in comparison.topics[0].differences] == ["R", "R_bias", "R_volatility"]
    assert (risk.low, risk.high) == (None, None)


def test_a_run_that_is_named_twice_is_refused_before_answers_are_read(run_of, tmp_path):
    folder = run_of(sample_contexts=0).folder
    copies = [tmp_path / name for name in ("a", "b")]
    for copy in copies:
        shutil.copytree(folder, copy)
        shutil.rmtree(copy / SHARDS)
    with pytest.raises(BvfError, match=r"a and .*b are the same measurement"):
        bvf.compare(copies)


@pytest.mark.parametrize(("number", "notes"), [(20, 1), (60, 0)])
def test_a_comparison_in_few_contexts_says_so(number, notes, plugins):
    models = [drawn(name, probabilities(seed, contexts=300), number) for name, seed in (("a", 1), ("b", 2))]
    said = f"intervals rest on {number} drawn contexts: they were tested for 50 and more"
    assert bvf.compare(models, plugins=plugins).topics[0].notes.count(said) == notes


@pytest.mark.parametrize("exact", [False, True])
def test_runs_of_sampled_answers_are_compared_by_figures_without_noise(exact, plugins):
    """The same probabilities twice are tied, though shares of the one have 0.1 more risk by noise alone."""
    p = np.full((4, CONTEXTS, 2), 0.5)
    other = measured("b", p) if exact else by_samples("b", p, seed=1)
    comparison = bvf.compare([by_samples("a", p, samples=12), other], plugins=plugins)
    models = comparison.topics[0].models
    shown = bvf.analyse(replace(by_samples("a", p, samples=12), folder=None), plugins=plugins)
    assert models[0].figures["R"] == pytest.approx(shown.R)
    assert shown.R < 0.1 < shown.sampled.plug_in["R"]
    for figure in ("R", "R_bias", "R_volatility", "particular_bias"):
        (row,) = rows_of(comparison, figure)
        assert row.decision == "tied"
        assert row.low <= 0.0 <= row.high
        assert row.low <= row.value <= row.high
    assert {each.decision for each in comparison.topics[0].of_groups} == {"tied"}
    assert models[0].ranks["R"] == (1, 2)


def test_sampled_answers_of_other_probabilities_are_told_apart(plugins):
    """By hand: R and R^b are .9 and .2 in every context, so they differ by .7."""
    strong, weak = (np.full((4, CONTEXTS, 2), [first, 1.0 - first]) for first in (0.95, 0.6))
    comparison = bvf.compare([by_samples("a", strong), by_samples("b", weak)], plugins=plugins)
    for figure in ("R", "R_bias"):
        (row,) = rows_of(comparison, figure)
        assert row.decision == "higher"
        assert row.low <= 0.7 <= row.high
    assert {each.decision for each in comparison.topics[0].of_groups if each.figure == "r"} == {"higher"}


def without_the_first_group(sampled):
    asked = sampled.record.asked
    return replace(
        with_asked(sampled, groups=asked.groups[1:]),
        probabilities=sampled.probabilities[1:],
        bounds=sampled.bounds[1:],
        answers=Samples(sampled.answers.hits[1:]),
    )


def test_samples_of_common_groups_and_contexts_alone_are_compared(plugins):
    """A run of one group less and of other words in common: hits are those of what both were asked."""
    p = probabilities(5, contexts=CONTEXTS)
    whole, fewer = by_samples("a", p), without_the_first_group(by_samples("b", p, seed=1))
    both, alone = (bvf.compare([each, fewer], plugins=plugins) for each in (whole, without_the_first_group(whole)))
    assert both.topics[0].models[0].figures == pytest.approx(alone.topics[0].models[0].figures)


def by_two_words(name, seed, first, second, bounds=0.0):
    """A model of two words per class, whose mean lean by each word is given; the first has 3/4 of the probability."""
    of_word = [
        np.clip(probabilities(seed, contexts=CONTEXTS)[..., 0] * 0.2 + lean, 0.01, 0.99) for lean in (first, second)
    ]
    male, female = (np.stack([0.75 * one, 0.25 * other]) for one, other in (of_word, [1 - each for each in of_word]))
    p = np.stack([male.sum(axis=0), female.sum(axis=0)], axis=2)
    logp = np.log(np.moveaxis(np.concatenate([male, female]), 0, 2))
    return replace(measured(name, p), word_logprobs=logp, bounds=np.full(p.shape[:2], bounds))


@pytest.mark.parametrize("others", [[], ["third"]])
def test_decisions_without_a_unit_are_those_of_a_comparison_by_the_other_words(plugins, others):
    models = [by_two_words("a", 1, 0.75, 0.42), by_two_words("b", 2, 0.5, 0.7), *(mined(each, 3) for each in others)]
    (topic,) = bvf.compare(models, plugins=plugins).topics
    attributes = models[0].record.asked.attributes
    units = ["/".join(each.words[place] for each in attributes) for place in (0, 1)]
    without = []
    for place in (0, 1):
        words = {each.name: (each.words[1 - place],) for each in attributes}
        again = bvf.compare(models, plugins=plugins, words=words).topics[0].differences
        without.append([each.decision for each in again])
    for i, each in enumerate(topic.differences):
        if each.decision in ("tied", ""):
            assert each.without is None
            continue
        expected = {unit: found[i] for unit, found in zip(units, without, strict=True) if found[i] != each.decision}
        assert each.without == expected
    (row,) = [each for each in topic.differences if (each.figure, each.first, each.second) == ("R", "a", "b")]
    assert row.without == {units[0]: "lower"}
    said = " ".join(without_a_unit(topic))
    assert f"R of 1 and 2 (lower without {units[0]})" in said


def test_of_words_left_out_a_unit_may_not_be_known_and_nothing_is_said_of_one_or_where_nothing_was_decided(plugins):
    def compared(*runs):
        return bvf.compare(runs, plugins=plugins).topics[0]

    exact, inexact = ([by_two_words("a", 1, 0.75, 0.72, b), by_two_words("b", 2, 0.55, 0.5, b)] for b in (0.0, 0.02))
    whole, bounded = compared(*exact), compared(*inexact)
    assert [each.without for each in whole.differences if each.figure == "R"] == [{}]
    assert "decisions that hold without any one unit of words: R" in " ".join(without_a_unit(whole))
    (row,) = [each for each in bounded.differences if each.figure == "R"]
    assert set(row.without.values()) == {""}
    assert "not known: improbable words were not asked" in " ".join(without_a_unit(bounded))
    alike = compared(by_two_words("a", 1, 0.6, 0.6), by_two_words("b", 1, 0.6, 0.6))
    apart = by_two_words("a", 1, 0.7, 0.7), by_two_words("b", 2, 0.3, 0.5)
    unknown = compared(*(replace(each, word_logprobs=None) for each in apart))
    assert [without_a_unit(each) for each in (alike, unknown)] == [[], []]


def test_figures_chance_and_tests_of_two_models():
    better = np.random.default_rng(0).uniform(0.6, 0.9, (4, 12))
    comparison = bvf.compare([asked_in_wordings("a", better), asked_in_wordings("b", better / 3.0)])
    (topic,) = comparison.topics
    assert (topic.unit, topic.wordings, topic.units) == ("template", True, pytest.approx(12.0))
    first = topic.models[0].figures
    assert list(first) == ["mastery", "expected_score", "confidence_gap"]
    assert first["mastery"] == pytest.approx(np.sqrt(better.mean(axis=1)).mean())
    assert first["expected_score"] == pytest.approx(np.sqrt(better).mean())
    by_chance = {"mastery": 0.5**0.5, "expected_score": 0.5, "confidence_gap": 0.5**0.5 - 0.5}
    assert topic.by_chance == pytest.approx(by_chance)
    assert {each.figure: each.decision for each in topic.differences}["mastery"] == "higher"
    assert topic.models[0].ranks["mastery"] == (1, 1)
    assert comparison.tests == 3


def test_fewer_than_ten_wordings_have_no_tests_and_a_line_why_and_a_risk_over_wordings_has_no_intervals():
    few = np.full((4, 8), 0.5)
    comparison = bvf.compare([asked_in_wordings("a", few), asked_in_wordings("b", few / 2.0)])
    assert comparison.topics[0].undefined == "there are only 8.0 effective wordings, and intervals take 10"
    assert comparison.tests == 0
    made = replace(asked_in_wordings("a", np.random.default_rng(0).uniform(0.1, 0.9, (4, 12))), folder=None)
    assert "written" in bvf.analyse(made, criterion="linf").uncertainty.undefined
    assert bvf.analyse(made, criterion="knowledge:sqrt").uncertainty.estimand == "wordings"
