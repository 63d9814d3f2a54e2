"""Tiny models of many families that have the tokenizer of the bundled model."""

import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers as tf

sys.path.insert(0, str(Path(__file__).parent))

from helpers.fixtures import nothing_learned  # noqa: F401 - for every test
from helpers.warm import renders_chats
from tiny_families import BUNDLED, FAMILIES, SIZES

import bvf
from bvf.hooks.loader import load


@pytest.fixture
def has_its_libraries(monkeypatch):
    """Run the program that renders chats as a fork, to save time. The parent process has imported transformers."""
    monkeypatch.setattr("bvf_llama_backend.templates.PROGRAM", renders_chats())


@pytest.fixture(scope="session")
def write_model(tmp_path_factory):
    """Write a random model of a type. Options are the number of key-value heads, and tied or untied embeddings."""

    def write(kind, *, key_heads=2, tied=False, chat_template=None, **settings):
        torch.manual_seed(0)
        folder = tmp_path_factory.mktemp(kind)
        tokenizer = tf.AutoTokenizer.from_pretrained(BUNDLED)
        tokenizer.chat_template = chat_template
        tokenizer.save_pretrained(folder)
        heads = {"num_key_value_heads": key_heads, "head_dim": 16, "tie_word_embeddings": tied}
        of_kind = {**SIZES, **heads, **FAMILIES[kind], **settings}
        config = tf.AutoConfig.for_model(kind, vocab_size=len(tokenizer), **of_kind)
        tf.AutoModelForCausalLM.from_config(config).save_pretrained(folder)
        return folder

    return write


@pytest.fixture(scope="session")
def topic():
    return load().topics.in_language("en").find("gender").make()


@pytest.fixture(scope="session")
def words(topic):
    return [word for of_class in topic.counted_words().values() for word in of_class]


@pytest.fixture(scope="session")
def read(topic):
    """Load a model with this plugin's backend, or describe it. ``reading`` is what else is asked of it."""
    torch.set_num_threads(1)
    llama = load().backends.find("llama")

    def ask(model, *, described=False, reading=(), **options):
        request = bvf.ModelRequest(str(model), topic, options=llama.chosen(options), **dict(reading))
        return llama.described(request) if described else llama.make(request)

    return ask


@pytest.fixture(scope="session")
def describe(read):
    return partial(read, described=True)


@pytest.fixture
def apart(read, prompts, words):
    """By how much two models differ in log p at most, on the prompts of a file of tests."""

    def compared(*models):
        one, other = (read(model).word_logprobs(prompts, words) for model in models)
        return np.abs(one - other).max()

    return compared


@pytest.fixture
def file(tmp_path):
    return tmp_path / "tiny.gguf"
