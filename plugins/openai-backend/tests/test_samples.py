"""Probabilities from sampled continuations: estimates, refusals, and results of a run."""

import random

import numpy as np
import pytest
from asked_of_servers import PROMPTS
from bvf_openai_backend.sampling import TEXTS
from bvf_openai_backend.word_begun import word_begun
from hypothesis import given
from hypothesis import strategies as st
from loopback import FOLDER, NAME
from served_command import result_of

import bvf as package
from bvf.errors import BvfError, ScoringError
from bvf.interfaces.backend import Tolerance

FEW = PROMPTS[:3]
HE_AND_SHE = ["he", "she"]
CHOSEN = ("-B", "estimate=samples")
ASKED = ("--words", "male=he", "--words", "female=she")
JSON = ("--format", "json")


def coins(text, number, tokens, seed, p=0.5):
    """Continuations without a model: he, she or neither at random."""
    rng = random.Random(f"{seed} {text}")
    return [rng.choice([" he said", " she"]) if rng.random() < 0.9 else rng.choice([" her", ""]) for _ in range(number)]


@pytest.fixture
def coin_server(serve):
    def make(speaks="samples", fault="", **options):
        loopback = serve(speaks, fault, **options)
        loopback.draw = coins
        return loopback

    return make


def prompts_asked(loopback):
    return [body["prompt"] for path, body in loopback.asked if "ompletion" in path and body["prompt"] not in TEXTS]


def test_shares_are_those_of_exact_scoring_to_within_their_error(serve, connect, plugins, topic):
    backend = connect(serve("samples"), estimate="samples", samples=500)
    entry = plugins.backends.find("llama")
    whole = entry.make(package.ModelRequest(str(FOLDER), topic, options=entry.chosen({"word_boundary": True})))
    exact = np.exp(whole.word_logprobs(FEW, HE_AND_SHE, absolute=False))
    exact /= exact.sum(axis=1, keepdims=True)
    answers = backend.answers(FEW, HE_AND_SHE, np.array([0, 1]), Tolerance.on_each(0.0, len(FEW)))
    shares = np.exp(answers.logp) / np.exp(answers.logp).sum(axis=1, keepdims=True)
    assert (answers.hits > 50).all()
    assert (np.abs(shares - exact) < 4 * np.sqrt(exact * (1 - exact) / answers.hits[:, np.newaxis])).all()
    assert np.exp(answers.logp).sum(axis=1) == pytest.approx(answers.hits / 500)


def test_the_same_is_drawn_again_and_nothing_is_asked_twice(coin_server, connect):
    loopback = coin_server()
    options = {"estimate": "samples", "samples": 20}
    first, second = (connect(loopback, **options) for _ in range(2))
    together = first.word_logprobs([*PROMPTS, PROMPTS[0]], HE_AND_SHE)
    assert len(prompts_asked(loopback)) == len(PROMPTS)
    assert (first.word_logprobs(PROMPTS[::-1], HE_AND_SHE)[::-1] == together[:-1]).all()
    assert len(prompts_asked(loopback)) == len(PROMPTS)
    assert (second.word_logprobs(PROMPTS, HE_AND_SHE) == together[:-1]).all()
    assert len(np.unique(together[:, 0])) > 1  # texts do not share their draws


@pytest.mark.parametrize("fault", ["ignores n", "strict"])
def test_servers_that_take_less_are_asked_for_less(fault, coin_server, connect):
    loopback = coin_server("samples", fault)
    backend = connect(loopback, estimate="samples", samples=6)
    answers = backend.answers(FEW, HE_AND_SHE, np.array([0, 1]), Tolerance.on_each(0.0, len(FEW)))
    assert (answers.hits <= 6).all()
    assert len(prompts_asked(loopback)) == len(FEW) * (6 if fault == "ignores n" else 1)


def test_in_a_chat_words_begin_the_answer(serve, connect):
    loopback = serve("samples of chats")
    loopback.draw = lambda text, number, *_: [["she", "her", "\n he.", text[:3]][each % 4] for each in range(number)]
    backend = connect(loopback, estimate="samples", samples=8)
    assert backend.capabilities.wording == "chat"
    assert np.exp(backend.word_logprobs(FEW, HE_AND_SHE)).tolist() == [[0.25, 0.25]] * 3


def test_a_sample_of_a_longer_word_counts_for_none(serve, connect):
    loopback = serve("samples")
    loopback.draw = lambda text, number, *_: [[" she ran", " he said", f" he {text[:3]}"][i % 3] for i in range(number)]
    backend = connect(loopback, longer_words=("he said",), estimate="samples", samples=9)
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


def test_a_server_that_says_the_same_again_and_again_is_refused(serve, connect):
    loopback = serve("samples")
    loopback.draw = lambda text, number, *_: [text] * number
    with pytest.raises(ScoringError, match="nothing is sampled"):
        connect(loopback, estimate="samples")


def test_a_server_that_strips_spaces_is_refused(coin_server, connect):
    backend = connect(coin_server("samples", "strips"), estimate="samples", samples=8)
    with pytest.raises(ScoringError, match="without the space"):
        backend.word_logprobs(FEW, HE_AND_SHE)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"estimate": "samples", "samples": 1}, "samples"),
        ({"samples": 8}, "estimate=samples"),
        ({"estimate": "x"}, "x"),
    ],
)
def test_options_that_mean_nothing_are_refused(options, says, serve, connect):
    with pytest.raises(BvfError, match=says):
        connect(serve("samples"), **options)


def test_nothing_is_sampled_unless_it_is_asked_for(serve, connect):
    with pytest.raises(BvfError, match="returns no log-probabilities") as error:
        connect(serve("nothing"))
    assert "-B estimate=samples" in error.value.hint


def test_what_a_run_takes_is_compared_with_the_budget(coin_server, connect):
    backend = connect(coin_server("samples", "ignores n"), estimate="samples", samples=10, max_requests=40)
    backend.check_budget(FEW, HE_AND_SHE, 4)
    with pytest.raises(BvfError, match="5 prompts take about 50 requests, of 10 samples per prompt"):
        backend.check_budget(FEW, HE_AND_SHE, 5)


def test_a_run_says_what_it_owes_to_sampling_and_goes_on_without_asking_again(bvf, coin_server, tmp_path):
    loopback = coin_server()
    few = ("--topic", "gender-2026", "-B", "samples=16", "--limit-groups", "6", "--limit-contexts", "8")
    options = (*CHOSEN, *few, *ASKED, "--out", "out")
    result = result_of(bvf(loopback.url, *options, *JSON))
    assert result["samples"] == 16
    assert result["sampled"]["plug_in"]["R"] > 0.15
    assert result["sampled"]["plug_in"]["R_volatility"] > 2 * result["R_volatility"]
    assert result["sampled"]["intervals"]["R"]["low"] < 0.02
    assert result["notes"][0].startswith("sampled: p is the share of classes among 16 continuations per prompt")
    asked = prompts_asked(loopback)
    assert len(asked) == len(set(asked)) == 48 + 3 * 8  # groups and neutral subjects
    assert f"openai:{NAME} (sampled)" in bvf(loopback.url, *options).stdout
    assert len(prompts_asked(loopback)) == len(asked)


def test_prompts_without_any_word_are_missing_and_said(bvf, serve):
    loopback = serve("samples")
    loopback.draw = lambda text, *rest: [" it"] * rest[0] if text[4:5] == "a" else coins(text, *rest)
    limits = ("--openings", "none", "--limit-groups", "60", "--limit-contexts", "2")
    result = result_of(bvf(loopback.url, *CHOSEN, "-B", "samples=8", *limits, *ASKED, *JSON))
    assert 0 < result["missing"] < result["prompts"] == 120
    assert any("no sample is a candidate word" in note for note in result["notes"])


@pytest.mark.parametrize("speaks", ["samples", "samples of chats"])
def test_prompts_that_a_filter_of_the_server_rejects_are_missing_and_said(speaks, serve, tmp_path):
    loopback = serve(speaks)
    loopback.draw = coins if speaks == "samples" else lambda *asked: [text.strip() for text in coins(*asked)]
    filtered = 400, {"error": {"code": "content_filter", "message": "The prompt triggered a policy."}}
    loopback.twist = lambda path, answer: filtered if "cook" in str(loopback.asked[-1][1]) else answer
    result = package.run(
        model=f"openai:{NAME}",
        backend_options={"base_url": loopback.url, "estimate": "samples", "samples": 20, "in_flight": 1},
        groups=("nurse", "cook"),
        limit_contexts=3,
        out=tmp_path / "run",
    )
    assert (result.missing, result.prompts) == (3, 6)
    assert [group.group for group in result.groups] == ["nurse"]
    assert any("prompts that the server filters" in note and "triggered a policy" in note for note in result.notes)
