"""Fixtures: a model on a loopback server, and the same model in this process."""

import json
import shutil
import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import httpx2
import pytest
import torch
from helpers.warm import renders_chats

sys.path.insert(0, str(Path(__file__).parent))
sys.path.append(str(Path(__file__).parents[2] / "llama-backend" / "tests"))

from chat_templates import R1
from loopback import FOLDER, NAME, Loopback, Model, serving
from transformers import AutoTokenizer

import bvf
from bvf.hooks.loader import load


@pytest.fixture(scope="session")
def model():
    torch.set_num_threads(1)
    return Model()


@pytest.fixture(scope="session")
def plugins():
    return load()


@pytest.fixture(scope="session")
def topic(plugins):
    return plugins.topics.in_language("en").find("gender").make()


@pytest.fixture
def serve(model):
    """Serve the bundled model in a dialect until the test ends."""
    with ExitStack() as begun:

        def start(*arguments, **choices):
            loopback = Loopback(model, *arguments, **choices)
            loopback.url = begun.enter_context(serving(loopback))
            return loopback

        yield start


@pytest.fixture
def reached(monkeypatch):
    """Let clients reach a server in this process, without a network."""
    http = httpx2.Client

    def reach(loopback):
        def answer(request):
            path, body = request.url.path, json.loads(request.content or b"{}")
            status, content, *headers = loopback.twist(path, loopback.answer(path, body))
            text = content if isinstance(content, str | bytes) else json.dumps(content)
            return httpx2.Response(status, content=text, headers=(headers or [None])[0])

        loopback.url = "http://server/v1"
        monkeypatch.setattr(httpx2, "Client", partial(http, transport=httpx2.MockTransport(answer)))

    return reach


@pytest.fixture
def connect(plugins, topic):
    """Connect to a server with this plugin's backend, or describe its model.

    It is asked for texts where there is a generation, and for thoughts where it is thinking.
    """
    entry = plugins.backends.find("openai")

    def make(server, name=NAME, *, described=False, longer_words=(), generation=None, thinking=None, **options):
        chosen = entry.chosen({"base_url": server.url, **options})
        reading = {"longer_words": longer_words, "generation": generation, "thinking": thinking}
        asked = bvf.ModelRequest(name, topic, options=chosen, **reading)
        return entry.described(asked) if described else entry.make(asked)

    return make


@pytest.fixture(scope="session")
def thinking_folder(tmp_path_factory):
    """The bundled model with the chat template of a model that thinks."""
    folder = tmp_path_factory.mktemp("thinking") / NAME
    shutil.copytree(FOLDER, folder)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    tokenizer.chat_template = R1
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture
def connect_to_think(connect, thinking_folder):
    """Connect to a server whose model is asked in a chat, and thinks before it answers."""
    return partial(connect, **{"tokenizer": str(thinking_folder), "chat_turn": "assistant"})


@pytest.fixture
def has_its_libraries(monkeypatch):
    """Run the program that renders chats as a fork, to save time."""
    monkeypatch.setattr("bvf_llama_backend.templates.PROGRAM", renders_chats())


@pytest.fixture(scope="session")
def here(plugins, topic):
    """Load a model in this process."""
    entry = plugins.backends.find("llama")

    def make(folder, thinking=None, **options):
        return entry.make(bvf.ModelRequest(str(folder), topic, options=entry.chosen(options), thinking=thinking))

    return make


@pytest.fixture(scope="session")
def local(here):
    return here(FOLDER)


@pytest.fixture(name="bvf")
def command(process):
    """Run ``bvf run`` with the model on a server at an address, as a process."""

    def call(url, *arguments, **variables):
        server = ("run", "--model", f"openai:{NAME}", "-B", f"base_url={url}")
        return process(*server, *arguments, variables=variables)

    return call
