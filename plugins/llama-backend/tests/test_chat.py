"""Chats: the exact text that the model reads in the turn of the user or the assistant, and its description."""

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import transformers as tf
from bvf_llama_backend.chat import TODAY, date_string
from chat_templates import CHATML, ENDS, GEMMA, HYBRID, LLAMA2, LLAMA3, MARKED, PARTS, PHI, R1, SAID, THOUGHT

import bvf
from bvf.domain.chat import Chat
from bvf.domain.generation import Generation, Thinking
from bvf.hooks.loader import load

CHINESE = Path(__file__).parents[3] / "languages" / "zh" / "bvf_zh" / "models" / "zh-causal"
FEW = Generation(samples=2, tokens=3, temperature=1.0, seed=0)
PROMPT = bvf.Prompt("The nurse said that", " left.", "nurse", "The [X] said that [Y] left.")
pytestmark = pytest.mark.usefixtures("has_its_libraries")


def written(backend, prompt=PROMPT, word="she"):
    return backend.tokenizer.decode(backend.token_ids(prompt, word))


@pytest.mark.parametrize(
    ("template", "text"),
    [
        (LLAMA2, "<s>[INST] The nurse said that [/INST]"),
        (MARKED, "<|user|>The nurse said that<|end|><|assistant|><think></think>"),
        (GEMMA, "<s><start_of_turn>user\nThe nurse said that<end_of_turn>\n<start_of_turn>model\n"),
        (PHI, "<|user|>\nThe nurse said that<|end|>\n<|assistant|>\n"),
    ],
)
def test_the_context_is_the_users_turn_and_the_word_begins_the_answer(write_model, read, template, text):
    assert written(read(write_model("llama", chat_template=template), chat_template=True)) == text


def test_the_tokens_of_the_users_turn_are_those_of_the_library(write_model, read):
    folder = write_model("llama", chat_template=LLAMA3)
    turns = [{"role": "user", "content": PROMPT.left}]
    expected = tf.AutoTokenizer.from_pretrained(folder).apply_chat_template(turns, add_generation_prompt=True)
    ids = read(folder, chat_template=True).token_ids(PROMPT, "she")
    assert ids == expected["input_ids"]
    assert ids.count(0) == 1  # <s>


def continued_by_library(folder, context, *, user="Continue the text.", system="", **how):
    said = [("system", system)] * bool(system) + [("user", user), ("assistant", context)]
    return tf.AutoTokenizer.from_pretrained(folder).apply_chat_template(
        [{"role": role, "content": text} for role, text in said],
        continue_final_message=True,
        date_string=date_string(TODAY),
        **how,
    )


@pytest.mark.parametrize(
    ("name", "system"),
    [(name, system) for name in SAID for system in ("", "Be brief.") if name != "gemma" or not system],
)
def test_the_text_of_the_assistants_turn_before_the_word_is_that_of_the_library(write_model, read, name, system):
    folder = write_model("llama", chat_template=SAID[name])
    backend = read(folder, chat_turn="assistant", system=system)
    contexts = ["The nurse said that", '"Sir", said the nurse, "I think', "One\n\nTwo  and", "Well:", "I"]
    asked = [bvf.Prompt(text, "", "nurse", "") for text in contexts]
    for prompt, written in zip(asked, backend.turns.around(asked), strict=True):
        text = continued_by_library(folder, prompt.left, system=system, tokenize=False)
        assert text.endswith(prompt.left)
        assert (written.left, written.spaced) == (text, True)
        ids = continued_by_library(folder, prompt.left, system=system)["input_ids"]
        assert backend.token_ids(prompt, "she") == ids


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
    text = continued_by_library(folder, prompt.left, user="请续写这段文字。", tokenize=False)
    assert (written.left, written.spaced) == (text, False)
    assert text.endswith(f"<|im_start|>assistant\n{prompt.left}")


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
    assert written(backend) == begun.removesuffix(opening or empty) + empty
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
def test_a_record_says_with_what_thought_answers_begin(write_model, read, describe, template, reading, says):
    folder = write_model("llama", chat_template=template)
    assert describe(folder, chat_turn="user", reading=reading).read_as == says
    if says.endswith(r"<think>\n'"):  # as --dry-run shows it
        assert written(read(folder, chat_turn="user", reading=reading)).endswith("<|assistant|><think>\n")


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
    (text,) = getattr(ended, written_by)([PROMPT], few)[0]
    text = text if written_by == "texts" else text.text
    assert text.split() == expected.partition(mark)[0].split()


def test_a_chat_is_described_as_one(write_model, read, describe):
    folder = write_model("phi3", chat_template=PHI)
    bare, chat = describe(folder), describe(folder, chat_template=True)
    assert describe(folder, chat_turn="user") == chat
    assert (bare.capabilities.wording, chat.capabilities.wording) == ("bare", "chat")
    assert (bare.read_as, chat.read_as, chat.user) == ("CausalModel", "ChatModel", "")
    assert (chat.start, bare.start) == ("", "separator")  # a chat always has something left of the words
    assert replace(chat, capabilities=bare.capabilities, read_as=bare.read_as, start=bare.start) == bare
    assert replace(chat.capabilities, wording="bare", reads_chats=True, thinks=False) == bare.capabilities
    ours = describe(folder, chat_template=True, chat_turn="assistant", system="Be brief.")
    assert (ours.capabilities.wording, ours.user, ours.system) == ("chat-assistant", "Continue the text.", "Be brief.")
    for options, described in (({}, bare), ({"chat_template": True}, chat), ({"chat_turn": "assistant"}, ours)):
        assert read(folder, **options).capabilities == described.capabilities
