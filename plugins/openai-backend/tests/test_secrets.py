"""The key of a server, and what headers hold, stay here: whatever a server repeats, and wherever."""

import json

import pytest
from bvf_openai_backend.transport import Secrets
from hypothesis import given
from hypothesis import strategies as st
from loopback import FOLDER, NAME
from served_command import FEW

KEY = "sk-Very/Secret+0123456789-abcdefghijklmnopqrstuvw"
TEAM = "=team-secret-987654321"
PART = 8
LONG = "x" * 25


def asks_for_tokens(path):
    return "ompletion" in path


def instead(path, answer):
    """Answer something else at a path."""
    return lambda asked, usual: answer if asked == path else usual


def said(status, text):
    return lambda path, answer: (status, text) if asks_for_tokens(path) else answer


def changed(value, *place):
    """Put a value in a place of every answer to a question for tokens."""

    def twist(path, answer):
        status, content = answer[0], json.loads(json.dumps(answer[1]))
        if asks_for_tokens(path) and status == 200:
            inner = content
            for step in place[:-1]:
                inner = inner[step]
            inner[place[-1]] = value
        return status, content

    return twist


def of_model(**fields):
    return instead("/v1/models", (200, {"data": [{"id": NAME, "root": str(FOLDER), "max_model_len": 128, **fields}]}))


FROM_THE_START = {
    "root": of_model(root=f"/models/{KEY}"),
    "length": of_model(max_model_len=KEY),
    "meta": of_model(meta=KEY),
    "id": of_model(id=KEY),
    "part in the id": of_model(id=KEY[:30]),
    "no list": instead("/v1/models", (200, {"data": KEY})),
    "in place of a field": instead("/v1/models", (200, {KEY: KEY})),
    "version": instead("/version", (200, {"version": f"1 {KEY}"})),
    "part in the version": instead("/version", (200, {"version": KEY[:-5]})),
    "tokens": instead("/tokenize", (200, {"tokens": [KEY]})),
    "content type": lambda path, answer: (200, "<html>", {"Content-Type": f"text/{KEY}"}),
    "html": lambda path, answer: (200, f"<html>{LONG}{KEY}</html>"),
    "refusal of models": instead("/v1/models", (500, f"{LONG}{KEY}")),
}
IN_SCORING = {
    "400": said(400, {"error": {"message": f"{LONG} Bearer {KEY}"}}),
    "500": said(500, f"{LONG}{KEY}"),
    "500, cut": said(500, f"bad key {KEY[:20]}"),
    "500, escaped": said(500, json.dumps({"detail": KEY}).replace("S", "\\u0053")),
    "503": said(503, f"{LONG}{KEY}"),
    "html": said(200, f"<html>{LONG}{KEY}"),
    "other fields": said(200, {KEY: KEY}),
    "index": changed(KEY, "choices", 0, "index"),
    "part in the index": changed(KEY[:20], "choices", 0, "index"),
    "another token": changed({f"token_id:{KEY}": -1.0}, "choices", 0, "logprobs", "top_logprobs", 0),
    "log p": changed({f"token_id:{token}": KEY for token in range(4000)}, "choices", 0, "logprobs", "top_logprobs", 0),
    "usage": changed(KEY, "usage", "prompt_tokens"),
}


def everything_left(process, folder):
    yield process.stdout
    yield process.stderr
    for file in folder.rglob("*"):
        yield str(file)
        if file.is_file():
            yield file.read_text("latin-1")


def refuse_secrets(process, folder):
    for text in everything_left(process, folder):
        for secret in (KEY, TEAM):
            for start in range(len(secret) - PART + 1):
                assert secret[start : start + PART] not in text
    for bug in ("Traceback", "bvf failed", "plugin openai-backend"):
        assert bug not in process.stderr


def run_with(bvf, url, *options):
    headers = "headers_env={X-Team = 'MY_TEAM'}"
    chosen = ("-B", "key_env=MY_KEY", "-B", headers, "-B", f"tokenizer={FOLDER}", "--out", "out", *options)
    return bvf(url, *FEW, *chosen, MY_KEY=KEY, MY_TEAM=TEAM)


@pytest.mark.parametrize("place", FROM_THE_START)
def test_a_server_that_repeats_the_key_from_the_start(place, bvf, serve, tmp_path):
    loopback = serve("vllm")
    loopback.twist = FROM_THE_START[place]
    refuse_secrets(run_with(bvf, loopback.url), tmp_path)
    assert loopback.got[0]["authorization"] == f"Bearer {KEY}"
    assert loopback.got[0]["x-team"] == TEAM


@pytest.mark.parametrize("place", IN_SCORING)
def test_a_server_that_repeats_the_key_in_scoring(place, bvf, serve, tmp_path):
    loopback = serve("vllm")
    probed = 14
    loopback.twist = lambda path, answer: IN_SCORING[place](path, answer) if len(loopback.asked) > probed else answer
    process = run_with(bvf, loopback.url)
    assert len(loopback.asked) > probed
    refuse_secrets(process, tmp_path)
    assert process.returncode != 0


def test_the_value_of_a_header_is_a_secret_too(bvf, serve, tmp_path):
    loopback = serve("vllm")
    loopback.twist = lambda path, answer: (400, f"{LONG} {TEAM}")
    refuse_secrets(run_with(bvf, loopback.url), tmp_path)


def test_a_sample_that_is_the_key_ends_the_run(bvf, serve, tmp_path):
    loopback = serve("samples")
    loopback.draw = lambda text, number, *_: [[f" {KEY}", " he", " she"][each % 3] for each in range(number)]
    process = run_with(bvf, loopback.url, "-B", "estimate=samples", "-B", "samples=6")
    assert "its answer holds the key that it was sent" in process.stderr
    refuse_secrets(process, tmp_path)


LETTERS = st.text("xz ", max_size=30)  # no letters of the key, which would lengthen a part of it


@given(LETTERS, st.integers(0, len(KEY)), st.integers(0, len(KEY)), LETTERS)
def test_no_part_of_a_secret_is_left(before, first, last, behind):
    masked = Secrets([KEY, TEAM]).masked(f"{before}{KEY[first:last]}{behind}{TEAM}")
    assert not any(KEY[start : start + PART] in masked for start in range(len(KEY) - PART + 1))
    shown = KEY[first:last] if last - first < PART else "..."
    assert masked == f"{before}{shown}{behind}..."


def test_a_short_key_is_masked_as_a_whole():
    assert Secrets(["EMPTY", ""]).masked("the key EMPTY of EMP") == "the key ... of EMP"
