"""What models are called: short, fit for a table, and derived from nothing but text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bvf.domain.model_names import LONGEST, model_name, what_is_wrong_with

HASH = "607a30d783dfa663caf39e06633721c8d4cfcd7e"

PATHS = {
    "gpt2": ["gpt2", f"/c/models--openai--gpt2/snapshots/{HASH}", f"/c/models--gpt2/snapshots/{HASH}/"],
    "opt-1.3b": ["facebook/opt-1.3b"],
    "tuned": ["/home/me/models/tuned", "models/tuned/"],
    "Llama-3.1": ["models/Llama-3.1"],
    "qwen.Q4_1": ["/home/me/qwen.Q4_1.gguf"],
    "qwen": ["C:\\models\\qwen.gguf", "llama:models/qwen.gguf", "llama:qwen.gguf"],
    "Llama-3.2-1B": ["openai:meta-llama/Llama-3.2-1B"],
    "x": [f"/c/models--o--n/snapshots/{HASH}/x.gguf"],
    "/": ["/"],
    "..": ["../.."],
    **{name: [name] for name in ("openai:llama3.2:1b", "bundled:en-causal", "baseline:random")},
}


@pytest.mark.parametrize("name", PATHS)
def test_a_model_is_called_after_what_model_said(name):
    for path in PATHS[name]:
        assert model_name(path) == name, path


OWN = {"Qwen2.5 0.5B Instruct": "", "LLaMA v2": "", "模型 7B": ""}
OWN |= {"/home/somebody/tuned": "tuned", "meta-llama/Llama-3.1-8B": "Llama-3.1-8B"}


@pytest.mark.parametrize("own", OWN)
def test_its_own_name_comes_first_and_a_path_there_is_a_path_too(own):
    assert model_name("x.gguf", own) == model_name("x.gguf", f" {own} ") == (OWN[own] or own)


@pytest.mark.parametrize("own", ["", " ", "model", "Models", "a\nb", "a\x00", HASH, "...", "x" * (LONGEST + 1), "."])
def test_a_name_that_says_nothing_is_passed_over(own):
    assert model_name("x.gguf", own) == "x"


@given(st.lists(st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,20}", fullmatch=True), min_size=1, max_size=6))
def test_no_folder_is_part_of_a_name(parts):
    name = model_name("/" + "/".join(parts))
    assert "/" not in name
    assert parts[-1].startswith(name)
    assert model_name(name) == name


@given(st.text(max_size=60), st.text(max_size=60))
def test_whatever_is_said_there_is_a_name(path, own):
    assert model_name(path, own) or not path


@pytest.mark.parametrize(
    "name", ["", "  ", "a\nb", "a\rb", "a\u2028b", "a\x1b[31m", "a\u202eb", "\u200b", "--", "x" * 101]
)
def test_names_that_no_table_can_show_are_refused(name):
    assert what_is_wrong_with(name)


@pytest.mark.parametrize("name", ["gpt2", "Qwen2.5 0.5B (Q4)", "meta-llama/Llama", "模型", "x" * LONGEST])
def test_other_names_are_taken(name):
    assert what_is_wrong_with(name) == ""
