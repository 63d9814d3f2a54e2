"""What a criterion or a backend answers is an array of numbers; anything else is refused with the name of its class."""

import numpy as np
import pytest

from bvf import Backend, Criterion, KnowledgeCriterion, Prompt
from bvf.errors import ContractError
from bvf.interfaces.backend import Bounding

WRONG = {
    "text": "high",
    "texts": ["0.5", "0.5"],
    "None": None,
    "a list of None": [None, None],
    "ragged lists": [[1.0], [1.0, 2.0]],
    "complex numbers": [1j, 2j],
    "complex objects": np.array([1j, 2.0], dtype=object),
    "a long number": [10**400, 1],
    "an object": {"a": 1},
}
PROMPTS = [Prompt("The nurse said that", "", "nurse", "The [X] said that [Y]")]
wrong = pytest.mark.parametrize("answer", WRONG.values(), ids=WRONG)


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


class OddModel(Backend):
    def __init__(self, answer):
        self.answer = answer

    def score(self, prompts, words, *, absolute):
        return self.answer


class OddBounds(OddModel, Bounding):
    def score_within(self, prompts, words, class_of_word, tolerance):
        return self.answer


@wrong
def test_what_is_no_array_of_numbers_is_refused_by_class(answer):
    with pytest.raises(ContractError, match=r"Odd\.risk"):
        Odd(answer)(np.zeros((2, 2)))
    with pytest.raises(ContractError, match=r"OddScore\.score"):
        OddScore(answer)(np.zeros(2))
    with pytest.raises(ContractError, match=r"OddModel\.score"):
        OddModel(answer).word_logprobs(PROMPTS, ["he", "she"])
    for given in (answer, (answer, np.zeros(1)), (np.zeros((1, 2)), answer)):
        with pytest.raises(ContractError, match=r"OddBounds\.score"):
            OddBounds(given).logprobs_within(PROMPTS, ["he", "she"], np.array([0, 1]), 0.1)


def test_lists_and_whole_numbers_are_numbers():
    assert Odd([0, 1])(np.zeros((2, 2))).tolist() == [0.0, 1.0]
    assert OddModel([[-1, -2.5]]).word_logprobs(PROMPTS, ["he", "she"]).dtype == np.float64
