"""Volatility of contexts and of thoughts, of one model and of two: exact examples, what always holds, and intervals."""

import numpy as np
import pytest
from bvf_texts.stats.thoughts import AfterThoughts
from bvf_texts.thought import share_of_other_class
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student

from bvf.builtin.criteria import Direction, Linf, Lk, TotalVariation
from bvf.hooks.loader import load
from bvf.stats.comparing.comparison import differences
from bvf.stats.sampling.sampled_risk import sampled_risk
from bvf.stats.sampling.samples import ContextSample

CONVEX = [
    Linf(),
    Lk("2"),
    Direction("1", 1),
    TotalVariation(),
    *map(load().criteria.make, ("kl", "js", "chi2", "hellinger")),
]


def after(p, criterion=None, sample=None, p_star=None):
    p = np.asarray(p, dtype=float)
    p_star = np.full((len(p), 1, p.shape[3]), 1 / p.shape[3]) if p_star is None else p_star
    sample = sample or ContextSample(np.ones(p.shape[1]))
    return sampled_risk(AfterThoughts(p, p_star), criterion or Linf(), sample)


def two_classes(leans):
    """p of shape (X, C, K, 2) with 2 p - 1 of the first class as given."""
    leans = np.asarray(leans, dtype=float)
    return np.stack([(1 + leans) / 2, (1 - leans) / 2], axis=-1)


def test_an_example_by_hand():
    """Two contexts, two thoughts: |.| is 0.8, 0.2; 0.4, 0.2, the means of contexts are 0.3 and -0.1, and of all 0.1."""
    p = two_classes([[[0.8, -0.2], [-0.4, 0.2]]])
    found = after(p)
    R, R_bias, R_volatility = (float(each) for each in found.risk.values(found.group_weights))
    assert (R, R_bias, R_volatility) == pytest.approx((0.4, 0.1, 0.3))
    parts = [float(each.values(found.group_weights)[2]) for each in (found.between, found.within)]
    assert parts == pytest.approx([0.1, 0.2])
    estimate = found.within.estimates(found.group_weights, 0.95).rest
    assert float(estimate.cross_fit) == pytest.approx(0.4 - ((-0.8 - 0.2) / 2 + (-0.4 - 0.2) / 2) / 2)
    answers = AfterThoughts(p, np.full((1, 1, 2), 0.5))
    assert share_of_other_class(answers, np.full((1, 2), 0.5), np.ones(1)) == 0.5


@pytest.mark.parametrize("criterion", CONVEX, ids=lambda J: type(J).__name__)
@given(
    seed=st.integers(0, 10**6),
    shape=st.tuples(st.integers(1, 3), st.integers(2, 5), st.integers(2, 5), st.integers(2, 4)),
)
def test_both_parts_are_never_negative_and_sum_to_r_v(criterion, seed, shape):
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(np.full(shape[3], 0.7), shape[:3]) * 0.98 + 0.02 / shape[3]
    p_star = rng.dirichlet(np.full(shape[3], 5.0), (shape[0], 1)) * 0.9 + 0.1 / shape[3]
    found = after(p, criterion, p_star=p_star)
    each = np.eye(shape[0])
    whole, between, within = (part.values(each)[2] for part in (found.risk, found.between, found.within))
    assert (between >= -1e-12).all()
    assert (within >= -1e-12).all()
    assert between + within == pytest.approx(whole, abs=1e-9)
    above = found.within.above.values(each)[0]
    assert (above >= within - 1e-12).all()  # the cross-fit estimate of J of the mean is never above the plug-in one
    plain = criterion.for_reference(p_star)
    s = p / p_star[:, :, np.newaxis] - 1
    r = np.array([np.mean(plain(s.reshape(shape[0], -1, shape[3])), axis=1)]).ravel() / found.divisor
    assert found.risk.values(each)[0] == pytest.approx(r, abs=1e-9)


def test_cross_fit_errs_to_the_other_side_than_plug_in_and_by_nothing_at_the_kink():
    """A fair model, whose thoughts lean by 0.5: of 4 thoughts the mean leans by 0.19, and cross-fit by 0 on average."""
    leans = np.random.default_rng(0).choice([-0.5, 0.5], (40, 100, 4))
    found = after(two_classes(leans))
    estimate = found.within.estimates(found.group_weights, 0.95).rest
    assert float(estimate.value) == pytest.approx(0.5 - 0.1875, abs=0.01)
    assert float(estimate.cross_fit) == pytest.approx(0.5, abs=4 * 0.395 / np.sqrt(4000))
    assert float(estimate.low) < 0.5 < float(estimate.high)


def test_thoughts_without_any_difference_are_as_no_thoughts():
    p = two_classes(np.random.default_rng(1).uniform(-0.9, 0.9, (3, 20, 1)).repeat(3, axis=2))
    found, plain = after(p), sampled_risk(p[:, :, 0], Linf(), ContextSample(np.ones(20)))
    for part in ("risk", "shared", "particular"):
        one, other = (getattr(each, part).estimates(found.group_weights, 0.95) for each in (found, plain))
        for name in ("total", "of_mean", "rest"):
            for end in ("value", "low", "high"):
                assert getattr(getattr(one, name), end) == pytest.approx(getattr(getattr(other, name), end), abs=1e-9)
    assert found.within.values(found.group_weights)[2] == pytest.approx(0.0, abs=1e-12)


def test_repeated_contexts_have_the_noise_of_their_thoughts():
    """Ten contexts drawn 20 times each, alike but for thoughts: without their noise the interval would be too short."""
    leans = 0.5 + np.random.default_rng(2).normal(0, 0.1, (1, 10, 4))
    often = after(two_classes(leans), sample=ContextSample(np.full(10, 20.0))).risk
    once = after(two_classes(leans)).risk
    ends = [each.estimates(np.ones(1), 0.95).total for each in (often, once)]
    widths = [float(each.high - each.low) for each in ends]
    assert widths[0] > 0.6 * widths[1]
    assert float(often.noise(np.ones(1))[0]) == pytest.approx(np.sqrt(leans.var(axis=2, ddof=1).mean() / 40), rel=0.1)


def test_the_share_between_models_of_known_distribution_is_found():
    """Half of the thoughts lean by 0.8 and half by -0.4: r^v of thoughts is 0.6 - 0.2, that of contexts 0."""
    leans = np.where(np.random.default_rng(3).random((30, 60, 16)) < 0.5, 0.8, -0.4)
    found = after(two_classes(leans))
    for part, truth in ((found.between, 0.0), (found.within, 0.4)):
        estimate = part.estimates(found.group_weights, 0.95).rest
        assert float(estimate.low) <= truth <= float(estimate.high)
        assert float(estimate.value) == pytest.approx(truth, abs=0.05)


def apart(one, other, part):
    """How two models differ in a part of their volatility, over templates."""
    sample = ContextSample(np.ones(one.shape[1]), "template")
    first, second = (getattr(after(two_classes(leans), sample=sample), part) for leans in (one, other))
    return differences(first, second, np.full(len(one), 1 / len(one)), 0.95).rest


def brackets(leans):
    """The volatility of thoughts in each context by the mean of all K, and by the means of all others, shape (C,)."""
    others = (leans.sum(axis=2, keepdims=True) - leans) / (leans.shape[2] - 1)
    judged = np.abs(leans).mean(axis=2)
    crossed = np.minimum((np.sign(others) * leans).mean(axis=2), np.abs(leans.mean(axis=2)))
    return (judged - np.abs(leans.mean(axis=2))).mean(axis=0), (judged - crossed).mean(axis=0)


def test_the_difference_of_volatilities_of_thoughts_is_that_of_means_over_contexts():
    """The interval reaches from the lowest of one less the highest of the other, by a paired t test over contexts.

    What the highest ones vary more than the lowest comes from thoughts, and is independent between models.
    """
    rng = np.random.default_rng(0)
    one, other = rng.uniform(-0.9, 0.9, (3, 40, 4)), rng.uniform(-0.4, 0.6, (3, 40, 4))
    found = apart(one, other, "within")
    (low, high), (their_low, their_high) = brackets(one), brackets(other)
    each = low - their_low
    assert float(found.value) == pytest.approx(each.mean())
    more = sum(max(a.var(ddof=1) - b.var(ddof=1), 0.0) for a, b in ((high, low), (their_high, their_low)))
    half = student.ppf(0.975, 39) * np.sqrt((each.var(ddof=1) + more) / 40)
    ends = (low - their_high).mean() - half, (high - their_low).mean() + half
    assert (float(found.low), float(found.high)) == pytest.approx(ends, abs=0.1 * half)
    assert (float(found.low) < 0.0 < float(found.high)) == (float(found.p_value) > 0.05)
    back = apart(other, one, "within")
    assert [float(getattr(back, name)) for name in ("value", "low", "high", "p_value")] == pytest.approx(
        [-float(found.value), -float(found.high), -float(found.low), float(found.p_value)]
    )


def test_parts_that_differ_without_noise_are_found_and_sum_to_the_difference_of_r_v():
    """Half of one model's contexts lean by 0.5 and half by -0.5; half of the other's thoughts do, in each context."""
    sides = np.where(np.arange(40) % 2, 0.5, -0.5)
    contexts, thoughts = np.tile(sides[:, np.newaxis], (2, 1, 8)), np.tile(sides[:8], (2, 40, 1))
    between, within = (apart(contexts, thoughts, part) for part in ("between", "within"))
    assert (float(between.value), float(within.value)) == pytest.approx((0.5, -0.5))
    assert 0.0 < float(between.low) <= 0.5 <= float(between.high)
    assert float(within.low) <= -0.5 <= float(within.high) < 0.0
    assert max(float(between.p_value), float(within.p_value)) < 0.01


def test_intervals_hold_where_few_thoughts_err_by_more_in_one_model_than_in_the_other():
    """Thoughts move both models by 0.4: one around 0, where 4 of them err by 0.15, the other around 0.35 or -0.35."""
    held = {"between": 0, "within": 0}
    for seed in range(40):
        rng = np.random.default_rng(seed)
        means = rng.choice([-0.35, 0.35], (6, 30, 1))
        moved = rng.choice([-0.4, 0.4], (2, 6, 30, 4))
        for part, truth in (("between", 0.0 - 0.35), ("within", 0.4 - 0.05)):
            found = apart(moved[0], means + moved[1], part)
            held[part] += float(found.low) <= truth <= float(found.high)
    assert min(held.values()) >= 38
