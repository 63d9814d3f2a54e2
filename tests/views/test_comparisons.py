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
    assert [each.topic for each in views] == ["made", "other"]
    for view, topic in zip(views, found.topics, strict=True):
        figures = [each.values["R"].value for each in view.models]
        assert figures == sorted(figures, reverse=True)
        for each in view.models:
            model = next(model for model in topic.models if model.name == each.name)
            assert each.ranks == model.ranks
            for figure, interval in model.intervals.items():
                assert (each.values[figure].value, each.values[figure].low) == (model.figures[figure], interval.low)
        assert len(view.gaps) == len(topic.differences) == 12
        of_bias = [abs(gap.value.value) for gap in view.gaps if gap.figure == "R_bias"]
        assert of_bias == sorted(
            (abs(each.value) for each in topic.differences if each.figure == "R_bias"), reverse=True
        )


def test_a_trend_is_over_the_label_as_a_number(found):
    first = trends(found)[0]
    assert (first.label, first.names) == ("parameters", ("a", "b", "c"))
    assert first.at.tolist() == [1e3, 1e4, 1e5]
    figures = {model.name: model.figures["R_bias"] for model in found.topics[0].models}
    assert [each.value for each in first.values["R_bias"]] == [figures[name] for name in "abc"]
    assert first.tests["R_bias"].correlation == pytest.approx(spearmanr(first.at, [figures[name] for name in "abc"])[0])
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
