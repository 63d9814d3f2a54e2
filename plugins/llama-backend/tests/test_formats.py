"""Contexts that bring their own chats: the same p as runs that put all contexts into that chat, in any mixture."""

from itertools import permutations

import numpy as np
import pytest
from chat_templates import CHATML, LLAMA3

from bvf import Prompt
from bvf.domain.chat import Chat
from bvf.domain.generation import Generation
from bvf.errors import BvfError

WORDS = ["he", "she", "granddaughter"]
OURS = {"chat_turn": "assistant", "user": "Go on."}
CHATS = [None, Chat("user"), Chat("user", system="Be brief."), Chat("assistant", "Go on.")]
OPTIONS = [{}, *({"chat_turn": chat.turn, "system": chat.system} for chat in CHATS[1:3]), OURS]
pytestmark = pytest.mark.usefixtures("has_its_libraries")


def prompt(chat, group="nurse"):
    return Prompt(f"The {group} said that", " left.", group, "The [X] said that [Y] left.", chat=chat)


@pytest.mark.parametrize("template", [CHATML, LLAMA3], ids=["chatml", "llama3"])
def test_each_prompt_is_read_as_in_a_run_of_its_chat_alone(write_model, read, template):
    folder = write_model("llama", chat_template=template)
    alone = [read(folder, **options).word_logprobs([prompt(None)], WORDS)[0] for options in OPTIONS]
    assert len({tuple(np.round(logp, 3)) for logp in alone}) == len(CHATS)
    backend = read(folder)
    for order in list(permutations(range(len(CHATS))))[::5]:
        together = backend.word_logprobs([prompt(CHATS[index]) for index in order], WORDS)
        np.testing.assert_allclose(together, [alone[index] for index in order], atol=2e-5)


def test_a_model_without_a_chat_template_reads_bare_contexts_alone(write_model, read):
    backend = read(write_model("llama"))
    assert backend.word_logprobs([prompt(None)], WORDS).shape == (1, 3)
    with pytest.raises(BvfError, match="the tokenizer has no chat template"):
        backend.word_logprobs([prompt(None), prompt(Chat("user"))], WORDS)


def test_texts_continue_each_prompt_in_its_own_chat(write_model, read):
    """A model with random weights: other chats, other texts."""
    folder = write_model("llama", chat_template=CHATML)
    generation = Generation(samples=3, tokens=5, temperature=1.0, seed=0)
    alone = [read(folder).texts([prompt(chat)], generation)[0] for chat in CHATS]
    assert read(folder, **OURS).texts([prompt(CHATS[-1])], generation)[0] == alone[-1]
    assert read(folder).texts([prompt(chat) for chat in CHATS], generation) == alone
    assert len({tuple(texts) for texts in alone}) == len(CHATS)
