"""Chats that are written here and read on a server, and thoughts before the answer: as for the same model here."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from asked_of_servers import PROMPTS, WORDS
from loopback import FOLDER, NAME

import bvf
from bvf.domain.generation import Thinking
from bvf.errors import BvfError
from bvf.interfaces.thoughts import Thought

THINKING = Thinking(thoughts=3, tokens=6, temperature=0.7, seed=4)
END = "</think>"
AFTER = [replace(each, thought=thought) for each in PROMPTS[:3] for thought in (None, "Hm.\n", "")]

pytestmark = pytest.mark.usefixtures("has_its_libraries")


def some_end(ids, seed):
    """What a server writes: odd seeds end their thought, and go on with an answer."""
    return f"{seed} of {len(ids)}" + (f"\n{END}\n\nHe" if seed % 2 else "")


def asked_to_think(loopback):
    return [body for _, body in loopback.asked if "stop" in body]


@pytest.mark.parametrize(
    ("speaks", "turn", "thinking"),
    [("vllm", "assistant", THINKING), ("llama.cpp", "user", THINKING), ("sglang", "user", None)],
)
def test_words_after_thoughts_are_as_probable_as_for_the_model_here(
    speaks, turn, thinking, serve, connect_to_think, here, thinking_folder
):
    prompts = AFTER if thinking else AFTER[::3]
    local = here(thinking_folder, thinking, chat_turn=turn)
    backend = connect_to_think(serve(speaks), thinking=thinking, chat_turn=turn)
    assert backend.capabilities.wording == local.capabilities.wording
    assert backend.text_of(backend.token_ids(prompts[0], "he")) == local.text_of(local.token_ids(prompts[0], "he"))
    ours, theirs = (each.word_logprobs(prompts, WORDS) for each in (local, backend))
    assert np.abs(np.exp(ours) - np.exp(theirs)).max() < 1e-5


@pytest.mark.parametrize("speaks", ["vllm", "llama.cpp"])
def test_each_thought_is_drawn_from_all_tokens_with_a_seed_of_its_own(speaks, serve, connect_to_think):
    loopback = serve(speaks)
    loopback.thinks = some_end
    backend, few = connect_to_think(loopback, thinking=THINKING), PROMPTS[:3]
    thoughts = backend.thoughts(few, THINKING.generation)
    asked = {body["seed"]: body for body in asked_to_think(loopback)}
    assert len(asked) == 9
    begun = [f"<|user|>Continue the text: {prompt.left}<|assistant|><think>\n" for prompt in few]
    for text, of_prompt in zip(begun, thoughts, strict=True):
        ids = backend.cutter.tokenizer(text, add_special_tokens=False)["input_ids"]
        for thought in of_prompt:
            seed = int(thought.text.split()[0])
            assert thought == Thought(f"{seed} of {len(ids)}\n", ended=bool(seed % 2))
            assert np.ravel(asked[seed]["prompt"]).tolist() == ids
    for body in asked.values():
        assert (body["temperature"], body.get("max_tokens", body.get("n_predict"))) == (0.7, 6)
        assert body.get("samplers") == ["temperature"] or (body["top_k"], body["top_p"], body["min_p"]) == (-1, 1, 0)
    assert backend.thoughts(few[::-1], THINKING.generation) == thoughts[::-1]


def test_a_run_stores_the_thoughts_and_asks_nothing_twice(serve, thinking_folder, tmp_path):
    loopback = serve("vllm")
    loopback.thinks = some_end
    asked = {"model": f"openai:{NAME}", "limit_groups": 3, "limit_contexts": 2, "reading": "thought", "thoughts": 4}
    asked["words"] = {"a woman": ("she",), "a man": ("he",)}
    options = {"base_url": loopback.url, "tokenizer": str(thinking_folder), "chat_turn": "assistant"}
    choices = {**asked, "tokens": 9, "out": tmp_path / "run"}
    with pytest.raises(BvfError, match="max_requests=20, and these 24 prompts take about"):
        bvf.run(**choices, backend_options={**options, "max_requests": 20})
    result = bvf.run(**choices, backend_options=options)
    seeds = [body["seed"] for body in asked_to_think(loopback)]
    assert result.thoughts.thought == 24
    assert 0 < result.thoughts.ended < 24
    record = json.loads((Path(result.folder) / "measurement.json").read_text())
    assert (record["model"]["wording"], record["model"]["user"]) == ("chat-assistant", "Continue the text: [C]")
    assert re.fullmatch(r"vLLM loopback of .*, chat template [0-9a-f]{8}", record["identity"]["read as"])
    assert bvf.run(**choices, backend_options=options).model_dump() == result.model_dump()
    assert len(asked_to_think(loopback)) == len(seeds)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"chat_turn": None, "thinking": THINKING}, "a model on a server thinks in a chat"),
        ({"generation": THINKING.generation}, "texts and samples without a chat"),
        ({"estimate": "samples"}, "texts and samples without a chat"),
        ({"chat_turn": None, "system": "Be kind."}, "--system goes with --chat-template"),
    ],
)
def test_what_no_server_can_is_refused_before_one_is_asked(options, says, serve, connect):
    loopback = serve("vllm")
    with pytest.raises(BvfError, match=says):
        connect(loopback, described=True, **{"chat_turn": "user", **options})
    assert loopback.asked == []


@pytest.mark.parametrize(
    ("speaks", "options", "says"),
    [
        ("completions", {}, r"lists the most probable tokens alone \(completions\)"),
        ("sglang", {}, r"\(SGLang\) is not asked for thoughts"),
        ("vllm", {"tokenizer": ""}, "does not say the chat template of en-causal"),
        ("vllm", {"tokenizer": str(FOLDER)}, "the tokenizer has no chat template"),
    ],
)
def test_a_server_that_cannot_be_asked_so_is_one_line(speaks, options, says, serve, connect_to_think):
    with pytest.raises(BvfError, match=says):
        connect_to_think(serve(speaks, root=""), thinking=THINKING, described=True, **options)


def test_a_thought_that_is_longer_than_the_server_allows_is_refused(serve, connect_to_think):
    loopback = serve("vllm")
    backend = connect_to_think(loopback, thinking=THINKING)
    with pytest.raises(BvfError, match="tokens before its thought, and the server takes 128 with it") as refused:
        backend.thoughts(PROMPTS[:1], THINKING.generation.model_copy(update={"tokens": 120}))
    assert refused.value.hint.startswith("give a smaller --tokens")
    assert asked_to_think(loopback) == []
