"""GGUF files have the same scores as the folders that they were written from, and are refused where they do not fit."""

import importlib
import shutil
import sys

import gguf_files
import numpy as np
import pytest
import torch
import transformers as tf
from bvf_transformers.loading.gguf_reader import Reader, reader_of
from chat_templates import LLAMA3
from gguf import GGUFReader, GGUFWriter
from gguf_files import finish, write_gguf
from helpers.made_packages import install_in_parts
from helpers.missing import without_package
from sentencepiece import SentencePieceTrainer
from tiny_families import BUNDLED, SIZES, refused

import bvf
from bvf.errors import OutOfMemoryError
from bvf.hooks.loader import load


@pytest.fixture(scope="module")
def prompts(topic):
    return [bvf.Prompt(f"The {group} said that", "", group, "The [X] said that [Y]") for group in topic.groups[:30]]


@pytest.fixture(scope="module")
def bundled(tmp_path_factory):
    folder = tmp_path_factory.mktemp("gguf")
    return {kind: write_gguf(BUNDLED, folder / f"en-causal.{kind}.gguf", kind) for kind in ("F32", "F16", "Q8_0")}


def test_the_file_gives_the_probabilities_of_the_folder(apart, read, bundled, prompts, words):
    for number_format in ("F32", "F16"):
        assert apart(bundled[number_format], BUNDLED) < 1e-4
    expected, p = (np.exp(read(path).word_logprobs(prompts, words)) for path in (BUNDLED, bundled["Q8_0"]))
    assert 0 < np.abs(p - expected).max() < 5e-3  # eight bits are close


def test_a_file_that_does_not_fit_when_unpacked_is_refused_before_that(read, bundled, monkeypatch):
    numbers = sum(int(tensor.n_elements) for tensor in GGUFReader(bundled["Q8_0"]).tensors)
    monkeypatch.setattr("bvf_transformers.loading.fit.free_bytes", lambda device: 4 * numbers - 1)
    with pytest.raises(OutOfMemoryError, match=r"the weights need .* GB as float32, and .* GB are free") as error:
        read(bundled["Q8_0"])
    assert "--dtype bfloat16" in error.value.hint
    assert "or leave them packed: --backend llama -B library=llama.cpp" in error.value.hint
    assert read(bundled["Q8_0"], dtype="bfloat16")


def test_a_file_in_parts_of_packages_is_the_model_of_the_whole_file(bundled, tmp_path, monkeypatch):
    content = bundled["Q8_0"].read_bytes()
    parts = [content[start : start + 1_000_000] for start in range(0, len(content), 1_000_000)]
    monkeypatch.syspath_prepend(install_in_parts(tmp_path, "split-model", "small.gguf", parts))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    few = {"limit_groups": 2, "limit_contexts": 2, "words": {"male": ("he",), "female": ("she",)}}

    def measured(model, **more):
        return bvf.measure(model=model, out=str(tmp_path / f"out{len(model)}"), **few, **more).record

    whole = measured(str(bundled["Q8_0"]), backend="llama")
    split = measured("llama:package:split_model")
    assert split.identity == whole.identity
    assert split.model.package.file == "split_model/data/small.gguf"
    assert whole.model.package is None


@pytest.mark.parametrize(
    ("kind", "key_heads", "tied"),
    [("llama", 2, True), ("llama", 1, False), ("mistral", 2, True), ("qwen2", 1, False), ("qwen3", 2, True)],
)
def test_grouped_queries_and_heads(write_model, read, apart, prompts, words, file, kind, key_heads, tied):
    folder = write_model(kind, key_heads=key_heads, tied=tied)
    architecture = "llama" if kind == "mistral" else kind  # as llama.cpp calls both
    assert apart(write_gguf(folder, file, "F32", architecture), folder) < 1e-4
    assert np.ptp(read(folder).word_logprobs(prompts, words)) > 1.0


@pytest.fixture(scope="module")
def sentencepiece_folder(tmp_path_factory, prompts, words):
    """A random Llama with a sentencepiece tokenizer, like Llama 1 and 2 and the first Mistral."""
    folder = tmp_path_factory.mktemp("sentencepiece")
    (folder / "texts").write_text("\n".join(f"{prompt.left} {word} left." for prompt in prompts for word in words))
    how = {"model_type": "bpe", "vocab_size": 400, "byte_fallback": True, "minloglevel": 2}
    SentencePieceTrainer.train(input=str(folder / "texts"), model_prefix=str(folder / "tokenizer"), **how)
    tf.LlamaTokenizer.from_pretrained(folder, add_bos_token=True).save_pretrained(folder)
    torch.manual_seed(0)
    config = tf.LlamaConfig(vocab_size=400, num_key_value_heads=2, **SIZES)
    tf.LlamaForCausalLM(config).save_pretrained(folder)
    return folder


def test_a_sentencepiece_vocabulary(read, apart, sentencepiece_folder, file, prompts, words):
    write_gguf(sentencepiece_folder, file, "F32")
    one, other = (
        [backend.token_ids(prompt, word) for prompt in prompts for word in words]
        for backend in (read(file), read(sentencepiece_folder))
    )
    assert one == other
    assert apart(file, sentencepiece_folder) < 1e-4


def test_a_sentencepiece_folder_without_what_reads_it(read, sentencepiece_folder, tmp_path, monkeypatch):
    def missing_library():
        raise ImportError("no protobuf here")

    folder = tmp_path / "model"
    shutil.copytree(sentencepiece_folder, folder, ignore=shutil.ignore_patterns("tokenizer.json"))
    slow_tokenizers = importlib.import_module("transformers.convert_slow_tokenizer")
    monkeypatch.setattr(slow_tokenizers, "import_protobuf", missing_library)
    monkeypatch.setattr("bvf_transformers.loading.load.find_spec", lambda name: None if name == "google" else object())
    assert "pip install 'bvf[sentencepiece]'" in refused(read, folder)


def test_the_chat_template_is_in_the_file(write_model, read, prompts, file):
    folder = write_model("llama", chat_template=LLAMA3)
    write_gguf(folder, file, "F16")
    one, other = (read(model, chat_template=True, system="Be brief.") for model in (file, folder))
    assert one.token_ids(prompts[0], "she") == other.token_ids(prompts[0], "she")


def test_the_digest_is_that_of_the_file(describe, bundled):
    digests = {describe(file).weights for file in bundled.values()}
    assert len(digests) == 3
    assert {describe(file).parameters for file in bundled.values()} == {describe(BUNDLED).parameters}
    assert all(len(digest) == 16 for digest in digests)


def test_the_transformers_backend_reads_them_too(bundled, topic, prompts, words):
    backend = load().backends.find("transformers").make(bvf.ModelRequest(str(bundled["F16"]), topic))
    assert backend.word_logprobs(prompts[:2], words).shape == (2, len(words))


def test_a_file_that_is_none_or_is_cut_off_is_refused(read, bundled, file):
    assert "there is no such file" in refused(read, file)
    whole = bundled["F16"].read_bytes()
    for content, says in (
        (b"PK\x03\x04" + bytes(100), "not a GGUF file"),
        (whole[: max(8, len(whole) // 10_000)], "damaged or cut off"),
        (whole[: int(len(whole) * 0.99)], "damaged or cut off"),
    ):
        file.write_bytes(content)
        assert says in refused(read, file)


@pytest.mark.parametrize(
    ("architecture", "parts", "says"),
    [
        ("mamba9", 1, ("mamba9", "not supported")),
        ("t5", 1, ("a model of type t5 is seq2seq, and --backend llama",)),
        ("llama", 3, ("one of 3 parts of a model", "llama-gguf-split --merge")),
    ],
)
def test_what_is_not_read_is_refused(read, file, architecture, parts, says):
    writer = GGUFWriter(str(file), architecture)
    writer.add_name("tiny")
    writer.add_uint16("split.count", parts)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(["a", "b"])
    writer.add_tensor("token_embd.weight", np.zeros((2, 32), dtype=np.float32))
    finish(writer)
    line = refused(read, file)
    assert all(each in line for each in says)


def test_the_library_that_is_missing_is_named(read, bundled, monkeypatch):
    monkeypatch.setitem(sys.modules, "gguf", None)
    without_package(monkeypatch, "gguf")
    assert "pip install 'bvf[gguf]'" in refused(read, bundled["F16"])


def test_a_file_that_changed_is_parsed_again(bundled, file):
    for kind in ("F32", "F16"):
        shutil.copyfile(bundled[kind], file)
        types = {str(tensor.tensor_type.name) for tensor in reader_of(file).tensors if len(tensor.shape) > 1}
        assert types == {kind}


@pytest.mark.parametrize("kind", ["F32", "Q8_0"])
def test_the_reader_says_what_that_of_the_library_says_and_keeps_the_vocabulary_whole(bundled, kind):
    ours, plain = Reader(bundled[kind]), GGUFReader(bundled[kind])
    expected = {name: field.contents() for name, field in plain.fields.items()}
    vocabulary = {f"tokenizer.ggml.{name}" for name in ("tokens", "merges", "token_type")}
    assert {name: field.contents() for name, field in ours.fields.items()} == {
        name: [] if name in vocabulary else content for name, content in expected.items()
    }
    for name in ("tokenizer.ggml.tokens", "tokenizer.ggml.merges"):
        assert ours.texts_of(name) == expected[name]
    assert ours.number_of_tokens() == len(expected["tokenizer.ggml.tokens"])
    assert [tensor.name for tensor in ours.tensors] == [tensor.name for tensor in plain.tensors]
    for tensor, other in zip(ours.tensors, plain.tensors, strict=True):
        assert np.array_equal(tensor.data, other.data)


@pytest.mark.parametrize(
    "settings",
    [
        *({"num_hidden_layers": layers} for layers in (0, 1, 3, 1_000_000)),
        *({size: 10**9} for size in ("vocab_size", "intermediate_size", "num_key_value_heads")),
    ],
    ids=str,
)
def test_sizes_that_the_weights_have_not_are_refused(write_model, read, file, monkeypatch, settings):
    describe = gguf_files.describe

    def changed(writer, config):
        describe(writer, type(config)(**{**config.to_dict(), **settings}))

    monkeypatch.setattr(gguf_files, "describe", changed)
    assert refused(read, write_gguf(write_model("llama"), file, "F32"))
