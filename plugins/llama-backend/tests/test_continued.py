"""Contexts that begin the assistant's answer: prompts and p equal those of transformers."""

import math
import shutil
from pathlib import Path

import pytest
import torch
import transformers as tf
from bvf_llama_backend.chat import TODAY, date_string
from chat_templates import CHATML, GEMMA, LLAMA2, LLAMA3, QWEN3, SAID
from helpers.plain_models import logprob_of_rest

import bvf
from bvf.domain.chat import Chat
from bvf.errors import BvfError
from bvf.hooks.loader import load

USER, SYSTEM = "Continue the text.", "Be brief."
PROMPT = bvf.Prompt("The nurse said that", " left.", "nurse", "The [X] said that [Y] left.")
WORDS = ["he", "she", "granddaughter"]
CHINESE = Path(__file__).parents[3] / "languages" / "zh" / "bvf_zh" / "models" / "zh-causal"


pytestmark = pytest.mark.usefixtures("has_its_libraries")


def of_library(folder, context, *, user=USER, system="", **how):
    chat = [{"role": "user", "content": user}, {"role": "assistant", "content": context}]
    said = [{"role": "system", "content": system}] if system else []
    return tf.AutoTokenizer.from_pretrained(folder).apply_chat_template(
        [*said, *chat], continue_final_message=True, date_string=date_string(TODAY), **how
    )


@pytest.mark.parametrize(
    ("name", "system"), [(name, system) for name in SAID for system in ("", SYSTEM) if name != "gemma" or not system]
)
def test_the_text_before_the_word_is_that_of_the_library(write_model, read, name, system):
    folder = write_model("llama", chat_template=SAID[name])
    backend = read(folder, chat_turn="assistant", system=system)
    contexts = ["The nurse said that", '"Sir", said the nurse, "I think', "One\n\nTwo  and", "Well:", "I"]
    asked = [bvf.Prompt(text, "", "nurse", "") for text in contexts]
    for prompt, written in zip(asked, backend.turns.around(asked), strict=True):
        text = of_library(folder, prompt.left, system=system, tokenize=False)
        assert text.endswith(prompt.left)
        assert (written.left, written.spaced) == (text, True)
        ids = of_library(folder, prompt.left, system=system)["input_ids"]
        assert backend.token_ids(prompt, "she") == ids


@pytest.mark.parametrize(
    ("kind", "template"), [("llama", CHATML), ("llama", LLAMA2), ("llama", LLAMA3), ("gemma2", GEMMA), ("qwen3", QWEN3)]
)
@pytest.mark.parametrize("user", [None, "Tell me a story."])
def test_the_probabilities_are_those_of_plain_transformers(write_model, read, kind, template, user):
    folder = write_model(kind, chat_template=template)
    tokenizer = tf.AutoTokenizer.from_pretrained(folder)
    model = tf.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()

    def plain(context, word):
        text = of_library(folder, context, user=user or USER, tokenize=False)
        before, whole = (tokenizer(t, add_special_tokens=False)["input_ids"] for t in (text, f"{text} {word}"))
        assert whole[: len(before)] == before
        return math.exp(logprob_of_rest(model, whole, len(before)))

    prompts = [PROMPT, bvf.Prompt("When the smith came home,", "", "smith", "")]
    options = {} if user is None else {"user": user}
    scored = read(folder, chat_turn="assistant", **options).word_logprobs(prompts, WORDS)
    for prompt, of_prompt in zip(prompts, scored, strict=True):
        for word, logp in zip(WORDS, of_prompt, strict=True):
            assert math.exp(logp) == pytest.approx(plain(prompt.left, word), rel=0, abs=1e-6)


def test_chinese_is_asked_to_continue_in_chinese_and_words_stand_without_a_space(tmp_path):
    folder = shutil.copytree(CHINESE, tmp_path / "model")
    tokenizer = tf.AutoTokenizer.from_pretrained(folder)
    tokenizer.chat_template = CHATML
    tokenizer.save_pretrained(folder)
    plugins = load()
    llama, language = plugins.backends.find("llama"), plugins.languages.find("zh").make()
    topic = plugins.topics.in_language("zh").find("gender").make()
    request = bvf.ModelRequest(str(folder), topic, options=llama.chosen({"chat_turn": "assistant"}))
    assert llama.described(request).user == "请续写这段文字。"
    prompt = language.prompt(bvf.Template("那位[X]说[Y]"), topic.groups[0])
    (written,) = llama.make(request).turns.around([prompt])
    text = of_library(folder, prompt.left, user="请续写这段文字。", tokenize=False)
    assert (written.left, written.spaced) == (text, False)
    assert text.endswith(f"<|im_start|>assistant\n{prompt.left}")


DEAF = "{% for m in messages %}{{ m.role + ': ' + (m.content if m.role != 'system' else '') + '\n' }}{% endfor %}"
MUTE = "{% for m in messages %}{% if m.role == 'user' %}{{ m.content }}{% endif %}{% endfor %}"
SHORT = "{% for m in messages %}{{ m.content[-14:] }}{% endfor %}"
TWICE = "{% for m in messages %}{{ m.content + ' ' + m.content }}{% endfor %}"
LOUD = "{% for m in messages %}{{ m.content | upper }}{% endfor %}"
FIRST = "{% if messages[-1].role != 'user' %}{{ raise_exception('The user has the last word') }}{% endif %}"


@pytest.mark.parametrize(
    ("template", "options", "says"),
    [
        (None, {}, "the tokenizer has no chat template"),
        (FIRST + CHATML, {}, "refuses a chat of one turn each: The user has the last word"),
        (GEMMA, {"system": SYSTEM}, "refuses --system, or anything else: System role not supported"),
        (MUTE, {}, "loses what the user or the assistant says"),
        (SHORT, {}, "loses what the user or the assistant says"),
        (TWICE, {}, "or writes it twice"),
        (LOUD, {}, "loses what the user or the assistant says"),
        (DEAF, {"system": SYSTEM}, "loses what the system, the user or the assistant says"),
    ],
    ids=["none", "refuses", "no system", "mute", "short", "twice", "loud", "deaf"],
)
def test_a_template_that_loses_a_turn_is_refused(write_model, read, template, options, says):
    folder = write_model("llama", chat_template=template)
    with pytest.raises(BvfError, match=says):
        read(folder, chat_turn="assistant", **options)


def test_a_system_turn_that_is_lost_is_refused_in_the_users_turn_too(write_model, read):
    folder = write_model("llama", chat_template=DEAF)
    assert read(folder, chat_template=True).turns.before_words([("a b", Chat("user"), 0)]) == ["user: a b\nassistant: "]
    with pytest.raises(BvfError, match="loses what the system, the user or the assistant says"):
        read(folder, chat_template=True, system=SYSTEM)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"user": "Go."}, "--user goes with --chat-turn assistant"),
        ({"user": "Go.", "chat_template": True}, "--user goes with --chat-turn assistant"),
        ({"user": "Go.", "chat_turn": "user"}, "--user goes with --chat-turn assistant"),
        ({"user": "", "chat_turn": "assistant"}, "--user is empty"),
        ({"user": " \n", "chat_turn": "assistant"}, "--user is empty"),
        ({"chat_turn": "nobody"}, "chat_turn is \"nobody\": Input should be 'user' or 'assistant'"),
    ],
)
def test_what_does_not_go_together_is_refused_before_the_weights(write_model, describe, monkeypatch, options, says):
    folder = write_model("llama", chat_template=CHATML)
    monkeypatch.setattr("transformers.PreTrainedModel.from_pretrained", None)
    with pytest.raises(BvfError, match=says):
        describe(folder, **options)


def test_the_turn_and_what_the_user_says_are_described(write_model, read, describe):
    folder = write_model("llama", chat_template=CHATML)
    by_flag, users = describe(folder, chat_template=True), describe(folder, chat_turn="user")
    assert by_flag == users
    ours = describe(folder, chat_template=True, chat_turn="assistant", system=SYSTEM)
    assert (ours.capabilities.wording, ours.user, ours.system) == ("chat-assistant", USER, SYSTEM)
    assert (users.capabilities.wording, users.user) == ("chat", "")
    assert read(folder, chat_turn="assistant").capabilities == ours.capabilities
