"""Whatever command a figure comes from, it is the one that ``bvf show`` prints."""

import csv
import json
import re

import pytest

FIGURES = {"risk": ("R", "R_bias", "R_volatility"), "knowledge": ("mastery", "expected_score", "confidence_gap")}


@pytest.fixture(scope="module")
def runs(run_of):
    """A run of risk, and one of knowledge among distractors, whose answers are a sample of templates."""
    knowledge = {"topic": "knowledge/capitals", "contexts": "", "sample_contexts": 0, "unit": "template"}
    return {"risk": run_of(), "knowledge": run_of(**knowledge, distractors=4, seed=3)}


@pytest.fixture(scope="module")
def other(run_of):
    return run_of(model="toy:alike")


@pytest.fixture(params=FIGURES)
def kind(request):
    return request.param


@pytest.fixture
def folder(runs, kind):
    return str(runs[kind].folder)


@pytest.fixture
def shown(command, folder, kind):
    """The figures that ``bvf show`` gives, by name."""
    result = json.loads(command("show", folder, "--format", "json").out)
    return {name: result[name] for name in FIGURES[kind]}


@pytest.fixture
def as_it_was_drawn(kind):
    return ("--unit", "template") if kind == "knowledge" else ()


def test_a_gate_judges_the_figures_that_are_shown(command, folder, shown, as_it_was_drawn):
    limits = [argument for name in shown for argument in ("--max", f"{name}=0.99")]
    gated = json.loads(command("gate", folder, *limits, *as_it_was_drawn, "--format", "json").out)
    assert {each["figure"]: each["value"] for each in gated["decisions"]} == shown


def test_a_plan_is_for_the_figures_that_are_shown(command, folder, shown, as_it_was_drawn):
    planned = json.loads(command("plan", folder, *as_it_was_drawn, "--format", "json").out)
    assert {name: figure["value"] for name, figure in planned["figures"].items()} == shown


def test_an_export_has_the_figures_that_are_shown(command, folder, shown, tmp_path):
    command("export", folder, "--to", "csv", "--out", tmp_path / "models.csv")
    (row,) = csv.DictReader((tmp_path / "models.csv").read_text().splitlines())
    assert {name: float(row[name]) for name in shown} == shown


def test_a_report_has_the_figures_that_are_shown(command, folder, shown, tmp_path):
    command("report", folder, "--out", tmp_path / "page.html")
    cells = re.findall("<td[^>]*>([^<]*)</td>", (tmp_path / "page.html").read_text())
    assert {f"{value:.4f}" for value in shown.values()} <= set(cells)


def test_a_comparison_is_of_the_figures_that_are_shown(command, runs, other):
    compared = json.loads(command("compare", runs["risk"].folder, other.folder, "--format", "json").out)
    models = {each["folder"]: each["figures"] for topic in compared["topics"] for each in topic["models"]}
    for run in (runs["risk"], other):
        result = json.loads(command("show", run.folder, "--format", "json").out)
        assert models[str(run.folder)] == {name: pytest.approx(result[name]) for name in models[str(run.folder)]}
        assert set(FIGURES["risk"]) <= set(models[str(run.folder)])


def test_a_title_names_the_distractors(command, runs):
    shown = command("show", runs["knowledge"].folder).out
    assert shown.startswith("knowledge/capitals (en), toy:hash, criterion knowledge:sqrt, 4 distractors")
