"""Every family, compared with a plain computation: one text at a time, softmax over all tokens."""

import numpy as np
import pytest
import torch
import transformers as tf
from helpers.plain_models import logprob_of_rest
from tiny_families import BUNDLED, FAMILIES, refused

import bvf
from bvf.errors import BvfError

PROMPTS = [
    bvf.Prompt("The nurse said that", " left.", "nurse", "The [X] said that [Y] left."),
    bvf.Prompt("Yesterday the truck driver told everyone that", "", "truck driver", "..."),
]
WORDS = ["he", "she", "granddaughter"]
EYES = {
    **{"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1, "num_attention_heads": 2},
    **{"image_size": 28, "patch_size": 14},
}


def plain_logprobs(folder):
    tokenizer = tf.AutoTokenizer.from_pretrained(folder)
    model = tf.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()

    def logprob(left, word):
        return logprob_of_rest(model, tokenizer(f"{left} {word}")["input_ids"], len(tokenizer(left)["input_ids"]))

    return np.array([[logprob(prompt.left, word) for word in WORDS] for prompt in PROMPTS])


@pytest.mark.parametrize("kind", FAMILIES)
def test_a_family_answers_as_the_plain_computation_does(write_model, read, kind):
    at = list(FAMILIES).index(kind) % 2  # of two neighbours, one has a key head alone and its head is its embedding
    folder = write_model(kind, key_heads=2 - at, tied=bool(at))
    backend = read(folder)
    logp, expected = backend.word_logprobs(PROMPTS, WORDS), plain_logprobs(folder)
    assert logp == pytest.approx(expected, abs=1e-4)
    assert np.ptp(expected) > 1.0
    assert backend.has_cache
    assert backend.reads_trees == (kind != "bloom")  # its positions are distances
    backend.reads_trees = False
    assert backend.word_logprobs(PROMPTS, WORDS) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(
    ("kind", "setting"),
    [
        *((kind, "sliding_window") for kind in ("mistral", "gemma2", "gemma3_text", "phi3", "cohere2", "exaone4")),
        ("gpt_oss", "sliding_window"),
        ("llama4_text", "attention_chunk_size"),
    ],
)
def test_texts_longer_than_what_a_layer_looks_back_on(write_model, read, kind, setting):
    folder = write_model(kind, **{setting: 4})
    backend = read(folder)
    expected = plain_logprobs(folder)
    assert backend.word_logprobs(PROMPTS, WORDS) == pytest.approx(expected, abs=1e-4)
    assert not backend.reads_trees
    assert np.abs(expected - plain_logprobs(write_model(kind))).max() > 1e-2


def test_the_head_that_is_the_embedding_is_not_the_one_that_is_not(write_model, read):
    models = [read(write_model("llama", tied=tied)).model for tied in (True, False)]
    shared = [model.lm_head.weight.data_ptr() == model.model.embed_tokens.weight.data_ptr() for model in models]
    assert shared == [True, False]
    assert all(model.config.num_key_value_heads < model.config.num_attention_heads for model in models)


def test_the_text_part_of_llama_4_is_read_from_its_whole_model(write_model, read, tmp_path):
    text = write_model("llama4_text")
    outputs = {"vision_output_dim": 64, "projector_input_dim": 64, "projector_output_dim": 64}
    config = tf.Llama4Config(
        text_config=tf.AutoConfig.from_pretrained(text).to_dict(),
        vision_config={**EYES, **outputs, "pixel_shuffle_ratio": 0.5},
    )
    whole = tf.Llama4ForConditionalGeneration(config)
    whole.language_model.load_state_dict(tf.AutoModelForCausalLM.from_pretrained(text).state_dict())
    whole.save_pretrained(tmp_path)
    tf.AutoTokenizer.from_pretrained(text).save_pretrained(tmp_path)
    logp = read(tmp_path).word_logprobs(PROMPTS, WORDS)
    assert np.abs(logp - read(text).word_logprobs(PROMPTS, WORDS)).max() < 1e-5


@pytest.mark.parametrize("window", [4, 4096])
def test_a_model_that_sees_as_well_is_read_as_the_text_model_in_it(read, write_model, tmp_path, window):
    text = tf.AutoConfig.from_pretrained(write_model("gemma3_text", sliding_window=window)).to_dict()
    config = tf.Gemma3Config(text_config=text, vision_config=EYES, mm_tokens_per_image=4)
    tf.Gemma3ForConditionalGeneration(config).save_pretrained(tmp_path)
    tf.AutoTokenizer.from_pretrained(BUNDLED).save_pretrained(tmp_path)
    backend = read(tmp_path)
    assert backend.word_logprobs(PROMPTS, WORDS) == pytest.approx(plain_logprobs(tmp_path), abs=1e-4)
    assert backend.reads_trees == (window > 4)
    assert backend.reader.window == window
    with pytest.raises(BvfError, match="the model has positions for 256"):
        backend.word_logprobs([bvf.Prompt("The nurse said " * 100, "", "nurse", "...")], WORDS)


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        ({}, "--backend transformers reads it"),
        ({"chat_template": True}, "--backend transformers reads it, without --chat-template"),
    ],
)
def test_a_model_of_another_kind_is_refused(read, describe, options, hint):
    for look in (read, describe):
        line = refused(look, BUNDLED.parent / "en-masked", **options)
        assert line.endswith(f"a model of type bert is masked, and --backend llama reads causal models | {hint}")
