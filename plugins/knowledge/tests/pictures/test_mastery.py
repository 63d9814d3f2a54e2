"""The picture of mastery against the confidence gap has a point with two intervals for each relation and model."""

from dataclasses import replace

import numpy as np
import pytest
from bvf_knowledge.pictures.confidence import mastery
from helpers.made_alike import asked_in_wordings

import bvf
from bvf import BvfError


def known(model, topic, p, wordings=12, **changes):
    """A result of four subjects: p of the true answer is 0.2 above and below ``p``, in every second wording."""
    sway = 0.2 * np.resize([1.0, -1.0], wordings)
    made = replace(asked_in_wordings(model, np.full((4, 1), p) + sway), folder=None)
    return bvf.analyse(made, criterion="knowledge:sqrt").model_copy(update={"topic": topic, **changes})


def four():
    """Two models in two relations."""
    ps = {("a", "knowledge/capitals"): 0.8, ("a", "knowledge/networks"): 0.3}
    ps |= {("b", "knowledge/capitals"): 0.7, ("b", "knowledge/networks"): 0.25}
    return [known(*of, p) for of, p in ps.items()]


def gap(p):
    return np.sqrt(p) - (np.sqrt(p - 0.2) + np.sqrt(p + 0.2)) / 2


def test_points_have_mastery_gap_intervals_and_their_guesser():
    results = four()
    points = mastery(results).points
    assert [(each.model, each.relation) for each in points] == [
        ("a", "capitals"), ("a", "networks"), ("b", "capitals"), ("b", "networks")
    ]  # fmt: skip
    assert [each.mastery.value for each in points] == pytest.approx(np.sqrt([0.8, 0.3, 0.7, 0.25]))
    assert [each.gap.value for each in points] == pytest.approx([gap(p) for p in (0.8, 0.3, 0.7, 0.25)])
    for field, value in (("mastery", points[0].mastery), ("confidence_gap", points[0].gap)):
        interval = results[0].uncertainty.intervals[field]
        assert (value.low, value.high) == (interval.low, interval.high)
    assert [each.guesser for each in points] == [pytest.approx((0.5**0.5, 0.5**0.5 - 0.5))] * 4


def test_lines_join_models_in_a_relation_and_each_relation_is_named_once():
    marks = mastery(four()).marks().marks
    capitals, networks, first, second, guesser, names = marks
    for line, truths in ((capitals, (0.8, 0.7)), (networks, (0.3, 0.25))):
        assert line.x == pytest.approx(np.sqrt(truths))
        assert line.y == pytest.approx([gap(p) for p in truths])
    assert [(mark.name, mark.texts) for mark in (first, second)] == [(name, ["capitals", "networks"]) for name in "ab"]
    assert [each.value for each in first.x] == pytest.approx([0.8**0.5, 0.3**0.5])
    assert all(each.low < each.value < each.high for each in (*first.x, *first.y))
    assert (guesser.name, *guesser.x, *guesser.y) == ("a guesser", *map(pytest.approx, (0.5**0.5, 0.5**0.5 - 0.5)))
    assert set(names.names) == {"capitals", "networks"}


def test_the_caption_says_where_mastery_and_gap_are_largest():
    said = mastery(four()).caption()
    assert "of 2 models in 2 relations, by the criterion knowledge:sqrt." in said
    assert f"Mastery is highest for a, capitals ({0.8**0.5:.3f}) and lowest for b, networks (0.500)." in said
    assert f"The gap is largest for b, networks ({gap(0.25):.3f})." in said
    assert "Lines join the models in a relation. Cross: a guesser, with a new answer for each wording." in said
    assert said.endswith("Bars: intervals of 95% for other contexts of the kind.")


def test_one_run_is_a_point_without_names_and_lines():
    view = mastery([known("a", "knowledge/capitals", 0.5)])
    assert f"of a in capitals, by the criterion knowledge:sqrt. Mastery 0.707, gap {gap(0.5):.3f}." in view.caption()
    assert "Lines" not in view.caption()
    assert not view.draw().texts


def test_few_wordings_have_no_bars_and_the_caption_says_whose():
    view = mastery([known("a", "knowledge/capitals", 0.5), known("a", "knowledge/networks", 0.5, wordings=4)])
    assert [each.gap.low is None for each in view.points] == [False, True]
    assert "Bars: intervals of 95%" in view.caption()
    assert "Some have none: there are only 4.0 effective wordings" in view.caption()


def test_relations_of_two_languages_and_two_context_sets_keep_names_apart():
    english, chinese = (known("a", "knowledge/capitals", 0.5, language=language) for language in ("en", "zh"))
    assert mastery([english, chinese]).relations == ("knowledge/capitals (en)", "knowledge/capitals (zh)")
    sets = [known("a", "knowledge/capitals", 0.5, contexts=f"folder/{name}.csv") for name in ("first", "second")]
    assert mastery(sets).models == ("a, first", "a, second")


def test_risk_and_another_criterion_are_refused(result):
    with pytest.raises(BvfError, match="has no figures of knowledge"):
        mastery([result])
    one = known("a", "knowledge/capitals", 0.5)
    with pytest.raises(BvfError, match="criterion"):
        mastery([one, one.model_copy(update={"criterion": "knowledge:power=0.3"})])
