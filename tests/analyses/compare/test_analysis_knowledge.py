"""Models compared by what they know."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.made_alike import asked_in_wordings

import bvf


def test_figures_chance_and_tests_of_two_models():
    better = np.random.default_rng(0).uniform(0.6, 0.9, (4, 12))
    comparison = bvf.compare([asked_in_wordings("a", better), asked_in_wordings("b", better / 3.0)])
    (topic,) = comparison.topics
    assert (topic.unit, topic.wordings, topic.units) == ("template", True, pytest.approx(12.0))
    first = topic.models[0].figures
    assert list(first) == ["mastery", "expected_score", "confidence_gap"]
    assert first["mastery"] == pytest.approx(np.sqrt(better.mean(axis=1)).mean())
    assert first["expected_score"] == pytest.approx(np.sqrt(better).mean())
    assert topic.by_chance == pytest.approx(
        {"mastery": 0.5**0.5, "expected_score": 0.5, "confidence_gap": 0.5**0.5 - 0.5}
    )
    assert {each.figure: each.decision for each in topic.differences}["mastery"] == "higher"
    assert topic.models[0].ranks["mastery"] == (1, 1)
    assert comparison.tests == 3


def test_fewer_than_ten_wordings_have_no_tests_and_a_line_why():
    few = np.full((4, 8), 0.5)
    comparison = bvf.compare([asked_in_wordings("a", few), asked_in_wordings("b", few / 2.0)])
    assert comparison.topics[0].undefined == "there are only 8.0 effective wordings, and intervals take 10"
    assert comparison.tests == 0


def test_a_risk_over_the_same_wordings_has_no_intervals_as_before():
    made = asked_in_wordings("a", np.random.default_rng(0).uniform(0.1, 0.9, (4, 12)))
    assert "written" in bvf.analyse(replace(made, folder=None), criterion="linf").uncertainty.undefined
    result = bvf.analyse(replace(made, folder=None), criterion="knowledge:sqrt")
    assert result.uncertainty.estimand == "wordings"
