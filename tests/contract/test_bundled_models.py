"""Every model in a language pack: small, licensed, in half precision, with a card that says what was measured."""

import json
import sys
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
import torch
from safetensors import safe_open

import bvf
from bvf.hooks.loader import load

ROOT = Path(__file__).resolve().parents[2]
NAMES = load().models.names()


@pytest.fixture(scope="module", params=NAMES)
def model(request):
    return load().models.find(request.param).make()


def test_there_are_models_of_both_languages():
    assert {"en-causal", "en-masked", "en-seq2seq", "zh-causal", "zh-masked"} <= set(NAMES)


def test_it_is_small_and_has_a_card_with_a_licence(model):
    assert sum(file.stat().st_size for file in model.path.iterdir()) <= 7_000_000
    card = (model.path / "README.md").read_text("utf-8")
    loss = json.loads((model.path / "training.json").read_text())["held_out_loss"]
    stated = ("license: cc-by-sa-4.0", f"language: {model.language}", "held-out loss", f"{loss:.3f} nats")
    assert [each for each in stated if each not in card] == []


def test_its_weights_are_half_precision_safetensors(model):
    with safe_open(model.path / "model.safetensors", framework="pt") as weights:
        assert {weights.get_tensor(name).dtype for name in weights.keys()} == {torch.float16}  # noqa: SIM118 - no mapping


def test_at_least_nine_pairs_in_ten_are_on_the_right_side(model):
    corpora = ROOT.parent / "shared" / "data" / "corpora" / model.language
    if not corpora.is_dir():
        pytest.skip("../shared is absent")
    with recipes():
        from card import MATERIALS, check
    plugins = load()
    topic = plugins.topics.in_language(model.language).find("gender").make()
    backend = plugins.backends.find("transformers").make(bvf.ModelRequest(str(model.path), topic))
    pairs = check(MATERIALS[model.language], backend, pairs_in(corpora, model.language))
    assert sum(pair.right for pair in pairs) >= 0.9 * len(pairs)


@contextmanager
def recipes():
    """The scripts that trained the models can be imported."""
    sys.path.insert(0, str(ROOT / "languages" / "recipes"))
    try:
        yield
    finally:
        sys.path.pop(0)


@cache
def pairs_in(corpora, language):
    """The pairs of words that are common in the corpora of a language."""
    with recipes():
        from card import MATERIALS, common_pairs
    material = MATERIALS[language]
    return common_pairs(material, material.counts(set(material.sentences(corpora))))
