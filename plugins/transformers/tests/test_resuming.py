"""A run resumes with the model that it began with. Other models are refused."""

import json
import shutil

import pytest

import bvf
from bvf.hooks.loader import load


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
