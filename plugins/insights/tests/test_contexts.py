"""Models over several context sets: distances and ranks against plain computations, and what is refused."""

import json
import re
from itertools import permutations

import numpy as np
import pytest
from bvf_insights.contexts import compare_contexts
from pydantic import ValidationError
from scipy.stats import kendalltau, spearmanr

from bvf import BvfError
from bvf.study.config import AnalysisConfig

SETS = ("gender", "gender-table8", "gender-figure11")


@pytest.fixture(scope="module")
def over_sets(run_of):
    return [run_of(contexts=name, sample_contexts=0) for name in SETS]


def test_every_two_sets_have_their_distance_and_that_of_their_results(over_sets):
    comparison = compare_contexts([each.folder for each in over_sets], AnalysisConfig())
    assert [each.contexts for each in comparison.sets] == list(SETS)
    assert [each.R for each in comparison.sets] == pytest.approx([each.R for each in over_sets])
    assert [(each.first, each.second) for each in comparison.pairs] == [SETS[:2], SETS[::2], SETS[1:]]
    first, second = over_sets[0], over_sets[1]
    r, other = ([group.r for group in each.groups] for each in (first, second))
    if (names := [group.group for group in first.groups]) != [group.group for group in second.groups]:
        other = [next(group.r for group in second.groups if group.group == name) for name in names]
    pair, expected = comparison.pairs[0], kendalltau(r, other)
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


@pytest.fixture(scope="module")
def crossed(leaning_run):
    """Four models over three sets, each set with all its models."""
    return [leaning_run(model, contexts=name, limit_groups=4) for name in SETS for model in "abcd"]


def test_every_two_sets_say_whether_models_keep_their_order_and_all_sets_together(crossed):
    comparison = compare_contexts([each.folder for each in crossed], AnalysisConfig())
    assert (comparison.models, comparison.contexts) == (tuple(f"leaning:{model}" for model in "abcd"), SETS)
    R = np.array([each.R for each in crossed]).reshape(3, 4)
    assert [each.R for each in comparison.sets] == pytest.approx(R.ravel())
    for place, (i, j) in enumerate(((0, 1), (0, 2), (1, 2))):
        found = comparison.orders[3 * place]
        assert (found.first, found.second, found.figure) == (SETS[i], SETS[j], "R")
        assert found.spearman == pytest.approx(spearmanr(R[i], R[j]).statistic)
        every = [spearmanr(R[i], order).statistic for order in permutations(R[j])]
        assert found.p_value == pytest.approx(np.mean(np.abs(every) >= abs(found.spearman) - 1e-9))
        assert found.smallest_p == pytest.approx(2 / 24)
    agreed = next(each for each in comparison.agreement if each.figure == "R")
    mean = np.mean([each.spearman for each in comparison.orders[::3]])
    assert (agreed.kendall_w, agreed.smallest_p) == pytest.approx(((1 + 2 * mean) / 3, 1 / 24**2))


def test_that_models_are_too_few_for_any_p_is_said(command, crossed):
    shown = " ".join(command("compare", *(each.folder for each in crossed), "--by", "contexts").out.split())
    assert "4 models over 3 context sets: gender" in shown
    assert "Do the models keep their order?" in shown
    assert "between two sets, 4 models cannot have a p below 0.0833: too few to be sure of any order" in shown
    assert "over all sets, 4 models" not in shown
    two = [each.folder for each in crossed if each.model in ("leaning:a", "leaning:b")]
    shown = " ".join(command("compare", *two, "--by", "contexts").out.split())
    assert re.search(r"R of \S+ is above that of \S+ in [0-3] of 3 context sets; two models have only two or", shown)
    assert "Do the models keep their order?" not in shown
    printed = json.loads(command("compare", *two, "--by", "contexts", "--format", "json").out)
    of_each = [*(each["spearman"] for each in printed["orders"]), *(each["kendall_w"] for each in printed["agreement"])]
    assert set(of_each) == {None}


def test_what_is_not_of_one_model_topic_and_groups_is_refused(over_sets, run_of):
    table8 = {"sample_contexts": 0, "contexts": "gender-table8"}
    first, second = over_sets[0].folder, over_sets[1].folder
    other = run_of(model="toy:other", **table8).folder
    refused = {
        "differ in the groups": [first, run_of(limit_groups=5, **table8).folder],
        "differ in the topic": [first, run_of(topic="weekday", contexts="", sample_contexts=0).folder],
        "toy:other was not asked in gender\n": [first, other],
        "all runs are of one context set, gender-table8": [second, other],
        "one run alone": [first],
        "are the same measurement": [first, first],
    }
    for message, folders in refused.items():
        with pytest.raises(BvfError, match=message):
            compare_contexts(folders, AnalysisConfig())


def test_the_command_prints_both_tables(command, over_sets):
    folders = [each.folder for each in over_sets]
    done = command("compare", *folders, "--by", "contexts")
    assert done.code == 0
    assert "toy:hash over 3 context sets" in done.out
    assert "How far the sets are apart" in done.out
    table = command("compare", *folders, "--by", "contexts", "--format", "csv").out.splitlines()
    assert len(table) == 4


def test_a_file_that_names_other_models_or_sets_than_its_own_is_refused(over_sets):
    whole = compare_contexts([each.folder for each in over_sets], AnalysisConfig())
    assert type(whole).model_validate_json(whole.model_dump_json(by_alias=True)) == whole
    assert whole.schema_ == "bvf.context-comparison/2"
    for part, field, kind in (("sets", "model", "model"), ("pairs", "first", "context set")):
        edited = whole.model_dump(by_alias=True, mode="json")
        edited[part][0][field] = "another"
        with pytest.raises(ValidationError, match=f'"another" is not a {kind} of the comparison'):
            type(whole).model_validate(edited)
