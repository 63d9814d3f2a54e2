"""Measurements that are made from probabilities: what they say is what was given."""

import numpy as np
import pytest
from bvf_testing import measurement_of
from bvf_testing.measurements import small_measurement

import bvf
from bvf.hooks.loader import load
from bvf.stats.figures.probabilities import class_probabilities

PLUGINS = load()


@pytest.mark.parametrize("made", [small_measurement(), measurement_of([[[0.2, 0.8], [1.0, 0.0]]])])
def test_the_words_say_what_the_classes_do(made):
    asked, logp = made.record.asked, made.word_logprobs
    again = class_probabilities(logp.reshape(-1, len(asked.words)), asked.class_of_word, len(asked.classes))
    np.testing.assert_allclose(again.reshape(made.probabilities.shape), made.probabilities, atol=1e-12)
    assert made.probabilities.shape == (len(asked.groups), len(asked.templates), len(asked.classes))
    assert made.bounds.shape == made.probabilities.shape[:2]


def test_the_small_one_has_what_breaks_analyses():
    made = small_measurement()
    missing = np.isnan(made.probabilities).any(axis=2)
    assert missing.all(axis=1).any()
    assert (missing.any(axis=1) & ~missing.all(axis=1)).any()
    assert {0.0, 1.0} <= set(made.probabilities.ravel())
    assert {"weight", "group"} <= set(made.record.asked.classes)
    assert not set(made.record.asked.classes).isdisjoint(made.record.asked.group_names)


def test_it_is_analysed_as_what_a_model_answered():
    made = measurement_of([[[1.0, 0.0]] * 2, [[0.5, 0.5]] * 2], groups=["a", "b"], classes=["yes", "no"])
    result = bvf.analyse(made, plugins=PLUGINS)
    assert [(group.group, group.r) for group in result.groups] == [("a", 1.0), ("b", 0.0)]
    ramp = bvf.analyse(made, plugins=PLUGINS, reference="ramp", group_weights="ramp", scale="raw")
    assert [group.weight for group in ramp.groups] == pytest.approx([1 / 3, 2 / 3])
    assert ramp.groups[0].reference_probabilities == pytest.approx({"yes": 1 / 3, "no": 2 / 3})
    assert [group.r for group in ramp.groups] == pytest.approx([2.0, 0.5])
    words = bvf.analyse(made, plugins=PLUGINS, words={"yes": ["yes two"]})
    assert words.groups[1].mean_probabilities["yes"] == pytest.approx(0.2)
    knowledge = bvf.analyse(made, plugins=PLUGINS, criterion="knowledge:power=1")
    assert [(group.truth, group.mastery) for group in knowledge.groups] == [("yes", 1.0), ("no", 0.5)]


@pytest.mark.parametrize("p", [[[[0.5, 0.6]]], [[0.5, 0.5]], [[[-0.5, 1.5]]], [[[1.0]]]])
def test_what_is_no_probability_is_refused(p):
    with pytest.raises(bvf.BvfError):
        measurement_of(p)
