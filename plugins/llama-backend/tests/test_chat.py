"""Chats: which text the model reads, to the token, and what is refused."""

import pytest
import torch
import transformers as tf

import bvf
from bvf.errors import BvfError

LLAMA2 = (
    "{{ bos_token }}{% if messages[0]['role'] == 'system' %}{% set system = '<<SYS>>' + messages[0]['content'] + "
    "'<</SYS>> ' %}{% set messages = messages[1:] %}{% else %}{% set system = '' %}{% endif %}"
    "{% for m in messages %}{% if m['role'] == 'user' %}{{ '[INST] ' + system + m['content'] | trim + ' [/INST]' }}"
    "{% else %}{{ ' ' + m['content'] | trim + ' ' + eos_token }}{% endif %}{% endfor %}"
)
LLAMA3 = (
    "{{ bos_token }}{% for m in messages %}{{ '<|' + m['role'] + '|>\n\n' + m['content'] | trim + '<|end|>' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|assistant|>\n\n' }}{% endif %}"
)
THINKING = (
    "{% for m in messages %}{{ '<|' + m.role + '|>' }}{% if m.role == 'assistant' %}{{ '<think></think>' }}{% endif %}"
    "{{ m.content + '<|end|>' }}{% endfor %}{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}"
)
NO_SYSTEM = (
    "{% if messages[0].role == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}" + LLAMA3
)
DATED = "{{ 'Today is ' + (date_string if date_string is defined else strftime_now('%d %b %Y')) + '. ' }}" + LLAMA3
PROMPT = bvf.Prompt("The nurse said that", " left.", "nurse", "The [X] said that [Y] left.")


def written(backend, prompt=PROMPT, word="she"):
    ids = backend.token_ids(prompt, word)
    return backend.tokenizer.decode(ids), ids


@pytest.mark.parametrize(
    ("template", "text"),
    [
        (LLAMA2, "<s>[INST] The nurse said that [/INST]"),
        (LLAMA3, "<s><|user|>\n\nThe nurse said that<|end|><|assistant|>\n\n"),
        (THINKING, "<|user|>The nurse said that<|end|><|assistant|><think></think>"),
        (DATED, "Today is 26 Jul 2024. <s><|user|>\n\nThe nurse said that<|end|><|assistant|>\n\n"),
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


@pytest.mark.parametrize("template", [LLAMA2, LLAMA3, THINKING])
@pytest.mark.parametrize("system", ["", "Be brief."])
def test_the_probabilities_are_those_of_the_whole_chat(write_model, read, template, system):
    folder = write_model("llama", chat_template=template)
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
        with torch.no_grad():
            logp = model(torch.tensor([with_word])).logits[0].log_softmax(-1)
        return sum(float(logp[at - 1, with_word[at]]) for at in range(len(before), len(with_word)))

    words = ["he", "she", "granddaughter"]
    found = read(folder, chat_template=True, system=system).word_logprobs([PROMPT], words)[0]
    assert found == pytest.approx([plain(word) for word in words], abs=1e-4)


def test_the_systems_turn_is_read(write_model, read):
    folder = write_model("llama", chat_template=LLAMA3)
    said = written(read(folder, chat_template=True, system="Be brief."))[0]
    assert said.startswith("<s><|system|>\n\nBe brief.<|end|><|user|>")
    bare, chat, told = (
        read(folder, **options).word_logprobs([PROMPT], ["he", "she"])
        for options in ({}, {"chat_template": True}, {"chat_template": True, "system": "Be brief."})
    )
    assert abs(bare - chat).max() > 1e-3
    assert abs(chat - told).max() > 1e-3


@pytest.mark.parametrize(
    ("template", "options", "says"),
    [
        (None, {}, "the tokenizer has no chat template"),
        (NO_SYSTEM, {"system": "Be brief."}, "System role not supported"),
        ("{{ bos_token }}", {}, "loses what the user or the assistant says"),
        ("{% for m in %}", {}, "the chat template"),
    ],
)
def test_what_cannot_be_written_is_refused(write_model, read, template, options, says):
    folder = write_model("llama", chat_template=template)
    with pytest.raises(BvfError, match=says):
        read(folder, chat_template=True, **options)


def test_no_system_role_is_no_fault_where_none_is_wanted(write_model, read):
    assert "The nurse" in written(read(write_model("llama", chat_template=NO_SYSTEM), chat_template=True))[0]
