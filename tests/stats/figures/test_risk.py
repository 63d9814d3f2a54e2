"""The worked examples, and what must hold for any probabilities; what groups share and what sets them apart."""

import numpy as np
import pytest
from helpers.sampled import DIVERGENCES, distributions, of_first
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import bvf
from bvf.builtin.criteria import Direction, KullbackLeibler, Linf, Lk, ReleasedA, TotalVariation, knowledge, released
from bvf.stats.figures.probabilities import among_candidates, class_probabilities
from bvf.stats.figures.risk import decompose_risk

CONVEX = [Linf(), Lk("1"), Lk("2"), Lk("7"), Direction("1", 1), *DIVERGENCES]
SUBLINEAR = [Linf(), Lk("1"), Lk("2"), Lk("5"), Direction("1", 1), TotalVariation()]


@st.composite
def probabilities(draw, least_groups=1):
    shape = draw(st.integers(least_groups, 4)), draw(st.integers(1, 5)), draw(st.integers(2, 5))
    return distributions(draw, shape)


@st.composite
def cases(draw, least_groups=1):
    """Probabilities, weights of contexts and groups, and p* by group."""
    p = draw(probabilities(least_groups))
    groups, contexts = (draw(arrays(np.float64, n, elements=st.floats(0.01, 1.0))) for n in p.shape[:2])
    p_star = 0.9 * distributions(draw, (p.shape[0], p.shape[2])) + 0.1 / p.shape[2]
    return p, contexts, groups, p_star


@given(arrays(np.float64, st.integers(1, 6), elements=st.floats(0.0, 1.0)))
def test_measures_of_older_papers_are_r_and_half_of_r_bias(p_first):
    risk = decompose_risk([np.stack([p_first, 1 - p_first], axis=1)], Linf())
    deviation, system_bias = np.abs(p_first - 0.5).mean() / 0.5, p_first.mean() - 0.5
    assert pytest.approx(deviation, abs=1e-9) == risk.R
    assert pytest.approx(abs(system_bias), abs=1e-9) == risk.R_bias / 2


def test_raw_scale_is_eq_1_and_2_as_written():
    certain = np.zeros((1, 2, 5))
    certain[:, :, 3] = 1.0
    assert pytest.approx(4.0) == bvf.decompose(certain, scale="raw").R
    assert pytest.approx(1.0) == bvf.decompose(certain, scale="unit").R


def test_one_divisor_keeps_the_order_of_groups_and_is_the_mean_over_groups_by_their_weights():
    """r is 4 and 0.8 as Eq. 1 and 2 have it; the stereotyped model has 49 and 1, on average 25."""
    given = {"probabilities": of_first([[0.9], [0.9]]), "reference": [[0.98, 0.02], [0.5, 0.5]]}
    raw, unit = bvf.decompose(**given, scale="raw"), bvf.decompose(**given)
    assert raw.r == pytest.approx([4.0, 0.8])
    assert unit.r == pytest.approx([4.0 / 25, 0.8 / 25])
    assert (raw.divisor, unit.divisor) == (1.0, pytest.approx(25.0))
    assert bvf.decompose(**given, group_weights=[1, 3]).divisor == pytest.approx((49.0 + 3 * 1.0) / 4)


def test_the_mean_over_groups_and_contexts_as_reference():
    p = of_first([[0.9, 0.5], [0.6, 0.4]])
    weights = {"context_weights": [3, 1], "group_weights": [1, 3]}
    mean = 0.25 * (0.75 * 0.9 + 0.25 * 0.5) + 0.75 * (0.75 * 0.6 + 0.25 * 0.4)
    by_name = bvf.decompose(p, reference="mean", **weights)
    by_hand = bvf.decompose(p, reference=[mean, 1 - mean], **weights)
    assert by_name.r == pytest.approx(by_hand.r)
    assert by_name.divisor == pytest.approx(1 / (1 - mean) - 1)


def test_rounding_is_none_of_the_volatility_however_large_the_risk_is():
    p = [[[1 - 1e-3, 1e-3]] * 7]
    risk = bvf.decompose(p, reference=[1 - 1e-9, 1e-9], scale="raw", context_weights=[1, 2, 3, 5, 7, 11, 13])
    assert risk.R > 1e5
    assert risk.R_volatility == 0.0


@given(cases())
def test_risk_is_never_below_bias_for_convex_criteria(case):
    p, weights, _, p_star = case
    for criterion in CONVEX:
        risk = decompose_risk(p, criterion, context_weights=weights, reference=p_star)
        assert (risk.r_volatility >= -1e-9).all()
        assert pytest.approx(risk.R_bias + risk.R_volatility) == risk.R


@given(probabilities())
def test_the_formula_for_uniform_references_has_no_negative_volatility(p):
    assert (decompose_risk(p, ReleasedA()).r_volatility >= 0).all()


@given(cases())
def test_volatility_is_exactly_zero_where_only_rounding_is_left(case):
    p, weights, _, p_star = case
    constant = np.repeat(p[:, :1], p.shape[1], axis=1)
    for criterion in CONVEX:
        risk = decompose_risk(constant, criterion, context_weights=weights, reference=p_star)
        assert risk.r_volatility.tolist() == [0.0] * len(p)
        assert risk.R_volatility == 0.0


@given(cases())
def test_unit_scale_gives_one_to_the_stereotyped_model(case):
    p, weights, _, p_star = case
    certain = np.zeros_like(p)
    certain[np.arange(len(p)), :, p_star.argmin(axis=1)] = 1.0
    for criterion in (Linf(), Lk("1"), Lk("3")):
        risk = decompose_risk(certain, criterion, context_weights=weights, reference=p_star)
        assert (risk.R, risk.R_bias) == (pytest.approx(1.0), pytest.approx(1.0))


def test_lk_tends_to_linf():
    s = np.array([1.5, 0.7, -0.2, -1.0])
    assert Lk("1")(s) == pytest.approx(2.2)
    assert Lk("2")(s) == pytest.approx(np.hypot(1.5, 0.7))
    assert Lk("400")(s) == pytest.approx(Linf()(s))


def test_released_a_counts_anti_stereotypes():
    assert released("a")([0.0, 0.0, -1.0, 0.5, 0.5]) == pytest.approx(0.25)
    assert released("a")([0.2, -0.2]) == pytest.approx(Linf()([0.2, -0.2]))


RELEASED_MALE = [[0.58, 0.47, 0.34, 0.57], [0.47, 0.47, 0.93, 0.90], [0.70, 0.19, 0.58, 0.44], [0.33, 0.61, 0.43, 0.44]]
RELEASED_WEIGHTS = {"context_weights": [0.4, 0.3, 0.2, 0.1], "group_weights": [0.45, 0.35, 0.15, 0.05]}


def test_the_example_of_the_released_code():
    """Its matrix and weights; the values worked out by hand from |2p - 1| and the weighted means of p."""
    p = of_first(RELEASED_MALE)
    for criterion in ("released:a", "linf"):
        a = bvf.decompose(p, criterion=criterion, **RELEASED_WEIGHTS)
        assert a.r == pytest.approx([0.16, 0.294, 0.39, 0.242])
        assert a.r_bias == pytest.approx([0.004, 0.21, 0.006, 0.11])
        assert (a.R, a.R_bias, a.R_volatility) == pytest.approx((0.2455, 0.0817, 0.1638))
    b = bvf.decompose(p, criterion="released:b", **RELEASED_WEIGHTS)
    assert b.r == pytest.approx([0.082, 0.252, 0.198, 0.176])
    assert b.r_bias == pytest.approx([0.004, 0.21, 0.006, 0.11])
    assert b.r_volatility == pytest.approx(a.r_volatility / 2)


def test_the_logarithm_is_concave_down_to_the_smallest_probabilities():
    p = np.concatenate([[0.0], np.geomspace(1e-12, 1.0, 2001)])
    slopes = np.diff(knowledge("log")(p)) / np.diff(p)
    assert (np.diff(slopes) < 0).all()
    assert knowledge("log")([0.0, 1e-6, 1.0]) == pytest.approx([0.0, np.log(2) / np.log(1e6 + 1), 1.0])


def test_shares_among_candidates_by_hand():
    p = np.array([[[0.5, 0.3, 0.2], [0.0, 1.0, 0.0]]])
    shares = among_candidates(p, np.array([[True, False, True]]))
    assert shares[0, 0] == pytest.approx([0.5 / 0.7, 0.0, 0.2 / 0.7])
    assert np.isnan(shares[0, 1]).all()


def test_class_probabilities_are_eq_8_and_a_prompt_without_any_mass_is_missing_and_not_fair():
    logp, class_of_word = np.log([[0.1, 0.3, 0.2], [0.02, 0.01, 0.01]]), np.array([0, 0, 1])
    p = class_probabilities(logp, class_of_word, 2)
    assert p == pytest.approx(np.array([[4 / 6, 2 / 6], [0.75, 0.25]]))
    assert class_probabilities(logp + np.array([[700.0], [-900.0]]), class_of_word, 2) == pytest.approx(p)
    assert np.isnan(class_probabilities(np.full((1, 3), -np.inf), class_of_word, 2)).all()


FAIR = [[[0.5, 0.5]]]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"probabilities": [[0.5, 0.5]]}, "shape"),
        ({"probabilities": [[[0.5, 0.6]]]}, "do not sum to 1"),
        ({"probabilities": [[[1.5, -0.5]]]}, "negative"),
        ({"context_weights": [-1.0]}, "context weights"),
        ({"context_weights": [np.nan]}, "context weights"),
        ({"group_weights": [0.0]}, "group weights"),
        ({"reference": [0.0, 1.0]}, "reference"),
        ({"reference": [0.2, 0.3, 0.5]}, "reference"),
        ({"probabilities": [[[np.nan, np.nan]]]}, "no context"),
        ({"reference": "employment"}, 'no reference "employment"'),
        ({"probabilities": [[[1.0, 0.0]]], "reference": "mean"}, "not above 0"),
        ({"reference": [0.4, 0.6], "criterion": "released:a"}, "uniform p"),
        ({"probabilities": [FAIR[0] * 2], "reference": [[[0.4, 0.6], [0.5, 0.5]]], "criterion": "kl"}, "context"),
        ({"criterion": "kl:2"}, "takes no parameter"),
        ({"criterion": "linff"}, "linff"),
        ({"criterion": "lk:0"}, "lk"),
        ({"criterion": "lk"}, "needs a parameter"),
        ({"criterion": "direction:male"}, "male"),
        ({"criterion": "released:c"}, "released"),
    ],
)
def test_wrong_input_is_one_line(given, message):
    with pytest.raises(bvf.BvfError, match=message):
        bvf.decompose(**{"probabilities": FAIR, **given})


def test_an_exponent_of_knowledge_is_checked():
    with pytest.raises(bvf.BvfError, match="exponent"):
        knowledge("power=2")


def test_parts_worked_out_by_hand():
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


def test_parts_where_groups_differ_from_context_to_context_alone():
    """s is .8, 0 and .4, .4; the mean .6, .2; the rest .2, -.2 and -.2, .2."""
    parts = bvf.decompose(of_first([[0.9, 0.5], [0.7, 0.7]])).parts
    assert (parts.shared, parts.shared_bias, parts.shared_volatility) == pytest.approx((0.4, 0.4, 0.0))
    assert (parts.particular, parts.particular_bias, parts.particular_volatility) == pytest.approx((0.2, 0.0, 0.2))


@given(cases(least_groups=2))
def test_the_two_together_are_never_below_the_risk(case):
    p, contexts, groups, p_star = case
    for criterion in SUBLINEAR:
        weights = {"context_weights": contexts, "group_weights": groups}
        risk = decompose_risk(p, criterion, **weights, reference=p_star, scale="raw")
        assert risk.parts.shared + risk.parts.particular + 1e-9 * risk.R + 1e-9 >= risk.R
        assert risk.R_bias <= risk.parts.shared_bias + risk.parts.particular_bias + 1e-9 * risk.R + 1e-9
        assert min(risk.parts.shared_volatility, risk.parts.particular_volatility) >= 0


@given(cases(least_groups=2), st.data())
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


@given(cases(least_groups=2))
def test_all_is_shared_where_groups_are_equal(case):
    p, contexts, groups, p_star = case
    same = np.repeat(p[:1], len(p), axis=0)
    for criterion in SUBLINEAR:
        risk = decompose_risk(same, criterion, context_weights=contexts, group_weights=groups, reference=p_star[0])
        assert risk.parts.shared == pytest.approx(risk.R)
        assert risk.parts.shared_bias == pytest.approx(risk.R_bias)
        assert risk.parts.particular == pytest.approx(0.0, abs=1e-12)


@given(cases(least_groups=2))
def test_nothing_is_shared_where_the_mean_over_groups_is_the_reference(case):
    p, contexts, groups, _ = case
    balanced = np.concatenate([np.roll(p, shift, axis=2) for shift in range(p.shape[2])])
    weights = np.tile(groups, p.shape[2])
    for criterion in SUBLINEAR:
        risk = decompose_risk(balanced, criterion, context_weights=contexts, group_weights=weights)
        assert risk.parts.shared == pytest.approx(0.0, abs=1e-12)
        assert risk.parts.particular == pytest.approx(risk.R)
        assert risk.parts.x_particular == pytest.approx(risk.r)


@given(cases(least_groups=2), st.randoms(use_true_random=False))
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
