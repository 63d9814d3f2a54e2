"""A model that reads images or sounds beside text answers texts as its own forward pass does."""

import numpy as np
import pytest
import torch
import transformers as tf
from helpers.smallest_models import architectures, smallest
from plain import Plain
from safetensors.torch import save_file
from tiny_models import PROMPTS, WORDS, Family, tokenizer_of

from bvf import BvfError
from bvf.interfaces.backend import Tolerance

SEEING = {each.type: each for each in architectures() if each.mapping in {"multimodal", "seq2seq"}}
BATCHED = {"paligemma", "qwen3_5"}
"""Types that read a text in both directions, or keep a state of it that has no tree."""
NO_TREE = "read in batches of one length: packed into a tree, this model would not predict the same"


@pytest.fixture(scope="module")
def seeing(tmp_path_factory):
    """Return the folder of a model that sees or hears, written once."""
    made = {}

    def folder(kind):
        if kind not in made:
            made[kind] = tmp_path_factory.mktemp("seeing") / kind
            smallest(SEEING[kind]).save_pretrained(made[kind])
            tokenizer_of("bytes").save_pretrained(made[kind])
        return made[kind]

    return folder


def plain_logprobs(folder):
    kind = "prefix" if folder.name == "paligemma" else "causal"
    plain = Plain(folder, Family("", kind, "", 0, 0), tf.AutoModelForMultimodalLM)
    return np.array([plain.own_logprobs(prompt.left, "", tuple(WORDS)) for prompt in PROMPTS])


@pytest.mark.parametrize("kind", ["llava", "paligemma", "qwen2_vl", "qwen3_5", "qwen2_audio", "llama4"])
def test_the_language_part_scores_as_the_models_own_forward_pass(kind, seeing, load_model, describe):
    folder = seeing(kind)
    backend, expected = load_model(folder), plain_logprobs(folder)
    assert backend.word_logprobs(PROMPTS, WORDS) == pytest.approx(expected, abs=1e-4)
    assert np.ptp(expected) > 0.5
    assert backend.reads_trees == (kind not in BATCHED)
    assert backend.model.dtype == torch.float32
    said = describe(folder)
    assert (said.read_as, said.capabilities) == ("CausalModel", backend.capabilities)
    assert said == describe(folder, "causal")


@pytest.mark.parametrize("kind", ["llava", "paligemma"])
def test_words_that_are_left_out_change_no_class_by_more_than_the_tolerance(kind, seeing, load_model):
    backend, classes, tolerance = load_model(seeing(kind)), np.array([0, 1, 1, 0]), 0.05
    within = backend.score_within(PROMPTS, WORDS, classes, Tolerance.on_each(tolerance, len(PROMPTS)))
    exactly, left_out = (np.exp(logp) for logp in (plain_logprobs(seeing(kind)), within.logp))
    shares = [p[:, classes == 0].sum(axis=1) / p.sum(axis=1) for p in (exactly, left_out)]
    assert np.abs(shares[0] - shares[1]).max() <= tolerance + 1e-6


def test_a_text_that_is_read_in_both_directions_is_named_in_the_remarks(seeing, load_model):
    assert load_model(seeing("paligemma")).score(PROMPTS, WORDS, absolute=True).remarks == (NO_TREE,)


def test_the_backend_that_is_named_must_be_that_of_the_kind(seeing, describe):
    with pytest.raises(BvfError, match="this model cannot be read that way") as error:
        describe(seeing("llava"), "masked")
    assert error.value.hint == "leave --backend out: it is causal"


def test_an_encoder_and_decoder_for_pictures_are_no_language_model(tmp_path, describe):
    tf.Pix2StructConfig().save_pretrained(tmp_path)
    save_file({"x": torch.zeros(1)}, tmp_path / "model.safetensors")
    for backend in ("transformers", "causal", "seq2seq"):
        with pytest.raises(BvfError, match="of type pix2struct is neither masked, causal, seq2seq nor permutation"):
            describe(tmp_path, backend)
