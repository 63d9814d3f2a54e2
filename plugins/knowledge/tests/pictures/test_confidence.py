"""The confidence curve has the share of subjects that are right in at least a share of wordings."""

from dataclasses import replace

import numpy as np
import pytest
from bvf_knowledge.pictures.confidence import confidence
from helpers.made_alike import asked_in_wordings
from helpers.made_pictures import keys, laid_out
from scipy.stats import binom

import bvf
from bvf import BvfError

WORDINGS = 12


def known(model, times, topic="knowledge/capitals"):
    """A result of subjects whose true answer is on top in so many wordings each."""
    right = np.array([[0.9] * each + [0.1] * (WORDINGS - each) for each in times])
    made = replace(asked_in_wordings(model, right), folder=None)
    return bvf.analyse(made, criterion="knowledge:sqrt").model_copy(update={"topic": topic})


def test_a_curve_falls_by_the_subjects_that_are_right_no_more_often():
    (curve,) = confidence([known("a", [12, 6, 6, 0])]).curves
    assert curve.wordings == pytest.approx([0.0, 0.5, 1.0])
    assert curve.subjects == pytest.approx([1.0, 0.75, 0.25])
    assert [curve.at(share) for share in (0.0, 0.3, 0.5, 0.6, 1.0)] == pytest.approx([1.0, 0.75, 0.75, 0.25, 0.25])


def test_a_guesser_is_right_as_often_as_a_coin():
    guesser = confidence([known("a", [12, 6, 6, 0])]).guesser
    assert guesser.subjects == pytest.approx(binom.sf(np.arange(WORDINGS + 1) - 1, WORDINGS, 0.5))


def test_relations_of_a_model_are_taken_together_and_models_have_curves_of_their_own():
    results = [
        known(model, times, topic)
        for model, of_model in (("a", [[12, 12, 0, 0], [0, 0, 0, 0]]), ("b", [[12, 12, 12, 12], [12, 12, 12, 12]]))
        for topic, times in zip(("knowledge/capitals", "knowledge/networks"), of_model, strict=True)
    ]
    view = confidence(results)
    assert [(each.name, each.at(1.0)) for each in view.curves] == [("a", 0.25), ("b", 1.0)]
    assert "Share of 8 subjects of 2 relations" in view.caption()
    assert "a: 25% of subjects in all wordings, 25% in half or more, 75% in none." in view.caption()
    axes = view.draw()
    assert keys(axes) == ["a guesser", "a", "b"]
    laid_out(axes)


def test_a_result_of_an_older_version_is_refused():
    result = known("a", [12, 6, 6, 0])
    old = tuple(group.model_copy(update={"right": None}) for group in result.groups)
    with pytest.raises(BvfError, match="an older version of bvf wrote the result"):
        confidence([result.model_copy(update={"groups": old})])
