"""Chats: the exact text that the model reads, and refusals."""

from dataclasses import replace

import numpy as np
import pytest
import torch
import transformers as tf
from chat_templates import ENDS, GEMMA, HYBRID, LLAMA2, LLAMA3, PARTS, R1, THOUGHT
from helpers.plain_models import logprob_of_rest

import bvf
from bvf.domain.chat import Chat
from bvf.domain.generation import Generation, Thinking
from bvf.errors import BvfError
from bvf.hooks.loader import load

THINKING = (
    "{% for m in messages %}{{ '<|' + m.role + '|>' }}{% if m.role == 'assistant' %}{{ '<think></think>' }}{% endif %}"
    "{{ m.content + '<|end|>' }}{% endfor %}{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}"
)
PHI = (
    "{% for m in messages %}{{ '<|' + m['role'] + '|>\n' + m['content'] + '<|end|>\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|assistant|>\n' }}{% else %}{{ eos_token }}{% endif %}"
)
FEW = Generation(samples=2, tokens=3, temperature=1.0, seed=0)
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
    ("template", "variables", "opening", "empty"),
    [
        (R1, {}, "<think>\n", "<think>\n\n</think>\n\n"),
        (THOUGHT, {}, "<thought>\n", "<thought>\n\n</thought>\n\n"),
        (HYBRID, {}, "<think>", "<think></think>"),
        (HYBRID, {"enable_thinking": False}, "", "<think></think>"),
    ],
    ids=["r1", "thought", "hybrid", "hybrid without"],
)
def test_a_thought_that_the_template_begins_is_empty_before_words_and_open_before_texts(
    write_model, read, template, variables, opening, empty
):
    folder = write_model("llama", chat_template=template)
    backend = read(folder, chat_turn="user", chat_variable=variables)
    user = [{"role": "user", "content": PROMPT.left}]
    begun = backend.tokenizer.apply_chat_template(user, tokenize=False, add_generation_prompt=True, **variables)
    assert written(backend)[0] == begun.removesuffix(opening or empty) + empty
    (before,) = backend.ids_before([PROMPT])
    assert backend.tokenizer.decode(before) == begun
    plain = backend.continued([PROMPT], [before], FEW)[0]
    assert backend.texts([PROMPT], FEW) == [[opening + backend.tokenizer.decode(ids) for ids in plain]]
    own = replace(PROMPT, chat=Chat("assistant", "Continue the text."))
    (answer,) = backend.turns.around([own], leaves_open=True)
    assert answer.left.endswith("<|assistant|>The nurse said that")
    assert not read(folder).texts([own], FEW)[0][0].startswith("<")


@pytest.mark.parametrize(
    ("template", "reading", "says"),
    [
        (R1, {}, r"ChatModel, answers begin with '<think>\n\n</think>\n\n'"),
        (R1, {"generation": FEW}, r"ChatModel, answers begin with '<think>\n'"),
        (R1, {"thinking": Thinking(thoughts=2, tokens=3, temperature=1.0, seed=0)}, "ChatModel"),
        (LLAMA2, {"generation": FEW}, "ChatModel"),
        (PHI, {"generation": FEW}, "ChatModel, '<|end|>' ends a turn"),
    ],
    ids=["words", "texts", "thoughts", "end of texts", "end of turns"],
)
def test_a_record_says_with_what_thought_answers_begin(write_model, topic, template, reading, says):
    llama = load().backends.find("llama")
    options = llama.chosen({"chat_turn": "user"})
    request = bvf.ModelRequest(str(write_model("llama", chat_template=template)), topic, options=options, **reading)
    assert llama.described(request).read_as == says
    if says.endswith(r"<think>\n'"):  # as --dry-run shows it
        assert written(llama.make(request))[0].endswith("<|assistant|><think>\n")


@pytest.mark.parametrize("options", [{"chat_turn": "user"}, {"chat_turn": "assistant", "system": "Be brief."}])
def test_messages_are_lists_of_parts_where_the_template_takes_no_others(write_model, read, options):
    templates = PARTS.replace(" | map(attribute='text') | join", ""), PARTS
    one, other = (read(write_model("llama", chat_template=each), **options) for each in templates)
    assert written(one) == written(other)
    np.testing.assert_array_equal(*(each.word_logprobs([PROMPT], ["he", "she"]) for each in (one, other)))


@pytest.mark.parametrize("written_by", ["texts", "thoughts"])
@pytest.mark.parametrize("ends_by", ["a token", "plain letters"])
def test_a_text_ends_where_the_template_ends_a_turn(write_model, read, ends_by, written_by):
    """The mark ends no text by itself: of what the model would write, all before it is left."""
    folder = write_model("llama", chat_template=ENDS.replace("MARK", ""))
    few = Generation(samples=1, tokens=8, temperature=0.0, seed=0)
    backend = read(folder, chat_turn="user")
    before = backend.turns.before_words if written_by == "texts" else backend.turns.before_thoughts
    tokenizer, left = backend.tokenizer, before([(PROMPT.left, Chat("user"), 0)])
    (ids,) = backend.continued([PROMPT], tokenizer(left, add_special_tokens=False)["input_ids"], few)[0]
    place = next(place for place in range(1, 8) if ids[place] not in ids[:place])
    mark, expected = tokenizer.decode(ids[place]).strip(), tokenizer.decode(ids[:place])
    if ends_by == "a token":  # one more, the most probable one where that of the place is
        mark = "<E>"
        tokenizer.add_tokens([mark], special_tokens=True)
        model = tf.AutoModelForCausalLM.from_pretrained(folder)
        model.resize_token_embeddings(len(tokenizer), mean_resizing=False)
        head = model.get_output_embeddings().weight.data
        head[-1] = head[ids[place]] * 1.0001
        model.save_pretrained(folder)
    tokenizer.chat_template = ENDS.replace("MARK", mark)
    tokenizer.save_pretrained(folder)
    ended = read(folder, chat_turn="user")
    assert ended.turns.end == mark
    (written,) = getattr(ended, written_by)([PROMPT], few)[0]
    text = written if written_by == "texts" else written.text
    assert text.split() == expected.partition(mark)[0].split()


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
