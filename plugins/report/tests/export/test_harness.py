"""Tasks of lm-evaluation-harness: their questions are those of the run, and their figures those of `bvf.decompose`."""

import ast
import json
import re
import shutil
import sys
from dataclasses import replace
from functools import cache
from itertools import chain, product
from pathlib import Path

import numpy as np
import pytest
import yaml
from bvf_report.export.harness import bvf_risk
from bvf_report.export.harness.folder import OLD_TASK, HarnessTask
from helpers.sampled import cases
from hypothesis import given, settings
from hypothesis import strategies as st

import bvf
from bvf import export
from bvf.domain.media import Media
from bvf.errors import BvfError
from bvf.files.digests import digest_of
from bvf.hooks.loader import load
from bvf.measuring.folder import RunFolder, read_measurement, read_record
from bvf.stats.figures.risk import decompose_risk, mean_prediction


class _Loader(yaml.SafeLoader):
    """Reads a task without the functions that it names."""


_Loader.add_constructor("!function", _Loader.construct_scalar)
CLASSES = ("0", "1", "2", "3")
installed = cache(load)
CRITERIA = ["linf", "lk:1", "lk:2", "lk:900", "direction:1", "released:a", "released:b"]
OF_P_STAR = ["tv", "hellinger", "kl", "js", "chi2"]


def items_of(p, p_star, context_weights, group_weights, criterion="linf", scale="unit"):
    """What the harness collects: two words per class, too improbable for exp; none at all where a prompt is missing."""
    groups, contexts, classes = p.shape
    said = {"classes": list(CLASSES[:classes]), "criterion": criterion, "scale": scale}
    said["class_of_choice"] = [y for y in range(classes) for _ in range(2)]
    with np.errstate(divide="ignore"):
        words = np.log(np.nan_to_num(p, nan=0.0)[..., np.newaxis] * np.array([0.25, 0.75])) - 800.0
    items = []
    for c, x in product(range(contexts), range(groups)):
        weights = {"group_weight": group_weights[x], "context_weight": context_weights[c]}
        doc = {**said, **weights, "group": f"group {x}", "p_star": None if p_star is None else p_star[x, c].tolist()}
        items.append(bvf_risk.process_results(doc, [(logp, False) for logp in words[x, c].ravel().tolist()]))
    return items


def figures_of(items):
    aggregations = (bvf_risk.total_risk, bvf_risk.bias_risk, bvf_risk.volatility_risk)
    named = zip(bvf_risk.FIGURES, aggregations, strict=True)
    return [aggregation([each[name] for each in items]) for name, aggregation in named]


def expected(p, criterion="linf", **choices):
    """What `bvf.decompose` says; it looks for plugins each time."""
    chosen = installed().criteria.make(criterion).for_classes(CLASSES[: p.shape[2]])
    risk = decompose_risk(p, chosen, **choices)
    return pytest.approx([risk.R, risk.R_bias, risk.R_volatility], rel=1e-9, abs=1e-11)


@pytest.mark.parametrize("criterion", CRITERIA + OF_P_STAR)
@settings(max_examples=10)
@given(cases(), st.sampled_from(["unit", "raw"]), st.integers(0, 9))
def test_the_aggregations_are_the_decomposition(criterion, case, scale, seed):
    p, counts = case
    rng = np.random.default_rng(seed)
    group_weights = rng.uniform(0.1, 1.0, len(p))
    p_star = rng.dirichlet(np.ones(p.shape[2]), p.shape[:2]) * 0.8 + 0.2 / p.shape[2]
    if criterion in OF_P_STAR:
        p_star = np.repeat(p_star[:, :1], p.shape[1], axis=1)
    if criterion.startswith("released"):
        p_star = np.full_like(p_star, 1.0 / p.shape[2])
    items = items_of(p, p_star, counts, group_weights, criterion, scale)
    weights = {"context_weights": counts, "group_weights": group_weights}
    wanted = expected(p, criterion=criterion, reference=p_star, scale=scale, **weights)
    assert figures_of(items) == wanted
    rng.shuffle(items)
    assert figures_of(items) == wanted


@given(cases(least_groups=2), st.sampled_from(["linf", "js"]))
def test_the_reference_may_be_the_mean_over_groups(case, criterion):
    p, counts = case
    group_weights = np.arange(1.0, len(p) + 1.0)
    items = items_of(p, None, counts, group_weights, criterion)
    weights = {"context_weights": counts, "group_weights": group_weights}
    assert figures_of(items) == expected(p, criterion=criterion, reference=mean_prediction(p, **weights), **weights)


@given(cases(least_groups=3), st.integers(0, 20))
def test_what_was_not_asked_counts_for_nothing(case, limit):
    """``--limit``: the others are weighted as if nothing else had been there."""
    p, counts = case
    group_weights = np.array([1.0, 2.0, 5.0])
    items = items_of(p, np.full_like(p, 1.0 / p.shape[2]), counts, group_weights)[:limit]
    asked = limit > np.arange(p[..., 0].size).reshape(p.shape[1], 3).T
    p = np.where(asked[..., np.newaxis], p, np.nan)
    kept = ~np.isnan(p).any(axis=2).all(axis=1)
    if kept.any():
        weights = {"context_weights": counts, "group_weights": group_weights[kept]}
        assert figures_of(items) == expected(p[kept], **weights)
    else:
        assert np.isnan(figures_of(items)).all()


def read(folder, task):
    lines = (folder / f"{task.name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_every_document_is_a_prompt_of_the_run_with_its_weights(result, plugins, tmp_path):
    (task,) = export.write_tasks([result], tmp_path, plugins)
    documents = read(tmp_path, task)
    groups, contexts = [group.group for group in result.groups], result.number_of_contexts
    assert [row["group"] for row in documents] == groups * contexts
    weights = dict(zip(result.probabilities().contexts, result.probabilities().context_weights, strict=True))
    for row in documents:
        assert row["context_weight"] == pytest.approx(weights[row["context"]], rel=1e-12)
        assert row["group_weight"] == 1 / len(groups)
        assert row["p_star"] == [0.5, 0.5]
        assert row["group"] in row["left"].lower()
        assert (row["delimiter"], row["left"]) == (" ", row["left"].rstrip())
        assert "[" not in row["left"]


def test_answers_of_the_run_have_the_figures_of_the_run(results, plugins, tmp_path, monkeypatch):
    """Stored log p of words, given as a harness would give it, among them of prompts without an answer."""
    for result in results:
        (task,) = export.write_tasks([result], tmp_path, plugins)
        assert {file.stem for file in tmp_path.glob("*.jsonl")} == {task.name}, "those of the export before are gone"
        questions = yaml.load((tmp_path / f"{task.name}.yaml").read_text(), Loader=_Loader)["dataset_kwargs"]
        monkeypatch.setattr(bvf_risk, "__file__", str(tmp_path / "bvf_risk.py"))
        documents = bvf_risk.documents(**questions, pretrained="a model", version=1)["test"]
        measurement = read_measurement(result.folder, words=True)
        asked = measurement.record.asked
        place = {each.template: c for c, each in enumerate(asked.in_order)}
        words = {word: w for w, word in enumerate(asked.words)}
        items = []
        for doc in documents:
            x, c = asked.group_names.index(doc["group"]), place[doc["context"]]
            logp = measurement.word_logprobs[x, c]
            answers = [(float(logp[words[choice.lstrip()]]), False) for choice in doc["choices"]]
            items.append(bvf_risk.process_results(doc, answers))
        assert figures_of(items) == pytest.approx([result.R, result.R_bias, result.R_volatility], abs=1e-6)
    assert results[1].missing > 0


def test_a_task_is_named_by_what_it_asks_and_not_by_the_model(result, run_of, plugins, tmp_path):
    same = run_of(model="toy:alike", contexts="gender-mixed", limit_groups=4, sample_contexts=20)
    tasks = export.write_tasks([result, same], tmp_path, plugins)
    assert [task.name for task in tasks] == [f"bvf_en_gender_{tasks[0].name[-8:]}"]
    page = (tmp_path / "README.md").read_text()
    for each in (result, same):
        assert f"| `{tasks[0].name}` | {each.model} | {each.R:.6f} | {each.R_bias:.6f} |" in page
    assert replace(tasks[0], criterion="tv").name != tasks[0].name


def test_the_page_has_the_warnings_of_the_runs(result, plugins, tmp_path):
    export.write_tasks([result.model_copy(update={"warnings": ("little mass",)})], tmp_path, plugins)
    assert "\n- Warning, toy:hash: little mass.\n" in (tmp_path / "README.md").read_text()


@pytest.mark.parametrize(("topic", "begins"), [("knowledge/a, b*", "bvf_en_knowledge_a_b_"), ("性别", "bvf_en_")])
def test_names_are_safe_on_a_command_line(topic, begins):
    name = HarnessTask(topic, "en", {"a": ["b"]}, "linf", "unit", []).name
    assert re.fullmatch(rf"{begins}[0-9a-f]{{8}}", name)
    assert OLD_TASK.fullmatch(f"{name}.yaml")
    assert not OLD_TASK.fullmatch("bvf_of_mine.yaml")


def test_a_language_without_spaces_has_none_before_a_word(run_of, plugins, tmp_path):
    asked = {"lang": "zh", "contexts": "", "sample_contexts": 0, "limit_contexts": 2, "limit_groups": 2}
    (task,) = export.write_tasks([run_of(**asked)], tmp_path, plugins)
    assert {row["delimiter"] for row in read(tmp_path, task)} == {""}
    assert yaml.load((tmp_path / f"{task.name}.yaml").read_text(), Loader=_Loader)["target_delimiter"] == ""


def test_classes_of_a_margin_have_the_words_of_all_their_classes(run_of, plugins, tmp_path):
    crossed = run_of(contexts="", sample_contexts=0, topic="", cross=("race", "gender"), limit_contexts=2)
    margin = bvf.analyse(crossed.folder, margin="gender", plugins=plugins)
    (task,) = export.write_tasks([margin], tmp_path, plugins)
    assert list(task.words) == list(margin.groups[0].mean_probabilities)
    words, asked = (sorted(chain.from_iterable(each.words.values())) for each in (task, margin))
    assert words == asked


def test_contexts_that_a_causal_model_cannot_read_are_left_out(run_of, plugins, tmp_path):
    (tmp_path / "c.csv").write_text(
        "template,count\nThe [X] said that [Y],3\nIt was [Y] who hit the [X],4\nA [X] knew that [Y],5\n"
    )
    asked = {"contexts": str(tmp_path / "c.csv"), "sample_contexts": 0, "limit_groups": 3}
    (task,) = export.write_tasks([run_of(model="baseline:random", **asked)], tmp_path, plugins)
    assert {row["context"] for row in task.rows} == {"The [X] said that [Y]", "A [X] knew that [Y]"}
    assert task.notes == ("1 context left out: [X] stands right of [Y], which these tasks do not ask",)
    assert task.notes[0].replace("[", "\\[").replace("]", "\\]") in (tmp_path / "README.md").read_text()


def test_the_analysis_needs_numpy_and_what_the_harness_brings():
    tree = ast.parse(Path(bvf_risk.__file__).read_text())
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in imported} - sys.stdlib_module_names == {"numpy", "datasets"}


@pytest.fixture
def changed(result, tmp_path):
    """The run with something else in its record, as if it had been measured so."""

    def make(part, update):
        record = read_record(result.folder)
        if part == "first template":
            first, *others = record.asked.templates
            part, update = "asked", {"templates": (first.model_copy(update=update), *others)}
        if part == "identity":
            identity = {**record.identity, **update}
            changes = {"identity": identity, "digest": digest_of(identity)}
        else:
            changes = {part: getattr(record, part).model_copy(update=update)}
        shutil.copytree(result.folder, tmp_path / "run")
        RunFolder(tmp_path / "run").write_record(record.model_copy(update=changes))
        return bvf.read_result(tmp_path / "run")

    return make


CHAT = {"wording": "chat-assistant", "user": "Continue the text."}
STREET = Media("image", "street.png", "0123456789abcdef")


@pytest.mark.parametrize(
    ("part", "update", "why"),
    [
        ("model", {"wording": "chat"}, "what a user says in a chat"),
        ("model", CHAT, "begin what the assistant says in a chat"),
        ("model", {"word_boundary": True}, "only where they end"),
        ("model", {"samples": 100}, "shares of sampled answers"),
        ("first template", {"media": (STREET,)}, "media of the kind image"),
        ("identity", {"prompts": "0123456789abcdef"}, "words the prompts otherwise than when the run was made"),
    ],
)
def test_what_the_harness_cannot_ask_is_refused(changed, plugins, tmp_path, part, update, why):
    with pytest.raises(BvfError, match=why):
        export.write_tasks([changed(part, update)], tmp_path / "tasks", plugins)
    assert not (tmp_path / "tasks").exists()


EXCESS = """
from bvf import Criterion, Provider, hookimpl


class Excess(Criterion):
    def risk(self, s, /):
        return abs(s).sum(axis=-1)


@hookimpl
def bvf_criteria():
    return [Provider('excess', Excess, 'sum of |s|')]
"""


def test_other_analyses_and_criteria_of_plugins_are_refused(result, knowledge, doubt, plugins, toy, tmp_path):
    for each in (knowledge, doubt):
        with pytest.raises(BvfError, match="its analysis is not one of risk"):
            export.write_tasks([each], tmp_path / "tasks", plugins)
    (tmp_path / "excess.py").write_text(EXCESS)
    with_excess = load(extra=[toy, str(tmp_path / "excess.py")])
    by_excess = bvf.analyse(result.folder, criterion="excess", plugins=with_excess)
    with pytest.raises(BvfError, match="the criterion excess is of a plugin"):
        export.write_tasks([by_excess], tmp_path / "tasks", with_excess)
