"""The confidence curve of the shares of subjects by wordings, and the picture of mastery against the confidence gap."""

from dataclasses import replace

import numpy as np
import pytest
from bvf_knowledge.pictures.confidence import confidence, mastery
from helpers.made_alike import asked_in_wordings
from helpers.made_pictures import keys, laid_out
from scipy.stats import binom

import bvf
from bvf import BvfError

WORDINGS = 12
CAPITALS, NETWORKS = "knowledge/capitals", "knowledge/networks"


def known(model, p, topic=CAPITALS, **changes):
    """A result of four subjects, of p of the true answer by subject and wording."""
    made = replace(asked_in_wordings(model, p), folder=None)
    return bvf.analyse(made, criterion="knowledge:sqrt").model_copy(update={"topic": topic, **changes})


def on_top(times):
    """p of subjects whose true answer is on top in so many wordings each."""
    return np.array([[0.9] * each + [0.1] * (WORDINGS - each) for each in times])


def swaying(p, wordings=WORDINGS):
    """p of four subjects that are alike: 0.2 above and below ``p``, in every second wording."""
    return np.full((4, 1), p) + 0.2 * np.resize([1.0, -1.0], wordings)


def test_a_curve_falls_by_the_subjects_that_are_right_no_more_often():
    view = confidence([known("a", on_top([12, 6, 6, 0]))])
    (curve,) = view.curves
    assert curve.wordings == pytest.approx([0.0, 0.5, 1.0])
    assert curve.subjects == pytest.approx([1.0, 0.75, 0.25])
    assert [curve.at(share) for share in (0.0, 0.3, 0.5, 0.6, 1.0)] == pytest.approx([1.0, 0.75, 0.75, 0.25, 0.25])
    as_a_coin = binom.sf(np.arange(WORDINGS + 1) - 1, WORDINGS, 0.5)
    assert view.guesser.subjects == pytest.approx(as_a_coin)


def test_relations_of_a_model_are_taken_together_and_models_have_curves_of_their_own():
    results = [
        known(model, on_top(times), topic)
        for model, of_model in (("a", [[12, 12, 0, 0], [0, 0, 0, 0]]), ("b", [[12] * 4, [12] * 4]))
        for topic, times in zip((CAPITALS, NETWORKS), of_model, strict=True)
    ]
    view = confidence(results)
    assert [(each.name, each.at(1.0)) for each in view.curves] == [("a", 0.25), ("b", 1.0)]
    assert "Share of 8 subjects of 2 relations" in view.caption()
    assert "a: 25% of subjects in all wordings, 25% in half or more, 75% in none." in view.caption()
    axes = view.draw()
    assert keys(axes) == ["a guesser", "a", "b"]
    laid_out(axes)


def test_a_result_of_an_older_version_is_refused():
    result = known("a", on_top([12, 6, 6, 0]))
    old = tuple(group.model_copy(update={"right": None}) for group in result.groups)
    with pytest.raises(BvfError, match="an older version of bvf wrote the result"):
        confidence([result.model_copy(update={"groups": old})])


@pytest.fixture(scope="module")
def four():
    """Two models in two relations."""
    ps = {("a", CAPITALS): 0.8, ("a", NETWORKS): 0.3, ("b", CAPITALS): 0.7, ("b", NETWORKS): 0.25}
    return [known(model, swaying(p), topic) for (model, topic), p in ps.items()]


def gap(p):
    return np.sqrt(p) - (np.sqrt(p - 0.2) + np.sqrt(p + 0.2)) / 2


GUESSER = (0.5**0.5, 0.5**0.5 - 0.5)


def test_points_have_mastery_gap_intervals_and_their_guesser(four):
    points = mastery(four).points
    of_each = [(model, relation) for model in "ab" for relation in ("capitals", "networks")]
    assert [(each.model, each.relation) for each in points] == of_each
    assert [each.mastery.value for each in points] == pytest.approx(np.sqrt([0.8, 0.3, 0.7, 0.25]))
    assert [each.gap.value for each in points] == pytest.approx([gap(p) for p in (0.8, 0.3, 0.7, 0.25)])
    for field, value in (("mastery", points[0].mastery), ("confidence_gap", points[0].gap)):
        interval = four[0].uncertainty.intervals[field]
        assert (value.low, value.high) == (interval.low, interval.high)
    assert [each.guesser for each in points] == [pytest.approx(GUESSER)] * 4


def test_lines_join_models_in_a_relation_and_each_relation_is_named_once(four):
    capitals, networks, first, second, guesser, names = mastery(four).marks().marks
    for line, truths in ((capitals, (0.8, 0.7)), (networks, (0.3, 0.25))):
        assert line.x == pytest.approx(np.sqrt(truths))
        assert line.y == pytest.approx([gap(p) for p in truths])
    assert [(mark.name, mark.texts) for mark in (first, second)] == [(name, ["capitals", "networks"]) for name in "ab"]
    assert [each.value for each in first.x] == pytest.approx([0.8**0.5, 0.3**0.5])
    assert all(each.low < each.value < each.high for each in (*first.x, *first.y))
    assert (guesser.name, *guesser.x, *guesser.y) == ("a guesser", *map(pytest.approx, GUESSER))
    assert set(names.names) == {"capitals", "networks"}


def test_the_caption_says_where_mastery_and_gap_are_largest(four):
    said = mastery(four).caption()
    assert "of 2 models in 2 relations, by the criterion knowledge:sqrt." in said
    assert f"Mastery is highest for a, capitals ({0.8**0.5:.3f}) and lowest for b, networks (0.500)." in said
    assert f"The gap is largest for b, networks ({gap(0.25):.3f})." in said
    assert "Lines join the models in a relation. Cross: a guesser, with a new answer for each wording." in said
    assert said.endswith("Bars: intervals of 95% for other contexts of the kind.")


def test_one_run_is_a_point_without_names_and_lines_and_few_wordings_have_no_bars():
    one = known("a", swaying(0.5))
    view = mastery([one])
    assert f"of a in capitals, by the criterion knowledge:sqrt. Mastery 0.707, gap {gap(0.5):.3f}." in view.caption()
    assert "Lines" not in view.caption()
    assert not view.draw().texts
    view = mastery([one, known("a", swaying(0.5, wordings=4), NETWORKS)])
    assert [each.gap.low is None for each in view.points] == [False, True]
    assert "Bars: intervals of 95%" in view.caption()
    assert "Some have none: there are only 4.0 effective wordings" in view.caption()


def test_relations_of_two_languages_and_two_context_sets_keep_names_apart(result):
    one = known("a", swaying(0.5))
    english, chinese = (one.model_copy(update={"language": language}) for language in ("en", "zh"))
    assert mastery([english, chinese]).relations == ("knowledge/capitals (en)", "knowledge/capitals (zh)")
    sets = [one.model_copy(update={"contexts": f"folder/{name}.csv"}) for name in ("first", "second")]
    assert mastery(sets).models == ("a, first", "a, second")
    with pytest.raises(BvfError, match="has no figures of knowledge"):
        mastery([result])
    with pytest.raises(BvfError, match="criterion"):
        mastery([one, one.model_copy(update={"criterion": "knowledge:power=0.3"})])
