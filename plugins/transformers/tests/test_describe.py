"""The description of a model before loading: it agrees with the loaded model, or the refusal is the same."""

import hashlib
import shutil

import pytest
import torch
import transformers as tf
from bvf_transformers.loading.device import device_of, take_share
from bvf_transformers.loading.digests import number_format, parameters_in, sha256_of, weights_digest
from bvf_transformers.options import TransformersOptions
from helpers.missing import without_package
from safetensors.torch import load_file, save_file

import bvf
from bvf import BvfError
from bvf.files.machine import processors
from bvf.interfaces.backend import Capabilities
from bvf.interfaces.engine import Share

ADDRESS = "0" * 64


def plain_digest(dtype, *files):
    """The plain digest of the number format and the files' SHA-256. It must not change."""
    whole = str(dtype).encode() + b"".join(hashlib.sha256(file.read_bytes()).digest() for file in files)
    return hashlib.sha256(whole).hexdigest()[:16]


@pytest.fixture
def nothing_is_loaded(monkeypatch):
    """Make reading weights an error."""

    def refuse(*args, **options):
        raise AssertionError("a model was loaded")

    monkeypatch.setattr("transformers.PreTrainedModel.from_pretrained", refuse)


@pytest.mark.parametrize(
    ("name", "dtype"),
    [*((name, "auto") for name in ("bert", "gpt2", "mistral", "xlnet", "t5", "bart")), ("gpt2", "bfloat16")],
)
def test_a_description_is_that_of_the_loaded_model(folder_of, load_model, describe, name, dtype):
    folder = folder_of(name)
    said, backend = describe(folder, dtype=dtype), load_model(folder, dtype=dtype)
    assert said.capabilities == backend.capabilities
    assert said.weights == plain_digest(backend.model.dtype, folder / "model.safetensors")
    assert said.parameters == sum(tensor.numel() for tensor in load_file(folder / "model.safetensors").values())
    assert said.memory == said.parameters * backend.model.dtype.itemsize
    assert said.in_main_memory


@pytest.mark.parametrize(
    "saved_as",
    [
        ["GPT2ForSequenceClassification"],
        ["GPT2ForTokenClassification"],
        ["GPT2ForRewardModel"],
        ["GPT2ForMultipleChoice"],
    ],
)
@pytest.mark.parametrize("backend", ["transformers", "causal"])
def test_a_model_that_was_saved_for_another_task_is_refused(copy_of, describe, nothing_is_loaded, saved_as, backend):
    with pytest.raises(BvfError, match=f"it was saved as {saved_as[0]}, which is no language model"):
        describe(copy_of("gpt2", architectures=saved_as), backend=backend)


def test_xlnet_is_described_as_what_it_is_read_as(folder_of, describe):
    permuted, continued = (describe(folder_of("xlnet"), kind).capabilities for kind in ("permutation", "causal"))
    assert permuted.reads_right
    assert not continued.reads_right


def test_what_each_kind_can_do(folder_of, describe):
    can = {name: describe(folder_of(name)).capabilities for name in ("bert", "gpt2", "t5", "bart", "xlnet")}
    assert can.pop("gpt2") == Capabilities(
        reads_right=False,
        reaches_group=True,
        leaves_words_out=True,
        writes_texts=True,
        lists_tokens=True,
        reads_beside=True,
    )
    assert set(can.values()) == {Capabilities(leaves_words_out=True, lists_tokens=True, reads_beside=True)}


def test_a_tied_tensor_counts_once(tmp_path, describe):
    config = tf.GPT2Config(vocab_size=50, n_embd=8, n_layer=1, n_head=2, n_positions=16)
    model = tf.GPT2LMHeadModel(config)
    model.save_pretrained(tmp_path)
    assert describe(tmp_path).parameters == sum(parameter.numel() for parameter in model.parameters())


def test_weights_in_shards_count_together(folder_of, sharded, describe):
    said = describe(sharded)
    assert said.parameters == describe(folder_of("llama")).parameters
    assert said.weights == plain_digest(torch.float32, *sorted(sharded.glob("*.safetensors")))


def test_of_pickled_weights_the_number_is_not_known(pickled, describe):
    said = describe(pickled, allow_pickle=True)
    assert said.parameters is None
    assert said.weights == plain_digest(torch.float32, pickled / "pytorch_model.bin")
    with pytest.raises(BvfError, match="these weights are pickled"):
        describe(pickled)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"device": "cuda:7"}, '--device "cuda:7" is not available'),
        ({"dtype": "float8"}, 'backend transformers: dtype is "float8"'),
        ({"chat_template": True}, "backend transformers has no option chat_template"),
        ({"batch_tokens": 0}, 'backend transformers: batch_tokens is "0"'),
        ({"backend": "masked", "word_boundary": True}, "--word-boundary: the backend masked asks for no boundary"),
    ],
)
def test_a_wish_that_cannot_be_met_is_refused_before_anything_is_loaded(
    folder_of, describe, nothing_is_loaded, options, says
):
    name = "bert" if options.get("backend") == "masked" else "gpt2"
    with pytest.raises(BvfError, match=says):
        describe(folder_of(name), **options)


@pytest.mark.parametrize(("name", "kind"), [("gpt2", "masked"), ("bert", "seq2seq"), ("t5", "causal")])
def test_a_kind_that_a_model_is_not_is_refused_before_anything_is_loaded(
    folder_of, describe, nothing_is_loaded, name, kind
):
    with pytest.raises(BvfError, match="this model cannot be read that way") as error:
        describe(folder_of(name), kind)
    assert "leave --backend out" in error.value.hint


def test_accelerate_is_missed_before_anything_is_loaded(folder_of, describe, nothing_is_loaded, monkeypatch):
    without_package(monkeypatch, "accelerate")
    with pytest.raises(BvfError, match="-B device_map needs accelerate"):
        describe(folder_of("gpt2"), device_map="auto")


def test_models_that_are_not_there(describe, load_model, tmp_path, monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    (tmp_path / "file").write_bytes(b"")
    for look in (describe, load_model):
        with pytest.raises(BvfError, match="nobody/nothing: not in the cache, and HF_HUB_OFFLINE is set"):
            look("nobody/nothing")
        for place in ("absent", "file"):
            with pytest.raises(BvfError, match="no such folder"):
                look(tmp_path / place)


@pytest.mark.parametrize(
    ("said", "dtype"), [("bfloat16", torch.float32), ("float32", torch.float16), (None, torch.bfloat16)]
)
def test_the_format_of_the_files_is_found_as_the_library_finds_it(folder_of, tmp_path, said, dtype):
    tf.AutoModelForCausalLM.from_pretrained(folder_of("gpt2"), dtype=dtype).save_pretrained(tmp_path)
    config = tf.AutoConfig.from_pretrained(tmp_path)
    config.dtype = said
    config.save_pretrained(tmp_path)
    expected = tf.AutoModelForCausalLM.from_pretrained(tmp_path, dtype="auto").dtype
    assert expected == (getattr(torch, said) if said else dtype)
    config = tf.AutoConfig.from_pretrained(tmp_path)
    assert number_format("auto", config, [tmp_path / "model.safetensors"]) == str(expected)


def test_of_pickled_files_the_format_is_not_known_and_of_no_files_nothing(tmp_path):
    assert number_format("auto", tf.GPT2Config(), [tmp_path / "pytorch_model.bin"]) == "auto"
    assert weights_digest([], "torch.float32") == ""
    assert parameters_in([]) is None


def laid_in_cache(folder, home, address):
    """Put weights into a hub cache as a link to a blob, and return the link."""
    blobs, snapshot = home / "blobs", home / "snapshots" / "a"
    blobs.mkdir(parents=True)
    snapshot.mkdir(parents=True)
    shutil.copy(folder / "model.safetensors", blobs / address)
    (snapshot / "model.safetensors").symlink_to(f"../../blobs/{address}")
    return snapshot / "model.safetensors"


def test_only_links_into_the_cache_to_a_digest_are_believed(folder_of, tmp_path):
    assert sha256_of(laid_in_cache(folder_of("gpt2"), tmp_path / "there", ADDRESS)) == bytes(32)
    for address in ("0" * 40, "0" * 65, "x" * 64):
        link = laid_in_cache(folder_of("gpt2"), tmp_path / address, address)
        assert sha256_of(link) == hashlib.sha256(link.read_bytes()).digest()
    (tmp_path / ADDRESS).write_bytes(b"one")
    (tmp_path / "x.safetensors").symlink_to(ADDRESS)
    for file in (tmp_path / ADDRESS, tmp_path / "x.safetensors"):
        assert sha256_of(file) == hashlib.sha256(b"one").digest()


class Hub:
    """A fake hub. Files come into the cache when they are fetched."""

    def __init__(self, source, snapshot):
        self.source, self.snapshot, self.asked = source, snapshot, []

    def cached_file(self, model, name, **options):
        self.asked.append(name)
        if not (self.source / name).is_file():
            return None
        shutil.copy(self.source / name, self.snapshot / name)
        return str(self.snapshot / name)


@pytest.fixture
def hub(in_hub_cache, monkeypatch):
    """Return a function that puts all files but weights into the cache, and the weights on a fake hub."""

    def made(source):
        remote = Hub(source, in_hub_cache("some/model", source, shutil.ignore_patterns("*model*")))
        monkeypatch.setattr("bvf_transformers.loading.weights.cached_file", remote.cached_file)
        return remote

    return made


def test_weights_on_the_hub_are_fetched_to_be_described(folder_of, hub, describe, nothing_is_loaded):
    fetching = hub(folder_of("gpt2"))
    assert describe("some/model").weights == describe(folder_of("gpt2")).weights
    assert "pytorch_model.bin" not in fetching.asked


def test_shards_on_the_hub_are_fetched_to_be_described(sharded, hub, describe):
    hub(sharded)
    said, here = describe("some/model"), describe(sharded)
    assert (said.weights, said.parameters) == (here.weights, here.parameters)


def test_what_the_hub_has_no_safetensors_of_is_left_to_the_library(pickled, hub, describe):
    fetching = hub(pickled)
    said = describe("some/model")
    assert (said.weights, said.parameters) == ("", None)
    assert not any(".bin" in name for name in fetching.asked)
    said = describe("some/model", allow_pickle=True)
    assert said.weights == describe(pickled, allow_pickle=True).weights != ""
    with pytest.raises(BvfError, match="these weights are pickled"):
        describe("some/model")


@pytest.mark.parametrize(
    ("share", "device", "expected"),
    [
        (Share(), "auto", "cuda"),
        (Share(1, 4), "auto", "cuda:1"),
        (Share(5, 8), "auto", "cuda:1"),
        (Share(3, 8), "cpu", "cpu"),
    ],
)
def test_workers_take_the_devices_in_turn(topic, monkeypatch, share, device, expected):
    monkeypatch.setattr("torch.cuda.is_available", lambda: True)
    monkeypatch.setattr("torch.cuda.device_count", lambda: 4)
    request = bvf.ModelRequest("m", topic, options=TransformersOptions(device=device), share=share)
    assert device_of(request) == torch.device(expected)
    monkeypatch.setattr("torch.cuda.device_count", lambda: 1)
    assert device_of(request) == torch.device("cpu" if device == "cpu" else "cuda")


@pytest.fixture
def as_many_threads_as_before():
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


@pytest.mark.usefixtures("as_many_threads_as_before")
def test_a_worker_takes_its_threads_and_no_more(folder_of, load_model):
    torch.set_num_threads(1)
    load_model(folder_of("gpt2"), share=Share(0, 2, 3))
    assert torch.get_num_threads() == 3
    take_share(Share(0, 2, 2))
    assert torch.get_num_threads() == 2


@pytest.mark.usefixtures("as_many_threads_as_before")
def test_a_run_without_a_wish_finds_the_threads_as_they_were(monkeypatch):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    torch.set_num_threads(1)
    for wished in (3, 2, 0):
        take_share(Share(threads=wished))
    assert torch.get_num_threads() == 1
    torch.set_num_threads(processors() + 5)
    take_share(Share())
    assert torch.get_num_threads() == processors()
    monkeypatch.setenv("OMP_NUM_THREADS", f"{processors() + 3},2")
    torch.set_num_threads(processors() + 3)
    take_share(Share())
    assert torch.get_num_threads() == processors() + 3


def test_integers_before_the_first_float_say_nothing_of_the_format(tmp_path):
    file = tmp_path / "model.safetensors"
    save_file({"a": torch.zeros(2, dtype=torch.int64), "b": torch.zeros(2, dtype=torch.float16)}, file)
    assert number_format("auto", tf.GPT2Config(), [file]) == "torch.float16"


@pytest.mark.parametrize("settings", [{"dtype": "bfloat16"}, {"text_config": {"dtype": "bfloat16"}}])
def test_the_format_of_a_model_that_sees_as_well(settings):
    assert number_format("auto", tf.Gemma3Config(**settings), []) == "torch.bfloat16"


def test_how_the_files_are_read_is_said(folder_of, describe):
    assert describe(folder_of("gpt2")).read_as == describe(folder_of("gpt2"), backend="causal").read_as == "CausalModel"
    assert describe(folder_of("bert")).read_as != describe(folder_of("bert"), backend="causal").read_as


def test_code_that_comes_with_a_model_makes_it_another_one(copy_of, describe):
    folder = copy_of("gpt2", auto_map={"AutoModelForCausalLM": "own.Own"})
    (folder / "own.py").write_text("from transformers import GPT2LMHeadModel as Own\n")
    without, trusted = (describe(folder, trust_remote_code=trusted) for trusted in (False, True))
    assert without.weights == trusted.weights
    assert without.read_as != trusted.read_as
