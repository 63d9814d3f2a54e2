"""The key of a server, and what headers hold, stay here: whatever a server repeats, and wherever."""

import pytest
from bvf_openai_backend.transport import Secrets
from hypothesis import given
from hypothesis import strategies as st
from loopback import FOLDER
from served_command import FEW

KEY = "sk-Very/Secret+0123456789-abcdefghijklmnopqrstuvw"
TEAM = "=team-secret-987654321"
PART = 8


def refuse_secrets(folder, *said):
    """Assert that no part of a secret stands in what was said, or in a folder."""
    files = [each for each in folder.rglob("*") if each.is_file()]
    for text in (*said, *map(str, files), *(file.read_text("latin-1") for file in files)):
        for secret in (KEY, TEAM):
            assert not [start for start in range(len(secret) - PART + 1) if secret[start : start + PART] in text]
        for bug in ("Traceback", "bvf failed", "plugin openai-backend"):
            assert bug not in text


def run_with(bvf, url, *options):
    headers = "headers_env={X-Team = 'MY_TEAM'}"
    chosen = ("-B", "key_env=MY_KEY", "-B", headers, "-B", f"tokenizer={FOLDER}", "--out", "out", *options)
    return bvf(url, *FEW, *chosen, MY_KEY=KEY, MY_TEAM=TEAM)


def test_the_key_and_the_value_of_a_header_are_sent_and_not_shown(bvf, serve, tmp_path):
    loopback = serve("vllm")
    loopback.twist = lambda path, answer: (400, f"{'x' * 25} {TEAM} Bearer {KEY}")
    process = run_with(bvf, loopback.url)
    refuse_secrets(tmp_path, process.stdout, process.stderr)
    assert (loopback.got[0]["authorization"], loopback.got[0]["x-team"]) == (f"Bearer {KEY}", TEAM)


def test_a_sample_that_is_the_key_ends_the_run(bvf, serve, tmp_path):
    loopback = serve("samples")
    loopback.draw = lambda text, number, *_: [[f" {KEY}", " he", " she"][each % 3] for each in range(number)]
    process = run_with(bvf, loopback.url, "-B", "estimate=samples", "-B", "samples=6")
    assert "its answer holds the key that it was sent" in process.stderr
    refuse_secrets(tmp_path, process.stdout, process.stderr)


@pytest.mark.parametrize(("key", "warnings"), [("EMPTY", 1), ("k" * 15, 1), ("k" * 16, 0)])
def test_a_warning_names_once_the_variable_of_a_key_that_is_too_short_to_be_looked_for(bvf, serve, key, warnings):
    url = serve("vllm", key=key).url
    process = bvf(url, *FEW, "-B", "key_env=MY_KEY", "-B", f"tokenizer={FOLDER}", "--out", "out", MY_KEY=key)
    assert process.returncode == 0, process.stderr
    assert process.stderr.count("warning:") == warnings
    assert process.stderr.count("warning: the key in MY_KEY has under 16 characters: ") == warnings
    assert key not in process.stderr


LETTERS = st.text("xz ", max_size=30)  # no letters of the key, which would lengthen a part of it


@given(LETTERS, st.integers(0, len(KEY)), st.integers(0, len(KEY)), LETTERS)
def test_no_part_of_a_secret_is_left(before, first, last, behind):
    masked = Secrets([KEY, TEAM]).masked(f"{before}{KEY[first:last]}{behind}{TEAM}")
    assert not any(KEY[start : start + PART] in masked for start in range(len(KEY) - PART + 1))
    shown = KEY[first:last] if last - first < PART else "..."
    assert masked == f"{before}{shown}{behind}..."


def test_a_short_key_is_masked_as_a_whole():
    assert Secrets(["EMPTY", ""]).masked("the key EMPTY of EMP") == "the key ... of EMP"
