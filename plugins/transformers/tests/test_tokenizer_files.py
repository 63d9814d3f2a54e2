"""Errors distinguish folders that lack tokenizer files from those whose tokenizer cannot be read."""

import json

import pytest
from bvf_transformers.loading.load import explained

import bvf
from bvf import BvfError

FAMILY_NAMES = ["bert", "gpt2", "llama", "t5"]


@pytest.mark.parametrize(
    ("family", "gone"), [*((name, "tokenizer.json") for name in FAMILY_NAMES), ("bert", "tokenizer*")]
)
def test_a_folder_without_the_file_of_its_tokenizer_says_so(copy_of, load_model, family, gone):
    folder = copy_of(family)
    for file in folder.glob(gone):
        file.unlink()
    with pytest.raises(BvfError, match=r"tokenizer\.json is missing, and there is no other file") as error:
        load_model(folder)
    assert "pip install" not in error.value.hint


def test_a_vocabulary_of_another_name_is_enough(copy_of, load_model):
    folder = copy_of("bert")
    vocabulary = json.loads((folder / "tokenizer.json").read_text())["model"]["vocab"]
    (folder / "vocab.txt").write_text("\n".join(sorted(vocabulary, key=vocabulary.__getitem__)))
    for file in folder.glob("tokenizer*"):
        file.unlink()
    assert len(load_model(folder).tokenizer) == len(vocabulary)


@pytest.mark.parametrize(
    ("installed", "said"),
    [
        (("sentencepiece", "google"), "the tokenizer cannot be loaded"),
        (("google",), "the tokenizer is a sentencepiece file"),
        (("sentencepiece",), "the tokenizer is a sentencepiece file"),
    ],
)
def test_sentencepiece_is_asked_for_only_where_it_is_not_installed(topic, tmp_path, monkeypatch, installed, said):
    (tmp_path / "tokenizer.model").write_bytes(b"")
    monkeypatch.setattr("bvf_transformers.loading.load.find_spec", lambda name: object() if name in installed else None)
    with pytest.raises(BvfError, match=said), explained(bvf.ModelRequest(str(tmp_path), topic), "tokenizer"):
        raise ValueError("`tiktoken` is required to read a `tiktoken` file")
