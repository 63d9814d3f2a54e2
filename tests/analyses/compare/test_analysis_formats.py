"""Formats of one run are compared as the same contexts asked in each format alone."""

import json
from dataclasses import replace

import numpy as np
import pytest
from helpers.made_alike import drawn, measured, probabilities, with_asked
from scipy.stats import ttest_rel

import bvf
from bvf import BvfError
from bvf.domain.asked import AskedSampling, AskedTemplate
from bvf.domain.chat import Chat
from bvf.stats.comparing.ranks import RankAgreement
from bvf.study.pairing import in_formats

CHATS = {"bare": None, "user": Chat("user"), "tell": Chat("assistant", "Tell me a short story.")}


def written(name, p, templates):
    """A run in contexts that were written: p(male), of shape (X, C) or of more axes over contexts."""
    p = p.reshape(len(p), -1)
    made = measured(name, np.stack([p, 1 - p], axis=2))
    return with_asked(made, templates=tuple(templates), sampling=AskedSampling(written=True))


def crossed(p, formats=tuple(CHATS), years=("",), name="run"):
    """A run whose templates stand in every format and year: p(male), shape (X, templates, formats, years)."""
    rows = [
        AskedTemplate(
            template=f"{year} the [X] {t} [Y]",
            count=t + 1.0,
            columns={"origin": f"the [X] {t} [Y]", "format": each, **({"year": year} if year else {})},
            chat=CHATS[each],
        )
        for t in range(p.shape[1])
        for each in formats
        for year in years
    ]
    return written(name, p, rows)


def equal(run):
    """The run with contexts of equal weight."""
    templates = run.record.asked.templates
    return with_asked(run, templates=tuple(each.model_copy(update={"count": 1.0}) for each in templates))


def alone(name, p):
    """A run in one format: p(male), shape (X, templates)."""
    return written(name, p, [AskedTemplate(template=f"The [X] {t} [Y]", count=t + 1.0) for t in range(p.shape[1])])


def drawn_p(seed, *shape):
    return np.random.default_rng(seed).uniform(0.2, 0.9, shape)


def of_figure(rows, figure):
    return [each for each in rows if each.figure == figure]


def test_the_differences_of_two_formats_by_hand():
    """Bare leans to male by |2p - 1| = 0.6 everywhere; user by as much, to male in half of the contexts."""
    sides = np.where(np.arange(40) % 2, 0.8, 0.2)
    p = np.stack([np.full((4, 40), 0.8), np.tile(sides, (4, 1))], axis=2)
    comparison = bvf.compare([equal(crossed(p, ("bare", "user")))], by="format")
    (topic,) = comparison.topics
    assert [(each.name, each.format) for each in topic.models] == [("run (bare)", "bare"), ("run (user)", "user")]
    assert (topic.number_of_contexts, topic.unit, comparison.tests) == (40, "template", 4)
    for figure, one, other in (("R", 0.6, 0.6), ("R_bias", 0.6, 0.0), ("R_volatility", 0.0, 0.6)):
        (row,) = of_figure(topic.differences, figure)
        assert [each.figures[figure] for each in topic.models] == pytest.approx([one, other])
        assert row.value == pytest.approx(one - other)
        assert row.decision == {"R": "tied", "R_bias": "higher", "R_volatility": "lower"}[figure]
    assert len(topic.of_groups) == 8


@pytest.mark.parametrize("names", [("bare", "user"), ("tell", "bare", "user")])
def test_formats_of_a_run_compare_as_runs_in_each_format_alone(names):
    p = drawn_p(1, 4, 15, len(names))
    (ours,) = bvf.compare([crossed(p, names)], by="format", level=0.9).topics
    runs = [alone(f"run ({name})", p[:, :, place]) for place, name in enumerate(names)]
    (theirs,) = bvf.compare(runs, unit="template", level=0.9).topics
    assert ours.differences == theirs.differences
    assert ours.of_groups == theirs.of_groups
    for one, other in zip(ours.models, theirs.models, strict=True):
        for field in ("name", "figures", "intervals", "ranks"):
            assert getattr(one, field) == getattr(other, field)
    weights = np.arange(1, 16) / np.arange(1, 16).sum()
    leans = [(p[:, :, place] @ weights) for place in range(len(names))]
    for row in of_figure(ours.orders, "lean to male"):
        first, second = (leans[names.index(name[5:-1])] for name in (row.first, row.second))
        assert row.kendall == pytest.approx(RankAgreement.of(first, second).kendall)
    assert len(ours.orders) == 3 * len(names) * (len(names) - 1) / 2
    assert theirs.orders == ()


def test_with_other_frames_a_template_is_drawn_with_all_of_them():
    """All means lie above p*, so R is the mean of 2 p - 1: pairs of templates by scipy, of equal weight."""
    rng = np.random.default_rng(3)
    of_template = rng.normal(0.0, 0.03, (1, 30, 2, 1))  # what a template does in a format, in both years
    p = 0.75 + of_template + rng.normal(0.0, 0.005, (4, 30, 2, 2))
    (topic,) = bvf.compare([equal(crossed(p, ("bare", "user"), ("1990", "2030")))], by="format").topics
    bare, user = (2 * p[:, :, place].mean(axis=(0, 2)) - 1 for place in (0, 1))
    low, high = ttest_rel(bare, user).confidence_interval(0.95)
    (row,) = of_figure(topic.differences, "R")
    assert row.value == pytest.approx((bare - user).mean())
    assert (row.low, row.high) == pytest.approx((low, high), abs=0.15 * (high - low))
    assert (topic.number_of_contexts, topic.unit) == (60, "template")


def test_too_few_templates_have_differences_without_intervals():
    made = crossed(drawn_p(1, 4, 5, 2, 4), ("bare", "user"), ("1990", "2000", "2010", "2020"))
    (topic,) = bvf.compare([made], by="format").topics
    assert topic.undefined.startswith("there are only 4.1 effective templates")
    assert {each.low for each in topic.differences} == {None}


def test_contexts_that_one_format_lacks_are_left_out():
    made = crossed(drawn_p(1, 4, 12, 2), ("bare", "user"))
    fewer = with_asked(made, templates=made.record.asked.templates[:-1])
    fewer = replace(fewer, probabilities=made.probabilities[:, :-1], bounds=made.bounds[:, :-1], word_logprobs=None)
    (topic,) = bvf.compare([fewer], by="format").topics
    assert (topic.number_of_contexts, topic.contexts_left_out) == (11, 1)


@pytest.mark.parametrize(
    ("run", "says"),
    [
        (measured("run", probabilities(0)), "run: its contexts are not in formats"),
        (crossed(np.full((4, 12, 1), 0.7), ("bare",)), "one run alone cannot be compared"),
        (drawn("run", probabilities(0), 20), "run: its contexts are not in formats"),
    ],
)
def test_what_has_no_formats_to_compare_is_refused(run, says):
    with pytest.raises(BvfError) as wrong:
        bvf.compare([run], by="format")
    assert wrong.value.message == says


def test_formats_of_contexts_that_were_drawn_or_that_no_column_tells_apart_are_refused():
    run = drawn("run", probabilities(0), 20)
    columns = {"origin": "the [X] [Y]", "format": "bare"}
    in_columns = tuple(each.model_copy(update={"columns": columns}) for each in run.record.asked.templates)
    with pytest.raises(BvfError, match="run: contexts were drawn from all formats together"):
        in_formats([with_asked(run, templates=in_columns)])
    run = crossed(np.full((4, 12, 2, 2), 0.7), ("bare", "user"), ("1990", "2030"))
    same = [(each, {**each.columns, "year": "2030"}) for each in run.record.asked.templates]
    run = with_asked(run, templates=tuple(each.model_copy(update={"columns": columns}) for each, columns in same))
    with pytest.raises(BvfError, match=r'run: "the \[X\] 0 \[Y\] \(year: 2030\)" stands 2 times in the format bare'):
        in_formats([run])


def test_formats_of_two_models_are_compared_with_each_other():
    runs = [
        crossed(p, ("bare", "user"), name=name)
        for name, p in zip(("run", "other"), drawn_p(1, 2, 4, 12, 2), strict=True)
    ]
    (topic,) = bvf.compare(runs, by="format").topics
    names = [each.name for each in topic.models]
    assert names == ["run (bare)", "run (user)", "other (bare)", "other (user)"]
    assert len(of_figure(topic.differences, "R")) == 6


def test_a_label_of_this_name_compares_runs_as_any_label():
    runs = [alone(name, drawn_p(seed, 4, 12)) for seed, name in enumerate("ab")]
    records = [
        run.record.model_copy(update={"labels": {"format": name}})
        for run, name in zip(runs, ("chat", "bare"), strict=True)
    ]
    labelled = [replace(run, record=record) for run, record in zip(runs, records, strict=True)]
    (topic,) = bvf.compare(labelled, by="format", unit="template").topics
    assert topic.matched_values == ("chat", "bare")
    assert {each.format for each in topic.models} == {""}


FORMATS = '[bare]\n\n[minutes]\ntext = "According to the minutes, [template]"\n'


def test_every_surface_has_the_formats_of_a_run(command, toy, tmp_path):
    (tmp_path / "mine.toml").write_text(FORMATS, "utf-8")
    verbs = ["said", "knew", "saw", "wrote", "heard", "thought", "felt", "claimed", "stated", "noted", "wished"]
    (tmp_path / "set.csv").write_text("template,count\n" + "".join(f"The [X] {v} that [Y],2\n" for v in verbs), "utf-8")
    run, plain = tmp_path / "run", tmp_path / "plain"
    of_three = ("--contexts", tmp_path / "set.csv", "--limit-groups", "3", "-q")
    asked = ("run", "--plugin", toy, "--model", "toy:hash", *of_three)
    assert command(*asked, "--formats", tmp_path / "mine.toml", "--out", run).code == 0
    assert command(*asked, "--out", plain).code == 0
    shown = command("compare", run, "--by", "format")
    assert shown.code == 0, shown.err
    for said in ("1 toy:hash (bare)", "Groups in which the two formats differ most", "Do formats order"):
        assert said in shown.out
    (topic,) = json.loads(command("compare", run, "--by", "format", "--format", "json").out)["topics"]
    assert [each["format"] for each in topic["models"]] == ["bare", "minutes"]
    assert topic["models"][0]["figures"]["R"] == pytest.approx(bvf.read_result(plain).R)
    explained = bvf.explain(bvf.read_result(run)).frames
    for row in topic["differences"]:
        for found in of_figure(explained, row["figure"]):
            assert row["value"] == pytest.approx(-found.difference)  # there the second less the first
    page = tmp_path / "page.html"
    assert command("report", run, "--by", "format", "--out", page).code == 0
    assert "Comparison of formats" in page.read_text("utf-8")
    picture = tmp_path / "formats.svg"
    plotted = command("plot", run, "--kind", "compare", "--by", "format", "--out", picture)
    assert plotted.code == 0, plotted.err
    assert "of 2 formats in the 11 contexts" in " ".join(plotted.out.split())
    refused = command("plot", plain, "--kind", "compare", "--by", "format", "--out", picture, "--force")
    assert (refused.code, "its contexts are not in formats" in " ".join(refused.err.split())) == (2, True)
