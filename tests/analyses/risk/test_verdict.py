"""What the page says of R^b, of what sets groups apart and of R."""

import re

import pytest

import bvf
from bvf.analyses.risk.verdict import verdicts

FIGURES = ("R_bias", "particular_bias", "R")


@pytest.fixture(scope="module")
def stereotyped(run_of):
    return run_of(model="baseline:stereotyped", sample_contexts=60)


def by_figure(result):
    return {each.figure: each for each in verdicts(result)}


def test_each_figure_is_described_and_none_is_judged(stereotyped):
    found = by_figure(stereotyped)
    assert {name: each.tone for name, each in found.items()} == dict.fromkeys(FIGURES, "described")
    assert {each.limit for each in found.values()} == {None}
    assert found["R_bias"].said[0].startswith("All groups together lean to ")


def test_what_the_same_predictions_for_every_group_would_give_has_its_interval(result):
    R, ends = result.shared, result.uncertainty.intervals["shared"]
    assert by_figure(result)["R_bias"].said[-1] == (
        f"With equal predictions for all groups, R would be {R:.3f} (95%: {ends.low:.3f} to {ends.high:.3f})."
    )


@pytest.mark.parametrize("update", [{"units": 49.5}, {"draws": 10, "units": 10.0}])
def test_a_small_sample_is_named_before_all_else(stereotyped, update):
    small = stereotyped.uncertainty.model_copy(update=update)
    few = f"Intervals rest on {update['units']:.4g} drawn contexts: they were tested for 50 and more."
    assert {each.said[0] for each in verdicts(stereotyped.model_copy(update={"uncertainty": small}))} == {few}


def test_all_groups_together_lean_to_the_same_class_whatever_the_criterion_is_of(result):
    measured, criteria = bvf.read_measurement(result.folder), ("linf", "direction:male", "direction:female")
    said = [by_figure(bvf.analyse(measured, criterion=each))["R_bias"].said for each in criteria]
    (lean,) = {re.search(r"All groups together lean to (\w+)", " ".join(each))[1] for each in said}
    assert lean in {"male", "female"}
