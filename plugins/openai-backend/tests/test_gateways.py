"""Gateways before servers: other headers, the key in a header of its own, a version of the API in every address."""

import pytest
from asked_of_servers import PROMPTS, WORDS
from bvf_openai_backend.client import Client
from bvf_openai_backend.options import ServerOptions


def test_a_gateway_gets_its_headers_and_version_with_every_request(serve, connect, monkeypatch):
    for name, value in {"MY_KEY": "sk-123", "TEAM": "blue", "SITE": "eu-1"}.items():
        monkeypatch.setenv(name, value)
    loopback = serve("vllm")
    options = {"key_env": "MY_KEY", "key_header": "api-key", "api_version": "2024-10-21"}
    backend = connect(loopback, headers_env={"X-Team": "TEAM", "X-Site": "SITE"}, **options)
    assert backend.word_logprobs(PROMPTS[:2], WORDS).max() < 0
    sent = {"api-key": "sk-123", "x-team": "blue", "x-site": "eu-1"}
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
