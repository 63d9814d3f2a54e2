"""Fixtures: a model on a loopback server, and the same model in this process."""

import json
import os
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

import httpx2
import pytest
import torch
from helpers.warm import warm_bvf

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
    begun = []

    def start(*arguments, **choices):
        loopback = Loopback(model, *arguments, **choices)
        serving_it = serving(loopback)
        begun.append(serving_it)
        loopback.url = serving_it.__enter__()
        return loopback

    yield start
    for each in begun:
        each.__exit__(None, None, None)


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
    """Connect to a server with this plugin's backend, which is asked for texts where there is a generation."""
    entry = plugins.backends.find("openai")

    def make(server, name=NAME, longer_words=(), generation=None, **options):
        chosen = entry.chosen({"base_url": server.url, **options})
        asked = bvf.ModelRequest(name, topic, options=chosen, longer_words=longer_words, generation=generation)
        return entry.make(asked)

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
def connect_to_think(plugins, topic, thinking_folder):
    """Connect to a server whose model is asked in a chat, and thinks before it answers."""
    entry = plugins.backends.find("openai")

    def make(server, thinking, *, described=False, **options):
        chosen = {"base_url": server.url, "tokenizer": str(thinking_folder), "chat_turn": "assistant", **options}
        request = bvf.ModelRequest(NAME, topic, options=entry.chosen(chosen), thinking=thinking)
        return entry.described(request) if described else entry.make(request)

    return make


@pytest.fixture(scope="session")
def local(plugins, topic):
    entry = plugins.backends.find("llama")
    return entry.make(bvf.ModelRequest(str(FOLDER), topic, options=entry.chosen({})))


@pytest.fixture(name="bvf")
def command(tmp_path):
    def call(url, *arguments, model=f"openai:{NAME}", **environment):
        return subprocess.run(
            [*warm_bvf(), "run", "--model", model, *(["-B", f"base_url={url}"] if url else []), *map(str, arguments)],
            cwd=tmp_path,
            env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "OMP_NUM_THREADS": "1", **environment},
            capture_output=True,
            text=True,
            timeout=300,
        )

    return call
