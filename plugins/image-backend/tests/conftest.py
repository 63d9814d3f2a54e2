"""Fixtures: model folders (written once per session), pictures, and backends that read them."""

import sys
from functools import partial
from pathlib import Path

import pytest
import torch
from helpers.warm import renders_chats

sys.path.insert(0, str(Path(__file__).parent))

from image_models import CHAT, draw, write_image_model

import bvf
from bvf.files.digests import digest_of_bytes
from bvf.hooks.loader import load


@pytest.fixture(scope="session")
def folder_of(tmp_path_factory):
    """Return the folder of a model of a type; with ``chat``, of one that has a chat template."""
    made = {}

    def folder(kind, *, chat=False):
        if (kind, chat) not in made:
            place = tmp_path_factory.mktemp("models") / kind
            made[kind, chat] = write_image_model(kind, place, CHAT if chat else None)
        return made[kind, chat]

    return folder


@pytest.fixture(scope="session")
def pictures(tmp_path_factory):
    """Media of two pictures of different shapes."""
    folder = tmp_path_factory.mktemp("pictures")
    files = [draw(folder / "red.png", "red", (60, 40)), draw(folder / "blue.png", "blue", (40, 40))]
    return [bvf.Media("image", str(file), digest_of_bytes(file.read_bytes())) for file in files]


@pytest.fixture(scope="session")
def topic():
    return load().topics.in_language("en").find("gender").make()


@pytest.fixture(scope="session")
def load_model(topic):
    """Load a model through the registry, like a run, or describe it like a run before loading."""
    torch.set_num_threads(1)  # these models are too small for more
    entry = load().backends.find("image")

    def loaded(folder, *, described=False, **options):
        request = bvf.ModelRequest(str(folder), topic, options=entry.chosen({"device": "cpu", **options}))
        return entry.described(request) if described else entry.make(request)

    return loaded


@pytest.fixture(scope="session")
def describe(load_model):
    return partial(load_model, described=True)


@pytest.fixture(autouse=True)
def rendering(monkeypatch):
    """Render chats in a fork, which has its libraries already."""
    monkeypatch.setattr("bvf_llama_backend.templates.PROGRAM", renders_chats())
