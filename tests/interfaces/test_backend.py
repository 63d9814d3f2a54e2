"""What a backend answers is an array of numbers; anything else is refused with the name of its class."""

import numpy as np
import pytest
from helpers.no_numbers import NO_NUMBERS

from bvf import Answers, Backend, Capabilities, Prompt
from bvf.errors import ContractError, ScoringError
from bvf.interfaces.backend import Tolerance

PROMPTS = [Prompt("The nurse said that", "", "nurse", "The [X] said that [Y]")]


class OddModel(Backend):
    def __init__(self, answer):
        self.answer = answer

    def score(self, prompts, words, *, absolute):
        return self.answer


class OddBounds(OddModel):
    capabilities = Capabilities(leaves_words_out=True)

    def score_within(self, prompts, words, class_of_word, tolerance):
        return self.answer


def asked(backend, tolerance=0.1):
    return backend.answers(PROMPTS, ["he", "she"], np.array([0, 1]), Tolerance.on_each(tolerance, 1))


@pytest.mark.parametrize("answer", NO_NUMBERS.values(), ids=NO_NUMBERS)
def test_what_is_no_array_of_numbers_is_refused_by_class(answer):
    with pytest.raises(ContractError, match=r"OddModel\.score"):
        OddModel(answer).word_logprobs(PROMPTS, ["he", "she"])
    for given in (answer, (answer, np.zeros(1)), Answers(answer), Answers(answer, np.zeros(1))):
        with pytest.raises(ContractError, match=r"OddBounds\.score_within"):
            asked(OddBounds(given))


class InheritedWithin(OddModel):
    capabilities = Capabilities(leaves_words_out=True)


def test_the_method_that_was_implemented_is_named():
    with pytest.raises(ContractError, match=r"InheritedWithin\.score gave shape \(1,\)"):
        asked(InheritedWithin(np.zeros(1)))
    with pytest.raises(ContractError, match=r"OddBounds\.score_within gave shape \(1,\)"):
        asked(OddBounds(np.zeros(1)))


@pytest.mark.parametrize("bounds", [bounds for name, bounds in NO_NUMBERS.items() if name != "None"])
def test_bounds_that_are_no_numbers_are_refused_by_class(bounds):
    with pytest.raises(ContractError, match=r"OddBounds\.score_within"):
        asked(OddBounds(Answers(np.zeros((1, 2)), bounds)))


@pytest.mark.parametrize("bounds", [np.zeros(2), np.zeros((1, 1)), np.array(0.0), [-0.1], [np.nan]])
def test_bounds_are_one_number_of_0_or_more_per_prompt(bounds):
    with pytest.raises(
        ContractError, match=r"OddBounds\.score_within, bounds|OddBounds\.score_within: bounds must be one number"
    ):
        asked(OddBounds(Answers(np.zeros((1, 2)), bounds)))


def test_bounds_above_the_tolerance_are_refused_with_the_tolerance_that_takes_them():
    answers = Answers([[-1.0, -2.0]], [0.25], ("Words were left out.",))
    with pytest.raises(ScoringError, match=r"OddBounds: class probabilities are known only to within 0\.25") as error:
        asked(OddBounds(answers))
    assert error.value.hint == "--tolerance 0.25 takes that"
    found = asked(OddBounds(answers), tolerance=0.25)
    assert found.logp.tolist() == [[-1.0, -2.0]]
    assert found.bounds.tolist() == [0.25]
    assert found.remarks == ("Words were left out.",)


def test_what_is_asked_without_a_tolerance_or_of_a_backend_that_asks_every_word_is_scored():
    assert asked(OddBounds([[-1.0, -2.0]]), tolerance=0.0).bounds is None
    assert asked(OddModel([[-1.0, -2.0]])).bounds is None
    assert asked(OddModel(Answers([[-1.0, -2.0]]))).logp.tolist() == [[-1.0, -2.0]]


def test_lists_and_whole_numbers_are_numbers():
    assert OddModel([[-1, -2.5]]).word_logprobs(PROMPTS, ["he", "she"]).dtype == np.float64


def test_log_probabilities_above_zero_are_refused_with_the_name_of_the_model():
    for above in (0.5, 0.001):
        with pytest.raises(ScoringError, match=rf'OddModel gave log p = {above} for "she" in "The nurse'):
            OddModel([[-1.0, above]]).word_logprobs(PROMPTS, ["he", "she"])
    OddModel([[-1.0, 1e-6]]).word_logprobs(PROMPTS, ["he", "she"])
    OddModel([[-1.0, 0.5]]).word_logprobs(PROMPTS, ["he", "she"], absolute=False)
