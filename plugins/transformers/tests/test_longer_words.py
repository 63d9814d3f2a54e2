"""Words that begin longer words: each text counts for one of them, the longest.

The plain computation lists every text of a small language with its probability.
"""

from itertools import product

import numpy as np
import pytest
from bvf_transformers.reading.tolerance import logprobs_within, unasked_words
from bvf_transformers.tokens.word_tree import BOUNDARY, tree_of
from hypothesis import given
from hypothesis import strategies as st

from bvf import Prompt
from bvf.interfaces.backend import Tolerance

ALPHABET = (0, 1, 2, 3)
LONGEST = 4
ENDS = frozenset({0, 3})
PROMPTS = [Prompt("The nurse said that", "", "g", "c"), Prompt("A baker claimed", "", "g", "c")]

words = st.lists(
    st.lists(st.sampled_from(ALPHABET), min_size=1, max_size=3).map(tuple), min_size=2, max_size=7, unique=True
)
ends = st.sampled_from([None, ENDS])


def _language(seed):
    """The probability of the next token after each text, by text."""
    rng = np.random.default_rng(seed)
    texts = (text for length in range(LONGEST) for text in product(ALPHABET, repeat=length))
    return {text: rng.dirichlet(np.full(len(ALPHABET), 0.7)) for text in texts}


def _plain(language, pieces, boundary):
    """P of each word: the summed p of the texts of which it is the longest word."""
    p = np.zeros(len(pieces))
    for text in product(ALPHABET, repeat=LONGEST):
        begun = [
            w
            for w, word in enumerate(pieces)
            if text[: len(word)] == word and (boundary is None or text[len(word)] in boundary)
        ]
        if begun:
            of_text = np.prod([language[text[:i]][token] for i, token in enumerate(text)])
            p[max(begun, key=lambda w: len(pieces[w]))] += of_text
    return p


def _answers(language, tree, boundary, chosen):
    """Log p of the pieces after the chosen beginnings, shape (1, Q)."""
    answers = np.full((1, len(tree.tokens)), -np.inf)
    for k in np.flatnonzero(chosen):
        after = language[tree.beginnings[k]]
        for q in range(tree.first_question[k], tree.first_question[k + 1]):
            token = tree.tokens[q]
            answers[0, q] = np.log(after[sorted(boundary)].sum() if token == BOUNDARY else after[token])
    return answers


def _tree(known, scored, boundary):
    """The tree of the first words; the others are left out of them."""
    return tree_of(tuple(known[:scored]), boundary, tuple((str(ids), ids) for ids in known[scored:]))


@given(pieces=words, boundary=ends, seed=st.integers(0, 99), scored=st.integers(1, 7))
def test_each_text_counts_for_the_longest_word_that_it_begins_with(pieces, boundary, seed, scored):
    language, tree = _language(seed), _tree(pieces, scored, boundary)
    answers = _answers(language, tree, boundary, np.ones(len(tree.beginnings), dtype=bool))
    expected = _plain(language, pieces, boundary)[:scored]
    assert np.exp(tree.word_logprobs(answers)[0]) == pytest.approx(expected, abs=1e-12)


@given(pieces=words, boundary=ends, seed=st.integers(0, 99), tolerance=st.sampled_from([0.01, 0.1, 0.3, 0.6]))
def test_words_that_are_not_scored_move_no_class_beyond_the_bound(pieces, boundary, seed, tolerance):
    scored = max(2, len(pieces) - seed % 3)
    language, tree = _language(seed), _tree(pieces, scored, boundary)
    classes = np.arange(len(pieces[:scored])) % 2
    logp, bound = logprobs_within(
        unasked_words(tree, classes),
        lambda chosen: _answers(language, tree, boundary, chosen[0]),
        Tolerance.on_each(tolerance, 1),
    )
    shown, right = np.exp(logp[0]), _plain(language, pieces, boundary)[:scored]
    assert bound[0] <= tolerance
    for y in range(2):
        assert shown[classes == y].sum() / shown.sum() == pytest.approx(
            right[classes == y].sum() / right.sum(), abs=bound[0] + 1e-9
        )


@pytest.mark.parametrize("name", ["gpt2", "bart"])
def test_a_model_gives_no_text_to_two_words_and_says_which_words_are_concerned(folder_of, load_model, name):
    backend = load_model(folder_of(name))
    said = backend.score(PROMPTS, ["he", "her", "hero"], absolute=True)
    single = {word: backend.score(PROMPTS, [word], absolute=True).logp[:, 0] for word in ("he", "her", "hero")}
    p = {word: np.exp(logp) for word, logp in single.items()}
    cut = backend.distinct_cuts(PROMPTS[:1], ["he", "her", "hero"])[0][0]
    he, her, hero = cut.slot.pieces
    assert her[: len(he)] == he, "this family's tokenizer no longer writes one word as the beginning of another"
    assert hero[: len(her)] == her
    expected = np.log([p["he"] - p["her"], p["her"] - p["hero"], p["hero"]]).T
    assert said.logp == pytest.approx(expected, abs=1e-4)
    assert said.remarks[-1] == (
        'p of a word leaves out the texts that go on to a longer one: "he" without "her", "he" without "hero", '
        '"her" without "hero"'
    )
