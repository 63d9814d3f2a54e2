"""The bundled models: scored exactly, and sensitive to gender."""

import pytest
import torch
import transformers as tf

import bvf
from bvf.hooks.loader import load


def test_the_causal_model_against_transformers_alone():
    model = load().models.find("en-causal").make()
    topic = load().topics.in_language("en").find("gender").make()
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
