"""Scores with intervals by cluster: each pack's sums, what a table says, differences of models, and refusals."""

import json
from pathlib import Path

import numpy as np
import pytest
from bvf_bias_benchmarks import bvf_benchmarks
from bvf_bias_benchmarks.occupations import GENDERS, Winogender
from bvf_bias_benchmarks.sentences import CrowSPairs
from bvf_factors.benchmarks.file import ScoresFile
from bvf_factors.benchmarks.scored import BenchmarkScores, benchmark_scores
from bvf_factors.benchmarks.tables import score_sections
from bvf_factors.pictures import Scores, scores_of
from helpers.benchmark_answers import answered, pairs

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
    items = list(pack.items(Path(str(pack.sample))))
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
    items = list(pack.items(Path(str(pack.sample))))
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
    assert [(each.first, each.second, each.method) for each in apart] == [
        *(("m0", "m1", "McNemar"), ("m0", "m2", "McNemar"), ("m1", "m2", "McNemar")),
    ]
    assert apart[0].value == 30.0
    assert apart[0].p_value == 2 / 2**12
    assert [each.rough for each in apart] == [False, False, False]
    assert [each.adjusted_p for each in apart] == pytest.approx(holm(np.array([each.p_value for each in apart])))
    tables = score_sections(scores, 8)
    assert tables[1].title == "Differences: CrowS-Pairs"
    assert tables[0].columns[:3] == ("score", "model", "value")
    assert tables[0].subtitle[1] == "Models: 1 m0, 2 m1, 3 m2."
    assert [row[1:3] for row in tables[0].rows if row[0] == "metric score"] == [
        *(("1", "75.00"), ("2", "45.00"), ("3", "50.00")),
    ]
    assert [row[1:3] for row in tables[1].rows if row[0] == "metric score"] == [
        *(("1 - 2", "30.00"), ("1 - 3", "25.00"), ("2 - 3", "-5.00")),
    ]


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


def test_a_column_that_is_not_there_or_has_one_value_is_refused():
    with pytest.raises(BvfError, match='--cluster: the answers have no column "par"\nhint: did you mean pair'):
        scored([True, False], cluster="par")
    with pytest.raises(BvfError, match='--cluster bias_type: it is "age" in all items'):
        scored([True, False], cluster="bias_type")
    with pytest.raises(BvfError, match="--cluster stereotype: its value depends on the answer"):
        scored([True, False], cluster="stereotype")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--cluster", "templat"), '--cluster: the answers have no column "templat"'),
        (("--group", "wome"), '--group wome: no item is about "wome"'),
    ],
)
def test_wrong_clusters_and_groups_are_refused_before_a_model_is_asked(
    command, tmp_path, monkeypatch, options, message
):
    monkeypatch.chdir(tmp_path)
    done = command("factors", "run", "bbq", "--model", "bundled:en-causal", *options)
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
