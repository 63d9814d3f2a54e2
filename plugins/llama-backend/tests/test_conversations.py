"""Probabilities in chats, with and without a conversation before: those of the whole list of messages."""

import json
from dataclasses import replace

import numpy as np
import pytest
import torch
import transformers as tf
from chat_templates import CHATML, GEMMA, LLAMA2, LLAMA3, MARKED, PHI, QWEN3
from helpers.plain_models import logprob_of_rest

import bvf
from bvf.errors import BvfError

SYSTEM = {"role": "system", "content": "Be brief."}
NURSE = [{"role": role, "content": text} for role, text in (("user", "I am a nurse."), ("assistant", "I see."))]
LONGER = [*NURSE, {"role": "user", "content": "I work."}, {"role": "assistant", "content": "I see."}]
PROMPT = bvf.Prompt("The nurse said that", " left.", "nurse", "The [X] said that [Y] left.")
WORDS = ["he", "she", "granddaughter"]
WAYS = (
    (PROMPT.left, "", {"chat_turn": "user"}),
    (PROMPT.left, "", {"chat_turn": "user", "system": "Be brief."}),
    ("Continue the text.", f"{PROMPT.left} ", {"chat_turn": "assistant"}),
    ("Go on.", f"{PROMPT.left} ", {"chat_turn": "assistant", "user": "Go on.", "system": "Be brief."}),
)
"""What the user says, what the answer begins with, and the options that make it so."""
OTHERS = {"gemma3_text", "gpt_oss", "bloom"}
"""Types of models whose template another type has, too: they are asked in the first and the last of the ways."""
pytestmark = pytest.mark.usefixtures("has_its_libraries")


def after(said):
    return replace(PROMPT, before=json.dumps(said) if said else "")


@pytest.mark.parametrize(
    ("kind", "template"),
    [
        *(("llama", template) for template in (CHATML, LLAMA2, LLAMA3, MARKED)),
        *(("gemma2", GEMMA), ("gemma3_text", GEMMA), ("phi3", PHI), ("qwen3", QWEN3)),
        *(("gpt_oss", LLAMA3), ("bloom", LLAMA3)),
    ],
)
def test_p_is_that_of_the_whole_list_of_messages(write_model, read, kind, template):
    folder = write_model(kind, chat_template=template, max_position_embeddings=512)
    tokenizer = tf.AutoTokenizer.from_pretrained(folder)
    model = tf.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()

    def plain(messages, answer, word):
        text = tokenizer.apply_chat_template(
            [*messages, {"role": "assistant", "content": answer + word}], tokenize=False
        )
        end = text.rindex(word) + len(word)
        whole = tokenizer(text[:end], add_special_tokens=False)["input_ids"]
        before = tokenizer(text[: end - len(word)].rstrip(" "), add_special_tokens=False)["input_ids"]
        assert whole[: len(before)] == before
        return logprob_of_rest(model, whole, len(before))

    for asked, answer, options in WAYS[::3] if kind in OTHERS else WAYS:
        if template == GEMMA:  # it takes no system's turn
            options = {name: value for name, value in options.items() if name != "system"}
        briefly = [SYSTEM] if "system" in options else []
        talks = [[], NURSE, LONGER, *([] if briefly or template == GEMMA else [[SYSTEM, *NURSE]])]
        user = {"role": "user", "content": asked}
        expected = [[plain([*briefly, *said, user], answer, word) for word in WORDS] for said in talks]
        scored = read(folder, **options).word_logprobs([after(said) for said in talks], WORDS)
        assert scored == pytest.approx(np.array(expected), abs=1e-4)
        assert np.exp(scored) == pytest.approx(np.exp(expected), rel=0, abs=1e-6)


ONE_IS_LOST = "{% if messages|length > 2 %}{% set messages = messages[:1] + messages[2:] %}{% endif %}" + CHATML
ONE_EACH = "{% if messages|length > 2 %}{{ raise_exception('One turn each') }}{% endif %}" + CHATML


@pytest.mark.parametrize(
    ("template", "said", "says"),
    [
        (ONE_IS_LOST, LONGER, "loses what the user or the assistant says"),  # its text stands in another message too
        (ONE_EACH, NURSE, "refuses a chat of several turns: One turn each"),
        (GEMMA, [SYSTEM, *NURSE], "refuses a chat of several turns: System role not supported"),
    ],
)
def test_a_template_that_does_not_hold_them_is_refused(write_model, read, template, said, says):
    backend = read(write_model("llama", chat_template=template), chat_turn="user")
    assert backend.word_logprobs([PROMPT], WORDS).shape == (1, 3)
    with pytest.raises(BvfError, match=says):
        backend.word_logprobs([after(said)], WORDS)
