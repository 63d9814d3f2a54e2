"""Fixtures: model folders (written once per session), and backends that read them."""

import json
import shutil
import sys
from functools import cache
from pathlib import Path

import pytest
import torch
import transformers as tf
from safetensors.torch import load_file

sys.path.insert(0, str(Path(__file__).parent))

from helpers.fixtures import nothing_learned  # noqa: F401 - for every test
from tiny_models import COMMIT, FAMILIES, write_family

import bvf
from bvf.hooks.loader import load


@pytest.fixture(scope="session")
def folder_of(tmp_path_factory):
    """Return the folder of a family's model."""
    made = {}

    def folder(family: str) -> Path:
        if family not in made:
            made[family] = write_family(family, tmp_path_factory.mktemp("models") / family)
        return made[family]

    return folder


@pytest.fixture
def copy_of(folder_of, tmp_path):
    """Return a copy of a family's folder, perhaps with other settings in its configuration."""

    def copied(family, **settings):
        folder = shutil.copytree(folder_of(family), tmp_path / family)
        if settings:
            config = json.loads((folder / "config.json").read_text())
            (folder / "config.json").write_text(json.dumps({**config, **settings}))
        return folder

    return copied


@pytest.fixture
def sharded(copy_of):
    """Return the folder of a model whose weights are in several files."""
    folder = copy_of("llama")
    model = tf.AutoModelForCausalLM.from_pretrained(folder)
    (folder / "model.safetensors").unlink()
    model.save_pretrained(folder, max_shard_size="20KB")
    assert len(list(folder.glob("model-*.safetensors"))) > 1
    return folder


@pytest.fixture
def pickled(copy_of):
    """Return the folder of a model whose weights are pickled."""
    folder = copy_of("gpt2")
    torch.save(load_file(folder / "model.safetensors"), folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()
    return folder


@pytest.fixture
def in_hub_cache(tmp_path, monkeypatch):
    """Put a folder into a hub cache as a download would, or all but what is ignored. The hub itself is unreachable."""
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)

    def lay(model, folder, ignore=None):
        home = tmp_path / "cache" / f"models--{model.replace('/', '--')}"
        (home / "refs").mkdir(parents=True)
        (home / "refs" / "main").write_text(COMMIT)
        return shutil.copytree(folder, home / "snapshots" / COMMIT, ignore=ignore)

    return lay


@pytest.fixture(scope="session")
def topic():
    return load().topics.in_language("en").find("gender").make()


@pytest.fixture(scope="session")
def backends():
    torch.set_num_threads(1)  # these models are too small for more
    return load().backends


@pytest.fixture(scope="module")
def backend(topic, backends):
    """The bundled causal model, anew in each module."""
    folder = load().models.find("en-causal").make().path
    return backends.find("causal").make(bvf.ModelRequest(str(folder), topic))


ALONE = bvf.Share()


@pytest.fixture(scope="session")
def load_model(topic, backends):
    """Load a model through the registry, like a run. What tests expect of it is computed on the CPU."""

    def loaded(folder, backend="transformers", share=ALONE, **options):
        entry = backends.find(backend)
        chosen = entry.chosen({"device": "cpu", **options})
        return entry.make(bvf.ModelRequest(str(folder), topic, options=chosen, share=share))

    return loaded


@pytest.fixture(scope="module")
def backend_of(folder_of, load_model):
    """Return the backend of a family's model, loaded once in each module."""
    return cache(lambda name, **options: load_model(folder_of(name), **options))


@pytest.fixture(scope="session")
def describe(topic, backends):
    """Describe a model through the registry, like a run before loading."""

    def described(folder, backend="transformers", **options):
        entry = backends.find(backend)
        return entry.described(bvf.ModelRequest(str(folder), topic, options=entry.chosen(options)))

    return described


@pytest.fixture(params=FAMILIES)
def family(request):
    return FAMILIES[request.param]
