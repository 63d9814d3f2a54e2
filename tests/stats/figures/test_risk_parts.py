"""What groups share and what sets them apart, the spread, and who changes sides."""

import numpy as np
import pytest
from helpers.sampled import distributions, of_first
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import bvf
from bvf.builtin.criteria import Direction, KullbackLeibler, Linf, Lk, TotalVariation
from bvf.stats.figures.risk import decompose_risk

SUBLINEAR = [Linf(), Lk("1"), Lk("2"), Lk("5"), Direction("1", 1), TotalVariation()]


@st.composite
def cases(draw):
    """Probabilities, weights of contexts and groups, and p* by group."""
    shape = (draw(st.integers(2, 4)), draw(st.integers(1, 4)), draw(st.integers(2, 4)))
    contexts = draw(arrays(np.float64, shape[1], elements=st.floats(0.01, 1.0)))
    groups = draw(arrays(np.float64, shape[0], elements=st.floats(0.01, 1.0)))
    p_star = 0.9 * distributions(draw, (shape[0], shape[2])) + 0.1 / shape[2]
    return distributions(draw, shape), contexts, groups, p_star


def test_an_example_worked_out_by_hand():
    """s of the first class is .8, .2 and .4, -.6; the mean over groups .6 and -.2; J is the absolute value."""
    risk = bvf.decompose(of_first([[0.9, 0.6], [0.7, 0.2]]), context_weights=[3, 1])
    assert (risk.R, risk.R_bias, risk.R_volatility) == pytest.approx((0.55, 0.4, 0.15))
    parts = risk.parts
    assert (parts.shared, parts.shared_bias, parts.shared_volatility) == pytest.approx((0.5, 0.4, 0.1))
    assert (parts.particular, parts.particular_bias) == pytest.approx((0.25, 0.25))
    assert parts.particular_volatility == 0.0
    assert parts.x_particular == pytest.approx([0.25, 0.25])
    assert risk.changes_sides.tolist() == [False, True]
    assert risk.spread == pytest.approx([np.sqrt(0.016875), np.sqrt(0.046875)])


def test_an_example_in_which_groups_differ_from_context_to_context_alone():
    """s is .8, 0 and .4, .4; the mean .6, .2; the rest .2, -.2 and -.2, .2."""
    parts = bvf.decompose(of_first([[0.9, 0.5], [0.7, 0.7]])).parts
    assert (parts.shared, parts.shared_bias, parts.shared_volatility) == pytest.approx((0.4, 0.4, 0.0))
    assert (parts.particular, parts.particular_bias, parts.particular_volatility) == pytest.approx((0.2, 0.0, 0.2))


@given(cases())
def test_the_two_together_are_never_below_the_risk(case):
    p, contexts, groups, p_star = case
    for criterion in SUBLINEAR:
        weights = {"context_weights": contexts, "group_weights": groups}
        risk = decompose_risk(p, criterion, **weights, reference=p_star, scale="raw")
        assert risk.parts.shared + risk.parts.particular + 1e-9 * risk.R + 1e-9 >= risk.R
        assert risk.R_bias <= risk.parts.shared_bias + risk.parts.particular_bias + 1e-9 * risk.R + 1e-9
        assert min(risk.parts.shared_volatility, risk.parts.particular_volatility) >= 0


@given(cases(), st.data())
def test_particular_risk_is_at_most_1_even_if_each_group_is_certain_of_a_class_of_its_own(case, data):
    p, contexts, groups, p_star = case
    certain = np.eye(p.shape[2])[data.draw(arrays(np.intp, p.shape[:2], elements=st.integers(0, p.shape[2] - 1)))]
    for criterion in SUBLINEAR:
        for reference in (None, p_star[0], p_star):
            weights = {"context_weights": contexts, "group_weights": groups}
            parts = decompose_risk(certain, criterion, **weights, reference=reference).parts
            assert max(parts.particular, parts.particular_bias) <= 1 + 1e-9


def test_half_the_groups_certain_of_either_class_is_a_particular_risk_of_1():
    parts = bvf.decompose(of_first([[1.0], [0.0]])).parts
    assert (parts.particular, parts.particular_bias, parts.particular_divisor) == pytest.approx((1.0, 1.0, 1.0))


def test_a_class_that_p_star_expects_can_set_groups_apart_by_more_than_the_risk_of_any_model():
    """One group always says A, the other never: .5 / .9 each way, where J of certainty is 1 / .9 - 1."""
    parts = decompose_risk(of_first([[1.0], [0.0]]), Direction("0", 0), reference=[0.9, 0.1]).parts
    assert parts.particular_divisor == pytest.approx(0.25 / 0.9)
    assert parts.particular == pytest.approx(1.0)


@given(cases())
def test_all_is_shared_where_groups_are_equal(case):
    p, contexts, groups, p_star = case
    same = np.repeat(p[:1], len(p), axis=0)
    for criterion in SUBLINEAR:
        risk = decompose_risk(same, criterion, context_weights=contexts, group_weights=groups, reference=p_star[0])
        assert risk.parts.shared == pytest.approx(risk.R)
        assert risk.parts.shared_bias == pytest.approx(risk.R_bias)
        assert risk.parts.particular == pytest.approx(0.0, abs=1e-12)


@given(cases())
def test_nothing_is_shared_where_the_mean_over_groups_is_the_reference(case):
    p, contexts, groups, _ = case
    balanced = np.concatenate([np.roll(p, shift, axis=2) for shift in range(p.shape[2])])
    weights = np.tile(groups, p.shape[2])
    for criterion in SUBLINEAR:
        risk = decompose_risk(balanced, criterion, context_weights=contexts, group_weights=weights)
        assert risk.parts.shared == pytest.approx(0.0, abs=1e-12)
        assert risk.parts.particular == pytest.approx(risk.R)
        assert risk.parts.x_particular == pytest.approx(risk.r)


@given(cases(), st.randoms(use_true_random=False))
def test_order_of_groups_contexts_and_classes_does_not_matter(case, random):
    p, contexts, groups, p_star = case
    x, c, y = (random.sample(range(n), n) for n in p.shape)
    before, after = (
        decompose_risk(each, Lk("2"), context_weights=of_contexts, group_weights=of_groups, reference=reference)
        for each, of_contexts, of_groups, reference in (
            (p, contexts, groups, p_star),
            (p[np.ix_(x, c, y)], contexts[c], groups[x], p_star[np.ix_(x, y)]),
        )
    )
    assert after.parts.shared == pytest.approx(before.parts.shared)
    assert after.parts.x_particular == pytest.approx(before.parts.x_particular[x])
    assert after.divisor == pytest.approx(before.divisor)
    assert after.changes_sides.tolist() == before.changes_sides[x].tolist()


def test_both_are_on_the_scale_of_the_risk():
    p = of_first([[0.9], [0.2]])
    reference = [[0.8, 0.2], [0.5, 0.5]]
    raw, unit = (bvf.decompose(p, reference=reference, scale=scale) for scale in ("raw", "unit"))
    assert raw.parts.shared == pytest.approx(unit.parts.shared * unit.divisor)
    assert raw.parts.x_particular == pytest.approx(unit.parts.x_particular * unit.parts.particular_divisor)


def test_what_is_shared_is_a_lean_of_probabilities_where_references_differ_between_groups():
    """p - p* is .2 and .4, on average .3: as stereotypes .3/.5 and .3/.25; what is left of each is .1."""
    p, p_star = of_first([[0.7], [0.65]]), of_first([0.5, 0.25])
    risk = bvf.decompose(p, reference=p_star, scale="raw")
    assert risk.parts.shared == pytest.approx((0.6 + 1.2) / 2)
    assert risk.parts.x_particular == pytest.approx([0.1 / 0.5, 0.1 / 0.25])
    assert risk.parts.x_apart == pytest.approx(np.array([[-0.1, 0.1], [0.1, -0.1]]))
    tv = bvf.decompose(p, reference=p_star, criterion="tv", scale="raw")
    assert (tv.parts.shared, tv.parts.particular) == pytest.approx((0.3, 0.1))


def test_a_missing_context_sets_no_equal_groups_apart_and_a_group_without_weight_shares_nothing():
    assert bvf.decompose(of_first([[0.9, 0.6], [0.9, np.nan]])).parts.x_apart == pytest.approx(np.zeros((2, 2)))
    p = of_first([[0.9], [0.7], [0.1]])
    with_it, without = bvf.decompose(p, group_weights=[1, 1, 0]), bvf.decompose(p[:2])
    assert with_it.parts.shared == pytest.approx(without.parts.shared)
    assert with_it.parts.particular == pytest.approx(without.parts.particular)


@pytest.mark.parametrize(
    "undefined",
    [
        lambda: bvf.decompose(of_first([[0.9]])),
        lambda: bvf.decompose(of_first([[0.9], [0.2]]), group_weights=[1, 0]),
        lambda: decompose_risk(of_first([[0.9], [0.2]]), KullbackLeibler()),
        lambda: bvf.decompose(of_first([[0.9], [0.2]]), criterion="released:b"),
    ],
)
def test_undefined_is_not_zero(undefined):
    assert undefined().parts is None


def test_the_spread_is_that_of_the_attribute_that_leads_on_average():
    p = [[[0.7, 0.2, 0.1], [0.3, 0.6, 0.1]]]
    assert bvf.decompose(p).spread == pytest.approx([0.2])
    assert bvf.decompose(p, context_weights=[1, 9]).spread == pytest.approx([np.sqrt(0.1 * 0.36**2 + 0.9 * 0.04**2)])


@pytest.mark.parametrize(
    ("p", "weights", "changes"),
    [
        ([[0.6, 0.4], [0.9, 0.1]], None, False),
        ([[0.6, 0.4], [0.5, 0.5]], None, False),
        ([[0.6, 0.4], [0.4, 0.6]], None, True),
        ([[0.6, 0.4], [0.4, 0.6]], [1, 0], False),
        ([[0.5, 0.5], [0.5, 0.5]], None, False),
        ([[0.4, 0.4, 0.2], [0.2, 0.4, 0.4]], None, False),
        ([[0.4, 0.4, 0.2], [0.4, 0.2, 0.4], [0.2, 0.4, 0.4]], None, True),
        ([[0.6, 0.4], [np.nan, np.nan], [0.9, 0.1]], None, False),
    ],
)
def test_a_group_changes_sides_where_no_class_leads_in_every_context_that_counts(p, weights, changes):
    risk = bvf.decompose([p], context_weights=weights)
    assert risk.changes_sides.tolist() == [changes]
    assert (risk.R_volatility > 0) == changes
