"""Texts of causal models: beside the library's own generate, and beside a loop that reads each text anew."""

import numpy as np
import pytest
import torch
from bvf_transformers.reading.generating import drawn_tokens, gumbel, shape_of_blocks

import bvf
from bvf.domain.generation import Generation
from bvf.errors import BvfError
from bvf.interfaces.texts import random_stream

LEFTS = ("The nurse said that", "The engineer", "Yesterday the old carpenter thought that", "A cook knew")
PROMPTS = [bvf.Prompt(left, "", "", f"{left} [Y]") for left in LEFTS]
SEVERAL = Generation(samples=3, tokens=8, temperature=0.8, seed=5)
GREEDY = Generation(samples=1, tokens=8, temperature=0.0, seed=0)


def ends(backend):
    return {backend.tokenizer.eos_token_id}


def naive(backend, prompt, sample, generation):
    """One text, by a loop that reads the whole text for each token and draws by the sums over the whole vocabulary."""
    stream = random_stream(prompt, sample, generation)
    ids = list(backend.cutter.ids_before([prompt.left])[0])
    written = []
    for _ in range(generation.tokens):
        with torch.inference_mode():
            logits = backend.model(torch.tensor([ids])).logits[0, -1].double().numpy()[: backend.rows]
        token = int(logits.argmax()) if not generation.temperature else plainly(logits / generation.temperature, stream)
        if token in ends(backend):
            break
        ids.append(token)
        written.append(token)
    return backend.tokenizer.decode(written, skip_special_tokens=True)


def plainly(logits, stream):
    """A token by Gumbel's trick, first among blocks and then in one, written with lists."""
    blocks, size = shape_of_blocks(len(logits))
    noise = gumbel(stream, blocks + size)
    parts = [logits[start : start + size] for start in range(0, len(logits), size)]
    sums = [np.log(np.exp(part - part.max()).sum()) + part.max() + noise[b] for b, part in enumerate(parts)]
    block = int(np.argmax(sums))
    return block * size + int(np.argmax(parts[block] + noise[blocks : blocks + len(parts[block])]))


def test_texts_are_those_of_a_plain_loop_with_the_same_random_numbers(backend):
    expected = [[naive(backend, prompt, k, SEVERAL) for k in range(3)] for prompt in PROMPTS]
    assert backend.texts(PROMPTS, SEVERAL) == expected
    assert len({text for texts in expected for text in texts}) == 12


def test_at_temperature_0_they_are_those_of_generate(backend):
    expected = []
    for prompt in PROMPTS:
        ids = torch.tensor([backend.cutter.ids_before([prompt.left])[0]])
        made = backend.model.generate(
            ids, attention_mask=torch.ones_like(ids), do_sample=False, max_new_tokens=8, pad_token_id=0
        )
        expected.append([backend.tokenizer.decode(made[0, ids.shape[1] :], skip_special_tokens=True)])
    assert backend.texts(PROMPTS, GREEDY) == expected


@pytest.mark.parametrize("batch_tokens", [8, 64])
def test_the_size_of_a_batch_changes_nothing(batch_tokens, backend, monkeypatch):
    whole = backend.texts(PROMPTS, SEVERAL)
    monkeypatch.setattr(backend.budget, "tokens", batch_tokens)
    assert backend.texts(PROMPTS[::-1], SEVERAL)[::-1] == whole


def test_neither_does_a_model_that_keeps_nothing_of_a_text(backend, monkeypatch):
    whole = backend.texts(PROMPTS, SEVERAL)
    monkeypatch.setattr(backend, "has_cache", False)
    assert backend.texts(PROMPTS, SEVERAL) == whole


def test_a_longer_text_begins_as_a_shorter_one(backend):
    longer = backend.texts(PROMPTS, SEVERAL.model_copy(update={"tokens": 12}))
    for short, long in zip(backend.texts(PROMPTS, SEVERAL), longer, strict=True):
        assert all(other.startswith(text.rstrip("\ufffd")) for text, other in zip(short, long, strict=True))


def test_a_text_that_ends_is_no_longer_continued(backend, monkeypatch):
    whole = backend.texts(PROMPTS, SEVERAL)
    stop = backend.tokenizer(" she", add_special_tokens=False)["input_ids"][-1]
    monkeypatch.setattr("bvf_transformers.kinds.causal.ends_of_texts", lambda *_: frozenset([stop]))
    ended = backend.texts(PROMPTS, SEVERAL)
    she = backend.tokenizer.decode([stop])
    assert ended == [[text.split(she)[0] for text in texts] for texts in whole]
    assert ended != whole


def test_tokens_are_drawn_as_probable_as_the_model_says():
    logits = torch.log(torch.tensor([[0.5, 0.2, 0.15, 0.1, 0.05]]))
    streams = [np.random.default_rng(seed) for seed in range(4000)]
    drawn = drawn_tokens(logits.repeat(4000, 1), 1.0, streams)
    shares = torch.bincount(drawn, minlength=5) / 4000
    assert shares.tolist() == pytest.approx([0.5, 0.2, 0.15, 0.1, 0.05], abs=0.03)
    sharper = drawn_tokens(logits.repeat(4000, 1), 0.5, streams)
    square = np.array([0.5, 0.2, 0.15, 0.1, 0.05]) ** 2
    assert (torch.bincount(sharper, minlength=5) / 4000).tolist() == pytest.approx(square / square.sum(), abs=0.03)


def test_a_text_that_is_too_long_for_the_model_is_refused(backend):
    long = GREEDY.model_copy(update={"tokens": backend.positions})
    longest = max(map(len, backend.ids_before(PROMPTS)))
    for refused in (backend.texts, backend.check_lengths):
        with pytest.raises(BvfError, match=f"a prompt has {longest} tokens, its texts have up to") as error:
            refused(PROMPTS, long)
        assert f"--tokens {backend.positions - longest}, or" in error.value.hint
    backend.check_lengths(PROMPTS, GREEDY.model_copy(update={"tokens": backend.positions - longest}))
