"""What a result says of its word lists."""

import json
import re
from pathlib import Path

import pytest
from scipy.stats import kendalltau

import bvf
from bvf.analyses.risk.sentences import by_kinds
from bvf.analyses.risk.tables import word_lines
from bvf.analyses.risk.verdict import verdicts


@pytest.fixture
def config(tmp_path, toy):
    def make(**changes):
        values = {"model": "toy:hash", "plugin": (toy,), "out": str(tmp_path / "out"), "limit_groups": 6}
        return bvf.RunConfig(**{**values, "limit_contexts": 4, **changes})

    return make


@pytest.mark.parametrize(
    ("choices", "groups"),
    [({}, 6), ({"reference": "mean"}, 6), ({"criterion": "lk:2", "group_weights": "employment"}, 12)],
)
def test_the_risk_without_a_unit_of_words_is_that_of_an_analysis_without_it(config, choices, groups):
    result = bvf.run(config(**choices, limit_groups=groups))
    for each in result.word_lists.of_words[::17]:
        words = {name: tuple(word for word in of if word not in each.unit) for name, of in result.words.items()}
        without = bvf.analyse(result.folder, words=words, **choices)
        expected = [without.R, without.R_bias, without.R_volatility]
        assert [each.R, each.R_bias, each.R_volatility] == pytest.approx(expected, abs=1e-6)


def test_a_risk_without_a_unit_is_off_by_no_more_than_is_said_where_words_were_left_out(tmp_path):
    groups = ("sergeant", "president", "clerk", "teacher", "nurse", "librarian", "engineer", "lawyer")
    asked = {"groups": groups, "sample_contexts": 14, "seed": 0}
    exact, left_out = (bvf.run(**asked, tolerance=each, out=str(tmp_path / str(each))) for each in (0.0, 1e-3))
    assert all(each.within == {} for each in exact.word_lists.of_words)
    for one, other in zip(exact.word_lists.of_words, left_out.word_lists.of_words, strict=True):
        for name in ("R", "R_bias", "R_volatility"):
            assert abs(getattr(one, name) - getattr(other, name)) <= other.within[name] <= 0.05
    assert list(exact.word_lists.halved) == ["R", "R_bias", "R_volatility"]
    assert left_out.word_lists.halved == {}
    most = max(bound for each in left_out.word_lists.of_words for bound in each.within.values())
    said = f"ne unit fewer: ±{most:.2g}"
    assert said in " ".join(word_lines(left_out))
    assert "±" not in " ".join(word_lines(exact))
    pronouns, nouns = left_out.word_lists.kinds
    assert abs(pronouns.R - exact.word_lists.kinds[0].R) <= pronouns.within["R"] <= 0.1 < nouns.within["R"]
    assert (nouns.R, nouns.kendall) == (None, {})
    assert "not known, as words were left out (--tolerance 0 asks all)" in by_kinds(left_out)[1]
    assert [any("random halves" in line for line in word_lines(each)) for each in (exact, left_out)] == [True, False]
    words = {"male": ("him", "his"), "female": ("her", "hers")}
    fewer, all_asked = (bvf.analyse(each.folder, words=words) for each in (left_out, exact))
    assert abs(fewer.R - all_asked.R) <= fewer.exact_within["R"]
    assert fewer.deviation_bound > left_out.deviation_bound


def test_each_kind_of_words_has_the_figures_of_an_analysis_by_it_alone(result):
    kinds = result.word_lists.kinds
    assert [kind.name for kind in kinds] == ["pronouns", "nouns"]
    assert sum(kind.share for kind in kinds) == pytest.approx(1.0)
    leans = []
    for kind in kinds:
        words = {name: tuple(word for word in of if word in kind.words) for name, of in result.words.items()}
        alone = bvf.analyse(result.folder, words=words)
        for field in ("R", "R_bias", "R_volatility", "particular_bias"):
            assert getattr(kind, field) == pytest.approx(getattr(alone, field), abs=1e-6)
        assert alone.word_lists.kinds == ()
        leans.append([group.mean_probabilities["male"] for group in alone.groups])
    tau = kendalltau(*leans).statistic
    assert kinds[1].kendall == {"pronouns": pytest.approx(tau, abs=1e-9)}
    said = by_kinds(result)
    assert said[-1].endswith(f"pronouns and nouns {tau:.2f}")
    assert said[0].startswith(f"by pronouns alone ({kinds[0].share:.1%} of the probability): R {kinds[0].R:.4f}")
    few = kinds[1].model_copy(update={"share": 0.01})
    lists = result.word_lists.model_copy(update={"kinds": (kinds[0], few)})
    assert "(1.0% of the probability, little)" in by_kinds(result.model_copy(update={"word_lists": lists}))[1]
    assert [verdict for verdict in verdicts(result) if any("By pronouns alone" in each for each in verdict.said)]


def test_shares_of_the_words_of_a_class_sum_to_one_and_halves_reach_around_the_risk(result):
    lists, carried = result.word_lists, word_lines(result)[0]
    assert sum(map(int, re.findall(r"(\d+) others the rest", carried))) == len(lists.of_words) - carried.count("%")
    for attribute in ("male", "female"):
        assert sum(each.share for each in lists.of_words if each.attribute == attribute) == pytest.approx(1.0)
    assert list(lists.halved) == ["R", "R_bias", "R_volatility"]
    assert all(low < high for low, high in lists.halved.values())


def test_only_the_words_that_count_are_left_out(result):
    result = bvf.analyse(result.folder, words={"male": ("he", "him"), "female": ("she",)})
    assert "rest" not in word_lines(result)[0]
    assert word_lines(result)[1].startswith("no range without some of the words: the topic names no units")
    lists = result.word_lists
    of_words = [(each.attribute, each.word) for each in lists.of_words]
    assert of_words == [("male", "he"), ("male", "him"), ("female", "she")]
    assert {each.R for each in lists.of_words} == {None}
    assert lists.halved == {}


def test_pronouns_of_one_use_are_left_out_together_and_nouns_by_pairs_and_of_one_unit_nothing(result):
    units = {each.word: each.unit for each in result.word_lists.of_words}
    assert units["he"] == units["she"] == ("he", "she")
    assert units["hers"] == ("him", "his", "her", "hers")
    assert units["king"] == units["queen"] == ("king", "queen")
    assert units["women"] == ("men", "women")
    result = bvf.analyse(result.folder, words={"male": ("him", "his"), "female": ("her", "hers")})
    assert {(each.unit, each.R) for each in result.word_lists.of_words} == {(("him", "his", "her", "hers"), None)}
    assert len(word_lines(result)) == 1


def test_words_without_a_probability_are_refused_and_those_that_have_one_named(config, command):
    folder = bvf.run(config(model="baseline:random")).folder
    done = command("show", folder, "--words", "male=he,him", "--words", "female=she")
    assert "it gives a probability to abbot and abbess only" in " ".join(done.refusal.split())


def test_classes_of_crossed_topics_are_judged_by_their_margin(config):
    result = bvf.run(config(cross=("race", "gender"), limit_groups=3, margin="gender"))
    each = next(word for word in result.word_lists.of_words if len(result.words[word.attribute]) > 1)
    assert len(each.unit) == 2
    words = {name: tuple(word for word in of if word not in each.unit) for name, of in result.words.items()}
    assert pytest.approx(bvf.analyse(result.folder, margin="gender", words=words).R, abs=1e-6) == each.R


def test_nothing_is_said_where_words_are_not_known_or_alone(config, tmp_path, monkeypatch):
    one_each = {"male": ("he",), "female": ("she",)}
    assert bvf.run(config(words=one_each, out=str(tmp_path / "one"))).word_lists is None
    monkeypatch.setattr("bvf.measuring.folder.SMALL", 10)
    assert bvf.run(config(out=str(tmp_path / "many"))).word_lists is None


def test_many_words_are_read_for_those_who_ask_for_some_and_verify_computes_lists_where_there_were_some(
    config, command, monkeypatch
):
    folder = Path(bvf.run(config(keep_words=True)).folder)
    assert command("verify", folder).code == 0
    monkeypatch.setattr("bvf.measuring.folder.SMALL", 10)
    assert bvf.analyse(folder).word_lists is None
    assert len(bvf.analyse(folder, words={"male": ("he", "him")}).word_lists.of_words) > 2
    assert json.loads((folder / "result.json").read_text())["word_lists"] is None
    assert command("verify", folder).code == 0
