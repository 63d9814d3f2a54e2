"""Leaving words out. Bounds hold for any probabilities that a model could give them."""

from itertools import pairwise

import numpy as np
import pytest
from bvf_transformers.reading.tolerance import logprobs_within, unasked_words
from bvf_transformers.tokens.word_tree import tree_of
from hypothesis import given
from hypothesis import strategies as st

from bvf.interfaces.backend import Tolerance

WORDS = ((1,), (2,), (3,), (4, 10), (4, 11), (4, 12), (5, 10), (5, 11), (6, 12), (7, 10), (8, 10), (8, 11), (8, 12))
FIRST = sorted({word[0] for word in WORDS})


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

    logp, bound = logprobs_within(unasked_words(tree, classes), ask, Tolerance.on_each(tolerance, 1))
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
    logp, bound = logprobs_within(unasked_words(tree, classes), lambda _: first, Tolerance.on_each(0.01, 1))
    assert _shares(np.exp(logp[0]), classes)[0] == pytest.approx(0.41 / 0.81)
    assert bound[0] == pytest.approx(0.41 / 0.81 - 0.5)


def _shares(values, classes):
    total = values.sum()
    return np.array([values[classes == y].sum() / total for y in range(3)])


TREES = (tree_of(WORDS), tree_of((*WORDS, (4,), (5,), (8, 10, 11))), tree_of((*WORDS, (4,), (5,)), frozenset({90})))
"""Words none of which begins another; words that begin others; the same with the ends of words."""


@st.composite
def languages(draw):
    """A tree, log p of all tokens after 1 to 8 texts in up to three groups, weights of texts, and classes of words."""
    rng = np.random.default_rng(draw(st.integers(0, 999)))
    tree, texts = draw(st.sampled_from(TREES)), draw(st.integers(1, 8))
    logp = np.full((texts, len(tree.tokens)), -np.inf)
    for first, stop in pairwise(tree.first_question):
        spread = rng.normal(0.0, draw(st.sampled_from([0.5, 3.0])), (texts, stop - first))
        logp[:, first:stop] = np.log(0.9 * np.exp(spread) / np.exp(spread).sum(axis=1, keepdims=True))
    classes = rng.integers(0, 3, len(tree.paths))
    return tree, logp, rng.integers(0, 3, texts), rng.integers(1, 9, texts).astype(float), classes


@given(languages(), st.sampled_from([1e-3, 0.01, 0.05, 0.2]))
def test_means_over_the_texts_of_a_group_keep_the_tolerance_and_so_does_any_risk(language, value):
    """|p - p-hat| <= bound for each text. A J with slope 1 then moves r, r^b by at most the mean of the bounds."""
    tree, whole, groups, weights, classes = language
    after = np.repeat(np.arange(len(tree.beginnings)), np.diff(tree.first_question))
    logp, bounds = logprobs_within(
        unasked_words(tree, classes),
        lambda chosen: np.where(chosen[:, after], whole, -np.inf),
        Tolerance(value, groups, weights),
    )
    exact = np.array([_shares(np.exp(row), classes) for row in tree.word_logprobs(whole)])
    shown = np.array([_shares(np.exp(row), classes) for row in logp])
    assert (np.abs(shown - exact).max(axis=1) <= bounds + 1e-9).all()
    assert (bounds <= 10 * value).all()
    for group in set(groups.tolist()):
        of_group = groups == group
        share = weights[of_group] / weights[of_group].sum()
        mean = share @ bounds[of_group]
        assert mean <= value * (1 + 1e-9)
        distances = [
            [np.abs(p[of_group] - 1 / 3).max(axis=1), np.abs(share @ p[of_group] - 1 / 3).max()] for p in (exact, shown)
        ]
        (r, r_bias), (r_shown, r_bias_shown) = ((share @ each, bias) for each, bias in distances)
        assert abs(r - r_shown) <= mean + 1e-9
        assert abs(r_bias - r_bias_shown) <= mean + 1e-9


def test_of_two_texts_of_a_group_the_one_that_matters_is_asked():
    """Unknown words have up to .020 beside .40 and .40 after the first text, up to .001 after the second.

    The bounds are .41 / .81 - .5 = .0062 and .4005 / .8005 - .5 = .0003, and their mean is .0032. So a tolerance of
    .004 needs no question, though the first text alone would; with .002 the first text is asked.
    """
    tree, classes = tree_of(((1,), (2,), (4, 10), (4, 11))), np.array([0, 1, 0, 0])
    first = np.log([[0.4, 0.4, 0.02, 1.0, 1.0], [0.4, 0.4, 0.001, 1.0, 1.0]])
    asked = []

    def ask(chosen):
        asked.append(chosen[:, 1].tolist())
        return np.where(np.repeat(chosen, [3, 2], axis=1), first, -np.inf)

    for value, after in ((0.004, []), (0.002, [[True, False]])):
        asked.clear()
        logprobs_within(unasked_words(tree, classes), ask, Tolerance(value, np.zeros(2, dtype=int), np.ones(2)))
        assert asked[1:] == after
