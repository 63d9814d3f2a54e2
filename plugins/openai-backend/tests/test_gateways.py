"""Gateways before servers: other headers, the key in a header of its own, a version of the API in every address."""

import pytest
from asked_of_servers import PROMPTS, WORDS
from bvf_openai_backend.client import Client
from bvf_openai_backend.options import ServerOptions
from loopback import FOLDER
from served_command import FEW, KEY, result_of

from bvf.errors import BvfError


def test_a_gateway_gets_its_headers_and_version_with_every_request(serve, connect, monkeypatch):
    for name, value in {"MY_KEY": KEY, "TEAM": "blue", "SITE": "eu-1"}.items():
        monkeypatch.setenv(name, value)
    loopback = serve("vllm")
    options = {"key_env": "MY_KEY", "key_header": "api-key", "api_version": "2024-10-21"}
    backend = connect(loopback, headers_env={"X-Team": "TEAM", "X-Site": "SITE"}, **options)
    assert backend.word_logprobs(PROMPTS[:2], WORDS).max() < 0
    sent = {"api-key": KEY, "x-team": "blue", "x-site": "eu-1"}
    for (path, _), headers in zip(loopback.asked, loopback.got, strict=True):
        assert path.endswith("?api-version=2024-10-21")
        assert {name: headers.get(name) for name in sent} == sent
        assert "authorization" not in headers


@pytest.mark.parametrize(
    ("base", "version", "path"),
    [
        ("", "", "/v1/models"),
        ("/v1", "", "/v1/models"),
        ("/openai/v1", "preview", "/openai/v1/models?api-version=preview"),
        ("/openai/deployments/d", "2024-10-21", "/openai/deployments/d/models?api-version=2024-10-21"),
    ],
)
def test_the_address_with_a_version_is_that_of_the_gateway(base, version, path, serve):
    loopback = serve("vllm")
    address = loopback.url.removesuffix("/v1") + base
    loopback.twist = lambda asked, answer: (200, {})
    Client(ServerOptions(base_url=address, api_version=version)).get("/v1/models")
    assert loopback.asked[-1][0] == path


def test_a_run_through_a_gateway_is_the_run_of_the_server(bvf, serve, tmp_path):
    plain, gateway = serve("vllm"), serve("vllm")
    options = ("-B", f"tokenizer={FOLDER}", "-B", "key_env=MY_KEY")
    more = ("-B", "api_version=2024-10-21", "-B", "key_header=api-key", "-B", 'headers_env={X-Team = "TEAM"}')
    first = result_of(bvf(plain.url, *FEW, *options, "--out", "a", MY_KEY=KEY))
    second = result_of(bvf(gateway.url, *FEW, *options, *more, "--out", "b", MY_KEY=KEY, TEAM="secret-team-77"))
    assert first["measurement"] == second["measurement"]
    files = [file.read_text("latin-1") for file in tmp_path.rglob("*") if file.is_file()]
    assert not any(secret in text for text in files for secret in (KEY, "secret-team-77"))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"headers_env": {"X-Team": "NOT_SET"}}, "the header X-Team is in NOT_SET, and that holds nothing"),
        ({"headers_env": {"X Team": "PATH"}}, "headers_env"),
        ({"headers_env": {"X-Team": 5}}, "headers_env"),
        ({"headers_env": "X-Team=TEAM"}, "headers_env"),
        ({"key_header": "api key"}, "key_header"),
    ],
)
def test_what_cannot_be_sent_is_refused(options, says, serve, connect):
    with pytest.raises(BvfError, match=says):
        connect(serve("vllm"), **options)


def test_an_address_with_a_version_in_it_is_told_where_it_belongs():
    with pytest.raises(BvfError) as error:
        Client(ServerOptions(base_url="https://host/openai?api-version=2024-10-21"))
    assert "-B api_version" in error.value.hint


def test_the_note_says_how_many_tokens_came(serve, connect):
    """A server that is asked for 20 tokens, and lists 6."""
    loopback = serve("completions")

    def fewer(path, answer):
        if "ompletion" in path and answer[0] == 200:
            for choice in answer[1]["choices"]:
                top = choice["logprobs"]["top_logprobs"]
                top[0] = dict(list(top[0].items())[:6])
        return answer

    loopback.twist = fewer
    (remark,) = connect(loopback).score(PROMPTS, ["he", "she"], absolute=False).remarks
    assert remark.startswith("the server names the 6 most probable tokens after each text, where it is asked for 20:")
