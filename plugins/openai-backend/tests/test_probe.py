"""A probe finds the request format of a server, and refuses silent errors."""

import pytest
from asked_of_servers import WORDS
from loopback import FOLDER

import bvf
from bvf.errors import BvfError

TOKENIZER = {"tokenizer": str(FOLDER)}


@pytest.mark.parametrize(
    ("speaks", "name"),
    [
        ("vllm", "vLLM"),
        ("sglang", "SGLang"),
        ("llama.cpp", "llama.cpp"),
        ("completions", "completions"),
        ("completions of texts", "completions of texts"),
        ("ollama", "Ollama"),
        ("tgi", "TGI"),
        ("chat", "chat"),
    ],
)
def test_the_dialect_is_found(speaks, name, serve, connect):
    assert connect(serve(speaks), **TOKENIZER).server.dialect.name == name


@pytest.mark.parametrize("speaks", ["vllm", "sglang", "llama.cpp"])
@pytest.mark.parametrize(
    ("fault", "says"),
    [
        ("zeros", "every log-probability is 0.0"),
        ("equal", "gives every token the log-probability -3"),
        ("logits", "above 0, so not a probability"),
        ("halved", "whose sum is"),
        ("deaf", "the same answer to different texts"),
        ("begins twice", "a text would begin twice"),
        ("other tokenizer", "and the tokenizer"),
    ],
)
def test_what_would_be_silently_wrong_is_refused(speaks, fault, says, serve, connect):
    with pytest.raises(BvfError, match=says) as error:
        connect(serve(speaks, fault))
    assert error.value.hint


@pytest.mark.parametrize(("speaks", "fault"), [("vllm", "ignores ids"), ("nothing", "")])
def test_a_server_that_passes_over_what_it_is_asked_is_seen(speaks, fault, serve, connect):
    """A vLLM that ignores logprob_token_ids lists one token. `transformers serve` lists none."""
    with pytest.raises(BvfError, match="returns no log-probabilities"):
        connect(serve(speaks, fault))


@pytest.mark.parametrize("fault", ["zeros", "equal", "logits", "halved", "no spaces"])
def test_the_most_probable_tokens_are_looked_at_likewise(fault, serve, connect):
    with pytest.raises(BvfError):
        connect(serve("completions", fault))


def test_the_longest_text_is_known_before_it_is_sent(serve, connect):
    long = bvf.Prompt("so " * 130, "", "nurse", "long")
    loopback = serve("vllm")
    backend = connect(loopback)
    before = len(loopback.asked)
    with pytest.raises(BvfError, match="and the server takes 128"):
        backend.word_logprobs([long], WORDS)
    assert len(loopback.asked) == before
