"""A risk is no further off than is said, whatever the exact probabilities are; subgradients of criteria."""

import numpy as np
import pytest
from helpers.sampled import CONVEX, of_first
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from bvf.builtin.criteria import Direction, Linf, Lk, ReleasedB, TotalVariation
from bvf.interfaces.criterion import Criterion
from bvf.stats.figures.leeway import MOST_CORNERS, leeway, leeway_of_volatility, subgradient
from bvf.stats.figures.risk import criterion_for, decompose_risk

SUBLINEAR = [Linf(), Lk("1"), Lk("2"), Direction("1", 1), TotalVariation()]


@pytest.mark.parametrize("criterion", SUBLINEAR, ids=lambda criterion: type(criterion).__name__)
@given(classes=st.sampled_from([2, 3, 5, MOST_CORNERS + 1]), seed=st.integers(0, 10_000), bound=st.floats(1e-6, 0.2))
def test_no_prediction_within_the_bound_has_a_risk_further_off(criterion, classes, seed, bound):
    rng = np.random.default_rng(seed)
    of_p_star = rng.choice([1, 4]) if criterion.for_reference(np.ones(classes) / classes) is criterion else 1
    p, p_star = (rng.dirichlet(np.full(classes, a), size=(3, n)) for a, n in ((1.0, 4), (5.0, of_p_star)))
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


@pytest.mark.parametrize(
    ("first", "bounds", "off"),
    [([0.6, 0.7, 0.9], [0.05, 0.05, 0.05], 0.0), ([0.9, 0.51, 0.8], [0.0, 0.05, 0.0], 2 * 0.08 / 3)],
    ids=["always leans to one side", "one context is near the kink"],
)
def test_contexts_near_a_kink_decide_how_far_volatility_is_off(first, bounds, off):
    """J = |2 p - 1|. A context of .51 may be at .46: r^v is then (2 * .08) / 3, as J - g s is 2 |s| there."""
    p_star, p = np.full((1, 1, 2), 0.5), of_first([first])
    J = criterion_for(Linf(), p_star)
    reach = leeway_of_volatility(J, p_star, p / p_star - 1.0, np.array([bounds]), np.full((1, 3), 1 / 3))
    assert reach.tolist() == pytest.approx([off])


OWN = [*CONVEX, ReleasedB()]
SLACK = 1e-9
AWAY = 0.02
"""How far from a kink a numerical slope is the slope: entries apart from each other and from 0."""
APART = 1e-4


class Silent(Criterion):
    """The same criterion, but that it gives no subgradient."""

    def __init__(self, spoken):
        self.spoken = spoken

    def risk(self, s):
        return self.spoken.risk(s)


def distributions(draw, shape, least):
    mass = draw(arrays(np.float64, shape, elements=st.floats(least, 1.0)))
    mass[..., 0] += least + 1e-3
    return mass / mass.sum(axis=-1, keepdims=True)


@st.composite
def stereotypes(draw, least=0.0, changing=False):
    """Two lists of stereotypes, shape (X, N, Y), and p*, shape (X, 1, Y) or of each; probabilities may be 0."""
    X, N, Y = draw(st.integers(1, 2)), draw(st.integers(1, 3)), draw(st.integers(2, 4))
    p_star = distributions(draw, (X, N if changing else 1, Y), 0.05)
    u, v = (distributions(draw, (X, N, Y), least) / p_star - 1.0 for _ in range(2))
    return u, v, p_star


@pytest.mark.parametrize("J", OWN, ids=lambda J: type(J).__name__)
@given(case=stereotypes())
def test_a_criterion_is_nowhere_below_the_plane_of_its_subgradient(J, case):
    u, v, p_star = case
    known = J.for_reference(p_star)
    g = known.subgradient(v)
    assert g.shape == v.shape
    allowed = SLACK * (1.0 + np.abs(g).max())
    assert (known(u) + allowed >= known(v) + (g * (u - v)).sum(axis=-1)).all()


@pytest.mark.parametrize("J", SUBLINEAR, ids=lambda J: type(J).__name__)
@given(case=stereotypes(), data=st.data())
def test_a_sublinear_one_is_so_for_differences_of_stereotypes_too(J, case, data):
    u, v, p_star = case
    known = J.for_reference(p_star)
    u, v = 3.0 * (u - v), v - data.draw(st.floats(0.0, 2.0)) * u
    g = known.subgradient(v)
    assert (known(u) + SLACK >= known(v) + (g * (u - v)).sum(axis=-1)).all()
    assert (g * v).sum(axis=-1) == pytest.approx(known(v), abs=SLACK)


@pytest.mark.parametrize("J", OWN, ids=lambda J: type(J).__name__)
@given(case=stereotypes(least=0.05), data=st.data())
def test_off_the_kinks_it_is_the_numerical_one(J, case, data):
    u, v, p_star = case
    known = J.for_reference(p_star)
    sizes = np.sort(np.abs(np.concatenate([v, np.zeros_like(v[..., :1])], axis=-1)), axis=-1)
    off = (np.diff(sizes, axis=-1) > AWAY).all(axis=-1)
    analytic, numerical = subgradient(known, v, p_star), subgradient(Silent(known), v, p_star)
    along = [((g * (u - v)).sum(axis=-1))[off] for g in (analytic, numerical)]
    assert along[1] == pytest.approx(along[0], abs=1e-4)


@given(case=stereotypes() | stereotypes(changing=True))
def test_a_numerical_one_is_a_subgradient_but_for_its_step_where_no_three_classes_tie(case):
    u, v, p_star = case
    assume(((np.diff(np.sort(v)) > APART).sum(axis=-1) >= v.shape[2] - 2).all())
    g = subgradient(Silent(Linf()), v, p_star)
    assert (Linf()(u) + 1e-4 >= Linf()(v) + (g * (u - v)).sum(axis=-1)).all()


def test_a_numerical_one_asks_for_no_probability_below_0():
    class Within(Linf):
        def risk(self, s):
            assert (s >= -1.0).all()
            return super().risk(s)

        def subgradient(self, s):
            return None

    p_star = np.array([[[0.5, 0.3, 0.2]]])
    at = np.eye(3)[np.newaxis] / p_star - 1.0
    g = subgradient(Within(), at, p_star)
    for towards in range(3):
        other = at[:, [towards]]
        assert (Linf()(other) + 1e-4 >= Linf()(at) + (g * (other - at)).sum(axis=-1)).all()


def test_worked_examples():
    assert Linf().subgradient(np.array([0.2, 0.5, -0.7])).tolist() == [0.0, 1.0, 0.0]
    # One class of those that tie: a mean still moves.
    assert Linf().subgradient(np.zeros(3)).tolist() == [1.0, 0.0, 0.0]
    assert Lk("2").subgradient(np.zeros(3)).tolist() == [1.0, 0.0, 0.0]
    assert Lk("2").subgradient(np.array([0.3, 0.4, -0.7])) == pytest.approx([0.6, 0.8, 0.0])
    tv = TotalVariation().for_reference(np.array([0.5, 0.3, 0.2]))
    assert tv.subgradient(np.array([0.2, 0.0, -0.5])) == pytest.approx([0.25, 0.0, -0.1])
