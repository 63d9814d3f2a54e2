"""Parts of the volatility of two models that think: by hand, by a plain computation, and how often intervals hold."""

import numpy as np
import pytest
from bvf_texts.stats.thoughts import AfterThoughts
from scipy.stats import t as student

from bvf.builtin.criteria import Linf
from bvf.stats.comparing.comparison import differences
from bvf.stats.sampling.sampled_risk import sampled_risk
from bvf.stats.sampling.samples import ContextSample


def thinks(leans, sample):
    """A model of two classes, with 2 p - 1 of the first after each thought, shape (X, C, K)."""
    p = np.stack([(1 + leans) / 2, (1 - leans) / 2], axis=-1)
    return sampled_risk(AfterThoughts(p, np.full((len(p), 1, 2), 0.5)), Linf(), sample)


def apart(one, other, part, sample):
    first, second = (getattr(thinks(leans, sample), part) for leans in (one, other))
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
    sample = ContextSample(np.ones(40), "template")
    found = apart(one, other, "within", sample)
    (low, high), (their_low, their_high) = brackets(one), brackets(other)
    each = low - their_low
    assert float(found.value) == pytest.approx(each.mean())
    more = sum(max(a.var(ddof=1) - b.var(ddof=1), 0.0) for a, b in ((high, low), (their_high, their_low)))
    half = student.ppf(0.975, 39) * np.sqrt((each.var(ddof=1) + more) / 40)
    ends = (low - their_high).mean() - half, (high - their_low).mean() + half
    assert (float(found.low), float(found.high)) == pytest.approx(ends, abs=0.1 * half)
    assert (float(found.low) < 0.0 < float(found.high)) == (float(found.p_value) > 0.05)
    back = apart(other, one, "within", sample)
    assert [float(getattr(back, name)) for name in ("value", "low", "high", "p_value")] == pytest.approx(
        [-float(found.value), -float(found.high), -float(found.low), float(found.p_value)]
    )


def test_parts_that_differ_without_noise_are_found_and_sum_to_the_difference_of_r_v():
    """Half of one model's contexts lean by 0.5 and half by -0.5; half of the other's thoughts do, in each context."""
    sides = np.where(np.arange(40) % 2, 0.5, -0.5)
    contexts, thoughts = np.tile(sides[:, np.newaxis], (2, 1, 8)), np.tile(sides[:8], (2, 40, 1))
    sample = ContextSample(np.ones(40), "template")
    between, within = (apart(contexts, thoughts, part, sample) for part in ("between", "within"))
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
        sample = ContextSample(np.ones(30), "template")
        for part, truth in (("between", 0.0 - 0.35), ("within", 0.4 - 0.05)):
            found = apart(moved[0], means + moved[1], part, sample)
            held[part] += float(found.low) <= truth <= float(found.high)
    assert min(held.values()) >= 38
