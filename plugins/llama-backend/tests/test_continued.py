"""Contexts that begin the assistant's answer: the prompts are those of transformers."""

import shutil
from pathlib import Path

import pytest
import transformers as tf
from bvf_llama_backend.chat import TODAY, date_string
from chat_templates import CHATML, SAID

import bvf
from bvf.hooks.loader import load

CHINESE = Path(__file__).parents[3] / "languages" / "zh" / "bvf_zh" / "models" / "zh-causal"
pytestmark = pytest.mark.usefixtures("has_its_libraries")


def of_library(folder, context, *, user="Continue the text.", system="", **how):
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
