"""Servers that return log p of every named token. Figures equal those of a local model, with few requests."""

import numpy as np
import pytest
from asked_of_servers import HE_AND_SHE, PROMPTS, WORDS, answers_within, classes_by
from bvf_openai_backend.dialects import Row
from bvf_openai_backend.server import parcels_of
from bvf_testing.backends import backend_checks
from hypothesis import given
from hypothesis import strategies as st
from loopback import FOLDER


@pytest.mark.parametrize("speaks", ["vllm", "sglang", "llama.cpp"])
def test_words_of_one_to_four_tokens_have_the_probability_that_they_have_here(speaks, serve, connect, local):
    pieces = {len(ids) for ids in local.cutter.cut(PROMPTS[:1], WORDS)[0].slot.pieces}
    assert pieces >= {1, 2, 3, 4}
    backend = connect(serve(speaks))
    ours, theirs = (each.word_logprobs(PROMPTS, WORDS) for each in (local, backend))
    assert np.abs(np.exp(ours) - np.exp(theirs)).max() < 1e-5
    assert np.abs(classes_by(local)[0] - classes_by(backend)[0]).max() < 1e-5


@pytest.mark.parametrize("speaks", ["vllm", "completions"])
def test_texts_that_go_on_to_a_longer_word_are_left_out(speaks, serve, connect, local):
    he, she, hen = (np.exp(local.word_logprobs(PROMPTS, [word])[:, 0]) for word in ("he", "she", "hen"))
    backend = connect(serve(speaks), longer_words=("hen",))
    answers = answers_within(backend, 0.2, PROMPTS, HE_AND_SHE, np.array([0, 1]))
    p = np.exp(answers.logp)
    assert (np.abs(p[:, 0] / p.sum(axis=1) - (he - hen) / (he - hen + she)) <= answers.bounds + 1e-5).all()
    assert '"he" without "hen"' in answers.remarks[-1]


def test_the_whole_vocabulary_of_llama_cpp_is_asked_for_only_where_a_token_is_not_among_the_1000(serve, connect, local):
    loopback = serve("llama.cpp")
    backend = connect(loopback)
    asked = {1000: [], len(local.tokenizer): []}
    for words in (HE_AND_SHE, WORDS):
        before = len(loopback.asked)
        backend.word_logprobs(PROMPTS, words)
        for _, body in loopback.asked[before:]:
            asked[body["n_probs"]].append((tuple(words), tuple(body["prompt"])))
        if words != WORDS:
            assert len(asked[1000]) == len(PROMPTS)
            assert asked[len(local.tokenizer)] == []
    assert 0 < len(asked[len(local.tokenizer)]) < len(asked[1000])
    assert set(asked[len(local.tokenizer)]) < set(asked[1000])


def test_words_are_left_out_within_the_tolerance(serve, connect, local):
    loopback = serve("vllm")
    backend = connect(loopback)
    before = len(loopback.asked)
    classes, bounds = classes_by(backend, 0.05)
    fewer = sum(len(body["prompt"]) for _, body in loopback.asked[before:])
    assert (np.abs(classes - classes_by(local)[0]).max(axis=1) <= bounds + 1e-9).all()
    assert 0 < bounds.max() <= 0.05
    assert fewer < len(PROMPTS) * 6


def test_a_backend_on_a_server_does_what_backends_must(serve, connect):
    for check in backend_checks(connect(serve("vllm")), PROMPTS, WORDS, plain=None):
        check()


@pytest.mark.parametrize("speaks", ["vllm", "sglang"])
def test_without_a_tokenizer_here_the_servers_own_is_asked(speaks, serve, connect, local):
    loopback = serve(speaks, root="")
    assert np.abs(classes_by(connect(loopback))[0] - classes_by(local)[0]).max() < 1e-5
    texts = [body["prompt"] for path, body in loopback.asked if path == "/tokenize" and body["add_special_tokens"]]
    assert len(texts) > len(PROMPTS)
    assert len(set(texts[1:])) == len(texts[1:])


def test_one_request_asks_many_texts_and_at_most_128_ids(serve, connect):
    loopback = serve("vllm")
    backend = connect(loopback, rows=4, in_flight=1)
    before = len(loopback.asked)
    backend.word_logprobs(PROMPTS, WORDS)
    bodies = [body for _, body in loopback.asked[before:]]
    assert {len(body["prompt"]) for body in bodies[:-1]} == {4}
    assert all(ids[0] == 0 and 0 not in ids[1:] for body in bodies for ids in body["prompt"])
    assert max(len(body["logprob_token_ids"]) for body in bodies) <= 128


def test_more_children_than_a_request_may_ask_are_split_over_rows(serve, connect, local):
    many = [word for word in local.tokenizer.get_vocab() if word.startswith("Ġ") and word[1:].isalpha()]
    words = [word[1:] for word in sorted(many)[:300]]
    logp = connect(serve("vllm")).word_logprobs(PROMPTS[:2], words)
    assert np.abs(np.exp(logp) - np.exp(local.word_logprobs(PROMPTS[:2], words))).max() < 1e-6


ROWS = st.builds(
    Row,
    st.lists(st.integers(0, 5), min_size=1, max_size=4).map(tuple),
    st.lists(st.integers(0, 300), min_size=1, max_size=128, unique=True).map(sorted).map(tuple),
)


@given(st.lists(ROWS, max_size=20, unique=True), st.integers(1, 8))
def test_parcels_hold_every_row_once_within_both_limits(rows, most):
    parcels = parcels_of(rows, most, 128)
    assert sorted((row for parcel in parcels for row in parcel), key=repr) == sorted(rows, key=repr)
    assert all(0 < len(parcel) <= most for parcel in parcels)
    assert all(len(set().union(*(row.asked for row in parcel))) <= 128 for parcel in parcels)


def test_the_tokenizer_may_be_named(serve, connect):
    assert connect(serve("vllm", "no tokenizer", root=""), tokenizer=str(FOLDER)).token_ids(PROMPTS[0], "he")[0] == 0
