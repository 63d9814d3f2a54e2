"""Whatever the exact probabilities are, a risk is no further off than is said."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bvf.builtin.criteria import Direction, Linf, Lk, TotalVariation
from bvf.stats.figures.leeway import MOST_CORNERS, leeway, leeway_of_volatility
from bvf.stats.figures.risk import criterion_for, decompose_risk

SUBLINEAR = [Linf(), Lk("1"), Lk("2"), Direction("1", 1), TotalVariation()]


@pytest.mark.parametrize("criterion", SUBLINEAR, ids=lambda criterion: type(criterion).__name__)
@given(classes=st.sampled_from([2, 3, 5, MOST_CORNERS + 1]), seed=st.integers(0, 10_000), bound=st.floats(1e-6, 0.2))
def test_no_prediction_within_the_bound_has_a_risk_further_off(criterion, classes, seed, bound):
    rng = np.random.default_rng(seed)
    p, p_star = rng.dirichlet(np.ones(classes), size=(3, 4)), rng.dirichlet(np.full(classes, 5.0), size=3)[:, None]
    moved = p + bound * rng.choice([-1.0, 1.0, rng.uniform(-1, 1)], size=p.shape)
    J = criterion_for(criterion, p_star)
    apart = np.abs(J(moved / p_star - 1.0) - J(p / p_star - 1.0))
    assert (apart <= bound * leeway(J, p_star) + 1e-9).all()


def test_for_two_classes_it_is_reached():
    """Where every prediction is off to the same side, J = |2 p - 1| is off by twice the bound."""
    assert leeway(Linf(), np.full((1, 1, 2), 0.5)).tolist() == [[2.0]]
    p = np.array([[[0.7, 0.3], [0.6, 0.4]]])
    first, second = decompose_risk(p, Linf()), decompose_risk(p + np.array([0.05, -0.05]), Linf())
    moved = second.R - first.R
    assert moved == pytest.approx(0.1)


def test_of_a_rare_class_more_is_not_known():
    assert leeway(Linf(), np.array([[[0.1, 0.9]], [[0.5, 0.5]]])).ravel().tolist() == pytest.approx([10.0, 2.0])


@pytest.mark.parametrize("criterion", SUBLINEAR, ids=lambda criterion: type(criterion).__name__)
@given(
    classes=st.sampled_from([2, 3, 7]),
    seed=st.integers(0, 10_000),
    bound=st.floats(1e-5, 0.1),
    concentration=st.sampled_from([0.5, 5.0, 50.0]),
)
def test_volatility_is_no_further_off_than_its_own_bound(criterion, classes, seed, bound, concentration):
    """Exact probabilities are any within the bounds that sum to 1; r^v is computed plainly from both."""
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(concentration * rng.dirichlet(np.ones(classes)) + 0.01, size=(3, 6))
    p_star, weights = rng.dirichlet(np.full(classes, 5.0), size=3)[:, None], np.tile(rng.dirichlet(np.ones(6)), (3, 1))
    bounds = bound * rng.random((3, 6))
    other = rng.dirichlet(np.ones(classes), size=(3, 6))
    step = np.minimum(1.0, bounds / np.abs(other - p).max(axis=2))[..., None]
    exact = p + step * (other - p)
    J = criterion_for(criterion, p_star)

    def volatility(of):
        s = of / p_star - 1.0
        return (J(s) * weights).sum(axis=1) - J((s * weights[..., None]).sum(axis=1)[:, None])[:, 0]

    reach = leeway_of_volatility(J, p_star, p / p_star - 1.0, bounds, weights)
    assert (np.abs(volatility(exact) - volatility(p)) <= reach + 1e-9).all()
    assert (reach <= 2 * (leeway(J, p_star) * bounds * weights).sum(axis=1) + 1e-12).all()


def test_volatility_of_a_model_that_always_leans_to_one_side_is_exact():
    """All predictions are .6 or more, each off by .05 at most: no context can change its side, so r^v is 0."""
    p_star = np.full((1, 1, 2), 0.5)
    p = np.array([[[0.6, 0.4], [0.7, 0.3], [0.9, 0.1]]])
    J = criterion_for(Linf(), p_star)
    reach = leeway_of_volatility(J, p_star, p / p_star - 1.0, np.full((1, 3), 0.05), np.full((1, 3), 1 / 3))
    assert reach.tolist() == pytest.approx([0.0], abs=1e-12)


def test_a_context_near_the_kink_decides_how_far_volatility_is_off():
    """J = |2 p - 1|. The second context may be at .46: r^v is then (2 * .08) / 3, as J - g s is 2 |s| there."""
    p_star = np.full((1, 1, 2), 0.5)
    p = np.array([[[0.9, 0.1], [0.51, 0.49], [0.8, 0.2]]])
    J = criterion_for(Linf(), p_star)
    reach = leeway_of_volatility(J, p_star, p / p_star - 1.0, np.array([[0.0, 0.05, 0.0]]), np.full((1, 3), 1 / 3))
    assert reach.tolist() == pytest.approx([2 * 0.08 / 3])
