"""What the interface promises of every criterion that is offered."""

import pytest

from bvf.errors import ContractError
from bvf.interfaces.criterion import Criterion, KnowledgeCriterion


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
