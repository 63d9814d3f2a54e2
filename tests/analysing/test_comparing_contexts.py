"""One model over several context sets: distances and ranks against plain computations, and what is refused."""

import json

import numpy as np
import pytest
from scipy.stats import kendalltau

from bvf import BvfError
from bvf.analysing.comparing_contexts import compare_contexts
from bvf.analysing.config import AnalysisConfig

SETS = ("gender", "gender-table8", "gender-figure11")


@pytest.fixture(scope="module")
def over_sets(run_of):
    return [run_of(contexts=name, sample_contexts=0) for name in SETS]


def test_every_two_sets_have_their_distance_and_that_of_their_results(over_sets):
    found = compare_contexts([each.folder for each in over_sets], AnalysisConfig())
    assert [each.contexts for each in found.sets] == list(SETS)
    assert [each.R for each in found.sets] == pytest.approx([each.R for each in over_sets])
    assert [(each.first, each.second) for each in found.pairs] == [SETS[:2], SETS[::2], SETS[1:]]
    first, second = over_sets[0], over_sets[1]
    r, other = ([group.r for group in each.groups] for each in (first, second))
    if (names := [group.group for group in first.groups]) != [group.group for group in second.groups]:
        other = [next(group.r for group in second.groups if group.group == name) for name in names]
    pair, expected = found.pairs[0], kendalltau(r, other)
    assert pytest.approx(first.R - second.R) == pair.R
    assert pair.R_volatility == pytest.approx(first.R_volatility - second.R_volatility)
    assert pair.of_groups == pytest.approx(np.abs(np.subtract(r, other)).mean())
    assert (pair.kendall, pair.p_value) == pytest.approx((expected.statistic, expected.pvalue))
    assert 0 < pair.total_variation < 1


def test_the_distance_is_half_the_sum_of_differences_of_weights(run_of, tmp_path):
    """3/4 and 1/4 against 1/2 and 1/2 of another template."""
    tables = ["The [X] said [Y],3\nThe [X] knew [Y],1\n", "The [X] said [Y],2\nThe [X] left [Y],2\n"]
    folders = []
    for number, table in enumerate(tables):
        (tmp_path / f"{number}.csv").write_text(f"template,count\n{table}")
        folders.append(run_of(contexts=str(tmp_path / f"{number}.csv"), sample_contexts=0, limit_groups=2).folder)
    (pair,) = compare_contexts(folders, AnalysisConfig()).pairs
    assert pair.total_variation == pytest.approx(0.5)
    assert pair.kendall is pair.p_value is None


def test_what_is_not_of_one_model_topic_and_groups_is_refused(over_sets, run_of):
    first = over_sets[0].folder
    others = {
        "model": run_of(model="toy:other", sample_contexts=0, contexts="gender-table8"),
        "groups": run_of(limit_groups=5, sample_contexts=0, contexts="gender-table8"),
        "topic": run_of(topic="weekday", contexts="", sample_contexts=0),
    }
    for what, other in others.items():
        with pytest.raises(BvfError, match=f"differ in the {what}"):
            compare_contexts([first, other.folder], AnalysisConfig())
    with pytest.raises(BvfError, match="one run alone"):
        compare_contexts([first], AnalysisConfig())
    with pytest.raises(BvfError, match="are the same measurement"):
        compare_contexts([first, first], AnalysisConfig())


def test_the_command_prints_both_tables(command, over_sets):
    folders = [each.folder for each in over_sets]
    done = command("compare", *folders, "--by", "contexts")
    assert done.code == 0
    assert "toy:hash over 3 context sets" in done.out
    assert "How far the sets are apart" in done.out
    told = json.loads(command("compare", *folders, "--by", "contexts", "--format", "json").out)
    assert told["schema"] == "bvf.context-comparison/1"
    table = command("compare", *folders, "--by", "contexts", "--format", "csv").out.splitlines()
    assert len(table) == 4
    wrong = command("compare", folders[0], "--by", "contexts")
    assert (wrong.code, wrong.out) == (2, "")
