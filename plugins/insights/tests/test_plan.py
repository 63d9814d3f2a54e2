"""Plans of how many contexts a precision needs, and their tables."""

import json

import numpy as np
import pytest
from bvf_insights.plan import FigurePlan, PlanResult, groups_for, plan_section

import bvf
from bvf import BvfError, load
from bvf.results.difference import SharedChoices


def test_a_plan_from_python_is_that_of_the_command(result, toy, command):
    folder, plugins = result.folder, load(extra=toy)
    planned = bvf.plan(folder, precision=0.02, detect=0.05, criterion="lk:2", plugins=plugins)
    wanted = ("--precision", "0.02", "--detect", "0.05", "--criterion", "lk:2")
    assert planned.model_dump(mode="json") == json.loads(command("plan", folder, *wanted, "--format", "json").out)
    assert planned.criterion == "lk:2"
    assert planned.precision == 0.02
    with pytest.raises(BvfError, match="--precision"):
        bvf.plan(folder, precision=-1.0, plugins=plugins)


NOT_REACHED = {"contexts": None}
TOO_FEW_DRAWN = {"contexts": None, "too_small": True}
NO_ERROR = {"detectable": None, "contexts_to_detect": None}


def figure(**changes):
    numbers = {"value": 0.5, "half_width": 0.02, "contexts": 120, "units": None, "detectable": 0.03, "groups": 40}
    return FigurePlan(**{**numbers, "contexts_to_detect": 150, "units_to_detect": None, **changes})


def plan(draws=200, groups=20, **figures):
    """A plan of which some figures have other numbers."""
    of_each = {"R": figure(), "R_bias": figure(), "R_volatility": figure(detectable=None)}
    of_each |= {name: figure(**changes) for name, changes in figures.items()}
    return PlanResult(
        folder="runs/x", model="m", topic="gender", language="en", criterion="linf", scale="unit", reference="uniform",
        group_weights="uniform", unit="occurrence", level=0.999, power=0.8, precision=0.01, detect=0.02, draws=draws,
        set_contexts=2133, set_units=3076.0, set_unit="occurrence", number_of_groups=groups, figures=of_each,
    )  # fmt: skip


def rows_of(planned):
    return {row[0]: row[1:] for row in plan_section(planned).rows}


@pytest.mark.parametrize(
    "planned",
    [
        plan(),
        plan(R={**NOT_REACHED, "units": 13187}),
        plan(draws=30, R={**TOO_FEW_DRAWN, "contexts_to_detect": None, "too_small_to_detect": True}),
        plan(R=NO_ERROR),
        plan(R={**NOT_REACHED, "contexts_to_detect": None}),
        plan(draws=None, R={**NOT_REACHED, "units": 4000}, R_bias=NOT_REACHED),
        plan(groups=1, R={"groups": None}),
    ],
)
def test_no_cell_is_empty(planned):
    section = plan_section(planned)
    assert all(all(row) for row in section.rows)
    assert all(len(row[0]) <= 35 for row in section.rows)


def test_what_is_no_number_says_why():
    rows = rows_of(plan(R={**NOT_REACHED, "units": 13187}, R_bias=NO_ERROR))
    assert rows["contexts for ±0.01"] == ("none do", "120", "120")
    assert rows["or occurrences mined"] == ("13,187", "not needed", "not needed")
    assert rows["contexts for a 0.02 difference"] == ("150", "no error seen", "not planned")
    rows = rows_of(plan(draws=30, groups=1, R={**TOO_FEW_DRAWN, "groups": None}))
    assert rows["contexts for ±0.01"][0] == "cannot tell"
    assert rows["groups for ±0.01, if drawn too"][0] == "only one"
    assert "or occurrences mined" not in rows


def test_the_choices_the_level_and_what_the_chance_is_of_are_said():
    section = plan_section(plan())
    chosen = "criterion linf, scale unit, reference uniform, group weights uniform, 99.9% by occurrence"
    assert section.subtitle == [chosen]
    notes = " ".join(section.notes)
    assert "Intervals of 99.9%." in notes
    assert "with a probability of 80%. With several figures or pairs, Holm's adjustment in bvf compare" in notes


@pytest.mark.parametrize(
    ("draws", "groups", "left_out", "name"),
    [
        (200, 20, 0, "smallest difference found"),
        (100, 20, 31, "difference, 100 draws, 20 groups"),
        (200, 18, 0, "difference, 200 draws, 18 groups"),
    ],
)
def test_a_difference_says_in_what_both_were_asked_where_that_is_less(draws, groups, left_out, name):
    left_out_of_both = {"groups_left_out": 20 - groups, "contexts_left_out": left_out, "prompts_left_out": 0}
    both = SharedChoices(groups=groups, contexts=90, draws=draws, notes=(), **left_out_of_both)
    assert name in rows_of(plan().model_copy(update={"in_common": both, "against": "runs/y"}))


def test_groups_are_as_many_as_their_spread_asks_for():
    figures, weights = np.array([0.3, 0.5, 0.7, 0.5]), np.full(4, 0.25)
    assert groups_for(figures, weights, 0.05, 0.95) == 44  # 1.96^2 * 0.0267 / 0.05^2 = 41, a little more by Student's t
    assert groups_for(figures[:1], np.ones(1), 0.05, 0.95) is None
