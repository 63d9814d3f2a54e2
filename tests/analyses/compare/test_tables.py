"""Tables of a comparison: what is decided is said first, and rows are as many as are asked for."""

import re

import numpy as np
import pytest
from helpers.made_alike import GROUPS, measured, probabilities

import bvf
from bvf.analyses.compare.tables import sections, summary

CONTEXTS = 40
SHIFTS = {"high": 0.2, "low": 0.0, "alike": 0.0}


def shifted(name, seed, shift):
    """A model that leans by about 0.1, and by the shift, with noise of its own."""
    noise = probabilities(seed, contexts=CONTEXTS)[..., 0] - 0.5
    p = 0.6 + 0.2 * noise + shift
    return measured(name, np.stack([p, 1 - p], axis=2))


def compared(plugins, shifts):
    runs = [shifted(name, seed, shift) for seed, (name, shift) in enumerate(shifts.items(), 1)]
    return bvf.compare(runs, plugins=plugins, unit="template")


def table(comparison, title, show=0):
    (section,) = [each for each in sections(comparison, show) if each.title.startswith(title)]
    return section


@pytest.fixture(scope="module")
def three(plugins):
    return compared(plugins, SHIFTS)


def test_of_few_models_every_pair_is_in_a_sentence_and_ties_that_overlap_are_both_named(plugins, three):
    said = table(three, "Differences").subtitle
    assert said[0] == "R: 1 above 2 and 3; 2 and 3 tied"
    assert [sentence.split(":")[0] for sentence in said] == ["R", "R^b", "R^v", "particular R^b"]
    assert table(compared(plugins, {"a": 0.0, "b": 0.0}), "Differences").subtitle[0] == "R: 1 and 2 tied"
    (topic,) = three.topics
    decided = {("high", "low"): "tied", ("high", "alike"): "higher", ("low", "alike"): "tied"}
    changed = [each.model_copy(update={"decision": decided[each.first, each.second]}) for each in topic.differences]
    overlapping = topic.model_copy(update={"differences": tuple(changed)})
    assert summary(overlapping, "R") == "1 above 3; 1 and 2 tied; 2 and 3 tied"


def test_of_many_models_the_sentence_is_of_ranks_or_ties_and_rows_are_those_that_are_told_apart(plugins):
    shifts = {f"m{number}": 0.2 if number < 2 else 0.0 for number in range(6)}
    comparison = compared(plugins, shifts)
    differences = table(comparison, "Differences", show=4)
    assert differences.subtitle[0] == "R: rank 1-2: 1 and 2; 3-6: 3, 4, 5 and 6"
    assert differences.title.endswith("(4 of 15 of each figure)")
    assert len(differences.rows) == 4 * 4
    of_R = differences.rows[:4]
    assert {row[0] for row in of_R} == {"R"}
    assert {row[-2] for row in of_R} <= {"higher", "lower"}
    sizes = [abs(float(row[2])) for row in of_R]
    assert sizes == sorted(sizes, reverse=True)
    assert len(table(comparison, "Differences").rows) == 4 * 15
    assert summary(compared(plugins, dict.fromkeys("abcdef", 0.0)).topics[0], "R") == "all 6 tied"


def test_a_group_has_one_row_with_both_differences_and_what_is_decided(plugins):
    comparison = compared(plugins, {"a": 0.1, "b": 0.0})
    groups = table(comparison, "Groups", show=3)
    assert groups.title.endswith("(3 of 4)")
    assert groups.columns == ("group", "r", "interval", "", "r^b", "interval", "")
    rows = table(comparison, "Groups").rows
    assert sorted(row[0] for row in rows) == sorted(GROUPS)
    of_groups = {(each.group, each.figure): each for each in comparison.topics[0].of_groups}
    for row in rows:
        for cells, each in ((row[1:4], of_groups[row[0], "r"]), (row[4:], of_groups[row[0], "r_bias"])):
            assert float(cells[0]) == pytest.approx(each.value, abs=5e-4)
            assert [float(end) for end in cells[1].split(" to ")] == pytest.approx([each.low, each.high], abs=5e-4)
            assert each.decision == ("tied" if each.adjusted_p >= 0.05 else "higher" if each.value > 0 else "lower")
            assert cells[2] == each.decision


def test_it_is_said_what_an_interval_is_for_and_what_is_decided_together(three):
    notes = " ".join(table(three, "Differences").notes)
    assert "by chance" not in notes  # a column of knowledge alone
    assert "few thoughts" not in notes
    assert "Each interval is for one difference alone" in notes
    assert re.search(r"higher, lower and tied are decided for\s+all differences together", notes)
    assert re.search(r"to find: the smallest .* that a test of it alone would find", notes, re.DOTALL)
