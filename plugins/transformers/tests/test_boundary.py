"""``--word-boundary``: the probability of a word includes that the word ends."""

import numpy as np
import pytest
import torch
from bvf_transformers.tokens.composing import boundary_tokens
from bvf_transformers.tokens.cutting import Cutter
from tiny_models import FAMILIES, tokenizer_of
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

from bvf import BvfError, Prompt

WORDS = ["he", "her", "hero", "herself", "they"]
PROMPTS = [Prompt("The nurse said that", "", "g", "c"), Prompt("A baker claimed", "", "g", "c")]
CAUSAL = sorted(name for name, family in FAMILIES.items() if family.kind == "causal")


@pytest.mark.parametrize("name", CAUSAL)
@pytest.mark.parametrize("reads_trees", [True, False])
def test_a_word_has_the_probability_of_its_pieces_with_an_end_behind_them(folder_of, load_model, name, reads_trees):
    backend = load_model(folder_of(name), word_boundary=True)
    backend.reads_trees = reads_trees
    whole = backend.word_logprobs(PROMPTS, WORDS)
    part = backend.word_logprobs(PROMPTS, WORDS, absolute=False)
    expected = [[_logprob(backend, prompt, word) for word in WORDS] for prompt in PROMPTS]
    assert np.abs(whole - expected).max() < 1e-5
    assert np.ptp(part - expected, axis=1).max() < 1e-5


def _logprob(backend, prompt, word):
    tokenizer = backend.tokenizer
    left = tokenizer(prompt.left)["input_ids"]
    pieces = tokenizer(f"{prompt.left} {word}")["input_ids"][len(left) :]
    ends = [index for index in range(len(tokenizer)) if _ends(tokenizer, index)]
    with torch.no_grad():
        logp = backend.model(torch.tensor([[*left, *pieces]])).logits[0].log_softmax(-1)
    chain = sum(float(logp[len(left) + i - 1, piece]) for i, piece in enumerate(pieces))
    return chain + float(logp[-1, ends].logsumexp(0)) - float(logp[len(left) - 1, ends].logsumexp(0))


def _ends(tokenizer, index):
    """Whether a token cannot continue the word before it, judged by decoding it after a text."""
    if index in tokenizer.all_special_ids:
        return True
    text = tokenizer.decode([tokenizer("A")["input_ids"][-1], index])
    return (
        "\ufffd" not in text and not text.removeprefix(tokenizer.decode(tokenizer("A")["input_ids"][-1:]))[:1].isalnum()
    )


@pytest.mark.parametrize("name", ["gpt2", "llama"])
def test_words_of_one_sentence_exclude_each_other(folder_of, load_model, name):
    """By the chain rule alone, p of "he" includes p of "her" and "hero". With a boundary it does not."""
    backend = load_model(folder_of(name), word_boundary=True)
    cutter = Cutter(backend.tokenizer, "m", reads_right=False)
    pieces = cutter.cut(PROMPTS[:1], WORDS)[0].slot.pieces
    assert any(a != b and b[: len(a)] == a for a in pieces for b in pieces)
    assert np.exp(backend.word_logprobs(PROMPTS, WORDS)).sum(axis=1).max() <= 1.0


def test_what_may_follow_a_word_in_other_vocabularies():
    for kind, follows, goes_on in (("unigram-before", "▁", "e"), ("wordpiece", "a", "##a")):
        tokenizer = tokenizer_of(kind)
        tokens = tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))
        may_follow = {tokens[index] for index in boundary_tokens(tokenizer, "m")}
        assert {follows, tokenizer.pad_token} <= may_follow
        assert goes_on in set(tokens) - may_follow


def test_a_vocabulary_that_marks_no_words_is_refused():
    made = Tokenizer(models.WordLevel({"a": 0, "b": 1, "?": 2}, unk_token="?"))
    made.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=made, unk_token="?")
    with pytest.raises(BvfError, match="needs a tokenizer that marks where words begin"):
        boundary_tokens(tokenizer, "m")
