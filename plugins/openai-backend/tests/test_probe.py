"""A probe finds the request format of a server, and refuses silent errors."""

from itertools import product

import pytest
from asked_of_servers import WORDS, check_within, classes_by
from bvf_openai_backend.loading import REPEATED
from bvf_openai_backend.tokens import letters_of
from loopback import FOLDER
from transformers import BertTokenizer

import bvf
from bvf.errors import BvfError

TOKENIZER = {"tokenizer": str(FOLDER)}
DIALECTS = ["vLLM", "SGLang", "llama.cpp", "completions", "completions of texts", "Ollama", "TGI", "chat"]


@pytest.mark.parametrize("name", DIALECTS)
def test_the_dialect_is_found(name, serve, connect):
    assert connect(serve(name.lower()), **TOKENIZER).server.dialect.name == name


WRONG = {
    "zeros": "every log-probability is 0.0",
    "equal": "gives every token the log-probability -3",
    "logits": "above 0, so not a probability",
    "halved": "whose sum is",
    "deaf": "the same answer to different texts",
    "begins twice": "a text would begin twice",
    "other tokenizer": "and the tokenizer",
}


@pytest.mark.parametrize(
    ("speaks", "fault"),
    [
        *product(["vllm", "sglang", "llama.cpp"], WRONG),
        *(("completions", fault) for fault in WRONG if fault != "deaf"),  # it lists tokens drawn for each text
    ],
)
def test_what_would_be_silently_wrong_is_refused(speaks, fault, serve, connect):
    with pytest.raises(BvfError, match=WRONG[fault]) as error:
        connect(serve(speaks, fault))
    assert error.value.hint


def test_names_of_tokens_without_their_spaces_are_refused(serve, connect):
    with pytest.raises(BvfError, match=r"names a token .*: it leaves out the space, and .* may be another token"):
        connect(serve("completions", "no spaces"))


@pytest.mark.parametrize(("speaks", "fault"), [("vllm", "ignores ids"), ("nothing", "")])
def test_a_server_that_passes_over_what_it_is_asked_is_seen_and_nothing_is_sampled(speaks, fault, serve, connect):
    """A vLLM that ignores logprob_token_ids lists one token. `transformers serve` lists none."""
    with pytest.raises(BvfError, match="returns no log-probabilities") as error:
        connect(serve(speaks, fault))
    assert "-B estimate=samples" in error.value.hint


def test_the_longest_text_is_known_before_it_is_sent(serve, connect):
    long = bvf.Prompt("so " * 130, "", "nurse", "long")
    loopback = serve("vllm")
    backend = connect(loopback)
    before = len(loopback.asked)
    with pytest.raises(BvfError, match="and the server takes 128"):
        backend.word_logprobs([long], WORDS)
    assert len(loopback.asked) == before


@pytest.mark.parametrize("always", [False, True])
def test_likely_tokens_need_not_begin_with_a_space(always, serve, connect, model, local):
    """Where none ever does, a name may be that of the token with a space, too: bounds allow for both."""
    loopback = serve("completions", "letters", top=900)
    best, repeated = loopback.best, [] if always else [model.tokenizer(text)["input_ids"] for text in REPEATED]

    def without_spaces(ids, number):
        return [each for each in best(ids, 900) if ids in repeated or not each[1].startswith(" ")][:5]

    loopback.best, loopback.drawn = without_spaces, lambda ids: without_spaces(ids, 1)[0]
    backend = connect(loopback, **TOKENIZER)
    assert backend.server.dialect.spaced is not always
    check_within(classes_by(backend, 0.999), classes_by(local)[0])


def test_the_names_of_tokens_that_are_words_have_no_spaces(tmp_path):
    (tmp_path / "vocab.txt").write_text("[UNK]\na\nhe\n##he\n他")
    tokenizer = BertTokenizer(str(tmp_path / "vocab.txt"))
    assert [letters_of(tokenizer, token) for token in (2, 3, 4)] == ["he", "##he", "他"]
