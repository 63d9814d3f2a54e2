"""Servers that send a text back with log p of its tokens. Every word is exact, or they are noticed and not believed."""

import numpy as np
import pytest
from asked_of_servers import CLASS_OF_WORD, PROMPTS, WORDS, check_within, classes_by
from bvf_openai_backend.dialects import Row
from bvf_openai_backend.most_probable import Completions
from loopback import ECHOES, FOLDER

from bvf.errors import BvfError
from bvf.interfaces.backend import Tolerance

TOKENIZER = {"tokenizer": str(FOLDER)}
BY_TEXT_AND_BY_ID = ["completions of texts", "completions"]


@pytest.mark.parametrize("speaks", BY_TEXT_AND_BY_ID)
def test_every_word_has_the_probability_that_it_has_here(speaks, serve, connect, local):
    """Of the five most probable tokens few are words. Texts that go on to a longer word are left out."""
    loopback = serve(speaks, "echo", top=5)
    backend = connect(loopback, **TOKENIZER)
    ours, theirs = (np.exp(each.word_logprobs(PROMPTS, WORDS)) for each in (local, backend))
    assert np.abs(ours - theirs).max() < 1e-5
    classes, bounds = classes_by(backend)
    assert np.abs(classes - classes_by(local)[0]).max() < 1e-5
    assert bounds.max() < 1e-9
    he, she, hen = (np.exp(local.word_logprobs(PROMPTS, [word])[:, 0]) for word in ("he", "she", "hen"))
    p = np.exp(connect(loopback, longer_words=("hen",), **TOKENIZER).word_logprobs(PROMPTS, ["he", "she"]))
    assert np.abs(p - np.stack([he - hen, she], axis=1)).max() < 1e-5


def test_only_groups_that_are_known_too_roughly_are_asked_for_and_each_word_once(serve, connect):
    loopback = serve("completions of texts", "echo", top=20)
    backend = connect(loopback, **TOKENIZER)
    _, bounds = classes_by(connect(serve("completions of texts", top=20), **TOKENIZER), 0.999)
    groups, weights = np.arange(len(PROMPTS)) // 3, np.ones(len(PROMPTS))
    means = np.bincount(groups, bounds) / 3
    tolerance = Tolerance(float(np.sort(means)[-2:].mean()), groups, weights)
    before = len(loopback.asked)
    answers = backend.answers(PROMPTS, WORDS, CLASS_OF_WORD, tolerance)
    echoed = [body["prompt"] for _, body in loopback.asked[before:] if "echo" in body]
    assert set(groups[answers.bounds < 1e-9]) == {int(means.argmax())}
    assert len(set(echoed)) == len(echoed) <= 3 * len(WORDS)
    assert "sends back" in answers.remarks[0]
    assert connect(loopback, echo=False, **TOKENIZER).server.echo is None


@pytest.mark.parametrize("speaks", BY_TEXT_AND_BY_ID)
@pytest.mark.parametrize("fault", [*ECHOES[1:], ""])
def test_a_server_that_does_not_echo_rightly_is_asked_as_before_or_refused(speaks, fault, serve, connect, local):
    loopback = serve(speaks, fault)
    found = classes_by(connect(loopback, **TOKENIZER), 0.999)
    check_within(found, classes_by(local)[0])
    assert found[1].min() > 0
    with pytest.raises(BvfError, match=r"-B echo=true: 127\S+ is to send a text back, and gives (no|a token)"):
        connect(loopback, echo=True, **TOKENIZER)


LETTERS = {1: "<s>", 2: "The", 3: " nurse", 4: None}
ROW = Row((1, 2, 3, 4))


@pytest.mark.parametrize(
    ("names", "logp"),
    [
        (["<s>", "The", " nurse", "", " is"], [None, -1.0, -2.0, -3.0, -4.0]),
        (["The", " nurse", "\ufffd", " is"], [-1.0, -2.0, -3.0, -4.0]),
        (["The", " nurse", "\ufffd"], [-1.0, -2.0, -3.0]),  # where it draws the end of the text
    ],
)
def test_the_tokens_of_the_text_are_found_by_their_letters(names, logp):
    answer = {"choices": [{"logprobs": {"tokens": names, "token_logprobs": logp}}]}
    (found,) = Completions("m", letters=LETTERS.get, echo=True).read(answer, [ROW])
    assert np.array_equal(found.echoed, [np.nan, -1.0, -2.0, -3.0], equal_nan=True)
