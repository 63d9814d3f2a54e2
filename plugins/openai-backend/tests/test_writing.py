"""Texts that a model on a server writes: how it is asked, what is refused, and what a run reads."""

import json

import pytest
from asked_of_servers import PROMPTS
from bvf_openai_backend.sampling import TEXTS
from loopback import FOLDER, NAME, Loopback
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
def connected(connect):
    def make(loopback, generation=GENERATION, **options):
        loopback.draw, loopback.temperatures = story, (1, 0.7)
        return connect(loopback, generation=generation, **options)

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
        "I'd be happy to help! She was late.",
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


THOUGHT = [{"type": "thinking", "thinking": [{"type": "text", "text": "he?"}]}, {"type": "text", "text": "she left."}]
SAID = {
    "a thought in the text": ({"content": "<think>he?</think>\n\nshe left."}, "stop", ""),
    "a field of its own": ({"content": "she left.", "reasoning_content": "he?"}, "stop", ""),
    "parts": ({"content": THOUGHT}, "stop", ""),
    "cut within a field": ({"content": None, "reasoning": "he?"}, "length", "cut"),
    "cut within a hidden thought": ({"content": ""}, "length", "cut"),
    "cut in the text": ({"content": "<think>he?"}, "length", "cut"),
    "a refusal": ({"content": None, "refusal": "He is off limits."}, "stop", "refused"),
    "a filter": ({"content": "he"}, "content_filter", "filtered"),
    "nothing": ({"role": "assistant"}, "stop", "unread"),
    "an answer that is cut": ({"content": "she left because"}, "length", ""),
}


@pytest.mark.parametrize(("message", "ended", "why"), SAID.values(), ids=SAID)
def test_what_a_server_says_beside_the_answer_is_counted_and_no_class(message, ended, why, serve, tmp_path):
    def said(body):
        others = [{"message": {"content": each}, "finish_reason": "stop"} for each in ("he left.", "she left.")]
        every = [*others, {"message": message, "finish_reason": ended}, *others][: body["n"]]
        return {"choices": [{"index": index, **each} for index, each in enumerate(every)]}

    loopback = serve("samples of chats")
    loopback.said = said
    result = run_on(loopback, tmp_path, samples=5)
    counts = result.texts.model_dump(include={"refused", "filtered", "cut"})
    counts["unread"] = sum(result.texts.unread.values())
    assert {name: number for name, number in counts.items() if number} == ({why: 6} if why else {})
    assert (result.texts.written, result.texts.read) == (30, 24 if why else 30)
    assert {round(group.mean_probabilities["female"], 9) for group in result.groups} == {0.5 if why else 0.6}
    assert result.texts.thoughts == (6 if "he?" in str(message) else 0)


def run_on(loopback, out, **choices):
    chosen = {"groups": ("nurse", "cook"), "limit_contexts": 3, "reading": "generated", **choices}
    return bvf.run(model=f"openai:{NAME}", backend_options={"base_url": loopback.url}, out=out / "run", **chosen)


ERRORS = [
    (400, {"error": {"code": "content_filter", "message": "The prompt triggered a policy."}}),
    (400, {"error": {"message": "Content Exists Risk", "type": "invalid_request_error", "code": "invalid"}}),
    (403, {"error": {"code": 403, "message": "Your input was flagged", "metadata": {"reasons": ["hate"]}}}),
]


@pytest.mark.parametrize(("status", "error"), ERRORS)
def test_a_prompt_that_a_filter_rejects_is_missing_with_its_reason(status, error, serve, tmp_path):
    loopback = serve("samples of chats")
    loopback.draw = lambda text, number, *_: (["he left.", "she left."] * number)[:number]
    rejects(loopback, status, error, lambda text: "cook" in text.lower())
    result = run_on(loopback, tmp_path, samples=2)
    assert (result.texts.written, result.texts.read, result.texts.filtered) == (12, 6, 6)
    assert [group.group for group in result.groups] == ["nurse"]
    assert any("3 of 6 prompts are missing" in note for note in result.notes)


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (ERRORS[0][1], "reads no class in any text: .* 100.0% filtered by the server"),
        ({"error": {"message": "too long", "param": "flagged by a content filter"}}, "completions: 400: too long"),
    ],
)
def test_a_filter_that_rejects_every_prompt_or_another_error_ends_the_run(error, message, serve, tmp_path):
    loopback = serve("samples of chats")
    loopback.draw = story
    rejects(loopback, 400, error, lambda text: text not in TEXTS)
    with pytest.raises(BvfError, match=message) as ended:
        run_on(loopback, tmp_path, samples=2)
    assert ("its server filters these prompts" in ended.value.hint) == ("filtered by" in message)


def rejects(loopback, status, error, which):
    def answer(path, body):
        chat = path == "/v1/chat/completions" and which(body["messages"][0]["content"])
        return (status, error) if chat else Loopback.answer(loopback, path, body)

    loopback.answer = answer


def test_a_model_whose_texts_all_end_within_a_thought_is_refused_at_once(serve, tmp_path):
    loopback = serve("samples of chats")
    loopback.draw = lambda text, number, *_: [f"<think>he {k}" for k in range(number)]
    with pytest.raises(
        BvfError, match="has not answered yet: all 12 texts of a few prompts end within a thought"
    ) as error:
        run_on(loopback, tmp_path, samples=2, tokens=7)
    assert "--tokens, which is 7" in error.value.hint


TALKS = (
    [("user", "I am a nurse."), ("assistant", "Yes.")],
    [("system", "Be kind."), ("user", "Hm."), ("assistant", "?")],
)
WAYS = {
    "texts": ("samples of chats", {"reading": "generated", "samples": 2}, {}),
    "samples": ("samples of chats", {}, {"estimate": "samples", "samples": 2}),
    "most probable tokens": ("chat", {"tolerance": 0.9}, {"tokenizer": str(FOLDER)}),
}


@pytest.mark.parametrize(("speaks", "choices", "options"), WAYS.values(), ids=WAYS)
def test_a_server_that_writes_the_chat_gets_a_conversation_before_the_context(
    speaks, choices, options, serve, tmp_path
):
    talks = [[{"role": role, "content": text} for role, text in talk] for talk in TALKS]
    (tmp_path / "talks.jsonl").write_text("".join(json.dumps({"messages": talk}) + "\n" for talk in talks))
    (tmp_path / "said.txt").write_text("The [X] said that [Y] left.\n")
    loopback = serve(speaks)
    loopback.draw = lambda text, number, *_: (["he left.", "she left."] * number)[:number]
    chosen = {"contexts": str(tmp_path / "said.txt"), "openings": str(tmp_path / "talks.jsonl"), **choices}
    chosen |= {"groups": ("nurse", "cook"), "words": {"male": ("he",), "female": ("she",)}, "out": tmp_path / "run"}
    bvf.run(model=f"openai:{NAME}", backend_options={"base_url": loopback.url, **options}, **chosen)
    sent = [body["messages"] for _, body in loopback.asked if len(body.get("messages", ())) > 1]
    asking = [{"role": "user", "content": f"The {group} said that"} for group in ("nurse", "cook")]
    assert [each for talk in talks for each in asking if [*talk, each] not in sent] == []
    assert all(messages[:-1] in talks and messages[-1]["role"] == "user" for messages in sent)
