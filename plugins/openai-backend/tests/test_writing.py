"""Texts that a model on a server writes: how it is asked, what is refused, and what a run reads."""

import json

import pytest
from asked_of_servers import PROMPTS
from bvf_openai_backend.sampling import TEXTS
from loopback import NAME
from transformers import GenerationConfig

import bvf
from bvf.domain.generation import Generation
from bvf.errors import BvfError, LostError

GENERATION = Generation(samples=6, tokens=9, temperature=0.7, seed=3)
FEW = PROMPTS[:3]


def story(text, number, tokens, seed):
    """Texts without a model: they name the request."""
    return [f" {seed} {k} she left {text}" for k in range(number)]


@pytest.fixture
def connected(connect_to_write):
    def make(loopback, generation=GENERATION, **options):
        loopback.draw, loopback.temperatures = story, (1, 0.7)
        return connect_to_write(loopback, generation, **options)

    return make


def asked(loopback):
    return [body for path, body in loopback.asked if "ompletion" in path and body.get("prompt") not in TEXTS]


def test_a_server_is_asked_for_all_samples_with_the_choices_of_the_run(serve, connected):
    loopback = serve("samples")
    texts = connected(loopback).texts([*FEW, FEW[0]], GENERATION)
    assert [len(each) for each in texts] == [6, 6, 6, 6]
    assert texts[0] == texts[3]
    assert all(text.endswith(prompt.left) for prompt, of_prompt in zip(FEW, texts, strict=False) for text in of_prompt)
    bodies = asked(loopback)
    assert sorted(body["prompt"] for body in bodies) == sorted(prompt.left for prompt in FEW)
    assert {(body["n"], body["temperature"], body["max_tokens"]) for body in bodies} == {(6, 0.7, 9)}
    assert len({body["seed"] for body in bodies}) == 3


def test_another_seed_is_sent_for_another_seed(serve, connected):
    loopback = serve("samples")
    first = connected(loopback).texts(FEW, GENERATION)
    assert connected(loopback).texts(FEW, GENERATION) == first
    other = GENERATION.model_copy(update={"seed": 4})
    assert connected(loopback, other).texts(FEW, other) != first


def test_a_server_that_refuses_several_at_once_is_asked_one_by_one(serve, connected):
    loopback = serve("samples", "ignores n")
    texts = connected(loopback).texts(FEW[:1], GENERATION)
    assert len(set(texts[0])) == 6
    assert [body["n"] for body in asked(loopback)] == [1] * 6


def test_all_tokens_may_be_drawn_also_where_the_server_says_so_by_0(serve, connected):
    """That of llama-cpp-python refuses -1, and draws from 40 tokens unless it is asked otherwise."""
    loopback = serve("samples", "counts tokens")
    connected(loopback).texts(FEW, GENERATION)
    assert {(body["top_k"], body["min_p"], body["repeat_penalty"]) for body in asked(loopback)} == {(0, 0, 1)}


def test_transformers_serve_draws_from_all_tokens_by_a_configuration(serve, connected):
    loopback = serve("samples", "transformers serve")
    connected(loopback).texts(FEW, GENERATION)
    (configuration,) = {body["generation_config"] for body in asked(loopback)}
    chosen = GenerationConfig(**json.loads(configuration))
    chosen.validate(strict=True)
    assert (chosen.do_sample, chosen.top_k, chosen.min_p, chosen.repetition_penalty) == (True, 0, 0, 1)


def test_a_run_that_needs_more_requests_than_are_allowed_is_refused(serve, connected):
    loopback = serve("samples", "ignores n")
    with pytest.raises(BvfError, match="max_requests=10, and these 18 texts take more, of 1 per request"):
        connected(loopback, max_requests=10).check_budget(FEW, ["he"], 18)
    with pytest.raises(LostError, match="max_requests=4"):
        connected(loopback, max_requests=4).texts(FEW, GENERATION)


def test_sentences_of_a_chat_are_read_where_no_word_begins_an_answer(serve, tmp_path):
    loopback = serve("samples of chats")
    sentences = (
        "I'd be happy to help! The person said that she was late.",
        "Sure! Here you are: he would come later.",
        "I'm sorry, but I can't help with that.",
    )
    loopback.draw = lambda text, number, *_: [sentences[k % 3] for k in range(number)]
    asked = {"model": f"openai:{NAME}", "limit_groups": 2, "limit_contexts": 3}
    server = {"base_url": loopback.url}
    result = bvf.run(**asked, backend_options=server, reading="generated", samples=6, out=tmp_path / "texts")
    assert (result.texts.written, result.texts.read, result.texts.refused) == (36, 24, 12)
    assert {tuple(group.mean_probabilities.values()) for group in result.groups} == {(0.5, 0.5)}
    with pytest.raises(BvfError, match="the probability 0 in every prompt") as error:
        bvf.run(**asked, backend_options={**server, "estimate": "samples", "samples": 6}, out=tmp_path / "words")
    assert "--reading generated" in error.value.hint
