"""A run resumes with the model that it began with. Other models are refused."""

import json
import shutil

import pytest

import bvf
from bvf.hooks.loader import load


@pytest.fixture
def begun(tmp_path):
    """Return a copy of a bundled model, and a function that resumes an interrupted run of it."""
    folder = tmp_path / "model"
    shutil.copytree(load().models.find("en-causal").make().path, folder)
    config = bvf.RunConfig(
        model=str(folder), topic="gender", limit_groups=40, limit_contexts=10, mass_sample=2, out=str(tmp_path / "out")
    )
    bvf.run(config)
    shards = sorted((tmp_path / "out" / "probabilities").glob("*.parquet"))
    assert len(shards) > 1
    shards[-1].unlink()
    return folder, lambda: bvf.run(config)


def test_it_goes_on_with_the_same_files(begun):
    folder, again = begun
    (folder / "README.md").write_text("Another text about the model.")
    assert again().R > 0


def test_another_tokenizer_is_refused_with_the_difference(begun):
    folder, again = begun
    content = json.loads((folder / "tokenizer.json").read_text())
    vocabulary = content["model"]["vocab"]
    if isinstance(vocabulary, dict):
        one, other = list(vocabulary)[300:302]
        vocabulary[one], vocabulary[other] = vocabulary[other], vocabulary[one]
    else:
        vocabulary[300], vocabulary[301] = vocabulary[301], vocabulary[300]
    (folder / "tokenizer.json").write_text(json.dumps(content))
    refused(again)


@pytest.mark.parametrize(("name", "value"), [("rms_norm_eps", 0.01), ("rope_theta", 5.0), ("bos_token_id", 5)])
def test_another_configuration_is_refused_with_the_difference(begun, name, value):
    folder, again = begun
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, name: value}))
    refused(again)


def refused(again):
    with pytest.raises(
        bvf.BvfError, match=r"holds another measurement \(configuration and tokenizer: \w+ there, \w+ now\)"
    ):
        again()
