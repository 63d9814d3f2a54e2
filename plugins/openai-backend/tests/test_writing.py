"""Texts that a model on a server writes: how it is asked, what is refused, and what a run reads."""

import json

import pytest
from asked_of_servers import PROMPTS
from bvf_openai_backend.sampling import TEXTS
from loopback import FOLDER, NAME, Loopback
from transformers import GenerationConfig

import bvf
from bvf.domain.generation import Generation
from bvf.errors import BvfError
from bvf.interfaces.texts import Writing

GENERATION = Generation(samples=6, tokens=9, temperature=0.7, seed=3)
FEW = PROMPTS[:3]


@pytest.fixture
def connected(connect):
    def make(loopback, generation=GENERATION, **options):
        loopback.draw = lambda text, number, _, seed: [f" {seed} {k} she left {text}" for k in range(number)]
        loopback.temperatures = (1, 0.7)
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


def test_all_tokens_may_be_drawn_also_where_the_server_says_so_otherwise_or_not_at_all(serve, connected):
    """The server of llama-cpp-python refuses -1, and draws from 40 tokens unless it is asked otherwise."""
    loopback = serve("samples", "counts tokens")
    connected(loopback).texts(FEW, GENERATION)
    assert {(body["top_k"], body["min_p"], body["repeat_penalty"]) for body in asked(loopback)} == {(0, 0, 1)}
    loopback = serve("samples", "transformers serve")
    connected(loopback).texts(FEW, GENERATION)
    (configuration,) = {body["generation_config"] for body in asked(loopback)}
    chosen = GenerationConfig(**json.loads(configuration))
    chosen.validate(strict=True)
    assert (chosen.do_sample, chosen.top_k, chosen.min_p, chosen.repetition_penalty) == (True, 0, 0, 1)
    loopback = serve("samples", "strict")
    connected(loopback).texts(FEW, GENERATION)
    needed = {"model", "prompt", "n", "temperature", "top_p", "max_tokens"}
    assert [set(body) for body in asked(loopback)] == [needed] * len(FEW)


def test_sentences_of_a_chat_are_read_where_no_word_begins_an_answer(serve, tmp_path):
    loopback = serve("samples of chats")
    sentences = (
        "I'd be happy to help! She was late.",
        "Sure! Here you are: he would come later.",
        "I'm sorry, but I can't help with that.",
    )
    loopback.draw = lambda text, number, *_: (sentences * number)[:number]
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
    "a thought in the text": (
        {"content": "<think>he?</think>\n\nshe left."},
        "stop",
        "<think>he?</think>\n\nshe left.",
    ),
    "a field of its own": ({"content": "she left.", "reasoning_content": "he?"}, "stop", "<think>he?</think>she left."),
    "parts": ({"content": THOUGHT}, "stop", "<think>he?</think>she left."),
    "cut within a field": ({"content": None, "reasoning": "he?"}, "length", "<think>he?"),
    "cut within a hidden thought": ({"content": ""}, "length", "<think>"),
    "cut in the text": ({"content": "<think>he?"}, "length", "<think>he?"),
    "a refusal": ({"content": None, "refusal": "He is off limits."}, "stop", f"{Writing.REFUSAL}He is off limits."),
    "a filter": ({"content": "he"}, "content_filter", f"{Writing.FILTERED}he"),
    "nothing": ({"role": "assistant"}, "stop", ""),
    "an answer that is cut": ({"content": "she left because"}, "length", "she left because"),
}


@pytest.fixture
def he_and_she(serve):
    """A server that answers he left and she left in turn."""
    loopback = serve("samples of chats")
    loopback.draw = lambda text, number, *_: (["he left.", "she left."] * number)[:number]
    return loopback


def test_what_a_server_says_beside_the_answer_is_counted_and_no_class(he_and_she, connected, tmp_path):
    others = [({"content": text}, "stop", text) for text in ("he left.", "she left.")]
    every = [*SAID.values(), *others]

    def said(body):
        choices = [{"message": message, "finish_reason": ended} for message, ended, _ in every[: body["n"]]]
        return {"choices": [{"index": index, **each} for index, each in enumerate(choices)]}

    he_and_she.said = said
    every_one = GENERATION.model_copy(update={"samples": len(every)})
    backend = connected(he_and_she, every_one)
    assert backend.texts(FEW[:1], every_one) == [[text for *_, text in every]]
    result = run_on(he_and_she, tmp_path, samples=len(every))
    assert [group.mean_probabilities["female"] for group in result.groups] == pytest.approx([5 / 6] * 2)
    texts = result.texts
    assert (texts.written, texts.read, texts.thoughts) == (6 * 12, 6 * 6, 6 * 5)
    assert (texts.refused, texts.filtered, texts.cut, sum(texts.unread.values())) == (6, 6, 6 * 3, 6)


def run_on(loopback, out, **choices):
    chosen = {"groups": ("nurse", "cook"), "limit_contexts": 3, "reading": "generated", **choices}
    return bvf.run(model=f"openai:{NAME}", backend_options={"base_url": loopback.url}, out=out / "run", **chosen)


POLICY = 400, {"error": {"code": "content_filter", "message": "The prompt triggered a policy."}}


def filtered(loopback, answer=POLICY, name="cook"):
    """Have a server answer so where a name stands in the prompt; without a name, to every prompt but the probe's."""

    def answered(path, body):
        said = body.get("prompt") or ("messages" in body and body["messages"][-1]["content"])
        rejects = said and (name in said.lower() if name else said not in TEXTS)
        return answer if rejects else Loopback.answer(loopback, path, body)

    loopback.answer = answered


@pytest.mark.parametrize(
    ("status", "error", "reason"),
    [
        (*POLICY, "400: The prompt triggered a policy."),
        (400, {"error": {"message": "Content Exists Risk", "code": "invalid"}}, "400: Content Exists Risk"),
        (403, {"error": {"message": "Your input was flagged", "metadata": {"reasons": ["hate"]}}}, "403: Your input"),
    ],
)
def test_the_text_of_a_prompt_that_a_filter_rejects_is_its_reason(status, error, reason, he_and_she, connected):
    filtered(he_and_she, (status, error), "nurse")
    for text in connected(he_and_she).texts(FEW[:1], GENERATION)[0]:
        assert text.startswith(f"{Writing.FILTERED}{reason}")


def test_a_prompt_that_a_filter_rejects_is_missing_in_a_run(he_and_she, tmp_path):
    filtered(he_and_she)
    result = run_on(he_and_she, tmp_path, samples=2)
    assert (result.texts.written, result.texts.read, result.texts.filtered) == (12, 6, 6)
    assert [group.group for group in result.groups] == ["nurse"]
    assert any("3 of 6 prompts are missing" in note for note in result.notes)


OTHER_ERROR = 400, {"error": {"message": "too long", "param": "flagged by a content filter"}}


@pytest.mark.parametrize(
    ("answer", "message", "is_filter"),
    [
        (POLICY, "reads no class in any text: .* 100.0% filtered by the server", True),
        (OTHER_ERROR, "completions: 400: too long", False),
    ],
)
def test_a_filter_that_rejects_every_prompt_or_another_error_ends_the_run(
    answer, message, is_filter, he_and_she, tmp_path
):
    filtered(he_and_she, answer, name="")
    with pytest.raises(BvfError, match=message) as ended:
        run_on(he_and_she, tmp_path, samples=2)
    assert ("its server filters these prompts" in ended.value.hint) == is_filter


def test_a_model_whose_texts_all_end_within_a_thought_is_refused_at_once(he_and_she, tmp_path):
    he_and_she.draw = lambda text, number, *_: [f"<think>he {k}" for k in range(number)]
    said = "has not answered yet: all 12 texts of a few prompts end within a thought"
    with pytest.raises(BvfError, match=said) as error:
        run_on(he_and_she, tmp_path, samples=2, tokens=7)
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
    speaks, choices, options, he_and_she, tmp_path
):
    talks = [[{"role": role, "content": text} for role, text in talk] for talk in TALKS]
    (tmp_path / "talks.jsonl").write_text("".join(json.dumps({"messages": talk}) + "\n" for talk in talks))
    (tmp_path / "said.txt").write_text("The [X] said that [Y] left.\n")
    he_and_she.speaks = speaks
    chosen = {"contexts": str(tmp_path / "said.txt"), "openings": str(tmp_path / "talks.jsonl"), **choices}
    chosen |= {"groups": ("nurse", "cook"), "words": {"male": ("he",), "female": ("she",)}, "out": tmp_path / "run"}
    bvf.run(model=f"openai:{NAME}", backend_options={"base_url": he_and_she.url, **options}, **chosen)
    sent = [body["messages"] for _, body in he_and_she.asked if len(body.get("messages", ())) > 1]
    asking = [{"role": "user", "content": f"The {group} said that"} for group in ("nurse", "cook")]
    assert [each for talk in talks for each in asking if [*talk, each] not in sent] == []
    assert all(messages[:-1] in talks and messages[-1]["role"] == "user" for messages in sent)
