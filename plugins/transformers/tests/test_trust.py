"""Shortcuts that a model allows are found when it is loaded. What it cannot do is refused."""

import numpy as np
import pytest
import torch
import transformers as tf
from bvf_transformers.reading.steps import cache_of
from bvf_transformers.tokens.cutting import Cutter
from tokenizers import Tokenizer, models

from bvf import BvfError, Prompt

PROMPT = Prompt("The nurse said that", ".", "nurse", "The [X] said that [Y].")
WORDS = ["he", "she", "stepmother", "grandson"]


@pytest.mark.parametrize("name", ["bert", "roberta", "xlnet"])
def test_a_model_that_looks_ahead_is_not_read_as_causal(folder_of, load_model, name):
    with pytest.raises(BvfError, match="a prediction depends on tokens right of it"):
        load_model(folder_of(name), backend="causal")


@pytest.mark.parametrize("name", ["gpt2", "llama"])
def test_a_model_without_target_mapping_is_not_read_as_a_permutation(folder_of, load_model, name):
    with pytest.raises(BvfError, match="takes no target mapping"):
        load_model(folder_of(name), backend="permutation")


@pytest.mark.parametrize("name", ["gpt2", "llama", "t5", "bart"])
def test_a_cache_that_hands_down_the_wrong_rows_is_not_used(folder_of, load_model, monkeypatch, name):
    right = load_model(folder_of(name))
    cache_class = type(cache_of(right.model(**_inputs(right))))
    reorder = cache_class.reorder_cache
    monkeypatch.setattr(cache_class, "reorder_cache", lambda self, rows: reorder(self, torch.arange(len(rows)) % 2))
    wrong = load_model(folder_of(name))
    assert right.has_cache
    assert not wrong.has_cache
    assert wrong.word_logprobs([PROMPT], WORDS) == pytest.approx(
        _without_cache(right).word_logprobs([PROMPT], WORDS), abs=1e-5
    )


@pytest.mark.parametrize("name", ["bert", "gpt_neox", "llama", "t5", "bart"])
def test_half_precision_keeps_the_fast_paths(folder_of, load_model, name):
    whole, half = load_model(folder_of(name)), load_model(folder_of(name), dtype="bfloat16")
    assert half.readout.can_choose_rows == whole.readout.can_choose_rows
    if hasattr(whole, "has_cache"):
        assert half.has_cache
    answers = [backend.word_logprobs([PROMPT], WORDS) for backend in (whole, half)]
    assert np.abs(answers[0] - answers[1]).max() < 0.1 * np.abs(answers[0]).max()


def test_a_number_format_that_the_model_cannot_compute_in(folder_of, load_model):
    with pytest.raises(BvfError, match="cannot compute in its number format") as error:
        load_model(folder_of("xlnet"), dtype="bfloat16")
    assert "float32" in error.value.hint


def test_a_text_longer_than_the_model_can_read_is_named(folder_of, load_model):
    long = Prompt("The nurse said that " * 40 + "then", "", "g", "c")
    with pytest.raises(BvfError, match="the model has positions for 64"):
        load_model(folder_of("bart")).word_logprobs([PROMPT, long], WORDS)


def test_a_head_that_depends_on_the_whole_text_is_computed_whole(folder_of, load_model, monkeypatch):
    backend = load_model(folder_of("gpt2"))
    forward = backend.model.forward

    def scaled(**given):
        output = forward(**given)
        output.logits = output.logits * torch.linspace(1, 2, output.logits.shape[1])[:, None]
        return output

    monkeypatch.setattr(backend.model, "forward", scaled)
    with torch.inference_mode():
        backend.prepare()
    logp = backend.word_logprobs([PROMPT], ["he"])
    ids = backend.token_ids(PROMPT, "he")
    piece = backend.tokenizer(" he")["input_ids"]
    with torch.no_grad():
        plain = forward(input_ids=torch.tensor([ids])).logits[0, -1].mul(2).log_softmax(-1)
    assert len(piece) == 1
    assert logp[0, 0] == pytest.approx(float(plain[piece[0]]), abs=1e-5)


def test_every_prompt_is_checked_for_merges_across_the_slot():
    vocabulary = {token: index for index, token in enumerate(["a", "b", "c", "h", " ", "b ", "b a", "a ", "<s>"])}
    merging = Tokenizer(models.BPE(vocabulary, [("b", " "), ("b ", "a"), ("a", " ")]))
    tokenizer = tf.PreTrainedTokenizerFast(tokenizer_object=merging, bos_token="<s>")
    cutter = Cutter(tokenizer, "m", reads_right=False)
    kept, merged = Prompt("b a", "", "g", "c"), Prompt("c a", "", "g", "c")
    assert cutter.cut([kept], ["h"])[0].slot.pieces == ((4, 3),)
    cuts = cutter.cut([kept, merged], ["h"])
    assert [(cut.left, cut.slot.pieces) for cut in cuts] == [((6,), ((4, 3),)), ((2, 4), ((7, 3),))]
    assert cuts[0].slot.reopened == ()
    assert cuts[1].slot.reopened == (0, 7)  # "a" and "a "
    with pytest.raises(BvfError, match=r"\[2, 4, 0\] is not a prefix of \[2, 4, 7, 3\]"):
        Cutter(tokenizer, "m", reads_right=True).cut([merged], ["h"])


def test_prompts_whose_words_have_other_pieces_do_not_share_a_batch(folder_of, load_model):
    backend = load_model(folder_of("gpt2"))
    mixed = [Prompt("The nurse said that", "", "g", "c"), Prompt("The nurse said that (", "", "g", "c", spaced=False)]
    mixed.insert(0, Prompt("The nurse said that she he", "", "g", "c"))
    shapes = {(len(cut.left), cut.slot.pieces) for cut in backend.cutter.cut(mixed, WORDS)}
    assert len({length for length, _ in shapes}) < len(shapes)
    alone = np.concatenate([backend.word_logprobs([prompt], WORDS) for prompt in mixed])
    assert backend.word_logprobs(mixed, WORDS) == pytest.approx(alone, abs=1e-5)


def _inputs(backend):
    ids = torch.tensor([[3, 4, 5]])
    return {"input_ids": ids, **({"decoder_input_ids": ids} if backend.model.config.is_encoder_decoder else {})}


def _without_cache(backend):
    backend.has_cache = False
    return backend
