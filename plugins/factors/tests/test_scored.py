"""Scores with intervals by cluster: sums of packs, tables, differences of models, groups judged worse, and refusals."""

import json
import math

import numpy as np
import pytest
from bvf_bias_benchmarks import bvf_benchmarks
from bvf_bias_benchmarks.bbq import Bbq
from bvf_bias_benchmarks.occupations import GENDERS, WinoBias, Winogender
from bvf_bias_benchmarks.reading import group_called
from bvf_bias_benchmarks.sentences import CrowSPairs
from bvf_factors.benchmarks.answer_folder import _digested
from bvf_factors.benchmarks.file import ScoresFile
from bvf_factors.benchmarks.scored import BenchmarkScores, benchmark_scores
from bvf_factors.benchmarks.tables import score_sections
from bvf_factors.pictures import Scores, scores_of
from helpers.benchmark_answers import PUBLISHED, answered, needs_shared, pairs, sample_of
from scipy.stats import t

from bvf import BvfError
from bvf.hooks.loader import load
from bvf.interfaces.benchmark import Answer, Item, Text
from bvf.stats.comparing.adjusting import holm

CROWS = CrowSPairs()


def scored(*models, **choices):
    each = [answered(CROWS, f"m{number}", pairs(flags)) for number, flags in enumerate(models)]
    return benchmark_scores(each, **choices)


@pytest.mark.parametrize("name", [pack.name for pack in bvf_benchmarks()])
def test_a_cluster_moves_a_score_as_much_as_the_pack_without_it(name):
    pack = load().benchmarks.make(name)
    chance = np.random.default_rng(1)
    items = list(pack.items(sample_of(pack)))
    said = [(Text(each),) if pack.asks == "texts" else () for each in ("she is lazy", "he is at home")]
    answers = [
        Answer(each, tuple(chance.random(len(each.choices)).tolist()), said[n % 2]) for n, each in enumerate(items)
    ]
    label = {answer.item.id: pack.row(answer)[pack.declaration.cluster] for answer in answers}
    compared = 0
    for score in pack.scores(answers):
        if score.sums is None:
            assert score.name in ("ties", "neutral", "no answer", "no single target")
            continue
        assert score.value == score.sums.value()
        for cluster in dict.fromkeys(label.values()):
            kept = np.array([label[answer.item.id] != cluster for answer in score.sums.answers])
            rest = [answer for answer in answers if label[answer.item.id] != cluster]
            again = {(each.name, *each.of.items()): each.value for each in (pack.scores(rest) if rest else [])}
            without = again.get((score.name, *score.of.items()))
            if without is not None and kept.any():
                totals = score.sums.numbers[kept].sum(axis=0)
                assert min(float(formula(totals)) for formula in score.sums.formulas) == pytest.approx(without)
                compared += 1
    assert compared > 0 or len(set(label.values())) == 1


def test_the_correlation_of_winogender_is_that_of_numpy_over_occupations():
    chance = np.random.default_rng(3)
    women, with_she, answers = [], [], []
    for number in range(9):
        flags = chance.random(4) < number / 9
        women.append(10.0 * number)
        with_she.append(100.0 * flags.mean())
        values = {"occupation": str(number), "answer": "occupation", "participant": "named"}
        values["share_of_women"] = str(women[-1])
        answers += [
            Answer(Item(f"{number}.{n}", GENDERS, values=values), (0.0, 1.0, -1.0) if flag else (1.0, 0.0, -1.0))
            for n, flag in enumerate(flags)
        ]
    score = Winogender().scores(answers)[-1]
    assert (score.name, score.items, score.ideal) == ("correlation", 36, 0.0)
    assert score.value == pytest.approx(np.corrcoef(women, with_she)[0, 1], abs=1e-12)
    figure = benchmark_scores([answered(Winogender(), "m", answers)]).scores[-1]
    assert -1 <= figure.low < figure.value < figure.high <= 1
    assert figure.clusters == 9


def test_twenty_sentence_pairs_have_an_interval_a_p_and_the_pairs_needed():
    section = score_sections(scored([n < 12 for n in range(20)]), 8)[0]
    row = next(row for row in section.rows if row[0] == "metric score")
    assert row == ("metric score", "60.00", "36.05 to 80.88", "20", "50", "0.5034", "189")
    assert section.subtitle[1] == "Intervals take each pair as independent; n counts them."


def test_few_clusters_of_several_answers_are_in_brackets():
    pack = load().benchmarks.make("bbq")
    items = list(pack.items(sample_of(pack)))
    answers = [Answer(item, (1.0, 0.5, 0.0) if n % 3 else (0.0, 0.5, 1.0)) for n, item in enumerate(items)]
    section = score_sections(benchmark_scores([answered(pack, "m", answers)]), 0)[0]
    cells = {row[0]: row for row in section.rows}
    assert list(cells)[:3] == ["accuracy", "no answer", "no single target"], "counts are below the score"
    assert cells["accuracy"][2].startswith("(")
    assert cells["accuracy"][3] == "4"
    assert any(text.startswith("In brackets: n is below 40") for text in section.subtitle)
    alone = benchmark_scores([answered(pack, "m", answers)], cluster="item")
    assert not any(each.rough for each in alone.scores)


def test_models_are_compared_pair_by_pair_and_adjusted_by_holm():
    one, two, three = [n < 30 for n in range(40)], [n < 18 for n in range(40)], [n % 2 == 0 for n in range(40)]
    scores = scored(one, two, three)
    apart = [each for each in scores.differences if each.name == "metric score" and not each.of]
    assert [(each.first, each.second) for each in apart] == [("m0", "m1"), ("m0", "m2"), ("m1", "m2")]
    assert {each.method for each in apart} == {"McNemar"}
    assert apart[0].value == 30.0
    assert apart[0].p_value == 2 / 2**12
    assert [each.rough for each in apart] == [False, False, False]
    assert [each.adjusted_p for each in apart] == pytest.approx(holm(np.array([each.p_value for each in apart])))
    tables = score_sections(scores, 8)
    assert tables[1].title == "Differences: CrowS-Pairs"
    assert tables[0].columns[:3] == ("score", "model", "value")
    assert tables[0].subtitle[1] == "Models: 1 m0, 2 m1, 3 m2."
    rows, apart = ([row[1:3] for row in table.rows if row[0] == "metric score"] for table in tables[:2])
    assert rows == [("1", "75.00"), ("2", "45.00"), ("3", "50.00")]
    assert apart == [("1 - 2", "30.00"), ("1 - 3", "25.00"), ("2 - 3", "-5.00")]


def test_a_difference_of_scores_of_other_items_is_by_cluster():
    ties = [Answer(each.item, (0.0, 0.0)) if n == 0 else each for n, each in enumerate(pairs([1] * 9 + [0] * 6))]
    models = [answered(CROWS, "m0", ties), answered(CROWS, "m1", pairs([1] * 4 + [0] * 11))]
    methods = {each.name: each.method for each in benchmark_scores(models).differences}
    assert methods == {"metric score": "McNemar", "stereotype score": "t"}, "a tie counts in the first alone"


def test_a_mean_over_wordings_has_an_interval_and_their_spread():
    flags = [n < 12 for n in range(20)], [n < 16 for n in range(20)]
    scores = benchmark_scores([answered(CROWS, "m", *map(pairs, flags))])
    figure = next(each for each in scores.scores if each.name == "metric score")
    assert (figure.value, figure.by_wording) == (70.0, {"w0": 60.0, "w1": 80.0})
    assert figure.low < 60.0 < 80.0 < figure.high
    row = next(row for row in score_sections(scores, 8)[0].rows if row[0] == "metric score")
    assert row[1:5] == ("70.00", "14.14", "60.00", "80.00")


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ("par", '--cluster: the answers have no column "par"\nhint: did you mean pair'),
        ("bias_type", '--cluster bias_type: it is "age" in all items'),
        ("stereotype", "--cluster stereotype: its value depends on the answer"),
    ],
)
def test_a_column_that_is_not_there_or_has_one_value_is_refused(column, message):
    with pytest.raises(BvfError, match=message):
        scored([True, False], cluster=column)


def test_wrong_clusters_and_groups_are_refused_before_a_model_is_asked(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for option, value, message in (
        ("--cluster", "templat", '--cluster: the answers have no column "templat"'),
        ("--group", "wome", '--group wome: no item is about "wome"'),
    ):
        done = command("factors", "run", "bbq", "--model", "bundled:en-causal", option, value)
        assert (done.code, done.out, done.err.splitlines()[0]) == (2, "", f"error: {message}")
        assert list(tmp_path.iterdir()) == []


def test_scores_in_a_file_make_the_same_tables_and_a_picture():
    scores = scored([n < 12 for n in range(20)], [n < 5 for n in range(20)])
    file = ScoresFile(json.loads(json.dumps(scores.model_dump(mode="json", by_alias=True))), "scores")
    assert isinstance(file.scores, BenchmarkScores)
    assert file.sections(8) == score_sections(scores, 8)
    picture = file.picture(Scores)
    assert picture.parts == ("all", "age")
    assert picture.values["m0"][0].value == 60.0
    assert picture.caption().startswith("CrowS-Pairs: metric score of m0, m1. Bars: intervals of 95% by pair.")
    drawn = picture.draw()
    assert len(drawn.get_yticks()) == 2
    assert len(picture.interactive()["data"]) == 2
    assert scores_of(scores, 1).of == 2
    with pytest.raises(BvfError, match='no score "icat" with an interval\nhint: it has metric score'):
        scores_of(scores, names=["icat"])
    with pytest.raises(BvfError, match="no scores of a benchmark: "):
        ScoresFile({"schema": "bvf.benchmark_scores/2", "title": 3}, "x")


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
    with pytest.raises(BvfError, match="--group: the items of made-up do not say whom they are about"):
        benchmark_scores([answered(CROWS, "m", pairs([False]))], groups=["all"])


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
    found = {item.group for item in pack.items(sample_of(pack))}
    assert found <= groups
    assert found


def test_names_of_a_group_whatever_their_letters():
    assert {group_called(name) for name in ("F", "Woman", "girl", "女性")} == {"women"}
    assert {group_called(name) for name in ("trans_M", "transgender women")} == {"transgender people"}
    assert group_called("  a   stammer ") == "a stammer"


def test_a_group_is_a_column_of_the_answers_and_no_part_of_what_is_asked():
    answers = pronouns("women", [True, False], 0)
    rows = list(answered(WinoBias(), "m", answers).rows())
    assert [row["group"] for row in rows] == ["women", "women"]
    assert "group" not in _digested(answers[0].item), "answers of before keep their identity"


@needs_shared
def test_groups_of_bbq_have_the_scores_of_their_items_alone():
    pack = Bbq()
    items = list(pack.items(PUBLISHED / "bbq" / "data" / "Religion.jsonl"))
    answers = list(pack.published(PUBLISHED / "bbq" / "unifiedqa" / "preds_Religion.jsonl", items))
    judged = benchmark_scores([answered(pack, "m", answers)], groups=["all"]).groups
    found = {(each.group, each.name): each for each in judged}
    muslims = [each for each in answers if each.item.group == "Muslims"]
    plain = {score.name: score.value for score in pack.scores(muslims) if len(score.of) <= 1}
    right = sum(str(each.choice) == each.item.values["label"] for each in muslims)
    assert found["Muslims", "accuracy"].value == pytest.approx(right / len(muslims))
    assert found["Muslims", "s_AMB"].value == pytest.approx(plain["s_AMB"])
    assert len({group for group, _ in found}) == 7
    accuracies = [each for each in judged if each.name == "accuracy"]
    p_values = holm(np.array([each.p_value for each in accuracies]))
    assert [each.adjusted_p for each in accuracies] == pytest.approx(p_values)


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
