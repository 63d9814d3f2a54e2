"""Leaving words out. Bounds hold for any probabilities that a model could give them."""

import numpy as np
import pytest
from bvf_transformers.reading.tolerance import logprobs_within, unasked_words
from bvf_transformers.tokens.word_tree import tree_of
from hypothesis import given
from hypothesis import strategies as st

WORDS = ((1,), (2,), (3,), (4, 10), (4, 11), (4, 12), (5, 10), (5, 11), (6, 12), (7, 10), (8, 10), (8, 11), (8, 12))
FIRST = sorted({word[0] for word in WORDS})
LONG = [piece for piece in FIRST if (piece,) not in WORDS]


@given(
    mass=st.lists(st.floats(1e-6, 1.0), min_size=len(FIRST), max_size=len(FIRST)),
    class_of_word=st.lists(st.integers(0, 2), min_size=len(WORDS), max_size=len(WORDS)),
    share=st.floats(0.0, 0.3),
    tolerance=st.sampled_from([1e-3, 0.03, 0.1, 0.3]),
)
def test_no_model_can_be_further_off_and_one_nearly_is(mass, class_of_word, share, tolerance):
    tree, classes = tree_of(WORDS), np.array(class_of_word)
    p = dict(zip(FIRST, np.array(mass) / (sum(mass) * 1.25), strict=True))
    asked = set()

    def ask(chosen):
        answers = np.full((1, len(tree.tokens)), -np.inf)
        for k in np.flatnonzero(chosen[0]):
            start = tree.beginnings[k]
            asked.add(start)
            for q in range(tree.first_question[k], tree.first_question[k + 1]):
                answers[0, q] = np.log(share if start else p[tree.tokens[q]]) if share or not start else -np.inf
        return answers

    logp, bound = logprobs_within(unasked_words(tree, classes), 1, ask, tolerance)
    assert bound[0] <= tolerance
    shares = _shares(np.exp(logp[0]), classes)
    worst = 0.0
    for y in range(3):
        for favoured in (classes == y, classes != y):
            values = []
            for index, (first, *rest) in enumerate(WORDS):
                behind = [i for i, word in enumerate(WORDS) if word[0] == first and favoured[i]]
                is_known = not rest or (first,) in asked
                values.append(p[first] * (share if rest else 1) if is_known else p[first] * (behind[:1] == [index]))
            if sum(values):
                worst = max(worst, abs(shares[y] - _shares(np.array(values), classes)[y]))
    assert worst <= bound[0] + 1e-12
    assert worst >= bound[0] - 1e-12


def test_half_of_what_is_not_known_is_counted():
    """Known are 0.40 and 0.40, and up to 0.02 more for class 0 after token 4. p(0) is between 0.5 and 0.42 / 0.82."""
    tree, classes = tree_of(((1,), (2,), (4, 10), (4, 11))), np.array([0, 1, 0, 0])
    first = np.array([[*np.log([0.4, 0.4, 0.02]), -np.inf, -np.inf]])
    logp, bound = logprobs_within(unasked_words(tree, classes), 1, lambda _: first, 0.01)
    assert _shares(np.exp(logp[0]), classes)[0] == pytest.approx(0.41 / 0.81)
    assert bound[0] == pytest.approx(0.41 / 0.81 - 0.5)


def _shares(values, classes):
    total = values.sum()
    return np.array([values[classes == y].sum() / total for y in range(3)])
