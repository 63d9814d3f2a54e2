"""Token ids composed from those of words equal those of the text."""

import pytest
from bvf_transformers.tokens.composing import Composer, text_alone, text_written
from bvf_transformers.tokens.cutting import CHECKED_EVERY, Cutter
from hypothesis import given
from hypothesis import strategies as st
from tiny_models import tokenizer_of
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast

from bvf import Prompt

KINDS = ["wordpiece", "bytes", "bytes-before", "unigram-before", "unigram-eos", "unigram-behind"]
TOKENIZERS = {kind: tokenizer_of(kind) for kind in KINDS}
WORD = st.text("abé.,'-他5Z\n\t", min_size=0, max_size=4)


def encoder(tokenizer):
    calls = []

    def encode(texts):
        calls.append(list(texts))
        return [tuple(ids) for ids in tokenizer(list(texts), add_special_tokens=False)["input_ids"]]

    return encode, calls


@pytest.mark.parametrize("kind", KINDS)
@given(texts=st.lists(st.lists(WORD, min_size=1, max_size=5).map(" ".join), min_size=1, max_size=5))
def test_composed_ids_are_those_of_the_whole_text(kind, texts):
    encode, _ = encoder(TOKENIZERS[kind])
    composer = Composer(TOKENIZERS[kind], encode)
    assert composer.is_allowed
    assert composer.ids(texts) == encode(texts)
    assert composer.ids(texts[::-1]) == encode(texts[::-1])


def reaching() -> PreTrainedTokenizerFast:
    """A tokenizer with tokens that span parts of two words."""
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    made.decoder = decoders.ByteLevel()
    made.train_from_iterator(["said that the"] * 50, trainers.BpeTrainer(vocab_size=60, show_progress=False))
    return PreTrainedTokenizerFast(tokenizer_object=made, bos_token="s", eos_token="s")


def test_nothing_is_composed_where_a_token_reaches_over_a_space():
    tokenizer = reaching()
    encode, _ = encoder(tokenizer)
    assert not Composer(tokenizer, encode).is_allowed
    assert Composer(tokenizer, encode).ids(["said that the"]) == encode(["said that the"])


def test_a_check_that_finds_other_ids_ends_composing(monkeypatch):
    monkeypatch.setattr("bvf_transformers.tokens.composing.SPACES", ())
    cutter = Cutter(reaching(), "m", reads_right=False)
    prompts = [Prompt(left, "", "g", "c") for left in ["said that"] * (CHECKED_EVERY + 1)]
    cuts = cutter.cut(prompts, ["the"])
    assert not cutter._composer.is_allowed
    whole = cutter.tokenizer("said that the", add_special_tokens=False)["input_ids"]
    assert [*cuts[0].left, *cuts[0].slot.pieces[0]] == whole
    assert len(set(cuts)) == 1


def test_a_text_has_the_special_tokens_that_are_marks_and_no_others():
    tokenizer = tokenizer_of("bytes")
    ids = tokenizer("the nurse said", add_special_tokens=False)["input_ids"]
    assert text_written(tokenizer, ids) == text_alone(tokenizer, ids)
    tokenizer.add_special_tokens({"additional_special_tokens": ["[THINK]"], "pad_token": "[FILL]"})
    think, fill = tokenizer.convert_tokens_to_ids(["[THINK]", "[FILL]"])
    assert text_written(tokenizer, [think, *ids, fill]) == f"[THINK]{text_alone(tokenizer, ids)}"
