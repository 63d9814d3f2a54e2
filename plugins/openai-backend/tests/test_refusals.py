"""Problems with a server or its address give one-line errors."""

import shlex
import socket
import subprocess
import sys

import pytest
from asked_of_servers import HE_AND_SHE, PROMPTS, WORDS
from bvf_openai_backend.client import Client, side_by_side
from bvf_openai_backend.options import ServerOptions
from loopback import NAME, Loopback, serving

from bvf.domain.generation import Generation
from bvf.errors import BvfError, LostError

GENERATION = Generation(samples=6, tokens=9, temperature=1, seed=3)
CERTIFICATE = shlex.split(
    "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1"
)


@pytest.mark.parametrize(
    ("choices", "name", "says"),
    [
        ({}, "en-casual", "did you mean en-causal"),
        ({}, "", "it has en-causal, other-model"),
        ({"fault": "html"}, NAME, "is not a server of models"),
        ({"fault": "no tokenizer", "root": ""}, NAME, "-B tokenizer=FOLDER"),
        ({"key": "sk-secret"}, NAME, "it wants a key, and OPENAI_API_KEY holds none"),
        ({"key": "sk-secret", "holds": "sk-wrong-secret"}, NAME, "the key in OPENAI_API_KEY is refused (401)"),
    ],
)
def test_one_line_says_what_is_wrong(choices, name, says, serve, connect, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", choices.pop("holds", ""))
    with pytest.raises(BvfError) as error:
        connect(serve(**choices), name)
    assert says in f"{error.value} {error.value.hint}"
    assert "secret" not in f"{error.value} {error.value.hint}"


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        ("html", "with no JSON"),
        ("ignores ids", "does not return what it is asked for"),
        ("begins twice", "begin twice"),
    ],
)
def test_a_server_that_answers_otherwise_later_is_refused(fault, says, serve, connect):
    loopback = serve()
    backend = connect(loopback)
    loopback.fault = fault
    with pytest.raises(BvfError, match=says):
        backend.word_logprobs(PROMPTS, WORDS)


@pytest.mark.parametrize(
    ("url", "hint"),
    [
        ("localhost:8000", "write http://HOST:PORT/v1"),
        ("http://user:secret@host/v1", "put the key into the environment"),
        ("https://host/v1?api-key=secret", "put the key into the environment"),
        ("https://host/openai?api-version=2024-10-21", "a version of the API is -B api_version"),
    ],
)
def test_an_address_that_is_none_or_holds_a_key_is_refused(url, hint):
    with pytest.raises(BvfError) as error:
        Client(ServerOptions(base_url=url))
    assert "secret" not in str(error.value) + error.value.hint
    assert hint in error.value.hint


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"headers_env": {"X-Team": "NOT_SET"}}, "the header X-Team is in NOT_SET, and that holds nothing"),
        ({"headers_env": {"X Team": "PATH"}}, "headers_env"),
        ({"headers_env": {"X-Team": 5}}, "headers_env"),
        ({"headers_env": "X-Team=TEAM"}, "headers_env"),
        ({"key_header": "api key"}, "key_header"),
        ({"estimate": "samples", "samples": 1}, "samples"),
        ({"samples": 8}, "estimate=samples"),
        ({"estimate": "x"}, "x"),
    ],
)
def test_options_that_mean_nothing_are_refused(options, says, serve, connect):
    with pytest.raises(BvfError, match=says):
        connect(serve("vllm"), **options)


def test_nobody_answers(connect):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        nobody = Loopback(None)
        nobody.url = f"http://127.0.0.1:{unused.getsockname()[1]}/v1"
    with pytest.raises(BvfError, match="does not answer"):
        connect(nobody)


def test_a_certificate_that_is_not_trusted(connect, model, tmp_path, monkeypatch):
    files = [tmp_path / name for name in ("certificate.pem", "key.pem")]
    subprocess.run([*CERTIFICATE, "-out", files[0], "-keyout", files[1]], check=True, capture_output=True)
    loopback = Loopback(model)
    with serving(loopback, certificate=files) as loopback.url:
        with pytest.raises(BvfError, match="certificate is not trusted") as error:
            connect(loopback)
        assert "SSL_CERT_FILE" in error.value.hint
        monkeypatch.setenv("SSL_CERT_FILE", str(files[0]))
        assert connect(loopback).word_logprobs(PROMPTS[:1], WORDS).max() < 0


@pytest.mark.parametrize(
    ("speaks", "options", "number", "says"),
    [
        (
            "vllm",
            {"rows": 10, "max_requests": 40},
            401,
            r"401 prompts take about 41 requests \(texts per request: 10\)",
        ),
        (
            "samples",
            {"estimate": "samples", "samples": 10, "max_requests": 40},
            5,
            "5 prompts take about 50 requests, of 10 samples per prompt",
        ),
        (
            "samples",
            {"generation": GENERATION, "max_requests": 10},
            11,
            "max_requests=10, and these 11 texts take more, of 1 per request",
        ),
    ],
)
def test_what_a_run_takes_is_compared_with_the_budget(speaks, options, number, says, serve, connect):
    backend = connect(serve(speaks, "ignores n"), **options)
    backend.check_budget(PROMPTS, HE_AND_SHE, number - 1)
    with pytest.raises(BvfError, match=says):
        backend.check_budget(PROMPTS, HE_AND_SHE, number)


def test_a_budget_is_kept(serve, connect):
    loopback = serve()
    backend = connect(loopback, rows=1, max_requests=3)
    before = len(loopback.asked)
    with pytest.raises(LostError, match="max_requests=3"):
        backend.word_logprobs(PROMPTS, WORDS)
    assert len(loopback.asked) == before + 3
    writing = connect(serve("samples", "ignores n"), generation=GENERATION, max_requests=4)
    with pytest.raises(LostError, match="max_requests=4"):
        writing.texts(PROMPTS[:3], GENERATION)


def test_a_busy_server_is_asked_again(serve, connect):
    assert connect(serve("vllm", "busy")).word_logprobs(PROMPTS, WORDS).max() < 0


def test_answers_come_in_order_and_an_error_ends_the_asking():
    assert list(side_by_side(lambda item: item * 2, range(50), 4)) == list(range(0, 100, 2))
    asked = []

    def refuse(item):
        asked.append(item)
        raise LostError("gone")

    with pytest.raises(LostError):
        list(side_by_side(refuse, range(1000), 1))
    assert asked == [0]


def test_an_interrupted_program_waits_for_no_answer():
    """The thread that waits for a minute is not joined by Python."""
    program = (
        "import time; from bvf_openai_backend.client import side_by_side\n"
        "next(side_by_side(lambda seconds: time.sleep(seconds), [0, 60], 2))"
    )
    subprocess.run([sys.executable, "-c", program], timeout=50, check=True)
