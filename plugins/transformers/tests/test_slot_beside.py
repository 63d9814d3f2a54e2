"""Words read beside others: their p is that of a pass of their own, and nothing changes for the others, in any bit."""

import numpy as np
import pytest
from tiny_models import FAMILIES

import bvf
from bvf import Prompt
from bvf.interfaces.backend import Tolerance

WORDS = ("he", "she", "her", "hero", "stepmother", "grandson", "actress", "himself", "stepfather")
CLASSES = np.array([0, 1, 1, 0, 1, 0, 1, 0, 0])
LEFTS = ("The nurse said that", "The engineer told us that", "A baker claimed that", "It was known that", "He said")
PROMPTS = [
    Prompt(left, right, "g", f"context {index}")
    for index, (left, right) in enumerate((left, right) for left in LEFTS for right in ("", " was late."))
]
GROUPS = np.arange(len(PROMPTS)) % 3
BESIDE = ("the", "house", "was", "a", "to", "of", "and", "so")


def one_token_words(backend):
    """Further words of one token, none of which begins a word; the tiny tokenizers split most words."""
    words = [word for word in dict.fromkeys((*BESIDE, *backend.single_tokens())) if word.isalpha() and word.islower()]
    counts = backend.token_counts(PROMPTS[0], [word for word in words if word not in WORDS])
    free = [word for word in words if word not in WORDS]
    return tuple(word for word, tokens in zip(free, counts, strict=True) if tokens == 1)[:12]


def asked(backend, tolerance, beside=()):
    allowed = Tolerance(tolerance, GROUPS, np.ones(len(PROMPTS)))
    return backend.answers(PROMPTS, WORDS, CLASSES, allowed, beside)


def shares(logp):
    p = np.exp(logp - logp.max(axis=1, keepdims=True))
    return p / p.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("tolerance", [0.0, 1e-3, 0.2])
@pytest.mark.parametrize("name", FAMILIES)
def test_words_beside_have_their_own_p_and_change_no_bit_of_the_others(name, tolerance, backend_of):
    backend = backend_of(name)
    beside = one_token_words(backend)
    assert len(beside) >= 3
    alone, together = asked(backend, tolerance), asked(backend, tolerance, beside)
    assert np.array_equal(together.logp, alone.logp)
    assert np.array_equal(together.bounds, np.zeros(len(PROMPTS)) if alone.bounds is None else alone.bounds)
    assert together.remarks == alone.remarks
    own = backend.word_logprobs(PROMPTS, beside)
    assert shares(together.beside) == pytest.approx(shares(own), abs=1e-6)


@pytest.mark.parametrize("name", FAMILIES)
def test_words_beside_take_no_further_forward_pass(name, backend_of, monkeypatch):
    backend, calls = backend_of(name), []
    beside, forward = one_token_words(backend), backend.model.forward
    monkeypatch.setattr(backend.model, "forward", lambda *args, **values: calls.append(1) or forward(*args, **values))
    asked(backend, 1e-3)
    alone = len(calls)
    asked(backend, 1e-3, beside)
    assert 0 < len(calls) - alone <= alone  # the first call may have checked more


@pytest.mark.parametrize("name", ["gpt2", "bert", "t5"])
def test_words_of_several_tokens_are_read_by_themselves(name, backend_of):
    backend = backend_of(name)
    together = asked(backend, 1e-3, ("house", "bread and butter"))
    assert np.array_equal(together.logp, asked(backend, 1e-3).logp)
    own = backend.word_logprobs(PROMPTS, ("house", "bread and butter"))
    assert shares(together.beside) == pytest.approx(shares(own), abs=1e-6)


def test_where_words_end_they_are_read_by_themselves(backend_of):
    backend = backend_of("gpt2", word_boundary=True)
    beside = one_token_words(backend)
    own = backend.word_logprobs(PROMPTS, beside)
    assert shares(asked(backend, 0.0, beside).beside) == pytest.approx(shares(own), abs=1e-6)


def test_a_backend_that_reads_none_beside_scores_them_by_themselves(backend_of):
    backend = backend_of("gpt2")
    beside = one_token_words(backend)
    allowed = Tolerance(0.0, GROUPS, np.ones(len(PROMPTS)))
    by_default = bvf.Backend.score_beside(backend, PROMPTS, WORDS, CLASSES, allowed, beside)
    assert shares(by_default.beside) == pytest.approx(shares(asked(backend, 0.0, beside).beside), abs=1e-6)
