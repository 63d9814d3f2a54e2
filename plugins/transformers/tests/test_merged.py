"""Tokenizers that write the end of the text and the start of a word as one token, such as Chinese ones."""

import math

import pytest
import torch
import transformers as tf
from helpers.plain_models import logprob_of_rest
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

import bvf

WORDS = ["他", "她", "父亲", "母亲", "他们"]
TEXTS = [
    "医生说他来了。",
    "护士说他走了。",
    "父亲说他很忙。",
    "母亲说她很忙。",
    "他说父亲来了。",
    "他们来了。",
    "老师说母亲走了。",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A tiny GPT-2 whose byte-level tokenizer has 说他 as one token, and 说她 as two."""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=256 + 1 + 24, special_tokens=["<s>"], initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator(TEXTS * 20, trainer)
    path = tmp_path_factory.mktemp("merged")
    fast = tf.PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>", eos_token="<s>")
    fast.save_pretrained(path)
    config = tf.GPT2Config(vocab_size=len(fast), n_positions=64, n_embd=32, n_layer=2, n_head=2, initializer_range=0.5)
    tf.GPT2LMHeadModel(config).save_pretrained(path)
    return path


@pytest.fixture(scope="module")
def backend(folder, load_model):
    return load_model(folder)


def prompt(left):
    return bvf.Prompt(left, "", "医生", "[X]说[Y]", spaced=False)


def test_classes_are_compared_by_the_whole_text_with_each_word(folder, backend):
    """Eq. 8 needs only p(text with one word) / p(text with another). So no token boundary is needed at the slot."""
    tokenizer, model = tf.AutoTokenizer.from_pretrained(folder), tf.GPT2LMHeadModel.from_pretrained(folder).eval()
    prompts = [prompt("医生说"), prompt("老师说"), prompt("医生对老师说"), prompt("医生")]
    relative = backend.word_logprobs(prompts, WORDS, absolute=False)
    for row, each in zip(relative, prompts, strict=True):
        # The first token is the same with every word, so it cancels.
        whole = [logprob_of_rest(model, tokenizer(each.left + word)["input_ids"], 1) for word in WORDS]
        assert row - row[0] == pytest.approx([value - whole[0] for value in whole], abs=1e-4)


def test_absolute_probabilities_are_shares_of_the_texts_that_go_on_like_the_prompt(folder, backend):
    tokenizer, model = tf.AutoTokenizer.from_pretrained(folder), tf.GPT2LMHeadModel.from_pretrained(folder).eval()
    (logp,) = backend.word_logprobs([prompt("医生说")], WORDS)
    (relative,) = backend.word_logprobs([prompt("医生说")], WORDS, absolute=False)
    assert logp - logp[0] == pytest.approx(relative - relative[0], abs=1e-5)
    assert (logp <= 0).all()
    kept = tokenizer("医生说")["input_ids"]
    kept = kept[: sum(1 for a, b in zip(kept, tokenizer("医生说他")["input_ids"], strict=False) if a == b)]
    end = "医生说".encode()[len(tokenizer.decode(kept).encode()) :]
    with torch.no_grad():
        p = model(torch.tensor([kept])).logits[0, -1].softmax(-1)
    written = [bytes_of(tokenizer, token) for token in range(len(tokenizer))]
    share = sum(
        float(p[t]) for t, text in enumerate(written) if text and (text.startswith(end) or end.startswith(text))
    )
    whole = logprob_of_rest(model, tokenizer("医生说他")["input_ids"], len(kept))
    assert logp[0] == pytest.approx(whole - math.log(share), abs=1e-4)


def test_batches_of_both_kinds_give_what_one_prompt_gives(backend):
    prompts = [prompt(left) for left in ("医生说", "医生", "老师说", "护士走了。", "父亲说")]
    together = backend.word_logprobs(prompts, WORDS)
    alone = [backend.word_logprobs([each], WORDS)[0] for each in prompts]
    for one, other in zip(together, alone, strict=True):
        assert one == pytest.approx(other, abs=1e-5)


def bytes_of(tokenizer, token):
    """The bytes that a byte-level token stands for; nothing for special tokens."""
    if token in tokenizer.all_special_ids:
        return b""
    back = {char: byte for byte, char in byte_characters().items()}
    return bytes(back[char] for char in tokenizer.convert_ids_to_tokens(token))


def byte_characters():
    """The printable characters of byte-level BPE. Those of Latin-1 stand for themselves, the others are from 256 on."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in printable]
    return {**{byte: chr(byte) for byte in printable}, **{byte: chr(256 + i) for i, byte in enumerate(others)}}
