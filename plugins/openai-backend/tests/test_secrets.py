"""The key of a server, and what headers hold, stay here: whatever a server repeats, and wherever."""

import pytest
from asked_of_servers import FEW
from bvf_openai_backend.transport import Secrets
from hypothesis import given
from hypothesis import strategies as st
from loopback import FOLDER
from processes import result_of

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


@pytest.fixture
def run(bvf):
    def call(url, *options, key=KEY):
        chosen = (*FEW, "-B", "key_env=MY_KEY", "-B", f"tokenizer={FOLDER}", "--out", "out", *options)
        return bvf(url, *chosen, MY_KEY=key, MY_TEAM=TEAM)

    return call


TO_TEAM = ("-B", "headers_env={X-Team = 'MY_TEAM'}")


def test_a_run_through_a_gateway_is_the_run_of_the_server_and_shows_no_secret(run, serve, tmp_path):
    more = ("-B", "api_version=2024-10-21", "-B", "key_header=api-key", *TO_TEAM, "--out", "other")
    plain, gateway = run(serve("vllm", key=KEY).url), run(serve("vllm").url, *more)
    assert result_of(plain)["measurement"] == result_of(gateway)["measurement"]
    refuse_secrets(tmp_path, *(text for each in (plain, gateway) for text in (each.stdout, each.stderr)))


def test_the_key_and_the_value_of_a_header_are_sent_and_not_shown(run, serve, tmp_path):
    loopback = serve("vllm")
    loopback.twist = lambda path, answer: (400, f"{'x' * 25} {TEAM} Bearer {KEY}")
    process = run(loopback.url, *TO_TEAM)
    refuse_secrets(tmp_path, process.stdout, process.stderr)
    assert (loopback.got[0]["authorization"], loopback.got[0]["x-team"]) == (f"Bearer {KEY}", TEAM)


def test_a_sample_that_is_the_key_ends_the_run(run, serve, tmp_path):
    loopback = serve("samples")
    loopback.draw = lambda text, number, *_: [[f" {KEY}", " he", " she"][each % 3] for each in range(number)]
    process = run(loopback.url, *TO_TEAM, "-B", "estimate=samples", "-B", "samples=6")
    assert "its answer holds the key that it was sent" in process.stderr
    refuse_secrets(tmp_path, process.stdout, process.stderr)


@pytest.mark.parametrize(("key", "warnings"), [("EMPTY", 1), ("k" * 15, 1), ("k" * 16, 0)])
def test_a_warning_names_once_the_variable_of_a_key_that_is_too_short_to_be_looked_for(run, serve, key, warnings):
    process = run(serve("vllm", key=key).url, key=key)
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
