"""``--word-boundary`` on published vocabularies: a ``##`` that is text, bytes, and accents."""

import json
import unicodedata
from pathlib import Path

import pytest
from bvf_transformers.tokens.composing import boundary_tokens
from tiny_models import TEXT
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from transformers import AutoTokenizer, PreTrainedTokenizerFast

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
    return added != "" and not (added[0].isalnum() or added[0] == "\ufffd" or is_mark(added[0]))


def is_mark(character):
    """Whether a character combines with the letter before it, as accents and vowel signs do."""
    return unicodedata.category(character) in {"Mn", "Mc", "Me"}


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
