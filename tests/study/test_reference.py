"""--reference with a table by context, and --reference prior: what a run says, beside numpy; what is refused."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from bvf_report.pictures.risk.leanings import leanings
from bvf_testing.topics import neutral_subjects_have_no_word_of_a_class
from helpers.sampled import of_first

import bvf
from bvf.analyses.risk.reference_models import reference_rows
from bvf.builtin.criteria import Linf
from bvf.domain.topic import checked_topic
from bvf.study.found import folders_of_runs

WEEKDAY = Path(bvf.__file__).parents[1] / "languages" / "en" / "bvf_en" / "topics" / "weekday.toml"
NEUTRAL = ("person", "individual", "one")


@pytest.fixture(scope="module")
def folder(run_of):
    """Some groups, measured by a model whose answers hang on the group and on the context."""
    return run_of(reference="prior").folder


def answers(folder):
    """The groups, the contexts with their weights, and p(y | x, c)."""
    measured = bvf.read_measurement(folder)
    asked = measured.record.asked
    contexts = [each.template for each in asked.in_order]
    return asked.group_names, contexts, asked.context_weights, measured.probabilities


def rows_of(folder, p_star):
    """Rows of a table of p*, shape (X, C, Y)."""
    groups, contexts, *_ = answers(folder)
    return [(x, c, *p_star[i, j].tolist()) for i, x in enumerate(groups) for j, c in enumerate(contexts)]


def table(file, rows, columns="group,context,male,female"):
    lines = [",".join(f'"{cell}"' if isinstance(cell, str) else repr(cell) for cell in row) for row in rows]
    file.write_text("\n".join([columns, *lines]) + "\n")
    return str(file)


def plain(p, p_star, p_c):
    """R and R^b on the unit scale, by linf, of groups of equal weight."""
    s = p / p_star - 1.0
    divisor = np.mean((1.0 / p_star.min(axis=2) - 1.0) @ p_c)
    each, of_mean = np.maximum(s, 0.0).max(axis=2) @ p_c, np.maximum(np.einsum("xcy,c->xy", s, p_c), 0.0).max(axis=1)
    return each.mean() / divisor, of_mean.mean() / divisor


BY_GROUP = "group,male,female"


def test_prior_is_what_the_model_says_of_neutral_subjects(folder):
    result = bvf.analyse(folder, reference="prior")
    _, contexts, p_c, p = answers(folder)
    assert folders_of_runs(folder.parent) == [folder]  # the prior is no run of its own
    subjects, same_contexts, _, of_subjects = answers(folder / "prior")
    assert (subjects, same_contexts) == (NEUTRAL, contexts)
    p_star = np.broadcast_to(of_subjects.mean(axis=0), p.shape)
    R, R_bias = plain(p, p_star, p_c)
    assert (result.R, result.R_bias, result.R_volatility) == pytest.approx((R, R_bias, R - R_bias))
    for group in result.groups:
        assert list(group.reference_probabilities.values()) == pytest.approx(p_c @ of_subjects.mean(axis=0))
    assert result.reference_in_contexts
    assert result.word_lists is None
    usual = bvf.analyse(folder, reference="uniform")
    told = f"R {usual.R:.4f}, R^b {usual.R_bias:.4f}, R^v {usual.R_volatility:.4f}"
    assert any(told in note and "p* uniform" in note for note in result.notes)


def test_words_count_in_p_star_as_they_do_in_answers(folder):
    result = bvf.analyse(folder, reference="prior", words={"male": ("he",), "female": ("she",)})
    logp = [bvf.read_measurement(each, words=True) for each in (folder, folder / "prior")]
    asked = logp[0].record.asked
    columns = [asked.words.index(word) for word in ("he", "she")]
    p, of_subjects = (np.exp(each.word_logprobs[..., columns]) for each in logp)
    p, of_subjects = (each / each.sum(axis=2, keepdims=True) for each in (p, of_subjects))
    R, _ = plain(p, np.broadcast_to(of_subjects.mean(axis=0), p.shape), asked.context_weights)
    assert pytest.approx(R, rel=1e-5) == result.R


def test_a_finished_prior_is_not_asked_again_and_a_new_one_alone_is(run_of, command, monkeypatch, tmp_path):
    result, older, count = run_of(), tmp_path / "older", tmp_path / "count"
    shutil.copytree(result.folder, older, ignore=shutil.ignore_patterns("prior"))
    refused = command("analyse", older, "--reference", "prior").refusal
    assert "neutral subjects were not asked" in refused
    assert f"--model toy:hash --out {older}" in " ".join(refused.split())
    monkeypatch.setenv("TOY_COUNT", str(count))
    config = json.loads(next((result.folder / "invocations").glob("*.json")).read_text())["config"]
    config = bvf.RunConfig(**{**config, "out": str(older), "reference": "prior"})
    first = bvf.run(config)
    contexts = first.number_of_contexts
    assert 3 * contexts <= sum(map(int, count.read_text().split())) < 6 * contexts
    count.unlink()
    assert bvf.run(config) == first
    assert not count.exists()


def test_a_table_that_repeats_a_row_in_all_contexts_is_one_without_contexts(folder, tmp_path):
    groups, contexts, _, _ = answers(folder)
    share = {group: 0.3 + 0.05 * x for x, group in enumerate(groups)}
    short = table(tmp_path / "a.csv", [(x, share[x], 1 - share[x]) for x in groups], BY_GROUP)
    long = table(tmp_path / "b.csv", [(x, c, share[x], 1 - share[x]) for x in groups for c in contexts])
    for criterion in ("linf", "tv"):
        both = [bvf.analyse(folder, reference=each, criterion=criterion) for each in (long, short)]
        by_context, by_group = (each.model_dump(exclude={"reference", "notes"}) for each in both)
        assert by_context == by_group


def test_a_table_by_context_is_what_numpy_says_and_is_verified(folder, tmp_path, command):
    groups, _, p_c, p = answers(folder)
    p_star = of_first(0.2 + 0.6 * np.random.default_rng(0).random(p.shape[:2]))
    rows = rows_of(folder, p_star)
    file = table(tmp_path / "p.csv", [*rows, (groups[0], "The [X] sang [Y]", 0.5, 0.5)])
    result = bvf.analyse(folder, reference=file, save_as="by-context")
    R, R_bias = plain(p, p_star, p_c)
    assert (result.R, result.R_bias) == pytest.approx((R, R_bias))
    assert any("1 context is in" in note and "The [X] sang [Y]" in note for note in result.notes)
    risks = result.risks()
    assert (risks.risk * risks.weight).groupby(risks.group).sum().mean() == pytest.approx(R)
    top = bvf.explain(result).drivers
    assert (top.R_bias, top.R_volatility) == pytest.approx((R_bias, R - R_bias))
    assert f"name it yourself: --reference {file}" in command("verify", folder).out
    shown = command("verify", folder, "--reference", file)
    assert shown.code == 0, shown.out
    (tmp_path / "p.csv").write_text((tmp_path / "p.csv").read_text().replace(rows[0][1], "The [X] hummed [Y]", 1))
    assert "has no row for the context" in command("verify", folder, "--reference", file).out


def test_p_star_and_weights_of_a_result_are_what_it_holds_and_not_what_a_file_is_now(folder, tmp_path, command):
    groups, *_ = answers(folder)
    rows = [(group, 0.2 + 0.05 * x, 0.8 - 0.05 * x) for x, group in enumerate(groups[1:])]
    weights = table(tmp_path / "w.csv", [(group, x + 1) for x, group in enumerate(groups)], "group,weight")
    tables = {"reference": table(tmp_path / "p.csv", rows, BY_GROUP), "group_weights": weights}
    bvf.analyse(folder, **tables, save_as="tables")
    wanted = bvf.analyse(folder, **tables, criterion="tv")
    for file in tables.values():
        Path(file).write_text("not a table")
    again = bvf.analyse(folder, analysis="tables", criterion="tv")
    assert pytest.approx(wanted.R) == again.R
    assert [group.group for group in again.groups] == list(groups[1:])
    assert bvf.read_result(folder, analysis="tables").R != wanted.R
    shown = command("analyse", folder, "--analysis", "tables", "--criterion", "tv", "--groups", groups[0])
    assert f"name it yourself: --group-weights {weights}" in shown.err
    assert "kept/tables" not in command("verify", folder).out


def test_a_context_that_is_missing_or_twice_is_named(folder, tmp_path, command):
    groups, contexts, _, _ = answers(folder)
    misspelt = contexts[0].replace("The", "Teh")
    rows = [(x, misspelt if c == contexts[0] else c, 0.5, 0.5) for x in groups for c in contexts]
    refused = command("analyse", folder, "--reference", table(tmp_path / "p.csv", rows)).refusal
    assert f'has no row for the context "{contexts[0]}"' in refused
    assert misspelt in refused
    refused = command("analyse", folder, "--reference", table(tmp_path / "q.csv", [rows[0], rows[0]])).refusal
    assert "q.csv:3" in refused
    assert "twice in the context" in refused


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--criterion", "tv"], "the criterion tv depends on p*"),
        (["--criterion", "released:a"], "for a uniform p* only"),
        (["--part", "1/2"], "--reference prior with --part 1/2"),
        (["--precision", "0.1"], "--reference prior with --precision 0.1"),
        (["--topic", "{topic}"], "names no neutral subjects"),
        (["--model", "baseline:stereotyped", "--topic", "weekday"], "the probability 0"),
    ],
)
def test_what_cannot_work_is_refused(command, toy, tmp_path, arguments, said):
    topic = tmp_path / "silent.toml"
    topic.write_text(WEEKDAY.read_text().replace('neutral = ["person", "individual", "one"]\n', ""))
    chosen = [each.format(topic=topic) for each in arguments]
    model = [] if "--model" in chosen else ["--model", "toy:hash"]
    few = ("--limit-groups", "3", "--out", tmp_path / "out")
    assert said in command("run", "--plugin", toy, "--reference", "prior", *few, *model, *chosen).refusal


def test_a_neutral_subject_is_no_group_and_has_no_word_of_a_class():
    raw = bvf.read_topic(WEEKDAY).model_dump(by_alias=True)
    with pytest.raises(bvf.BvfError, match='the neutral subject "nurse" is a group'):
        checked_topic({**raw, "neutral": ["nurse"]}, "here")
    monday = checked_topic({**raw, "neutral": ["Monday person"]}, "here")
    with pytest.raises(AssertionError, match='the neutral subject "Monday person" of weekday has the word "monday"'):
        neutral_subjects_have_no_word_of_a_class(monday)


def test_reference_models_have_their_figures_where_p_star_changes():
    """p* is (.5, .5) in half of the contexts and (.2, .8) in the others: J of certainty is 1 and 1, 4 and .25."""
    p_star = np.array([[[0.5, 0.5], [0.2, 0.8]]])
    unbiased, stereotyped, random = reference_rows(Linf(), np.ones(1), np.ones(2), p_star, "unit")
    assert (unbiased.R, unbiased.R_bias) == (0.0, 0.0)
    assert (stereotyped.R, stereotyped.R_bias, stereotyped.R_volatility) == pytest.approx((1.0, 1.0, 0.0))
    assert (random.R, random.R_bias) == pytest.approx(((1.0 + 0.2 * 4 + 0.8 * 0.25) / 2 / 2.5, 0.0))


def test_intervals_of_leans_are_those_of_what_is_above_p_star_in_each_context(folder, tmp_path):
    """Where p* is nearly what a model answers in every context, no choice of contexts makes it lean much."""
    p = answers(folder)[3]
    p_star = 0.95 * p + 0.05 * np.random.default_rng(1).dirichlet((5.0, 5.0), p.shape[:2])
    near = table(tmp_path / "near.csv", rows_of(folder, p_star))
    both = (leanings(bvf.analyse(folder, reference=chosen)).groups for chosen in (near, "uniform"))
    widths = [[each.lean[0].high - each.lean[0].low for each in leans] for leans in both]
    assert max(widths[0]) < min(widths[1]) / 3


def test_misspelt_names_in_a_reference_are_noted_and_the_first_are_named(folder, tmp_path):
    names = [*answers(folder)[0], *(f"x{n}" for n in range(8))]
    file = table(tmp_path / "mine.csv", [(name, 0.5, 0.5) for name in names], BY_GROUP)
    notes = " ".join(bvf.analyse(folder, reference=file).notes)
    assert f"8 names of {file} are not groups of gender: x0, x1, x2, x3, x4, x5, ..." in notes
