"""A folder with a PEFT adapter is read as its base model with changed weights; both are in its identity."""

import json
import shutil
import warnings

import pytest
import torch
import transformers as tf
from helpers.missing import without_package
from peft import LoraConfig, PeftModel, PrefixTuningConfig, get_peft_model
from safetensors.torch import load_file, save_file
from tiny_models import PROMPTS, WORDS, write_family

from bvf import BvfError, Prompt

TARGETS = ["q_proj", "v_proj", "down_proj"]
RANK, ALPHA = 2, 6
PREFIX = PrefixTuningConfig(num_virtual_tokens=2, task_type="CAUSAL_LM")


@pytest.fixture
def base(folder_of, tmp_path):
    """Return a copy of a small Llama, for adapters of its own."""
    return shutil.copytree(folder_of("llama"), tmp_path / "base")


@pytest.fixture
def adapter(base, tmp_path):
    """Return the folder of a LoRA adapter whose weights matter."""
    return write_adapter(base, tmp_path / "adapter", LoraConfig(r=RANK, lora_alpha=ALPHA, target_modules=TARGETS))


def write_adapter(base, folder, config):
    torch.manual_seed(2)
    model = with_adapter(tf.AutoModelForCausalLM.from_pretrained(base), config)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if "lora_" in name or "prompt" in name:
                weight.normal_(0, 0.3)
    model.save_pretrained(folder)
    return folder


def with_adapter(model, config):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        return get_peft_model(model, config)


def change(folder, **settings):
    file = folder / "adapter_config.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), **settings}))


def write_merged(base, adapter, folder):
    """Write the base with W + (alpha / r) B A in the place of each changed W, by plain products."""
    weights, low = load_file(base / "model.safetensors"), load_file(adapter / "adapter_model.safetensors")
    names = {name.rpartition(".lora_")[0] for name in low}
    for name in names:
        down, up = (low[f"{name}.lora_{part}.weight"].double() for part in "AB")
        tensor = f"{name.removeprefix('base_model.model.')}.weight"
        weights[tensor] = (weights[tensor].double() + ALPHA / RANK * up @ down).float()
    assert len(names) == 2 * len(TARGETS)
    shutil.copytree(base, folder)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    return folder


@pytest.mark.parametrize("backend", ["transformers", "llama"])
def test_an_adapter_answers_as_weights_that_were_merged_by_plain_products(base, adapter, tmp_path, load_model, backend):
    merged = load_model(write_merged(base, adapter, tmp_path / "merged")).word_logprobs(PROMPTS, WORDS)
    model = load_model(adapter, backend)
    assert model.word_logprobs(PROMPTS, WORDS) == pytest.approx(merged, abs=1e-4)
    assert abs(merged - load_model(base).word_logprobs(PROMPTS, WORDS)).max() > 0.5
    assert model.reads_trees


@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::FutureWarning")
@pytest.mark.parametrize("target", ["lm_head", "embed_tokens"])
def test_an_adapter_on_one_end_of_tied_weights_leaves_the_other_as_it_is(tmp_path, load_model, target):
    base = write_family("llama", tmp_path / "base")
    model = tf.LlamaForCausalLM.from_pretrained(base)
    model.config.tie_word_embeddings = True
    model.tie_weights()
    model.save_pretrained(base)
    config = LoraConfig(r=RANK, lora_alpha=ALPHA, target_modules=["q_proj", target])
    adapter = write_adapter(base, tmp_path / "adapter", config)
    beside = PeftModel.from_pretrained(tf.LlamaForCausalLM.from_pretrained(base), adapter).eval()
    backend = load_model(adapter)
    ids = torch.tensor([backend.tokenizer("The nurse said that")["input_ids"]])
    with torch.no_grad():
        expected, found = (each(input_ids=ids).logits.log_softmax(-1) for each in (beside, backend.model))
        bare = tf.LlamaForCausalLM.from_pretrained(base)(input_ids=ids).logits.log_softmax(-1)
    assert (found - expected).abs().max() < 1e-4
    assert (bare - expected).abs().max() > 0.1
    p = backend.word_logprobs([PROMPTS[0]], ["he"])[0, 0]
    (he,) = backend.tokenizer(" he", add_special_tokens=False)["input_ids"]
    assert p == pytest.approx(expected[0, -1, he].item(), abs=1e-4)


def test_an_adapter_that_answers_otherwise_when_merged_is_refused(base, adapter, load_model, monkeypatch):
    monkeypatch.setattr("peft.tuners.lora.layer.Linear.get_delta_weight", lambda self, name: 0.5 * self.weight)
    with pytest.raises(BvfError, match="gives other answers than beside them: log p differs by") as error:
        load_model(adapter)
    assert "name the merged model" in error.value.hint


def test_base_and_adapter_are_both_in_the_identity(base, adapter, tmp_path, describe):
    said, plain = describe(adapter), describe(base)
    assert (said.base, plain.base) == (str(base), "")
    assert plain.weights in said.read_as
    assert "LORA" in said.read_as
    assert said.capabilities == plain.capabilities
    sizes = [load_file(adapter / "adapter_model.safetensors"), load_file(base / "model.safetensors")]
    assert said.parameters == sum(tensor.numel() for tensors in sizes for tensor in tensors.values())
    for folder in (base / "model.safetensors", adapter / "adapter_model.safetensors"):
        before = describe(adapter)
        save_file({name: 2 * tensor for name, tensor in load_file(folder).items()}, folder, metadata={"format": "pt"})
        assert describe(adapter).weights != before.weights
        assert describe(adapter).settings == before.settings


def test_where_the_base_lies_is_not_in_the_identity_and_how_it_is_changed_is(base, adapter, tmp_path, describe):
    before = describe(adapter)
    shutil.move(base, tmp_path / "moved")
    change(adapter, base_model_name_or_path="../moved")
    after = describe(adapter)
    assert after.base == str(adapter / ".." / "moved")
    assert (after.weights, after.settings, after.read_as) == (before.weights, before.settings, before.read_as)
    change(adapter, lora_alpha=ALPHA + 1)
    assert describe(adapter).settings != before.settings


def test_the_tokenizer_of_an_adapter_comes_first_and_its_new_tokens_have_vectors(base, tmp_path, load_model):
    tokenizer = tf.AutoTokenizer.from_pretrained(base)
    tokenizer.add_tokens(["zyx"])
    model = tf.AutoModelForCausalLM.from_pretrained(base)
    model.resize_token_embeddings(len(tokenizer))
    config = LoraConfig(r=RANK, target_modules=["q_proj"], modules_to_save=["embed_tokens", "lm_head"])
    folder = tmp_path / "more"
    with pytest.warns(UserWarning, match="save_embedding_layers"):
        with_adapter(model, config).save_pretrained(folder)
    change(folder, base_model_name_or_path=str(base))
    tokenizer.save_pretrained(folder)
    backend = load_model(folder)
    assert backend.rows == len(tokenizer)
    assert backend.token_ids(Prompt("The nurse zyx", "", "nurse", "..."), "he")[-1] == len(tokenizer) - 1


def pickled(base, adapter):
    file = adapter / "adapter_model.safetensors"
    torch.save(load_file(file), adapter / "adapter_model.bin")
    file.unlink()


def cut_off(base, adapter):
    file = adapter / "adapter_model.safetensors"
    file.write_bytes(file.read_bytes()[:90])


def lacking(base, adapter):
    file = adapter / "adapter_model.safetensors"
    tensors = load_file(file)
    tensors.pop(min(tensors))
    save_file(tensors, file)


def on_another(base, adapter):
    change(adapter, base_model_name_or_path=str(shutil.copytree(adapter, base.with_name("inner"))))


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda base, adapter: shutil.rmtree(base), "an adapter of the model .*base, which is not there"),
        (lambda base, adapter: change(adapter, base_model_name_or_path=None), "it names no base model"),
        (
            lambda base, adapter: change(adapter, base_model_name_or_path=str(adapter)),
            "it names itself as its base model",
        ),
        (
            lambda base, adapter: (adapter / "adapter_model.safetensors").unlink(),
            r"adapter_model\.safetensors is missing",
        ),
        (cut_off, r"adapter_model\.safetensors: damaged or cut off"),
        (pickled, r"adapter_model\.bin: these weights are pickled"),
        (lambda base, adapter: (adapter / "adapter_config.json").write_text("{"), r"adapter_config\.json: not JSON"),
        (lambda base, adapter: change(adapter, peft_type="TOMORROW"), "TOMORROW"),
        (
            lambda base, adapter: write_adapter(base, adapter, PREFIX),
            "of type PREFIX_TUNING does not change the weights",
        ),
        (on_another, "its base model .*inner is an adapter, too"),
    ],
)
def test_an_adapter_that_cannot_be_applied_is_refused_before_anything_is_loaded(
    base, adapter, describe, damage, message
):
    damage(base, adapter)
    with pytest.raises(BvfError, match=message) as error:
        describe(adapter)
    assert "\n" not in error.value.message


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda base, adapter: change(adapter, target_modules=["absent"]), "absent"),
        (lacking, "the weights of the adapter lack"),
    ],
)
def test_an_adapter_of_another_model_is_refused(base, adapter, load_model, damage, message):
    damage(base, adapter)
    with pytest.raises(BvfError, match=message):
        load_model(adapter)


def test_an_adapter_without_peft_is_refused_also_beside_the_weights_of_its_model(base, adapter, describe, monkeypatch):
    for name in ("adapter_config.json", "adapter_model.safetensors"):
        shutil.copy(adapter / name, base / name)
    without_package(monkeypatch, "peft")
    for folder in (adapter, base):
        with pytest.raises(BvfError, match="an adapter needs peft, which is not installed") as error:
            describe(folder)
        assert error.value.hint == "pip install 'bvf[adapters]'"


def test_a_base_on_the_hub_that_is_not_here_is_named(base, adapter, describe, monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    change(adapter, base_model_name_or_path="nobody/nothing")
    with pytest.raises(BvfError, match="its base model nobody/nothing: not in the cache, and HF_HUB_OFFLINE is set"):
        describe(adapter)
