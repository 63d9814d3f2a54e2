"""What the interface promises of every criterion that is offered."""

import numpy as np
import pytest

from bvf.errors import ContractError
from bvf.hooks.loader import load
from bvf.interfaces.criterion import Criterion, KnowledgeCriterion

SPECS = (
    *("linf", "lk:1", "lk:2", "lk:5", "released:a", "released:b", "direction:2"),
    *("tv", "hellinger", "kl", "js", "chi2"),
)
NAMES = ("0", "1", "2", "3", "4")


def made(spec):
    return load().criteria.make(spec).for_classes(NAMES).for_reference(np.array([0.4, 0.3, 0.1, 0.1, 0.1]))


@pytest.mark.parametrize("spec", SPECS)
def test_curvature_holds(spec):
    criterion = made(spec)
    s = np.random.default_rng(0).uniform(-1, 4, size=(200, 2, 5))
    gap = criterion(s).mean(axis=1) - criterion(s.mean(axis=1))
    assert criterion.curvature == "convex"
    assert gap.min() >= -1e-12


@pytest.mark.parametrize("spec", SPECS)
def test_risk_is_zero_at_the_reference_and_never_negative(spec):
    criterion = made(spec)
    assert criterion(np.zeros((3, 5))).tolist() == [0.0, 0.0, 0.0]
    assert (criterion(np.random.default_rng(1).uniform(-1, 4, size=(50, 5))) >= 0).all()


def test_a_criterion_of_the_wrong_shape_is_named():
    class Wrong(Criterion):
        def risk(self, s):
            return s

    with pytest.raises(ContractError, match=r"Wrong\.risk gave shape"):
        Wrong()([0.1, -0.1])


def test_a_knowledge_criterion_of_the_wrong_shape_is_named():
    class Wrong(KnowledgeCriterion):
        def score(self, p):
            return p.sum()

    with pytest.raises(ContractError, match=r"Wrong\.score gave shape"):
        Wrong()([0.1, 0.9])
