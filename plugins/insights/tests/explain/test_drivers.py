"""What contexts add sums to R^b and R^v, and is what the definition says."""

import numpy as np
import pytest
from bvf_insights.explain.drivers import contributions, judgement_of

import bvf
from bvf.results.restore import predictions_of


@pytest.mark.parametrize(
    "choices",
    [{}, {"criterion": "lk:2"}, {"criterion": "kl"}, {"criterion": "released:b"}, {"scale": "raw", "criterion": "tv"}],
)
@pytest.mark.parametrize("which", ["result", "several", "silent"])
def test_contributions_sum_to_the_figures_of_the_result(which, choices, request):
    result = bvf.analyse(request.getfixturevalue(which).folder, **choices)
    bias, volatility = contributions(result, judgement_of(result, predictions_of(result)))
    assert bias.sum() == pytest.approx(result.R_bias)
    assert volatility.sum() == pytest.approx(result.R_volatility, abs=1e-12)
    weights = np.array([group.weight for group in result.groups])
    assert bias.sum(axis=1) / weights == pytest.approx([group.r_bias for group in result.groups])
    assert volatility.sum(axis=1) / weights == pytest.approx([group.r_volatility for group in result.groups], abs=1e-12)
    assert volatility.min() >= 0.0


def test_for_two_classes_only_contexts_on_the_other_side_are_volatile(result):
    """There 2p - 1 has another sign than its mean, and twice its size is lost by averaging."""
    read = predictions_of(bvf.analyse(result.folder))
    bias, volatility = contributions(result, judgement_of(result, read))
    stereotype = 2 * read.probabilities[..., 0] - 1
    mean = (stereotype * read.context_weights).sum(axis=1, keepdims=True)
    across = np.sign(stereotype) != np.sign(mean)
    share = read.context_weights / len(result.groups)
    assert volatility == pytest.approx(np.where(across, 2 * np.abs(stereotype), 0.0) * share)
    assert bias == pytest.approx(np.sign(mean) * stereotype * share)
    assert 0 < across.sum() < across.size


def test_drivers_are_the_contexts_that_add_most(result):
    read = predictions_of(result)
    bias, volatility = (part.sum(axis=0) for part in contributions(result, judgement_of(result, read)))
    top = bvf.explain(result, show=5).drivers
    assert [each.context for each in top.volatility] == [read.contexts[c] for c in np.argsort(-volatility)[:5]]
    assert [each.bias for each in top.bias] == pytest.approx(np.sort(bias)[::-1][:5])
    first = top.bias[0]
    assert first.risk == pytest.approx(first.bias + first.volatility)
    assert (top.of, top.adding_bias) == (len(read.contexts), (bias > 0).sum())
    assert (top.R_bias, top.R_volatility) == pytest.approx((result.R_bias, result.R_volatility))
    assert 1 <= len(top.volatility[0].groups) <= 3


def test_a_model_without_volatility_has_no_context_that_drives_it(run_of):
    top = bvf.explain(run_of(model="baseline:stereotyped", limit_groups=3), show=20).drivers
    assert top.volatility == ()
    assert top.adding_volatility == 0
    assert len(top.bias) == min(20, top.of)
