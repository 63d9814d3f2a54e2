"""Samples and vectors for tests of intervals, and hypothesis strategies for them."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from bvf.builtin.criteria import (
    ChiSquared,
    Direction,
    JensenShannon,
    KullbackLeibler,
    Linf,
    Lk,
    ReleasedA,
    SquaredHellinger,
    TotalVariation,
)
from bvf.stats.sampling.sampled_risk import sampled_risk
from bvf.stats.sampling.samples import ContextSample

DIVERGENCES = [TotalVariation(), SquaredHellinger(), KullbackLeibler(), JensenShannon(), ChiSquared()]
CONVEX = [Linf(), Lk("1"), Lk("2"), Lk("7"), Direction("1", 1), ReleasedA(), *DIVERGENCES]
UNITS = ("occurrence", "document", "template")


def of_first(p):
    """Probabilities of two classes from those of the first."""
    p = np.asarray(p, dtype=np.float64)
    return np.stack([p, 1.0 - p], axis=-1)


def two_classes(d):
    """Probabilities of two classes whose stereotypes are d and -d."""
    d = np.asarray(d, dtype=np.float64)
    return np.stack([(1.0 + d) / 2.0, (1.0 - d) / 2.0], axis=-1)


def distributions(draw, shape, least=0.001):
    """Probabilities of the classes along the last axis: each is ``least`` to 1, divided by their sum."""
    mass = draw(arrays(np.float64, shape, elements=st.floats(least, 1.0)))
    return mass / mass.sum(axis=-1, keepdims=True)


def risk_of(p, sample, criterion=None, **options):
    """What the intervals are asked of, with J the largest stereotype unless another one is given."""
    return sampled_risk(p, criterion or Linf(), sample, **options).risk


def of_unit(unit, counts, seed=0):
    """A sample of that unit; of documents, as if every occurrence were one."""
    counts = np.asarray(counts, dtype=np.float64)
    if unit != "document":
        return ContextSample(counts, unit)
    return ContextSample(
        counts, unit, replicates=np.random.default_rng(seed).poisson(counts, size=(200, len(counts))).T
    )


@st.composite
def cases(draw, least_groups=1):
    """Probabilities with cells missing here and there, and counts; every group has its first two contexts."""
    shape = (draw(st.integers(least_groups, 3)), draw(st.integers(2, 6)), draw(st.integers(2, 4)))
    p = distributions(draw, shape)
    missing = draw(arrays(np.bool_, shape[:2], elements=st.booleans()))
    missing[:, :2] = False
    p[missing] = np.nan
    counts = draw(arrays(np.float64, shape[1], elements=st.integers(1, 9).map(float)))
    return p, counts


def off_kinks(case, seed):
    """The same shapes and missing cells with probabilities drawn at random: none of their means is at a kink."""
    p, counts = case
    return np.random.default_rng(seed).dirichlet(np.ones(p.shape[2]), p.shape[:2]) + 0.0 * p, counts
