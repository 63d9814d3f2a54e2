"""A model that reads images or sounds beside text answers texts as its own forward pass does."""

import numpy as np
import pytest
import torch
import transformers as tf
from bvf_testing import own_probabilities
from safetensors.torch import save_file
from seeing_models import CONFIGS, EYES, write_seeing_model
from tiny_models import tokenizer_of

from bvf import BvfError, Prompt
from bvf.interfaces.tolerance import Tolerance

PROMPTS = [
    Prompt("The nurse said that", "", "nurse", "The [X] said that [Y]"),
    Prompt("A baker claimed that it was known that", "", "baker", "..."),
]
WORDS = ["he", "she", "stepmother", "himself"]
BATCHED = {"paligemma", "qwen3_5"}
"""Types that read a text in both directions, or keep a state of it that has no tree."""
NO_TREE = "read in batches of one length: packed into a tree, this model would not predict the same"


@pytest.fixture(scope="module")
def seeing(tmp_path_factory):
    """Return the folder of a model that sees or hears, written once."""
    made = {}

    def folder(kind):
        if kind not in made:
            made[kind] = write_seeing_model(kind, tmp_path_factory.mktemp("seeing") / kind)
        return made[kind]

    return folder


def plain_logprobs(folder):
    """Log p of each word by the model's own forward pass, one text after another.

    A text is read once, and each piece of a word after what the model keeps of it.
    """
    tokenizer = tf.AutoTokenizer.from_pretrained(folder)
    model = tf.AutoModelForMultimodalLM.from_pretrained(folder, dtype=torch.float32).eval()
    rows = []
    for prompt in PROMPTS:
        left = tokenizer(prompt.left)["input_ids"]
        pieces = [tokenizer(f"{prompt.left} {word}")["input_ids"][len(left) :] for word in WORDS]
        begun = [plain_logprob(model, left, each) for each in pieces]
        rows.append(np.log(own_probabilities(np.exp(begun), pieces)))
    return np.array(rows)


@torch.no_grad()
def plain_logprob(model, left, pieces):
    read = model(input_ids=torch.tensor([left]), use_cache=True)
    logp = 0.0
    for piece in pieces:
        logp += float(read.logits[0, -1].log_softmax(-1)[piece])
        read = model(input_ids=torch.tensor([[piece]]), past_key_values=read.past_key_values, use_cache=True)
    return logp


@pytest.mark.parametrize("kind", CONFIGS)
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


def test_a_model_that_reads_no_text_without_an_image_is_refused_in_one_line(tmp_path, load_model):
    config = tf.IdeficsConfig(
        vocab_size=500,
        hidden_size=32,
        intermediate_size=48,
        num_hidden_layers=1,
        num_attention_heads=4,
        use_resampler=False,
    )
    config.vision_config.update({**EYES, "embed_dim": 32})
    tf.IdeficsForVisionText2Text(config).save_pretrained(tmp_path)
    tokenizer_of("unigram-before").save_pretrained(tmp_path)
    with pytest.raises(BvfError, match="a model of type idefics does not read text alone: Exactly 1 of pixel_values"):
        load_model(tmp_path)


def test_an_encoder_and_decoder_for_pictures_are_no_language_model(tmp_path, describe):
    tf.Pix2StructConfig().save_pretrained(tmp_path)
    save_file({"x": torch.zeros(1)}, tmp_path / "model.safetensors")
    for backend in ("transformers", "causal", "seq2seq"):
        with pytest.raises(BvfError, match="of type pix2struct is neither masked, causal, seq2seq nor permutation"):
            describe(tmp_path, backend)
