"""Which weights are read and digested: all safetensors of the model's own folder, and no others."""

import json
import shutil

import pytest
import torch
from bvf_transformers.loading.checkpoint import settings_digest
from safetensors.torch import load_file, save_file

from bvf import BvfError, Prompt

PROMPT = Prompt("The nurse said that", "", "nurse", "The [X] said that [Y]")


def rename_in_index(folder, name):
    """Let the index name another file for the tensors of its first shard, and return the first shard."""
    index = folder / "model.safetensors.index.json"
    content = json.loads(index.read_text())
    first = min(content["weight_map"].values())
    content["weight_map"] = {key: name if file == first else file for key, file in content["weight_map"].items()}
    index.write_text(json.dumps(content))
    return folder / first


def test_weights_in_shards_are_read(sharded, folder_of, load_model):
    expected = load_model(folder_of("llama")).word_logprobs([PROMPT], ["he", "she"])
    assert load_model(sharded).word_logprobs([PROMPT], ["he", "she"]) == pytest.approx(expected, abs=1e-6)


def test_pickled_weights_that_an_index_names_are_refused(sharded, load_model):
    first = rename_in_index(sharded, "weights.bin")
    torch.save(load_file(first), sharded / "weights.bin")
    with pytest.raises(BvfError, match=r'weights are in "weights\.bin"'):
        load_model(sharded)


@pytest.mark.parametrize(
    "name", ["../other/x.safetensors", "sub/x.safetensors", "/tmp/x.safetensors", "..\\x.safetensors"]
)
def test_weights_outside_the_folder_are_refused(sharded, load_model, name):
    first = rename_in_index(sharded, name)
    for place in ("../other", "sub"):
        (sharded / place).mkdir()
        shutil.copy(first, sharded / place / "x.safetensors")
    with pytest.raises(BvfError, match="the index says that weights are in"):
        load_model(sharded)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"weight_map": 3}', '{"weight_map": {}}', "[" * 100_000, "\udcff"]
)
def test_an_index_that_is_none_is_refused(sharded, load_model, text):
    (sharded / "model.safetensors.index.json").write_text(text, errors="surrogateescape")
    with pytest.raises(BvfError, match=r"model\.safetensors\.index\.json"):
        load_model(sharded)


@pytest.mark.parametrize("name", ["x.bin", "../x.safetensors", "adapter_model.bin", 7])
def test_weights_that_the_configuration_names_are_safetensors_in_the_folder(copy_of, load_model, name):
    with pytest.raises(BvfError, match="transformers_weights"):
        load_model(copy_of("gpt2", transformers_weights=name))


def test_the_digest_is_that_of_the_weights_that_are_read(sharded, describe):
    before = describe(sharded).weights
    save_file({"x": torch.zeros(1)}, sharded / "another.safetensors")
    assert describe(sharded).weights == before
    last = max(sharded.glob("model-*.safetensors"))
    save_file({key: value + 1 for key, value in load_file(last).items()}, last, metadata={"format": "pt"})
    assert describe(sharded).weights != before


@pytest.mark.parametrize("name", ["tokenizer.json", "config.json", "generation_config.json", "chat_template.jinja"])
def test_another_tokenizer_configuration_or_template_is_another_model(folder_of, copy_of, describe, name):
    folder = copy_of("gpt2")
    before = describe(folder).settings
    assert before == describe(folder_of("gpt2")).settings
    if name.endswith(".jinja"):
        (folder / name).write_text("{{ messages[0].content }}")
    else:
        content = json.loads((folder / name).read_text())
        (folder / name).write_text(
            json.dumps({**content, "layer_norm_epsilon": 0.1} if name == "config.json" else content)
        )
    assert describe(folder).settings != before
    (folder / "README.md").write_text("A card.")
    after = describe(folder).settings
    (folder / "README.md").write_text("Another.")
    assert describe(folder).settings == after


@pytest.mark.parametrize("name", ["source.spm", "sub/x.py", "a/b/template.jinja", "vocab"])
def test_any_file_that_may_decide_on_answers_is_part_of_the_settings(tmp_path, name):
    (tmp_path / "config.json").write_text("{}")
    digests = [settings_digest(tmp_path)]
    file = tmp_path / name
    file.parent.mkdir(parents=True, exist_ok=True)
    for text in ("one", "two"):
        file.write_text(text)
        digests.append(settings_digest(tmp_path))
    assert len(set(digests)) == 3


@pytest.mark.parametrize(
    "name",
    ["readme", "LICENSE.txt", ".git/HEAD", "__pycache__/x.pyc", "sub/README.md", "another.safetensors", "optimizer.pt"],
)
def test_cards_licences_hidden_files_weights_and_runs_are_no_settings(tmp_path, name):
    (tmp_path / "config.json").write_text("{}")
    before = settings_digest(tmp_path)
    file = tmp_path / name
    shards = tmp_path / "runs" / "gender-en" / "shards"
    for each in (file, shards.parent / "measurement.json", shards / "00000.parquet"):
        each.parent.mkdir(parents=True, exist_ok=True)
        each.write_text("{}")
    assert settings_digest(tmp_path) == before
