"""A run resumes with its model; the cache of descriptions: what its key depends on. A finished run needs no torch."""

import json
import os
import shutil
import subprocess
import sys

import pytest
from bvf_transformers.loading.describe import remembered
from bvf_transformers.options import TransformersOptions

import bvf
from bvf.hooks.loader import load
from bvf.interfaces.backend import Capabilities, ModelDescription, ModelRequest

FOUND = ModelDescription(
    Capabilities(reads_right=False, media=frozenset({"image"})), "w", "s", 7, rounds={"dtype": "float32"}
)
SHOW = """
import sys
from bvf.cli import main
few = ["--openings", "none", "--limit-groups", "2", "--limit-contexts", "2"]
sys.argv = ["bvf", "run", "--quiet", *few, "--model", sys.argv[1], "--out", "out"]
try:
    main()
finally:
    print(sorted({"torch", "transformers", "pandas"} & set(sys.modules)), file=sys.stderr)
"""


@pytest.fixture
def model(folder_of, tmp_path):
    """A writable copy of a small model's folder."""
    return shutil.copytree(folder_of("gpt2"), tmp_path / "model")


@pytest.fixture
def describe(model, topic, monkeypatch, tmp_path):
    """Describe a folder as a process without torch, and return how often the cache had no description."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    asked = []

    def call(folder, kind="any", **options):
        request = ModelRequest(str(folder), topic, options=TransformersOptions(**options))
        assert remembered(request, kind, lambda: asked.append(1) or FOUND) == FOUND
        return len(asked)

    return call


def test_the_same_model_is_described_once(describe, model, tmp_path):
    assert [describe(model), describe(model)] == [1, 1]
    moved = model.rename(tmp_path / "moved")
    assert describe(moved) == 1


def test_whatever_the_description_depends_on_makes_it_another(describe, model, monkeypatch):
    assert describe(model) == 1
    assert describe(model, kind="causal") == 2
    assert describe(model, word_boundary=True) == 3
    config = json.loads((model / "config.json").read_text())
    (model / "config.json").write_text(json.dumps({**config, "n_head": 1}))
    assert describe(model) == 4
    weights = (model / "model.safetensors").read_bytes()
    (model / "model.safetensors").write_bytes(weights[:-1] + bytes([weights[-1] ^ 1]))
    assert describe(model) == 5
    monkeypatch.setattr("bvf_transformers.learned.version", lambda _: "0")
    assert describe(model) == 6
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")
    assert describe(model) == 7
    assert describe(model) == 7


def test_what_is_damaged_or_cannot_be_kept_is_found_out_again(describe, model, tmp_path, monkeypatch):
    describe(model)
    (kept,) = (tmp_path / "cache").rglob("*.json")
    kept.write_text('{"weights": 1')
    assert [describe(model), describe(model)] == [2, 2]
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert [describe(model), describe(model)] == [3, 4]


def test_a_file_is_described_by_all_of_its_content(describe, tmp_path):
    one, other = tmp_path / "one.gguf", tmp_path / "other.gguf"
    one.write_bytes(b"GGUF, its header, and weights")
    other.write_bytes(b"GGUF, its header, and weightz")
    assert [describe(one), describe(one), describe(other), describe(other)] == [1, 1, 2, 2]
    assert [describe(one, no_cache=True), describe(one, tokenizer="gpt2")] == [3, 4]


def test_what_is_no_folder_is_not_remembered(describe, tmp_path):
    assert [describe("nobody/nothing"), describe("nobody/nothing")] == [1, 2]
    assert [describe(tmp_path / "absent"), describe(tmp_path / "absent")] == [3, 4]


def test_a_finished_run_is_shown_without_torch(model, tmp_path):
    environment = {
        **os.environ,
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "HF_HUB_OFFLINE": "1",
        "OMP_NUM_THREADS": "1",
    }
    first, again = (
        subprocess.run(
            [sys.executable, "-c", SHOW, str(model)], cwd=tmp_path, env=environment, capture_output=True, text=True
        )
        for _ in range(2)
    )
    assert first.returncode == 0, first.stderr
    assert "torch" in first.stderr.splitlines()[-1]
    assert again.stdout == first.stdout
    assert again.stderr.splitlines()[-1] == "[]"


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    """Return a copy of a bundled model, and a function that resumes an interrupted run of it."""
    folder = tmp_path_factory.mktemp("begun") / "model"
    shutil.copytree(load().models.find("en-causal").make().path, folder)
    config = bvf.RunConfig(
        model=str(folder),
        topic="gender",
        limit_groups=40,
        limit_contexts=10,
        mass_sample=2,
        out=str(folder.parent / "out"),
    )
    bvf.run(config)
    shards = sorted((folder.parent / "out" / "probabilities").glob("*.parquet"))
    assert len(shards) > 1
    shards[-1].unlink()
    return folder, lambda: bvf.run(config)


def test_it_goes_on_with_the_same_files(begun):
    folder, again = begun
    (folder / "README.md").write_text("Another text about the model.")
    assert again().R > 0


@pytest.mark.parametrize("file", ["tokenizer.json", "config.json"])
def test_another_tokenizer_or_configuration_is_refused_with_the_difference(begun, file):
    folder, again = begun
    before = (folder / file).read_text()
    content = json.loads(before)
    if file == "config.json":
        content["rope_theta"] = 5.0
    else:
        vocabulary = content["model"]["vocab"]
        one, other = list(vocabulary)[300:302] if isinstance(vocabulary, dict) else (300, 301)
        vocabulary[one], vocabulary[other] = vocabulary[other], vocabulary[one]
    (folder / file).write_text(json.dumps(content))
    said = r"holds another measurement \(configuration and tokenizer: \w+ there, \w+ now\)"
    with pytest.raises(bvf.BvfError, match=said):
        again()
    (folder / file).write_text(before)
