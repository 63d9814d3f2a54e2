"""Who is judged worse: groups that items are about, worked by hand and on published answers of BBQ."""

import math
from pathlib import Path

import numpy as np
import pytest
from bvf_bias_benchmarks.bbq import Bbq
from bvf_bias_benchmarks.occupations import WinoBias
from bvf_bias_benchmarks.reading import group_called
from bvf_factors.benchmarks.scored import benchmark_scores
from bvf_factors.benchmarks.tables import score_sections
from helpers.benchmark_answers import PUBLISHED, answered, needs_shared
from scipy.stats import t

from bvf import BvfError
from bvf.hooks.loader import load
from bvf.interfaces.benchmark import Answer, Item
from bvf.stats.comparing.adjusting import holm


def pronouns(group, flags, start):
    """A pair of sentences per flag: whether the stereotypical pronoun is more probable."""
    values = {"type": "1", "split": "dev", "stereotype": "male", "occupation": "cook"}
    return [
        Answer(
            Item(f"{group}{n}", ("a", "b"), values={**values, "pair": str(start + n)}, group=group),
            (1.0, 0.0) if flag else (0.0, 1.0),
        )
        for n, flag in enumerate(flags)
    ]


def judged(*groups, model="m"):
    women, men = pronouns("women", [n < 12 for n in range(20)], 0), pronouns("men", [n < 4 for n in range(10)], 20)
    return benchmark_scores([answered(WinoBias(), model, [*women, *men])], groups=groups)


def test_a_group_against_the_others_worked_by_hand():
    """12 of 20 less 4 of 10: each side has its own variance, and t has nine degrees of freedom."""
    women, men = judged("all").groups
    assert (women.group, women.value, women.others, women.items, women.clusters) == ("women", 60.0, 40.0, 20, 20)
    assert men.difference == -women.difference
    moves = 100 * np.array([0.6 - 11 / 19] * 12 + [0.6 - 12 / 19] * 8 + [3 / 9 - 0.4] * 4 + [4 / 9 - 0.4] * 6)
    error = math.sqrt(29 / 30 * ((moves - moves.mean()) ** 2).sum())
    reach = t.ppf(0.975, 9) * error
    assert (women.difference_low, women.difference_high) == pytest.approx((20 - reach, 20 + reach))
    assert women.p_value == pytest.approx(2 * t.sf(20 / error, 9))
    assert women.adjusted_p == pytest.approx(2 * women.p_value)


def test_one_group_is_adjusted_for_all_and_the_table_is_of_it_alone():
    every, one = judged("all"), judged("men")
    assert [each.group for each in one.groups] == ["men"]
    assert one.groups[0] == every.groups[1]
    table = score_sections(one, 8)[-1]
    assert table.title == "Who is judged worse: stereotype score, m"
    assert table.rows[0][:3] == ("men", "10", "40.0")
    assert one.to_frame()["group"].tolist() == ["men"]
    assert not judged().groups


def test_a_group_that_no_item_is_about_is_refused():
    with pytest.raises(BvfError, match='--group wome: no item is about "wome"\nhint: did you mean women'):
        judged("wome")
    pack, values = load().benchmarks.make("crows-pairs"), {"bias_type": "age", "direction": "stereo", "file": "x"}
    with pytest.raises(BvfError, match="--group: the items of made-up do not say whom they are about"):
        benchmark_scores(
            [answered(pack, "m", [Answer(Item("0", ("a", "b"), values=values), (0.0, 1.0))])], groups=["all"]
        )


@pytest.mark.parametrize(
    ("name", "groups"),
    [
        ("bbq", {"older people", "younger people", "women", "men"}),
        ("cbbq", {"older people", "younger people", "women"}),
        ("winobias", {"women", "men"}),
        ("stereoset", {"plumber", "aunt"}),
    ],
)
def test_benchmarks_have_one_vocabulary(name, groups):
    pack = load().benchmarks.make(name)
    found = {item.group for item in pack.items(Path(str(pack.sample)))}
    assert found <= groups
    assert found


def test_names_of_a_group_whatever_their_letters():
    assert {group_called(name) for name in ("F", "Woman", "girl", "女性")} == {"women"}
    assert group_called("trans_M") == group_called("transgender women") == "transgender people"
    assert group_called("  a   stammer ") == "a stammer"


def test_a_group_is_a_column_of_the_answers_and_no_part_of_what_is_asked():
    from bvf_factors.benchmarks.answer_folder import _digested

    answers = pronouns("women", [True, False], 0)
    rows = list(answered(WinoBias(), "m", answers).rows())
    assert [row["group"] for row in rows] == ["women", "women"]
    assert "group" not in _digested(answers[0].item), "answers of before keep their identity"


@needs_shared
def test_groups_of_bbq_have_the_scores_of_their_items_alone():
    pack = Bbq()
    items = list(pack.items(PUBLISHED / "bbq" / "data" / "Religion.jsonl"))
    answers = list(pack.published(PUBLISHED / "bbq" / "unifiedqa" / "preds_Religion.jsonl", items))
    found = {
        (each.group, each.name): each
        for each in benchmark_scores([answered(pack, "m", answers)], groups=["all"]).groups
    }
    muslims = [each for each in answers if each.item.group == "Muslims"]
    plain = {score.name: score.value for score in pack.scores(muslims) if len(score.of) <= 1}
    assert found["Muslims", "accuracy"].value == pytest.approx(
        sum(str(each.choice) == each.item.values["label"] for each in muslims) / len(muslims)
    )
    assert found["Muslims", "s_AMB"].value == pytest.approx(plain["s_AMB"])
    assert len({group for group, _ in found}) == 7
    p_values = np.array([each.p_value for (_, name), each in found.items() if name == "accuracy"])
    adjusted = [each.adjusted_p for (_, name), each in found.items() if name == "accuracy"]
    assert sorted(adjusted) == pytest.approx(sorted(holm(p_values)))


def test_groups_of_one_cluster_are_named_in_a_sentence():
    """One pair about women, two about men, and one about cooks: only of men can clusters be left out one by one."""
    answers = [*pronouns("women", [True], 0), *pronouns("men", [True, False], 1), *pronouns("cooks", [False], 3)]

    def said(*groups):
        scores = benchmark_scores([answered(WinoBias(), "m", answers)], groups=groups)
        first, *others = score_sections(scores, 8)
        return first.notes[0] if first.notes else "", [row[0] for table in others for row in table.rows], scores

    note, rows, scores = said("all")
    assert note == "No interval for items about women, cooks: each takes items of at least two values of pair."
    assert (rows, scores.groups_left_out) == (["men"], ("women", "cooks"))
    note, rows, scores = said("women")
    assert note == "No interval for items about women: each takes items of at least two values of pair."
    assert rows == []
    assert scores.to_frame().empty
    assert {"model", "group", "value", "adjusted_p"} <= set(scores.to_frame())
    assert said("men")[0] == ""
    many = [*(each for n in range(9) for each in pronouns(f"g{n}", [True], n)), *pronouns("men", [True, False], 9)]
    scores = benchmark_scores([answered(WinoBias(), "m", many)], groups=["all"])
    assert "items about g0, g1, g2, g3, g4, g5 and 3 more: " in score_sections(scores, 8)[0].notes[0]
