"""p* that changes with the context: risks, parts and intervals, beside plain computations."""

import numpy as np
import pytest
from helpers.sampled import distributions
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from bvf.builtin.criteria import Direction, Linf, Lk, TotalVariation
from bvf.errors import BvfError
from bvf.stats.figures.risk import decompose_risk
from bvf.stats.sampling.sampled_risk import enclosing, sampled_risk
from bvf.stats.sampling.samples import ContextSample

CRITERIA = [Linf(), Lk("2"), Direction("1", 1)]
FIGURES = ("R", "R_bias", "R_volatility", "divisor")
PARTS = ("shared", "shared_bias", "particular", "particular_bias")


@st.composite
def cases(draw, changing=True):
    """Probabilities with gaps, p* in every context or the same in all, counts of contexts, weights of groups."""
    shape = (draw(st.integers(2, 4)), draw(st.integers(2, 6)), draw(st.integers(2, 4)))
    p, p_star = (distributions(draw, each, 0.01) for each in (shape, shape if changing else (shape[0], 1, shape[2])))
    assume(not changing or np.ptp(p_star, axis=1).max() > 1e-6)
    p[0, 0] = np.nan
    counts = np.array(draw(st.lists(st.integers(1, 30), min_size=shape[1], max_size=shape[1])), dtype=float)
    weights = draw(arrays(np.float64, shape[0], elements=st.floats(0.1, 1.0)))
    return p, p_star, counts, weights


@given(cases(changing=False), st.sampled_from([*CRITERIA, TotalVariation()]))
def test_the_same_p_star_in_all_contexts_is_p_star_by_group(case, criterion):
    p, p_star, counts, weights = case
    repeated = np.broadcast_to(p_star, p.shape).copy()
    given_as = [p_star[:, 0], p_star, repeated]
    risks = [decompose_risk(p, criterion, context_weights=counts, group_weights=weights, reference=r) for r in given_as]
    for other in risks[1:]:
        for name in FIGURES:
            assert getattr(other, name) == getattr(risks[0], name)
    known = {"group_weights": weights, "sample": ContextSample(counts)}
    sampled = [sampled_risk(p, criterion, **known, reference=reference) for reference in given_as]
    estimates = [each.risk.estimates(weights, 0.9) for each in sampled]
    assert len({float(each.of_mean.low) for each in estimates}) == 1
    assert len({float(each.rest.high) for each in estimates}) == 1


@given(cases(), st.sampled_from([Linf(), Lk("2")]))
def test_risks_and_parts_are_those_of_loops(case, criterion):
    p, p_star, counts, weights = case
    J = (lambda s: max(0.0, *s)) if isinstance(criterion, Linf) else (lambda s: sum(max(0.0, v) ** 2 for v in s) ** 0.5)
    groups, contexts, classes = p.shape
    p_x = weights / weights.sum()
    there = [[c for c in range(contexts) if not np.isnan(p[x, c]).any()] for x in range(groups)]
    p_c = [{c: counts[c] / sum(counts[d] for d in there[x]) for c in there[x]} for x in range(groups)]
    most = lambda q: max(J([(y == z) / q[y] - 1.0 for y in range(classes)]) for z in range(classes))  # noqa: E731
    divisor = sum(p_x[x] * p_c[x][c] * most(p_star[x, c]) for x in range(groups) for c in there[x])
    common = {}
    for c in range(contexts):
        answering = [x for x in range(groups) if c in there[x]]
        common[c] = sum(p_x[x] * (p[x, c] - p_star[x, c]) for x in answering) / sum(p_x[x] for x in answering)

    def split(vector):
        each = sum(p_x[x] * p_c[x][c] * J(vector(x, c)) for x in range(groups) for c in there[x])
        of_mean = sum(p_x[x] * J(sum(p_c[x][c] * vector(x, c) for c in there[x])) for x in range(groups))
        return each / divisor, of_mean / divisor

    risk = decompose_risk(p, criterion, context_weights=counts, group_weights=weights, reference=p_star)
    expected = (
        *split(lambda x, c: p[x, c] / p_star[x, c] - 1.0),
        *split(lambda x, c: common[c] / p_star[x, c]),
        *split(lambda x, c: (p[x, c] - p_star[x, c] - common[c]) / p_star[x, c]),
    )
    parts = risk.parts
    particular = np.array([parts.particular, parts.particular_bias]) * parts.particular_divisor / divisor
    assert (risk.R, risk.R_bias, parts.shared, parts.shared_bias, *particular) == pytest.approx(expected)
    assert parts.shared + particular[0] + 1e-9 >= risk.R


@given(cases(), st.sampled_from(CRITERIA))
def test_intervals_hold_their_figures_and_stay_below_what_can_be(case, criterion):
    p, p_star, counts, weights = case
    sampled = sampled_risk(p, criterion, ContextSample(counts), group_weights=weights, reference=p_star)
    for part in (sampled.risk, sampled.shared, sampled.particular):
        estimates = part.estimates(sampled.group_weights, 0.9)
        for each in (estimates.total, estimates.of_mean, estimates.rest):
            assert each.low <= each.value + 1e-9
            assert each.value <= each.high + 1e-9
            assert each.high <= part.most(sampled.group_weights) + 1e-9
        corners = part.J.extremes
        low, legs = corners[:, :1], corners[:, 1:] - corners[:, :1]
        shares = (part.vectors - low) / np.einsum("xyy->xy", legs)[:, np.newaxis]
        assert np.nanmin(shares) >= -1e-9
        assert np.nanmax(shares.sum(axis=2)) <= 1.0 + 1e-9


def test_stereotypes_lie_between_minus_one_and_certainty_of_the_least_likely():
    p_star = np.array([[[0.5, 0.5], [0.2, 0.8]]])
    corners = enclosing([certain / p_star - 1.0 for certain in np.eye(2)])
    assert corners.tolist() == [[[-1.0, -1.0], [pytest.approx(4.0), -1.0], [-1.0, pytest.approx(1.0)]]]


def test_a_criterion_that_depends_on_p_star_is_refused():
    p_star = np.array([[[0.5, 0.5], [0.2, 0.8]]])
    with pytest.raises(BvfError, match="TotalVariation depends on p\\*"):
        decompose_risk(np.full((1, 2, 2), 0.5), TotalVariation(), reference=p_star)
