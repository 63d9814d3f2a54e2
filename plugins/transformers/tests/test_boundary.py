"""``--word-boundary``: the probability of a word includes that the word ends, in vocabularies like published ones."""

import json
import unicodedata
from pathlib import Path

import numpy as np
import pytest
import torch
from bvf_transformers.tokens.composing import boundary_tokens
from tiny_models import FAMILIES, TEXT, tokenizer_of
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from transformers import AutoTokenizer, PreTrainedTokenizerFast

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


SHARED = Path(__file__).resolve().parents[4] / "shared" / "tokenizers"
CORPUS = [*TEXT, *["## A title", "### Another, in 1984", "his heir; the heir's heirs", "café élan", "नियम की भाषा"] * 6]
SPLIT = r"(?i:'s|'t)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s+"


def byte_level(*, special, split=None, processor=None):
    """Train a byte-level vocabulary that has a plain ``##``."""
    made = Tokenizer(models.BPE())
    level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=split is None)
    made.pre_tokenizer = (
        pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(split), "isolated"), level]) if split else level
    )
    made.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=600,
        special_tokens=special,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    made.train_from_iterator(CORPUS, trainer)
    if processor:
        made.post_processor = processor
    return made


def like_neox():
    made = byte_level(special=["<|endoftext|>", "<|padding|>"])
    made.add_tokens(["  ", "    "])
    return PreTrainedTokenizerFast(tokenizer_object=made, bos_token="<|endoftext|>", eos_token="<|endoftext|>")


def like_qwen():
    made = byte_level(special=["<|endoftext|>", "<|im_start|>", "<|im_end|>"], split=SPLIT)
    made.normalizer = normalizers.NFC()
    return PreTrainedTokenizerFast(tokenizer_object=made, eos_token="<|im_end|>", pad_token="<|endoftext|>")


def like_opt():
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    before = processors.TemplateProcessing(single="</s> $A", special_tokens=[("</s>", 2)])
    made = byte_level(special=special, processor=before)
    return PreTrainedTokenizerFast(
        tokenizer_object=made, bos_token="</s>", eos_token="</s>", pad_token="<pad>", unk_token="</s>"
    )


def like_llama():
    """A sentencepiece BPE tokenizer. ▁ stands for a space, and bytes for characters that the vocabulary lacks."""
    special = ["<unk>", "<s>", "</s>"]
    learner = Tokenizer(models.BPE())
    learner.pre_tokenizer = pre_tokenizers.Metaspace()
    trainer = trainers.BpeTrainer(vocab_size=400, special_tokens=special, show_progress=False)
    learner.train_from_iterator(CORPUS, trainer)
    learnt = json.loads(learner.to_str())["model"]
    bytes_of = [f"<0x{byte:02X}>" for byte in range(256)]
    tokens = [*special, *bytes_of, *[token for token in learnt["vocab"] if token not in special]]
    merges = [tuple(pair) for pair in learnt["merges"]]
    vocabulary = {token: index for index, token in enumerate(tokens)}
    made = Tokenizer(models.BPE(vocabulary, merges, unk_token="<unk>", byte_fallback=True, fuse_unk=True))
    made.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    made.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    )
    made.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 1)])
    made.add_special_tokens(special)
    return PreTrainedTokenizerFast(tokenizer_object=made, bos_token="<s>", eos_token="</s>", unk_token="<unk>")


SHAPES = {"llama": like_llama, "neox": like_neox, "qwen": like_qwen, "opt": like_opt}


def ends_a_word(tokenizer, index, word):
    """Whether a token begins a new word, is not a letter, or ends a text. What it adds to a decoded word decides."""
    if index in tokenizer.all_special_ids:
        return True
    before = tokenizer.decode(word, clean_up_tokenization_spaces=False)
    after = tokenizer.decode([*word, index], clean_up_tokenization_spaces=False)
    assert after.startswith(before)
    added = after[len(before) :]
    if added == "" or added[0].isalnum() or added[0] == "\ufffd":
        return False
    return unicodedata.category(added[0]) not in {"Mn", "Mc", "Me"}  # accents, vowel signs


def check(tokenizer):
    tokens = tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))
    word = tokenizer("The nurse said that he", add_special_tokens=False)["input_ids"]
    expected = {index for index in range(len(tokens)) if ends_a_word(tokenizer, index, word)}
    ends = set(boundary_tokens(tokenizer, "m"))
    assert {tokens[index] for index in ends ^ expected} == set()
    bare = {token for token in tokens if token.isascii() and token.isalpha()}
    assert len(bare) > 40
    assert not {tokens[index] for index in ends} & bare
    assert tokens.index("##") in ends


@pytest.mark.parametrize("shape", SHAPES)
def test_the_rest_of_a_longer_word_is_no_end_of_a_word(shape):
    check(SHAPES[shape]())


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.is_dir(), reason="../shared is absent")
def test_the_rest_of_a_longer_word_is_no_end_of_a_word_in_the_vocabulary_of_gpt2():
    check(AutoTokenizer.from_pretrained(SHARED / "gpt2"))


@pytest.mark.parametrize("shape", ["llama", "qwen"])
def test_a_vowel_sign_goes_on_with_a_word(shape):
    tokenizer = SHAPES[shape]()
    tokens = tokenizer.convert_ids_to_tokens(boundary_tokens(tokenizer, "m"))
    assert "ि" not in {tokenizer.convert_tokens_to_string([token]) for token in tokens}
