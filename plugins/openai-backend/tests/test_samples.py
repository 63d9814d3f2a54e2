"""Probabilities from sampled continuations: estimates, refusals, and results of a run."""

import random

import numpy as np
import pytest
from asked_of_servers import HE_AND_SHE, JSON, PROMPTS, answers_within
from bvf_openai_backend.sampling import TEXTS
from bvf_openai_backend.word_begun import word_begun
from hypothesis import given
from hypothesis import strategies as st
from loopback import FOLDER, NAME
from processes import result_of
from test_writing import filtered

import bvf as package
from bvf.errors import BvfError, ScoringError

FEW = PROMPTS[:3]
CHOSEN = ("-B", "estimate=samples", *JSON)


def coins(text, number, tokens, seed):
    """Continuations without a model: he, she or neither at random."""
    rng = random.Random(f"{seed} {text}")
    return [rng.choice([" he said", " she"]) if rng.random() < 0.9 else rng.choice([" her", ""]) for _ in range(number)]


@pytest.fixture
def sampled(serve, connect):
    """Connect to a server whose continuations a function draws, or the model."""

    def make(draw=coins, speaks="samples", fault="", **options):
        loopback = serve(speaks, fault)
        loopback.draw = draw or loopback.draw
        return loopback, connect(loopback, estimate="samples", **options)

    return make


def prompts_asked(loopback):
    return [body["prompt"] for path, body in loopback.asked if "ompletion" in path and body["prompt"] not in TEXTS]


def test_shares_are_those_of_exact_scoring_to_within_their_error(sampled, here):
    _, backend = sampled(draw=None, samples=500)
    exact = np.exp(here(FOLDER, word_boundary=True).word_logprobs(FEW, HE_AND_SHE, absolute=False))
    exact /= exact.sum(axis=1, keepdims=True)
    answers = answers_within(backend, 0.0, FEW, HE_AND_SHE, np.array([0, 1]))
    shares = np.exp(answers.logp) / np.exp(answers.logp).sum(axis=1, keepdims=True)
    assert (answers.hits > 50).all()
    assert (np.abs(shares - exact) < 4 * np.sqrt(exact * (1 - exact) / answers.hits[:, np.newaxis])).all()
    assert np.exp(answers.logp).sum(axis=1) == pytest.approx(answers.hits / 500)


def test_the_same_is_drawn_again_and_nothing_is_asked_twice(sampled, connect):
    loopback, first = sampled(samples=20)
    together = first.word_logprobs([*PROMPTS, PROMPTS[0]], HE_AND_SHE)
    assert len(prompts_asked(loopback)) == len(PROMPTS)
    assert (first.word_logprobs(PROMPTS[::-1], HE_AND_SHE)[::-1] == together[:-1]).all()
    assert len(prompts_asked(loopback)) == len(PROMPTS)
    second = connect(loopback, estimate="samples", samples=20)
    assert (second.word_logprobs(PROMPTS, HE_AND_SHE) == together[:-1]).all()
    assert len(np.unique(together[:, 0])) > 1  # texts do not share their draws


def in_turn(*texts):
    """Continuations that are these in turn, as often as there is need; {} is the beginning of the prompt."""
    return lambda prompt, number, *_: [texts[each % len(texts)].format(prompt[:3]) for each in range(number)]


def test_in_a_chat_words_begin_the_answer(sampled):
    _, backend = sampled(in_turn("she", "her", "\n he.", "{}"), "samples of chats", samples=8)
    assert backend.capabilities.wording == "chat"
    assert np.exp(backend.word_logprobs(FEW, HE_AND_SHE)).tolist() == [[0.25, 0.25]] * 3


def test_a_sample_of_a_longer_word_counts_for_none(sampled):
    _, backend = sampled(in_turn(" she ran", " he said", " he {}"), longer_words=("he said",), samples=9)
    assert np.exp(backend.word_logprobs(FEW, HE_AND_SHE)) == pytest.approx(np.full((3, 2), 1 / 3))


WORDS = ["he", "her", "hero", "\u533b\u751f", "\u533b"]


@given(
    st.sampled_from(["", " ", "  "]),
    st.sampled_from([*WORDS, "x"]),
    st.sampled_from(["", " and", "o", "9", "\u0301", "."]),
)
def test_the_longest_word_counts_unless_it_goes_on(space, begun, rest):
    text = begun + rest
    whole = [word for word in WORDS if text == word or (text.startswith(word) and text[len(word)] in " .")]
    expected = WORDS.index(max(whole, key=len)) if whole and space == " " else None
    assert word_begun(space + text, WORDS, spaced=True, gap=True) == expected
    without = [word for word in WORDS if text.startswith(word)]
    assert word_begun(text, WORDS, spaced=False, gap=False) == (WORDS.index(max(without, key=len)) if without else None)


@pytest.mark.parametrize(
    ("draw", "says"),
    [
        (lambda text, number, *_: [text] * number, "nothing is sampled"),
        (lambda *_: [" he", " she", " it"], "gives 3 continuations where it is asked for 1"),
        (lambda text, number, *_: ["x" * 10**5] * number, "continues no text: it refuses /v1/completions and"),
    ],
    ids=["the same", "too many", "too long"],
)
def test_a_server_that_does_not_sample_is_refused(draw, says, sampled):
    with pytest.raises(BvfError, match=says):
        sampled(draw)


def test_a_server_that_strips_spaces_or_answers_otherwise_later_is_refused(sampled):
    loopback, backend = sampled(samples=8)
    loopback.twist = lambda path, answer: (200, {"choices": [{}]})
    with pytest.raises(ScoringError, match="answers in another shape than before: it has no 'text'"):
        backend.word_logprobs(FEW, HE_AND_SHE)
    _, backend = sampled(fault="strips", samples=8)
    with pytest.raises(ScoringError, match="without the space"):
        backend.word_logprobs(FEW, HE_AND_SHE)


def test_a_run_says_what_it_owes_to_sampling_and_goes_on_without_asking_again(bvf, serve):
    loopback = serve("samples")
    loopback.draw = coins
    few = ("--topic", "gender-2026", "-B", "samples=16", "--limit-groups", "6", "--limit-contexts", "8")
    options = (*CHOSEN, *few, "--out", "out")
    result = result_of(bvf(loopback.url, *options))
    assert result["samples"] == 16
    assert result["sampled"]["plug_in"]["R"] > 0.15
    assert result["sampled"]["plug_in"]["R_volatility"] > 2 * result["R_volatility"]
    assert result["sampled"]["intervals"]["R"]["low"] < 0.02
    assert result["notes"][0].startswith("sampled: p is the share of classes among 16 continuations per prompt")
    asked = prompts_asked(loopback)
    assert len(asked) == len(set(asked)) == 48 + 3 * 8  # groups and neutral subjects
    assert f"openai:{NAME} (sampled)" in bvf(loopback.url, *options, "--format", "text").stdout
    assert len(prompts_asked(loopback)) == len(asked)


def test_prompts_without_any_word_are_missing_and_said(bvf, serve):
    loopback = serve("samples")
    loopback.draw = lambda text, *rest: [" it"] * rest[0] if text[4:5] == "a" else coins(text, *rest)
    limits = ("--openings", "none", "--limit-groups", "60", "--limit-contexts", "2")
    result = result_of(bvf(loopback.url, *CHOSEN, "-B", "samples=8", *limits))
    assert 0 < result["missing"] < result["prompts"] == 120
    assert any("no sample is a candidate word" in note for note in result["notes"])


@pytest.mark.parametrize("speaks", ["samples", "samples of chats"])
def test_prompts_that_a_filter_of_the_server_rejects_are_missing_and_said(speaks, serve, tmp_path):
    loopback = serve(speaks)
    loopback.draw = coins if speaks == "samples" else lambda *asked: [text.strip() for text in coins(*asked)]
    filtered(loopback)
    options = {"base_url": loopback.url, "estimate": "samples", "samples": 20}
    few = {"groups": ("nurse", "cook"), "limit_contexts": 3, "out": tmp_path / "run"}
    result = package.run(model=f"openai:{NAME}", backend_options=options, **few)
    assert (result.missing, result.prompts) == (3, 6)
    assert [group.group for group in result.groups] == ["nurse"]
    assert any("prompts that the server filters" in note and "triggered a policy" in note for note in result.notes)
