"""Intervals of R, R^b and R^v: worked examples, plain loops beside the fast path, what must hold for any numbers."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.sampled import CONVEX, DIVERGENCES, UNITS, cases, of_unit, off_kinks, risk_of, two_classes
from hypothesis import given
from hypothesis import strategies as st

from bvf.builtin.criteria import Linf, Lk, ReleasedB
from bvf.errors import BvfError
from bvf.interfaces.criterion import Criterion
from bvf.stats.figures.risk import decompose_risk
from bvf.stats.sampling.sampled_risk import sampled_risk
from bvf.stats.sampling.samples import SPLITS, ContextSample

ROUNDING = 1e-9
QUANTITIES = ("total", "of_mean", "rest")


class Excess(Criterion):
    """A criterion of a plugin: no subgradient."""

    sublinear = True

    def risk(self, s):
        return np.maximum(s, 0.0).sum(axis=-1)


class ExcessWithSlopes(Excess):
    def subgradient(self, s):
        return (s > 0).astype(np.float64)


def numbers(estimate):
    crossed = [] if estimate.cross_fit is None else [estimate.cross_fit]
    return np.array([estimate.low, estimate.value, estimate.high, *crossed])


def test_the_toy_worked_out_by_hand():
    """J is .4, .4, .2: mean 1/3, variance .04/3; d has mean .2 and variance .12; J - d is 0, 0, .4.

    Halves are one and two. If -.2 is the one, its class says -.4 of the two, and theirs -.2 of the one.
    If a .4 is the one, its class says .1 of the other two, and theirs .4 of the one. The two count twice.
    """
    sample = ContextSample(np.array([2.0, 1.0]))
    asked = risk_of(two_classes([[0.4, -0.2]]), sample)
    estimates = asked.estimates(np.ones(1), 0.95)
    assert (estimates.total.value, estimates.of_mean.value) == (pytest.approx(1 / 3), pytest.approx(0.2))
    assert estimates.rest.value == pytest.approx(2 / 15)
    errors = [sample.standard_errors(influence)[0] for influence in asked.influences]
    assert errors == pytest.approx([np.sqrt(0.04 / 9), 0.2, np.sqrt(0.16 / 9)])
    one_is_lowest = sample.halves[0][:, 1] == 1.0
    expected = np.where(one_is_lowest, (2 * -0.4 + -0.2) / 3, (2 * 0.1 + 0.4) / 3).mean()
    assert 0 < one_is_lowest.mean() < 0.6
    assert estimates.of_mean.cross_fit == pytest.approx(expected)


def by_loop(p, sample, J):
    """The cross-fit estimate of every group: J of one half, and its slope, at the mean of the other."""
    divisor = (p.shape[2] - 1) if isinstance(J, Linf) else 1.0
    cross_fits = []
    for group in p * p.shape[2] - 1.0:
        there = [c for c in range(len(group)) if not np.isnan(group[c]).any()]
        fits = []
        for halves in zip(*sample.halves, strict=True):
            sizes = [sum(half[c] for c in there) for half in halves]
            whole_mean = sum(sample.counts[c] * group[c] for c in there) / sum(sample.counts[c] for c in there)
            means = [whole_mean, whole_mean]
            if min(sizes) > 0:
                means = [sum(half[c] * group[c] for c in there) / sum(half[c] for c in there) for half in halves]
            fit = 0.0
            for here, other in ((0, 1), (1, 0)):
                slope = J.subgradient(means[here])
                judged = J(means[here]) + sum(slope[y] * (means[other][y] - means[here][y]) for y in range(len(slope)))
                fit += sizes[other] / sum(sizes) * float(judged)
            fits.append(fit / divisor)
        cross_fits.append(sum(fits) / SPLITS)
    return cross_fits


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("J", [Linf(), ExcessWithSlopes()], ids=["linf", "excess"])
@given(case=cases(), seed=st.integers(0, 99))
def test_the_cross_fit_is_a_loop_over_halves_and_contexts(unit, J, case, seed):
    p, counts = off_kinks(case, seed)
    p[np.isnan(p).any(axis=2), 0] = 0.5  # half a missing cell is a missing cell
    sample = of_unit(unit, counts)
    scale = "unit" if isinstance(J, Linf) else "raw"
    cross_fits = risk_of(p, sample, J, scale=scale).estimates(np.eye(len(p)), 0.95).of_mean.cross_fit
    assert cross_fits == pytest.approx(by_loop(p, sample, J), abs=1e-9)


@pytest.mark.parametrize("J", CONVEX, ids=lambda J: type(J).__name__)
@given(case=cases())
def test_values_are_those_of_decompose_risk(J, case):
    p, counts = case
    asked = risk_of(p, ContextSample(counts), J)
    risk = decompose_risk(p, J, context_weights=counts)
    each, together = asked.estimates(np.eye(len(p)), 0.95), asked.estimates(risk.group_weights, 0.95)
    assert each.total.value == pytest.approx(risk.r, abs=ROUNDING)
    assert each.of_mean.value == pytest.approx(risk.r_bias, abs=ROUNDING)
    assert each.rest.value == pytest.approx(risk.r_volatility, abs=ROUNDING)
    assert together.rest.value == pytest.approx(risk.R_volatility, abs=ROUNDING)


@given(case=cases(least_groups=2))
def test_values_of_parts_are_those_of_decompose_risk(case):
    p, counts = case
    asked = sampled_risk(p, Lk("2"), ContextSample(counts))
    parts = decompose_risk(p, Lk("2"), context_weights=counts).parts
    both = [part.estimates(asked.group_weights, 0.95) for part in (asked.shared, asked.particular)]
    figures = [f"{part}{figure}" for part in ("shared", "particular") for figure in ("", "_bias", "_volatility")]
    values = [float(getattr(each, name).value) for each in both for name in QUANTITIES]
    assert values == pytest.approx([getattr(parts, figure) for figure in figures], abs=ROUNDING)


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("J", CONVEX, ids=lambda J: type(J).__name__)
@given(case=cases(), level=st.floats(0.5, 0.95))
def test_ends_are_possible_and_hold_the_estimates_and_the_ends_of_a_lower_level(unit, J, case, level):
    p, counts = case
    asked = risk_of(p, of_unit(unit, counts), J)
    for weights in (np.eye(len(p)), np.full(len(p), 1.0 / len(p))):
        estimates, surer = (asked.estimates(weights, each) for each in (level, level + 0.04))
        for name in QUANTITIES:
            low, value, high = numbers(getattr(estimates, name))[:3]
            assert (low <= value + ROUNDING).all()
            assert (value <= high + ROUNDING).all()
            surer_low, _, surer_high = numbers(getattr(surer, name))[:3]
            assert (surer_low >= 0).all()
            assert (surer_low <= low + ROUNDING).all()
            assert (surer_high >= high - ROUNDING).all()
            assert (surer_high <= 1 + ROUNDING).all()  # the unit scale
        assert (estimates.of_mean.cross_fit <= estimates.of_mean.value + ROUNDING).all()
        assert (estimates.rest.cross_fit >= estimates.rest.value - ROUNDING).all()
        assert estimates.total.cross_fit is None


@given(case=cases(), random=st.randoms(use_true_random=False))
def test_order_of_contexts_does_not_matter_but_for_which_halves_are_drawn(case, random):
    p, counts = case
    first, c = range(len(counts)), random.sample(range(len(counts)), len(counts))
    risks = [risk_of(p[:, order], ContextSample(counts[order])) for order in (first, c)]
    before, after = (each.estimates(np.eye(len(p)), 0.9) for each in risks)
    for name in QUANTITIES:
        assert getattr(after, name).value == pytest.approx(getattr(before, name).value, abs=ROUNDING)
    # Ends pass through cube roots of skewness, whose own rounding is some hundred times that of the figures.
    assert numbers(after.total) == pytest.approx(numbers(before.total), abs=100 * ROUNDING)
    documents = [of_unit("document", counts)]
    documents.append(replace(documents[0], counts=counts[c], replicates=documents[0].replicates[c]))
    risks = [risk_of(each, sample) for each, sample in zip((p, p[:, c]), documents, strict=True)]
    before, after = (each.estimates(np.eye(len(p)), 0.9) for each in risks)
    for name in QUANTITIES:
        assert numbers(getattr(after, name)) == pytest.approx(numbers(getattr(before, name)), abs=ROUNDING)


@pytest.mark.parametrize("unit", UNITS)
@given(case=cases(least_groups=2))
def test_the_estimates_of_a_group_are_those_of_a_problem_of_one_group(unit, case):
    p, counts = case
    sample = of_unit(unit, counts)
    together = risk_of(p, sample).estimates(np.eye(len(p)), 0.95)
    for x in range(len(p)):
        alone = risk_of(p[x : x + 1], sample).estimates(np.ones(1), 0.95)
        for name in QUANTITIES:
            expected = numbers(getattr(alone, name))
            assert numbers(getattr(together, name))[:, x] == pytest.approx(expected, abs=ROUNDING)


def test_a_missing_context_is_a_context_less():
    """The same in every half, but for the rest of the sample being larger: so by documents, whose halves are given."""
    rng = np.random.default_rng(0)
    p, counts = two_classes(rng.uniform(-0.9, 0.9, (1, 6))), np.array([4.0, 1.0, 2.0, 5.0, 3.0, 1.0])
    there = np.array([0, 2, 3, 5])
    holed = np.where(np.isin(np.arange(6), there)[:, np.newaxis], p, np.nan)
    sample = of_unit("document", counts)
    dropped = replace(sample, counts=counts[there], replicates=sample.replicates[there], documents=int(sample.size))
    with_holes, without = risk_of(holed, sample), risk_of(p[:, there], dropped)
    for one, other in zip(with_holes.influences, without.influences, strict=True):
        assert one[:, there] * counts[there].sum() / counts.sum() == pytest.approx(other)
        assert (one[:, [1, 4]] == 0).all()
    of_holes, of_rest = (each.estimates(np.ones(1), 0.95) for each in (with_holes, without))
    for name in QUANTITIES:
        before, after = numbers(getattr(of_holes, name)), numbers(getattr(of_rest, name))
        assert before[1] == pytest.approx(after[1])
        assert before[3:] == pytest.approx(after[3:])
    errors = dropped.standard_errors(without.influences[1])
    assert sample.standard_errors(with_holes.influences[1]) == pytest.approx(errors)


class AnyConvex(Linf):
    """The largest stereotype, of which only is said that it is convex."""

    sublinear = False


class FiveLess(AnyConvex):
    """5 less the largest stereotype."""

    curvature = "concave"

    def risk(self, s):
        return 5.0 - super().risk(s)

    def subgradient(self, s):
        return -super().subgradient(s)


@given(case=cases())
def test_intervals_of_a_concave_criterion_are_those_of_a_convex_one_upside_down(case):
    p, counts = case
    risks = [risk_of(p, ContextSample(counts), J, scale="raw") for J in (AnyConvex(), FiveLess())]
    convex, concave = (each.estimates(np.eye(len(p)), 0.95) for each in risks)
    for name in ("total", "of_mean"):
        low, value, high, *crossed = numbers(getattr(concave, name))
        of_convex = numbers(getattr(convex, name))
        assert np.minimum(5.0 - low, p.shape[2] - 1.0) == pytest.approx(of_convex[2])
        assert np.array([value, *crossed]) == pytest.approx(5.0 - of_convex[[1, *range(3, len(of_convex))]])
        assert (np.maximum(5.0 - high, 0.0) <= of_convex[0] + ROUNDING).all()  # a risk is 0 or more, 5 less one is not
    low, value, high, crossed = numbers(concave.rest)
    found = np.array([low, value, np.minimum(high, p.shape[2] - 1.0), crossed])
    assert found == pytest.approx(numbers(convex.rest), abs=ROUNDING)


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("seed", range(5))
def test_a_plugin_without_a_subgradient_has_the_intervals_of_its_twin_with_one(unit, seed):
    rng = np.random.default_rng(seed)
    p, counts = rng.dirichlet(np.ones(4), (3, 12)), rng.integers(1, 9, 12)
    p[0, 3] = np.nan
    risks = [risk_of(p, of_unit(unit, counts), J) for J in (Excess(), ExcessWithSlopes())]
    without, having = (each.estimates(np.eye(3), 0.95) for each in risks)
    for name in QUANTITIES:
        assert numbers(getattr(without, name)) == pytest.approx(numbers(getattr(having, name)), abs=1e-6)


@pytest.mark.parametrize("J", [Excess(), ExcessWithSlopes()])
def test_a_plugin_has_no_volatility_of_0_because_no_context_changes_sides(J):
    """Difference quotients are off by some 1e-10, which is no standard error."""
    sample = ContextSample(np.array([10.0, 7.0]))
    volatility = risk_of(two_classes([[0.4, 0.2]]), sample, J).estimates(np.ones(1), 0.95).rest
    assert (volatility.low, volatility.high) == (0.0, pytest.approx(2 * sample.at_most(0.95), rel=1e-3))


@pytest.mark.parametrize(("n", "most"), [(577, 0.0052), (5104, 0.00059)])
def test_where_no_context_changes_sides_some_volatility_may_be_in_what_was_not_seen(n, most):
    """J of a context is above its tangent by 2 at most, where d is -1 instead of above 0."""
    d = np.linspace(0.1, 0.9, 7)
    sample = ContextSample(np.array([n - 6.0, *[1.0] * 6]))
    estimates = risk_of(two_classes([d]), sample).estimates(np.ones(1), 0.95)
    assert (estimates.rest.value, estimates.rest.low) == (pytest.approx(0.0, abs=1e-15), 0.0)
    assert estimates.rest.high == pytest.approx(2 * most, rel=0.01)
    assert estimates.rest.high == pytest.approx(2 * sample.at_most(0.95))
    assert estimates.of_mean.low < estimates.of_mean.value < estimates.of_mean.high


def test_where_all_contexts_are_the_same_ends_are_what_was_not_seen_may_add():
    sample = ContextSample(np.array([50.0, 50.0]))
    estimates = risk_of(two_classes([[0.4, 0.4]]), sample).estimates(np.ones(1), 0.95)
    unseen = sample.at_most(0.95)
    assert numbers(estimates.total) == pytest.approx([0.4 - 0.4 * unseen, 0.4, 0.4 + 0.6 * unseen])
    assert numbers(estimates.of_mean) == pytest.approx([0.4 - 1.4 * unseen, 0.4, 0.4 + 0.6 * unseen, 0.4])
    assert numbers(estimates.rest) == pytest.approx([0.0, 0.0, 2 * unseen, 0.0], abs=1e-12)


def test_a_group_that_is_in_doubt_has_a_wider_interval_down_than_up():
    rng = np.random.default_rng(1)
    noise = rng.choice([-0.3, 0.3], size=(2, 400))
    sample = ContextSample(np.ones(400))
    asked = risk_of(two_classes(noise - noise.mean(axis=1, keepdims=True) + [[0.0], [0.5]]), sample)
    bias = asked.estimates(np.eye(2), 0.95).of_mean
    error = sample.standard_errors(asked.influences[1])
    below, above = sample.margins(asked.influences[1], 0.95)
    assert bias.high == pytest.approx(bias.value + above * error)
    assert bias.low[0] == 0.0
    assert bias.low[1] == pytest.approx(bias.cross_fit[1] - below[1] * error[1])
    assert bias.cross_fit[0] < 0.01
    assert bias.cross_fit[1] == pytest.approx(bias.value[1])
    rest, (on_total, on_mean, on_rest) = asked.estimates(np.eye(2), 0.95).rest, (each[0] for each in asked.influences)
    upward = sample.margins(on_rest, 0.95)[1] * sample.standard_errors(on_total - np.sqrt(2.0) * on_mean)
    assert rest.cross_fit[0] + upward < rest.high[0] < rest.cross_fit[0] + 1.5 * upward


@pytest.mark.parametrize("J", DIVERGENCES, ids=lambda J: type(J).__name__)
def test_a_class_that_only_one_document_shows_leaves_intervals_numbers(J):
    """Replicates leave the document out, or take it twice and more, so that halves go below a probability of 0."""
    p = np.array([[[0.5, 0.5, 0.0]] * 9 + [[0.0, 0.0, 1.0]]])
    estimates = risk_of(p, of_unit("document", np.ones(10)), J).estimates(np.ones(1), 0.95)
    for name in QUANTITIES:
        assert np.isfinite(numbers(getattr(estimates, name))).all()


class Neither(Linf):
    curvature = "neither"


def test_parts_are_there_where_decompose_risk_has_them_and_a_criterion_of_no_known_bend_is_refused():
    p, sample = two_classes([[0.1, 0.2], [0.3, -0.4]]), ContextSample(np.ones(2))
    assert sampled_risk(p, Linf(), sample).particular is not None
    for options in ({"criterion": ReleasedB()}, {"group_weights": [1, 0]}):
        without = sampled_risk(p, **{"criterion": Linf(), "sample": sample, **options})
        assert (without.shared, without.particular) == (None, None)
    with pytest.raises(BvfError, match="neither convex nor concave"):
        sampled_risk(p, Neither(), sample)
