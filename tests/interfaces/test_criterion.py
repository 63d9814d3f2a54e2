"""What a criterion answers is an array of numbers; anything else is refused with the name of its class."""

import numpy as np
import pytest
from helpers.no_numbers import NO_NUMBERS

from bvf import Criterion, KnowledgeCriterion
from bvf.errors import ContractError


class Odd(Criterion):
    def __init__(self, answer):
        self.answer = answer

    def risk(self, s):
        return self.answer


class OddScore(KnowledgeCriterion):
    def __init__(self, answer):
        self.answer = answer

    def score(self, p):
        return self.answer


@pytest.mark.parametrize("answer", NO_NUMBERS.values(), ids=NO_NUMBERS)
def test_what_is_no_array_of_numbers_is_refused_by_class(answer):
    with pytest.raises(ContractError, match=r"Odd\.risk"):
        Odd(answer)(np.zeros((2, 2)))
    with pytest.raises(ContractError, match=r"OddScore\.score"):
        OddScore(answer)(np.zeros(2))


def test_an_answer_of_the_wrong_shape_is_refused_by_class_and_whole_numbers_are_numbers():
    with pytest.raises(ContractError, match=r"Odd\.risk gave shape"):
        Odd(np.zeros(2))([0.1, -0.1])
    with pytest.raises(ContractError, match=r"OddScore\.score gave shape"):
        OddScore(np.array(1.0))([0.1, 0.9])
    assert Odd([0, 1])(np.zeros((2, 2))).tolist() == [0.0, 1.0]
