"""Chats: the exact text that the model reads, and refusals."""

from dataclasses import replace

import pytest
import torch
import transformers as tf
from chat_templates import GEMMA, LLAMA2, LLAMA3
from helpers.plain_models import logprob_of_rest

import bvf
from bvf.errors import BvfError

THINKING = (
    "{% for m in messages %}{{ '<|' + m.role + '|>' }}{% if m.role == 'assistant' %}{{ '<think></think>' }}{% endif %}"
    "{{ m.content + '<|end|>' }}{% endfor %}{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}"
)
PHI = (
    "{% for m in messages %}{{ '<|' + m['role'] + '|>\n' + m['content'] + '<|end|>\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|assistant|>\n' }}{% else %}{{ eos_token }}{% endif %}"
)
PROMPT = bvf.Prompt("The nurse said that", " left.", "nurse", "The [X] said that [Y] left.")


pytestmark = pytest.mark.usefixtures("has_its_libraries")


def written(backend, prompt=PROMPT, word="she"):
    ids = backend.token_ids(prompt, word)
    return backend.tokenizer.decode(ids), ids


@pytest.mark.parametrize(
    ("template", "text"),
    [
        (LLAMA2, "<s>[INST] The nurse said that [/INST]"),
        (THINKING, "<|user|>The nurse said that<|end|><|assistant|><think></think>"),
        (GEMMA, "<s><start_of_turn>user\nThe nurse said that<end_of_turn>\n<start_of_turn>model\n"),
        (PHI, "<|user|>\nThe nurse said that<|end|>\n<|assistant|>\n"),
    ],
)
def test_the_context_is_the_users_turn_and_the_word_begins_the_answer(write_model, read, template, text):
    backend = read(write_model("llama", chat_template=template), chat_template=True)
    assert written(backend)[0] == text


def test_the_tokens_are_those_of_the_library(write_model, read):
    folder = write_model("llama", chat_template=LLAMA3)
    tokenizer = tf.AutoTokenizer.from_pretrained(folder)
    turns = [{"role": "user", "content": PROMPT.left}]
    expected = tokenizer.apply_chat_template(turns, add_generation_prompt=True)["input_ids"]
    ids = read(folder, chat_template=True).token_ids(PROMPT, "she")
    assert ids == expected
    assert ids.count(tokenizer.bos_token_id) == 1


@pytest.mark.parametrize(
    ("kind", "template", "system"),
    [
        *(("llama", LLAMA2, system) for system in ("", "Be brief.")),
        ("llama", THINKING, "Be brief."),
        ("gemma3_text", GEMMA, ""),
        ("phi3", PHI, ""),
        *((kind, LLAMA3, "Be brief.") for kind in ("gpt_oss", "bloom")),
    ],
)
def test_the_probabilities_are_those_of_the_whole_chat(write_model, read, kind, template, system):
    folder = write_model(kind, chat_template=template)
    tokenizer = tf.AutoTokenizer.from_pretrained(folder)
    model = tf.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()

    def plain(word):
        said = [{"role": "system", "content": system}] if system else []
        chat = [*said, {"role": "user", "content": PROMPT.left}, {"role": "assistant", "content": word}]
        text = tokenizer.apply_chat_template(chat, tokenize=False)
        end = text.rindex(word) + len(word)
        with_word = tokenizer(text[:end], add_special_tokens=False)["input_ids"]
        before = tokenizer(text[: end - len(word)].rstrip(" "), add_special_tokens=False)["input_ids"]
        assert with_word[: len(before)] == before
        return logprob_of_rest(model, with_word, len(before))

    words = ["he", "she", "granddaughter"]
    scored = read(folder, chat_template=True, system=system).word_logprobs([PROMPT], words)[0]
    assert scored == pytest.approx([plain(word) for word in words], abs=1e-4)


@pytest.mark.parametrize(
    ("template", "options", "says"),
    [
        (None, {}, "the tokenizer has no chat template"),
        (GEMMA, {"system": "Be brief."}, "System role not supported"),
        ("{{ bos_token }}", {}, "loses what the user or the assistant says"),
        ("{% for m in %}", {}, "the chat template"),
    ],
)
def test_what_cannot_be_written_is_refused(write_model, read, template, options, says):
    folder = write_model("llama", chat_template=template)
    with pytest.raises(BvfError, match=says):
        read(folder, chat_template=True, **options)


def test_a_chat_is_described_as_one(write_model, read, describe):
    folder = write_model("phi3", chat_template=PHI)
    bare, chat = (describe(folder, chat_template=wanted) for wanted in (False, True))
    assert (bare.capabilities.wording, chat.capabilities.wording) == ("bare", "chat")
    assert (bare.read_as, chat.read_as) == ("CausalModel", "ChatModel")
    assert (chat.start, bare.start) == ("", "separator")  # a chat always has something left of the words
    assert replace(chat, capabilities=bare.capabilities, read_as=bare.read_as, start=bare.start) == bare
    assert chat.capabilities == read(folder, chat_template=True).capabilities
    assert (
        replace(chat.capabilities, wording="bare", reads_chats=True, thinks=False)
        == bare.capabilities
        == read(folder).capabilities
    )


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"chat_template": True}, "the tokenizer has no chat template"),
        ({"system": "Be brief."}, "--system goes with --chat-template"),
        ({"device": "cuda:7"}, "not available"),
    ],
)
def test_what_needs_no_weights_is_refused_without_them(write_model, describe, monkeypatch, options, says):
    folder = write_model("llama")
    monkeypatch.setattr("transformers.PreTrainedModel.from_pretrained", None)
    assert describe(folder).weights
    with pytest.raises(BvfError, match=says):
        describe(folder, **options)
