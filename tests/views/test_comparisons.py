"""Pictures of comparisons show the figures, ranks and differences of the comparison itself."""

import numpy as np
import pytest
from made_alike import measured, probabilities, with_asked, with_model
from scipy.stats import spearmanr

import bvf
from bvf import BvfError
from bvf.views.comparison import comparison, topic_matrix, trends

SIZES = {"a": 1_000, "b": 10_000, "c": 100_000}


@pytest.fixture(scope="module")
def found():
    models = [
        with_model(measured(name, probabilities(seed)), parameters=SIZES[name]) for seed, name in enumerate("cab")
    ]
    other = [
        with_asked(with_model(measured(name, probabilities(9 + seed)), parameters=SIZES[name]), topic="other")
        for seed, name in enumerate("cab")
    ]
    return bvf.compare([*models, *other], by="parameters")


def test_models_stand_with_their_intervals_and_ranks_highest_first(found):
    views = comparison(found)
    assert [(each.topic, each.figure) for each in views[:2]] == [("made", "R"), ("made", "R_bias")]
    assert len(views) == 8
    for view in views:
        topic = next(each for each in found.topics if each.topic == view.topic)
        assert [each.value.value for each in view.models] == sorted(
            (each.value.value for each in view.models), reverse=True
        )
        for each in view.models:
            model = next(model for model in topic.models if model.name == each.name)
            interval = model.intervals[view.figure]
            assert (each.value.value, each.value.low) == (model.figures[view.figure], interval.low)
            assert (each.first, each.last) == model.ranks[view.figure]
        gaps = [each for each in topic.differences if each.figure == view.figure]
        assert sorted(each.value.value for each in view.gaps) == sorted(each.value for each in gaps)
        assert abs(view.gaps[0].value.value) == max(abs(each.value) for each in gaps)


def test_a_trend_is_over_the_label_as_a_number(found):
    first = trends(found)[0]
    assert (first.figure, first.label, first.names) == ("R", "parameters", ("a", "b", "c"))
    assert first.at.tolist() == [1e3, 1e4, 1e5]
    figures = {model.name: model.figures["R"] for model in found.topics[0].models}
    assert [each.value for each in first.values] == [figures[name] for name in "abc"]
    assert first.correlation == pytest.approx(spearmanr(first.at, [figures[name] for name in "abc"])[0])
    with pytest.raises(BvfError, match="no label size"):
        trends(found, "size")


def test_topics_by_models_have_the_correlations_of_the_comparison(found):
    matrix = topic_matrix(found)
    assert matrix.topics == ("made", "other")
    assert matrix.R.shape == (3, 2)
    for t, topic in enumerate(found.topics):
        for model in topic.models:
            m = matrix.models.index(model.name)
            assert matrix.R[m, t] == model.figures["R"]
            assert matrix.low[m, t] < matrix.R[m, t] < matrix.high[m, t]
    assert matrix.correlations[0, 1] == matrix.correlations[1, 0] == pytest.approx(spearmanr(*matrix.R.T)[0])
    assert np.isnan(matrix.correlations[0, 0])
