"""Thoughts before the answer: texts of the library's templates, and a plain loop that reads each text anew."""

import json
from dataclasses import replace
from functools import partial

import pytest
import torch
import transformers as tf
from bvf_llama_backend.chat import ChatTurns
from bvf_llama_backend.templates import END, Marks, marks_in
from bvf_transformers.reading.generating import drawn_tokens
from chat_templates import QWEN3, R1
from helpers.plain_models import logprob_of_rest

import bvf
from bvf.domain.generation import Generation, Thinking
from bvf.interfaces.texts import random_stream

PROMPT = bvf.Prompt("The nurse said that", "", "nurse", "The [X] said that [Y]")
OTHER = bvf.Prompt("A cook knew", "", "cook", "A [X] knew [Y]")
FEW = Generation(samples=3, tokens=6, temperature=1.0, seed=4)
THINKING = Thinking(thoughts=3, tokens=6, temperature=1.0, seed=4)
TURN = "<|im_start|>assistant\n"
ASKED = "<|im_start|>user\nContinue the text: The nurse said that<|im_end|>\n"

pytestmark = pytest.mark.usefixtures("has_its_libraries")


@pytest.fixture(scope="module")
def thinker(write_model):
    """A model with the template of Qwen3, whose tokenizer has a token for the end of a thought."""
    folder, _, model = with_an_end(write_model("llama", chat_template=QWEN3))
    model.save_pretrained(folder)
    return folder


def with_an_end(folder):
    """The folder, its tokenizer, which gets a token for the end of a thought, and its model."""
    tokenizer = tf.AutoTokenizer.from_pretrained(folder)
    tokenizer.add_tokens([END])
    tokenizer.save_pretrained(folder)
    model = tf.AutoModelForCausalLM.from_pretrained(folder)
    model.resize_token_embeddings(len(tokenizer), mean_resizing=False)
    return folder, tokenizer, model


@pytest.fixture
def think(read):
    """Load a model that thinks with this plugin's backend."""
    return partial(read, reading={"thinking": THINKING})


@pytest.fixture
def thinking(think, thinker):
    return think(thinker, chat_turn="assistant")


@pytest.mark.parametrize(
    ("template", "turn", "left"),
    [
        (QWEN3, "assistant", f"{ASKED}{TURN}<think>\nHm.\n</think>\n\nThe nurse said that"),
        (QWEN3, "user", f"<|im_start|>user\nThe nurse said that<|im_end|>\n{TURN}<think>\nHm.\n</think>\n\n"),
        (R1, "user", "<|user|>The nurse said that<|assistant|><think>\nHm.\n</think>\n\n"),
    ],
    ids=["qwen3 assistant", "qwen3 user", "r1"],
)
def test_the_answer_follows_the_thought_between_the_marks_of_the_template(write_model, think, template, turn, left):
    backend = think(write_model("llama", chat_template=template), chat_turn=turn)
    (written,) = backend.turns.around([replace(PROMPT, thought="Hm.\n")])
    assert written.left == left
    assert before_thought(backend) == left.partition("Hm.")[0]


def before_thought(backend, prompt=PROMPT):
    return backend.turns.before_thoughts([(prompt.left, backend.turns.chat, 0)])[0]


def test_what_stands_before_a_thought_is_what_the_library_generates_from(thinking):
    chat = [{"role": "user", "content": "Continue the text: The nurse said that"}]
    begun, empty = (
        thinking.tokenizer.apply_chat_template(chat, tokenize=False, add_generation_prompt=True, enable_thinking=thinks)
        for thinks in (True, False)
    )
    assert before_thought(thinking) == f"{begun}<think>\n"
    (written,) = thinking.turns.around([replace(PROMPT, thought="\n")])
    assert written.left == f"{empty}The nurse said that"


def plain_thought(backend, prompt, k, tokens):
    """A thought by a loop that reads the whole text for each token, and whether it ended."""
    text = before_thought(backend, prompt)
    ids, written = backend.tokenizer(text, add_special_tokens=False)["input_ids"], []
    stream = random_stream(prompt, k, FEW)
    for _ in range(tokens):
        with torch.inference_mode():
            logits = backend.model(torch.tensor([ids])).logits[:, -1, : len(backend.tokenizer)]
        token = int(drawn_tokens(logits, 1.0, [stream])[0])
        if token in (backend.tokenizer.eos_token_id, backend.tokenizer.get_vocab()[END]):
            return backend.tokenizer.decode(written), token != backend.tokenizer.eos_token_id
        ids, written = [*ids, token], [*written, token]
    return backend.tokenizer.decode(written), False


def test_thoughts_are_those_of_a_plain_loop_and_one_that_never_ends_is_closed(thinking):
    thoughts = thinking.thoughts([PROMPT, OTHER], FEW)
    for prompt, of_prompt in zip([PROMPT, OTHER], thoughts, strict=True):
        for k, thought in enumerate(of_prompt):
            text, ended = plain_thought(thinking, prompt, k, FEW.tokens)
            assert thought == (text if ended else text.removesuffix("\n") + "\n", ended)
    assert len({each.text for of_prompt in thoughts for each in of_prompt}) == 6
    assert thinking.thoughts([OTHER], FEW) == thoughts[1:]


def test_a_thought_ends_where_the_model_ends_it(thinking, monkeypatch):
    never = thinking.thoughts([PROMPT], FEW)[0][0]
    begun = thinking._cutter_of_chats.ids_before([before_thought(thinking)])
    third = thinking.continued([PROMPT], begun, FEW)[0][0][2]
    known = thinking.tokenizer.get_vocab()
    vocabulary = {**known, END: third, "the mark of before": known[END]}
    monkeypatch.setattr(thinking.tokenizer, "get_vocab", lambda: vocabulary, raising=False)
    ended = thinking.thoughts([PROMPT], FEW)[0][0]
    assert (ended.ended, never.ended) == (True, False)
    assert never.text.startswith(ended.text)
    assert len(thinking.tokenizer(ended.text, add_special_tokens=False)["input_ids"]) <= 2


def test_probabilities_after_a_thought_are_those_of_the_whole_text(thinking):
    prompts = [replace(each, thought=thought) for each in (PROMPT, OTHER) for thought in ("So.\n", "No")]
    words = ["he", "she", "granddaughter"]

    def plain(prompt, word):
        said = f"Continue the text: {prompt.left}"
        text = f"<|im_start|>user\n{said}<|im_end|>\n{TURN}<think>\n{prompt.thought}</think>\n\n{prompt.left}"
        before, whole = (thinking.tokenizer(t, add_special_tokens=False)["input_ids"] for t in (text, f"{text} {word}"))
        return logprob_of_rest(thinking.model, whole, len(before))

    scored = thinking.word_logprobs(prompts, words)
    for prompt, row in zip(prompts, scored, strict=True):
        assert row == pytest.approx([plain(prompt, word) for word in words], abs=1e-4)


def test_marks_are_those_of_the_empty_thought_or_the_usual_ones():
    both = "<think></think>"
    assert marks_in("no marks", "a", "a") is None
    assert marks_in(both, "a: ", "a: <think></think> ") == Marks("<think>", "", "</think> ")
    assert marks_in(both, "a: <think>\n", "a: <think>\n") == Marks("", "\n", "</think>\n\n")


@pytest.fixture(scope="module")
def writer(write_model):
    """A model whose template opens a thought; it writes he, she, said and the end of a thought, whatever it reads."""
    folder, tokenizer, model = with_an_end(write_model("phi", chat_template=R1))
    written = [tokenizer(f"a {word}")["input_ids"][-1] for word in (END, "he", "she", "said")]
    with torch.no_grad():
        model.lm_head.weight.zero_()
        model.lm_head.bias.fill_(-30.0)
        model.lm_head.bias[written] = torch.tensor([0.0, 1.0, 1.0, 1.0])
    model.save_pretrained(folder)
    return folder


def test_texts_of_a_model_whose_template_opens_a_thought_are_read_after_its_end(writer, tmp_path):
    asked = {"groups": ("nurse", "cook"), "limit_contexts": 4, "openings": "none", "out": tmp_path / "run"}
    drawn = {"reading": "generated", "reader": "first-word", "samples": 8, "tokens": 9}
    result = bvf.run(model=str(writer), backend="llama", backend_options={"chat_turn": "user"}, **asked, **drawn)
    texts = [text for of in bvf.read_measurement(tmp_path / "run").answers.texts.flat for text in of]
    assert all(text.startswith("<think>\n") for text in texts)
    answers = [text.rpartition(END)[2].split() for text in texts if END in text]
    named = [next((word for word in words if word != "said"), None) for words in answers]
    assert 10 < len(answers) < len(texts)
    assert (result.texts.written, result.texts.cut, result.texts.thoughts) == (64, 64 - len(answers), 64)
    assert result.texts.read == len(named) - named.count(None)


def test_a_model_thinks_after_a_conversation(thinker, tmp_path, monkeypatch):
    read, before_thoughts = [], ChatTurns.before_thoughts

    def kept(turns, asked):
        found = before_thoughts(turns, asked)
        read.extend(found)
        return found

    monkeypatch.setattr(ChatTurns, "before_thoughts", kept)
    said = [("I am a nurse.", "I see."), ("How late is it?", "It is noon.")]
    talks = [[{"role": "user", "content": user}, {"role": "assistant", "content": text}] for user, text in said]
    (tmp_path / "talks.jsonl").write_text("".join(json.dumps({"messages": talk}) + "\n" for talk in talks))
    asked = {"groups": ("nurse", "cook"), "limit_contexts": 4, "openings": str(tmp_path / "talks.jsonl")}
    drawn = {"reading": "thought", "thoughts": 2, "tokens": 4, "backend_options": {"chat_turn": "assistant"}}
    result = bvf.run(model=str(thinker), backend="llama", out=tmp_path / "run", **asked, **drawn)
    assert result.thoughts.thought == 16
    talked = [f"<|im_start|>user\n{user}<|im_end|>\n{TURN}{text}<|im_end|>\n" for user, text in said]
    assert len(read) >= 16
    assert [each for each in read if not each.startswith(tuple(talked))] == []
