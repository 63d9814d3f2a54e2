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
from gguf_files import write_gguf
from helpers.made_packages import install_in_parts
from helpers.missing import without_package
from sentencepiece import SentencePieceTrainer

import bvf
from bvf.errors import BvfError, OutOfMemoryError
from bvf.hooks.loader import load
from conftest import BUNDLED, SIZES


@pytest.fixture(scope="module")
def prompts(topic):
    return [bvf.Prompt(f"The {group} said that", "", group, "The [X] said that [Y]") for group in topic.groups[:30]]


@pytest.fixture(scope="module")
def bundled(tmp_path_factory):
    folder = tmp_path_factory.mktemp("gguf")
    return {kind: write_gguf(BUNDLED, folder / f"en-causal.{kind}.gguf", kind) for kind in ("F32", "F16", "Q8_0")}


@pytest.mark.parametrize("number_format", ["F32", "F16"])
def test_the_file_gives_the_probabilities_of_the_folder(read, bundled, prompts, words, number_format):
    expected = read(BUNDLED).word_logprobs(prompts, words)
    logp = read(bundled[number_format]).word_logprobs(prompts, words)
    assert np.abs(logp - expected).max() < 1e-4
    assert np.abs(np.exp(logp) - np.exp(expected)).max() < 1e-4


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


def test_eight_bits_are_close(read, bundled, prompts, words):
    expected, p = (np.exp(read(path).word_logprobs(prompts, words)) for path in (BUNDLED, bundled["Q8_0"]))
    assert 0 < np.abs(p - expected).max() < 5e-3


@pytest.mark.parametrize(
    ("kind", "key_heads", "tied"),
    [("llama", 2, True), ("llama", 1, False), ("mistral", 2, True), ("qwen2", 1, False), ("qwen3", 2, True)],
)
def test_grouped_queries_and_heads(write_model, read, prompts, words, tmp_path, kind, key_heads, tied):
    folder = write_model(kind, key_heads=key_heads, tied=tied)
    architecture = "llama" if kind == "mistral" else kind  # as llama.cpp calls both
    file = write_gguf(folder, tmp_path / "tiny.gguf", "F32", architecture)
    expected = read(folder).word_logprobs(prompts, words)
    assert np.abs(read(file).word_logprobs(prompts, words) - expected).max() < 1e-4
    assert np.ptp(expected) > 1.0


@pytest.fixture(scope="module")
def sentencepiece_folder(tmp_path_factory, prompts, words):
    """A random Llama with a sentencepiece tokenizer, like Llama 1 and 2 and the first Mistral."""
    folder = tmp_path_factory.mktemp("sentencepiece")
    texts = folder / "texts.txt"
    texts.write_text("\n".join(f"{prompt.left} {word} left." for prompt in prompts for word in words))
    SentencePieceTrainer.train(
        input=str(texts),
        model_prefix=str(folder / "tokenizer"),
        model_type="bpe",
        vocab_size=400,
        byte_fallback=True,
        minloglevel=2,
    )
    tokenizer = tf.LlamaTokenizer.from_pretrained(folder, add_bos_token=True)
    tokenizer.save_pretrained(folder)
    torch.manual_seed(0)
    config = tf.LlamaConfig(vocab_size=400, num_key_value_heads=2, **SIZES)
    tf.LlamaForCausalLM(config).save_pretrained(folder)
    return folder


def test_a_sentencepiece_vocabulary(read, sentencepiece_folder, tmp_path, prompts, words):
    file = write_gguf(sentencepiece_folder, tmp_path / "tiny.gguf", "F32")
    one, other = read(file), read(sentencepiece_folder)
    assert [one.token_ids(p, w) for p in prompts for w in words] == [
        other.token_ids(p, w) for p in prompts for w in words
    ]
    assert np.abs(one.word_logprobs(prompts, words) - other.word_logprobs(prompts, words)).max() < 1e-4


def test_a_sentencepiece_folder_without_what_reads_it(read, sentencepiece_folder, tmp_path, monkeypatch):
    folder = tmp_path / "model"
    shutil.copytree(sentencepiece_folder, folder, ignore=shutil.ignore_patterns("tokenizer.json"))
    monkeypatch.setattr(
        importlib.import_module("transformers.convert_slow_tokenizer"), "import_protobuf", missing_library
    )
    monkeypatch.setattr("bvf_transformers.loading.load.find_spec", lambda name: None if name == "google" else object())
    assert "pip install 'bvf[sentencepiece]'" in refused(read, folder)


def missing_library():
    raise ImportError("no protobuf here")


def test_the_chat_template_is_in_the_file(write_model, read, prompts, tmp_path):
    folder = write_model("llama", chat_template=LLAMA3)
    file = write_gguf(folder, tmp_path / "chat.gguf", "F16")
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


def refused(read, file):
    with pytest.raises(BvfError) as error:
        read(file)
    assert "\n" not in error.value.message
    return f"{error.value.message} | {error.value.hint}"


def test_a_file_that_is_not_there(read, tmp_path):
    assert "there is no such file" in refused(read, tmp_path / "no.gguf")


def test_a_file_of_another_kind(read, tmp_path):
    file = tmp_path / "x.gguf"
    file.write_bytes(b"PK\x03\x04" + bytes(100))
    assert "not a GGUF file" in refused(read, file)


@pytest.mark.parametrize("share", [0.0001, 0.99])
def test_a_file_that_is_cut_off(read, bundled, tmp_path, share):
    whole = bundled["F16"].read_bytes()
    file = tmp_path / "x.gguf"
    file.write_bytes(whole[: max(8, int(len(whole) * share))])
    assert "damaged or cut off" in refused(read, file)


@pytest.mark.parametrize(
    ("architecture", "parts", "says"),
    [
        ("mamba9", 1, ("mamba9", "not supported")),
        ("t5", 1, ("a model of type t5 is seq2seq, and --backend llama",)),
        ("llama", 3, ("one of 3 parts of a model", "llama-gguf-split --merge")),
    ],
)
def test_what_is_not_read_is_refused(read, tmp_path, architecture, parts, says):
    file = tmp_path / "x.gguf"
    writer = GGUFWriter(str(file), architecture)
    writer.add_name("tiny")
    writer.add_uint16("split.count", parts)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(["a", "b"])
    writer.add_tensor("token_embd.weight", np.zeros((2, 32), dtype=np.float32))
    for write in (writer.write_header_to_file, writer.write_kv_data_to_file, writer.write_tensors_to_file):
        write()
    writer.close()
    line = refused(read, file)
    assert all(each in line for each in says)


def test_the_library_that_is_missing_is_named(read, bundled, monkeypatch):
    monkeypatch.setitem(sys.modules, "gguf", None)
    without_package(monkeypatch, "gguf")
    assert "pip install 'bvf[gguf]'" in refused(read, bundled["F16"])


def test_a_file_that_changed_is_parsed_again(bundled, tmp_path):
    file = tmp_path / "changing.gguf"
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


@pytest.fixture
def write_changed(write_model, tmp_path, monkeypatch):
    """Write a GGUF file whose settings do not fit its weights."""

    def write(**settings):
        describe = gguf_files.describe

        def changed(writer, config):
            describe(writer, type(config)(**{**config.to_dict(), **settings}))

        monkeypatch.setattr(gguf_files, "describe", changed)
        return write_gguf(write_model("llama"), tmp_path / "tiny.gguf", "F32")

    return write


@pytest.mark.parametrize("layers", [0, 1, 3, 1_000_000])
def test_another_number_of_layers_than_the_weights_have_is_refused(write_changed, read, layers):
    with pytest.raises(BvfError):
        read(write_changed(num_hidden_layers=layers))


@pytest.mark.parametrize(
    "settings", [{"vocab_size": 10**9}, {"intermediate_size": 10**9}, {"num_key_value_heads": 10**9}]
)
def test_sizes_that_the_weights_have_not_are_refused(write_changed, read, settings):
    with pytest.raises(BvfError) as error:
        read(write_changed(**settings))
    assert "\n" not in error.value.message
