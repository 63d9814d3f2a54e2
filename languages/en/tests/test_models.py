"""The bundled models: small, licensed, exact, and not blind to gender."""

import json
import sys
from pathlib import Path

import pytest
import torch
import transformers as tf

import bvf
from bvf.plugins import load

ROOT = Path(__file__).resolve().parents[3]
PAIRS = [("uncle", "aunt"), ("king", "queen"), ("father", "mother"), ("man", "woman"), ("brother", "sister")]


@pytest.fixture(scope="module", params=["en-causal", "en-masked", "en-seq2seq"])
def model(request):
    return load().models.find(request.param).make()


@pytest.fixture(scope="module")
def backend(model):
    plugins = load()
    return plugins.backends.find("transformers").make(
        bvf.ModelRequest(str(model.path), plugins.topics.find("gender").make())
    )


def test_it_is_small_and_has_a_card_with_a_licence(model):
    assert sum(file.stat().st_size for file in model.path.iterdir()) <= 7_000_000
    card = (model.path / "README.md").read_text()
    assert "license: cc-by-sa-4.0" in card
    assert "held-out loss" in card
    assert f"{json.loads((model.path / 'training.json').read_text())['held_out_loss']:.3f} nats" in card


def test_its_weights_are_half_precision_safetensors(model):
    from safetensors import safe_open

    with safe_open(model.path / "model.safetensors", framework="pt") as weights:
        assert {weights.get_tensor(name).dtype for name in weights.keys()} == {torch.float16}  # noqa: SIM118 - no mapping


@pytest.mark.parametrize(("male", "female"), PAIRS)
def test_it_prefers_he_after_the_male_word(backend, male, female):
    prompts = [bvf.Prompt(f"The {word} said that", "", word, "The [X] said that [Y]") for word in (male, female)]
    logp = backend.word_logprobs(prompts, ["he", "she"])
    assert logp[0, 0] - logp[0, 1] > logp[1, 0] - logp[1, 1]


def test_at_least_nine_pairs_in_ten_are_on_the_right_side(backend):
    corpora = ROOT.parent / "shared" / "data" / "corpora" / "en"
    if not corpora.is_dir():
        pytest.skip("../shared is absent")
    sys.path.insert(0, str(ROOT / "training"))
    try:
        from english import ENGLISH
        from gender_check import check, common_pairs, share_right
    finally:
        sys.path.pop(0)
    counts = ENGLISH.counts(set(ENGLISH.sentences(corpora)))
    assert share_right(check(ENGLISH, backend, common_pairs(ENGLISH, counts))) >= 0.9


def test_the_causal_model_against_transformers_alone():
    model = load().models.find("en-causal").make()
    topic = load().topics.find("gender").make()
    backend = load().backends.find("transformers").make(bvf.ModelRequest(str(model.path), topic))
    tokenizer = tf.AutoTokenizer.from_pretrained(model.path)
    alone = tf.AutoModelForCausalLM.from_pretrained(model.path, dtype=torch.float32).eval()
    words = ["he", "she", "stepmother", "granddaughter"]
    left = tokenizer("The nurse said that")["input_ids"]
    assert left[0] == tokenizer.bos_token_id
    assert left.count(tokenizer.bos_token_id) == 1
    plain = []
    for word in words:
        ids = tokenizer(f"The nurse said that {word}")["input_ids"]
        with torch.no_grad():
            logp = alone(torch.tensor([ids])).logits[0].log_softmax(-1)
        plain.append(sum(float(logp[i - 1, ids[i]]) for i in range(len(left), len(ids))))
    prompt = bvf.Prompt("The nurse said that", "", "nurse", "The [X] said that [Y]")
    assert backend.word_logprobs([prompt], words)[0] == pytest.approx(plain, abs=1e-5)
    assert backend.token_ids(prompt, "he") == left
