"""Conversations before contexts: the same p as of the whole list of messages, and refusals."""

import json
from dataclasses import replace

import pytest
import torch
import transformers as tf
from chat_templates import CHATML, GEMMA, LLAMA2, LLAMA3
from helpers.plain_models import logprob_of_rest

import bvf
from bvf.errors import BvfError

NURSE = [{"role": role, "content": text} for role, text in (("user", "I am a nurse."), ("assistant", "I see."))]
MORE = [*NURSE, {"role": "user", "content": "I work."}, {"role": "assistant", "content": "I see."}]
BRIEF = [{"role": "system", "content": "Be brief."}, *NURSE]
PROMPT = bvf.Prompt("The nurse said that", " left.", "nurse", "The [X] said that [Y] left.")
WORDS = ["he", "she", "granddaughter"]
pytestmark = pytest.mark.usefixtures("has_its_libraries")


def after(said):
    return replace(PROMPT, before=json.dumps(said) if said else "")


@pytest.mark.parametrize("template", [CHATML, LLAMA2, LLAMA3, GEMMA])
@pytest.mark.parametrize("options", [{"chat_turn": "user"}, {"chat_turn": "assistant", "user": "Go on."}], ids=str)
def test_p_is_that_of_the_whole_list_of_messages(write_model, read, template, options):
    folder = write_model("llama", chat_template=template, max_position_embeddings=512)
    tokenizer = tf.AutoTokenizer.from_pretrained(folder)
    model = tf.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()

    def plain(messages, answer, word):
        messages[-1]["content"] = answer + word
        text = tokenizer.apply_chat_template(messages, tokenize=False)
        end = text.rindex(word) + len(word)
        whole = tokenizer(text[:end], add_special_tokens=False)["input_ids"]
        before = tokenizer(text[: end - len(word)].rstrip(" "), add_special_tokens=False)["input_ids"]
        return logprob_of_rest(model, whole, len(before))

    talks = [[], NURSE, MORE, *([BRIEF] if template != GEMMA else [])]
    scored = read(folder, **options).word_logprobs([after(said) for said in talks], WORDS)
    asked, answer = ("Go on.", f"{PROMPT.left} ") if "user" in options else (PROMPT.left, "")
    for said, logp in zip(talks, scored, strict=True):
        whole = [*said, {"role": "user", "content": asked}, {"role": "assistant"}]
        assert logp == pytest.approx([plain(whole, answer, word) for word in WORDS], abs=1e-4)


ONE_IS_LOST = "{% if messages|length > 2 %}{% set messages = messages[:1] + messages[2:] %}{% endif %}" + CHATML
ONE_EACH = "{% if messages|length > 2 %}{{ raise_exception('One turn each') }}{% endif %}" + CHATML


@pytest.mark.parametrize(
    ("template", "said", "says"),
    [
        (ONE_IS_LOST, MORE, "loses what the user or the assistant says"),  # its text stands in another message too
        (ONE_EACH, NURSE, "refuses a chat of several turns: One turn each"),
        (GEMMA, BRIEF, "refuses a chat of several turns: System role not supported"),
    ],
)
def test_a_template_that_does_not_hold_them_is_refused(write_model, read, template, said, says):
    backend = read(write_model("llama", chat_template=template), chat_turn="user")
    assert backend.word_logprobs([PROMPT], WORDS).shape == (1, 3)
    with pytest.raises(BvfError, match=says):
        backend.word_logprobs([after(said)], WORDS)
