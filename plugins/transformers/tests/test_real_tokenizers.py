"""The published GPT-2 and BERT vocabularies, on small random models."""

import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers as tf
from plain import Plain
from tiny_models import Family

from bvf import Prompt

SHARED = Path(__file__).resolve().parents[4] / "shared" / "tokenizers"
WORDS = ["he", "she", "himself", "manservant", "stepmother", "granddaughter", "gentlemen", "abbess"]
FAMILIES = {"gpt2": Family("gpt2", "causal", "", 0, 0), "bert-base-uncased": Family("bert", "masked", "", 1, 1)}
pytestmark = [pytest.mark.shared, pytest.mark.skipif(not SHARED.is_dir(), reason="../shared is absent")]


@pytest.fixture(scope="module", params=FAMILIES)
def folder(request, tmp_path_factory):
    made = shutil.copytree(SHARED / request.param, tmp_path_factory.mktemp("real") / request.param)
    size = len(tf.AutoTokenizer.from_pretrained(made))
    torch.manual_seed(0)
    if request.param == "gpt2":
        model = tf.GPT2LMHeadModel(
            tf.GPT2Config(vocab_size=size, n_embd=32, n_layer=2, n_head=4, initializer_range=0.3)
        )
    else:
        small = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64}
        model = tf.BertForMaskedLM(tf.BertConfig(vocab_size=size, **small, initializer_range=0.3))
    model.save_pretrained(made)
    for file in made.iterdir():
        file.chmod(0o644)
    return made


def test_words_are_scored_as_a_plain_computation_does(folder, load_model):
    plain = Plain(folder, FAMILIES[folder.name])
    texts = [
        ("The nurse said that", ""),
        ("The geophysicist announced that", "."),
        ("The coo was aware that", " to leave."),
    ]
    prompts = [Prompt(left, right, "g", "c") for left, right in texts]
    logp = load_model(folder).word_logprobs(prompts, WORDS)
    right_of = (lambda text: "") if folder.name == "gpt2" else (lambda text: text)
    expected = [[plain.logprob(left, word, right_of(right)) for word in WORDS] for left, right in texts]
    assert logp == pytest.approx(np.array(expected), abs=1e-5)
