"""A backend answers with arrays of numbers, or is refused; a tolerance bounds the mean error of a group."""

import numpy as np
import pytest
from helpers.no_numbers import NO_NUMBERS
from hypothesis import given
from hypothesis import strategies as st

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
    for each in (answer, (answer, np.zeros(1)), Answers(answer), Answers(answer, np.zeros(1))):
        with pytest.raises(ContractError, match=r"OddBounds\.score_within"):
            asked(OddBounds(each))


class InheritedWithin(OddModel):
    capabilities = Capabilities(leaves_words_out=True)


@pytest.mark.parametrize(("model", "method"), [(InheritedWithin, "score"), (OddBounds, "score_within")])
def test_the_method_that_was_implemented_is_named(model, method):
    with pytest.raises(ContractError, match=rf"{model.__name__}\.{method} gave shape \(1,\)"):
        asked(model(np.zeros(1)))


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


def test_log_probabilities_above_zero_are_refused_with_the_name_of_the_model():
    for above in (0.5, 0.001):
        with pytest.raises(ScoringError, match=rf'OddModel gave log p = {above} for "she" in "The nurse'):
            OddModel([[-1.0, above]]).word_logprobs(PROMPTS, ["he", "she"])
    OddModel([[-1.0, 1e-6]]).word_logprobs(PROMPTS, ["he", "she"])
    assert OddModel([[-1, -2.5]]).word_logprobs(PROMPTS, ["he", "she"]).dtype == np.float64
    OddModel([[-1.0, 0.5]]).word_logprobs(PROMPTS, ["he", "she"], absolute=False)


prompts = st.lists(st.tuples(st.integers(0, 3), st.floats(0.1, 9.0), st.floats(0.0, 1.0)), min_size=1, max_size=12)


def test_what_is_needed_is_the_weighted_mean_of_each_group():
    """Group 7: (1 * .02 + 3 * .06) / 4 = .05. Group 2 has one prompt."""
    needed = Tolerance(0.1, np.array([7, 2, 7]), np.array([1.0, 5.0, 3.0])).needed(np.array([0.02, 0.01, 0.06]))
    assert np.allclose(needed, [0.05, 0.01, 0.05])


def test_no_prompt_may_be_further_off_than_ten_times_the_tolerance_or_by_itself_than_the_tolerance():
    bounds = np.zeros(100)
    bounds[3] = 0.5
    needed = Tolerance(0.01, np.zeros(100, dtype=int), np.ones(100)).needed(bounds)
    assert np.allclose(needed, 0.05)
    bounds = np.array([0.1, 0.3, 0.0])
    assert Tolerance.on_each(0.2, 3).needed(bounds).tolist() == bounds.tolist()


@given(prompts, st.integers(0, 12))
def test_parts_that_keep_the_tolerance_make_a_whole_that_keeps_it(prompts, cut):
    groups, weights, bounds = (np.array(column) for column in zip(*prompts, strict=True))
    whole, first, last = Tolerance(0.1, groups, weights), np.arange(len(prompts))[:cut], np.arange(len(prompts))[cut:]
    most = max(float(whole.of(part).needed(bounds[part]).max(initial=0.0)) for part in (first, last))
    assert whole.needed(bounds).max() <= most * (1 + 1e-12)


@given(prompts, st.data())
def test_what_holds_for_distinct_prompts_holds_for_all(prompts, data):
    """Prompts with one text have one answer and one bound, also where two groups share the text."""
    groups, weights, of_text = (np.array(column) for column in zip(*prompts, strict=True))
    texts = data.draw(st.lists(st.integers(0, 4), min_size=len(prompts), max_size=len(prompts)))
    _, places = np.unique(texts, return_inverse=True)
    bounds = of_text[: places.max() + 1]
    whole = Tolerance(0.1, groups, weights)
    of_distinct = whole.of_distinct(places).needed(bounds)
    assert whole.needed(bounds[places]).max() <= of_distinct.max() * (1 + 1e-12)
