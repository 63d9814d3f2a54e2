"""Chats that cannot be written as they are asked for: one line before the weights are read."""

import pytest
from chat_templates import CHATML, GEMMA, GPT_OSS, GRANITE, LLAMA3, QWEN3, SMOLLM3
from tiny_families import refused

from bvf.domain.chat import Chat
from bvf.domain.generation import Thinking
from bvf.errors import BvfError

USER, OURS, BY_FLAG = {"chat_turn": "user"}, {"chat_turn": "assistant"}, {"chat_template": True}
BRIEF = {"system": "Be brief."}
THINKS = {"reading": {"thinking": Thinking(thoughts=3, tokens=6, temperature=1.0, seed=4)}}
LOST = "loses what the user or the assistant says, or writes it twice"
WITH_SYSTEM_LOST = "loses what the system, the user or the assistant says"
DEAF = "{% for m in messages %}{{ m.role + ': ' + (m.content if m.role != 'system' else '') + '\n' }}{% endfor %}"
MUTE = "{% for m in messages %}{% if m.role == 'user' %}{{ m.content }}{% endif %}{% endfor %}"
SHORT = "{% for m in messages %}{{ m.content[-14:] }}{% endfor %}"
TWICE = "{% for m in messages %}{{ m.content + ' ' + m.content }}{% endfor %}"
LOUD = "{% for m in messages %}{{ m.content | upper }}{% endfor %}"
USERS = "{% if messages[-1].role != 'user' %}{{ raise_exception('The user has the last word') }}{% endif %}" + CHATML
NAMED = {"rag": "{% for m in messages %}{{ m.content }}{% endfor %}", "tool_use": "{{ tools[0] }}"}

pytestmark = pytest.mark.usefixtures("has_its_libraries")


@pytest.mark.parametrize(
    ("template", "options", "says"),
    [
        *((None, turn, "the tokenizer has no chat template") for turn in (BY_FLAG, OURS)),
        *((GEMMA, {**turn, **BRIEF}, "refuses --system, or anything else: System role not") for turn in (USER, OURS)),
        (USERS, OURS, "refuses a chat of one turn each: The user has the last word"),
        ("{% for m in %}", BY_FLAG, "the chat template"),
        *(("{{ bos_token }}", BY_FLAG, LOST), ("{{ messages[0].content }}", USER, LOST)),
        *((template, OURS, LOST) for template in (MUTE, SHORT, TWICE, LOUD)),
        *((DEAF, {**turn, **BRIEF}, WITH_SYSTEM_LOST) for turn in (BY_FLAG, OURS)),
        (NAMED, USER, "choose one by -B chat_template=NAME: rag, tool_use"),
        (NAMED, {"chat_template": "tool-use"}, "did you mean tool_use?"),
        (CHATML, {"chat_template": "none.jinja"}, 'no chat template "none.jinja", and there is no such file'),
        (CHATML, {"chat_template": 3}, "chat_template"),
        (None, {"device": "cuda:7"}, "not available"),
        (None, BRIEF, "--system goes with --chat-template"),
        *((CHATML, {"user": "Go.", **turn}, "--user goes with --chat-turn assistant") for turn in ({}, BY_FLAG, USER)),
        *((CHATML, {"user": empty, **OURS}, "--user is empty") for empty in ("", " \n")),
        (CHATML, {"chat_turn": "nobody"}, "chat_turn is \"nobody\": Input should be 'user' or 'assistant'"),
        (CHATML, {**OURS, **THINKS}, "its chat template has no place for a thought, <think> and </think>"),
        (
            SMOLLM3,
            {**OURS, "chat_variable": {"enable_thinking": False}, **THINKS},
            "with --reading thought the model thinks",
        ),
        (QWEN3, {**OURS, "user": "Go on.", **THINKS}, "--user does not contain the context"),
    ],
)
def test_what_cannot_be_written_is_refused_before_the_weights(
    write_model, describe, monkeypatch, template, options, says
):
    folder = write_model("llama", chat_template=template)
    monkeypatch.setattr("transformers.PreTrainedModel.from_pretrained", None)
    assert describe(folder).weights
    assert says in refused(describe, folder, **options)


NO_SUCH = "the chat template of .* has no such variable"


@pytest.mark.parametrize(
    ("template", "name", "value", "says", "hint"),
    [
        (SMOLLM3, "enable_thinkin", "x", f"--chat-variable enable_thinkin: {NO_SUCH}", "it has enable_thinking"),
        (LLAMA3, "enable_thinking", "x", NO_SUCH, "it has date_string"),
        (CHATML, "enable_thinking", "x", NO_SUCH, "it has none"),
        (GRANITE, "messages", "x", NO_SUCH, "it has controls"),
        (LLAMA3, "bos_token", "x", NO_SUCH, "it has date_string"),
        (GPT_OSS, "reasoning_effort", 5, "anything else: can only concatenate str", "leave --chat-variable out"),
    ],
)
def test_a_variable_that_the_template_cannot_use_is_refused(write_model, describe, template, name, value, says, hint):
    with pytest.raises(BvfError, match=says) as error:
        describe(write_model("llama", chat_template=template), chat_template=True, chat_variable={name: value})
    assert error.value.hint == hint


def test_without_a_system_turn_a_template_that_drops_it_is_read(write_model, read):
    backend = read(write_model("llama", chat_template=DEAF), chat_template=True)
    assert backend.turns.before_words([("a b", Chat("user"), 0)]) == ["user: a b\nassistant: "]
