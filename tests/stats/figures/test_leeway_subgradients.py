"""Subgradients of criteria: what makes them that, and the numerical ones beside them."""

import numpy as np
import pytest
from helpers.sampled import CONVEX
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from bvf.builtin.criteria import Direction, Linf, Lk, ReleasedB, TotalVariation
from bvf.interfaces.criterion import Criterion
from bvf.stats.figures.leeway import subgradient

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
def stereotypes(draw, least=0.0):
    """Two lists of stereotypes, shape (X, N, Y), and p*, shape (X, 1, Y); probabilities may be 0."""
    X, N, Y = draw(st.integers(1, 2)), draw(st.integers(1, 3)), draw(st.integers(2, 4))
    p_star = distributions(draw, (X, 1, Y), 0.05)
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


@pytest.mark.parametrize(
    "J", [Linf(), Lk("1"), Lk("2"), Direction("1", 1), TotalVariation()], ids=lambda J: str(type(J))
)
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


@given(case=stereotypes())
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
    assert Linf().subgradient(np.zeros(3)).tolist() == [
        1.0,
        0.0,
        0.0,
    ]  # one class of those that tie: a mean still moves
    assert Lk("2").subgradient(np.zeros(3)).tolist() == [1.0, 0.0, 0.0]
    assert Lk("2").subgradient(np.array([0.3, 0.4, -0.7])) == pytest.approx([0.6, 0.8, 0.0])
    tv = TotalVariation().for_reference(np.array([0.5, 0.3, 0.2]))
    assert tv.subgradient(np.array([0.2, 0.0, -0.5])) == pytest.approx([0.25, 0.0, -0.1])
