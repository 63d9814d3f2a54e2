"""Quantised weights are read where the machine can compute with them, and refused by name elsewhere."""

import json
import shutil

import numpy as np
import pytest
import torch
import transformers as tf
from bvf_testing import own_probabilities
from four_bits import SETTINGS, in_four_bits
from helpers.plain_models import logprob_of_rest
from safetensors.torch import load_file, save_file
from tiny_models import PROMPTS, WORDS, tokenizer_of

from bvf import BvfError
from bvf.errors import OutOfMemoryError

BLOCK = 32
LARGEST_FP8 = 448.0
BLOCKS_OF_FP8 = {"quant_method": "fp8", "activation_scheme": "dynamic", "weight_block_size": [BLOCK, BLOCK]}


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """Return the folder of a small Llama whose layers have sides that are multiples of the block."""
    folder = tmp_path_factory.mktemp("quantised") / "plain"
    tokenizer = tokenizer_of("unigram-before")
    torch.manual_seed(0)
    sizes = {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4}
    config = tf.LlamaConfig(
        vocab_size=len(tokenizer), **sizes, num_key_value_heads=2, max_position_embeddings=64, initializer_range=0.2
    )
    tf.LlamaForCausalLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture
def quantised(plain, tmp_path):
    """Return a function that copies the small Llama under a setting of its quantisation."""

    def copied(**settings):
        folder = shutil.copytree(plain, tmp_path / "quantised")
        config = json.loads((folder / "config.json").read_text())
        (folder / "config.json").write_text(json.dumps({**config, "quantization_config": settings}))
        return folder

    return copied


def round_to_fp8(folder):
    """Round the layers of a folder to fp8, each block by a scale; return the numbers that these stand for."""
    stored, stands_for = {}, {}
    for name, weight in load_file(folder / "model.safetensors").items():
        stored[name] = stands_for[name] = weight
        if "_proj" in name:
            rows, columns = weight.shape
            blocks = weight.view(rows // BLOCK, BLOCK, columns // BLOCK, BLOCK)
            scales = blocks.abs().amax((1, 3)) / LARGEST_FP8
            rounded = (blocks / scales[:, None, :, None]).to(torch.float8_e4m3fn)
            stored |= {name: rounded.view(rows, columns), f"{name}_scale_inv": scales}
            stands_for[name] = (rounded.float() * scales[:, None, :, None]).view(rows, columns)
    save_file(stored, folder / "model.safetensors", metadata={"format": "pt"})
    return stands_for


def test_fp8_answers_as_the_numbers_that_its_blocks_and_scales_stand_for(plain, quantised, tmp_path, load_model):
    folder, unpacked = quantised(**BLOCKS_OF_FP8), shutil.copytree(plain, tmp_path / "unpacked")
    save_file(round_to_fp8(folder), unpacked / "model.safetensors", metadata={"format": "pt"})
    answers = [load_model(each).word_logprobs(PROMPTS, WORDS) for each in (folder, unpacked, plain)]
    assert answers[0] == pytest.approx(answers[1], abs=1e-4)
    assert np.abs(answers[0] - answers[2]).max() > 0.1


@pytest.mark.filterwarnings("default")  # of what gptqmodel imports
@pytest.mark.parametrize("method", ["gptq", "awq"])
def test_four_bits_answer_as_the_numbers_that_they_stand_for(plain, quantised, tmp_path, load_model, method):
    """The first time, gptqmodel compiles for minutes. It computes in 16 bits."""
    pytest.importorskip("gptqmodel", reason="gptqmodel is not installed: see docs/how-to/checkpoints.md")
    folder, unpacked = quantised(**SETTINGS[method]), shutil.copytree(plain, tmp_path / "unpacked")
    stored, stands_for = {}, {}
    for name, weight in load_file(folder / "model.safetensors").items():
        of_weight = in_four_bits(method, name, weight) if "_proj" in name else ({name: weight}, weight)
        stored |= of_weight[0]
        stands_for[name] = of_weight[1]
    save_file(stored, folder / "model.safetensors", metadata={"format": "pt"})
    save_file(stands_for, unpacked / "model.safetensors", metadata={"format": "pt"})
    answers = [load_model(each).word_logprobs(PROMPTS, WORDS) for each in (folder, unpacked, plain)]
    assert answers[0] == pytest.approx(answers[1], abs=0.02)
    assert np.abs(answers[0] - answers[2]).max() > 0.1


def test_how_weights_are_quantised_is_in_the_identity(plain, quantised, describe):
    folder = quantised(**BLOCKS_OF_FP8)
    said = describe(folder)
    assert said.read_as == "CausalModel, weights quantised by fp8"
    assert said.settings != describe(plain).settings
    assert said.parameters is None


def test_weights_that_are_unpacked_need_the_memory_of_unpacked_ones(quantised, load_model, monkeypatch):
    folder = quantised(**BLOCKS_OF_FP8)
    round_to_fp8(folder)
    monkeypatch.setattr("bvf_transformers.loading.fit.free_bytes", lambda device: 200_000)
    with pytest.raises(OutOfMemoryError, match=r"the weights need 0\.0 GB as float32"):
        load_model(folder)


@pytest.mark.parametrize(
    ("settings", "says", "hint"),
    [
        (
            {"quant_method": "bitsandbytes", "load_in_4bit": True, "bnb_4bit_quant_type": "nf4"},
            "bitsandbytes in 4 bits nf4",
            "bitsandbytes",
        ),
        ({"load_in_8bit": True}, "bitsandbytes in 8 bits", "bitsandbytes"),
        ({"quant_method": "torchao", "quant_type": {"default": {"_type": "Int8"}}}, "torchao Int8", "torchao"),
        ({"quant_method": "gptq", "bits": 4}, "gptq in 4 bits", "--no-build-isolation gptqmodel optimum"),
        ({"quant_method": "awq", "bits": 4}, "awq in 4 bits", "--no-build-isolation gptqmodel"),
        (
            {"quant_method": "compressed-tensors", "format": "pack-quantized"},
            "compressed-tensors pack-quantized",
            "compressed-tensors",
        ),
    ],
)
def test_a_package_that_is_missing_is_named_with_a_command_before_weights_are_read(
    quantised, load_model, describe, monkeypatch, settings, says, hint
):
    folder, first = quantised(**settings), hint.removeprefix("--no-build-isolation ").split()[0]
    monkeypatch.setattr("bvf_transformers.loading.device.find_spec", lambda name: name == "accelerate" or None)
    for look in (describe, load_model):
        with pytest.raises(BvfError) as error:
            look(folder)
        text = f"{folder}: the weights are quantised ({says}), which needs {first}, and that is not installed"
        assert (error.value.message, error.value.hint) == (text, f"pip install {hint}")


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"quant_method": "tomorrow"}, r"quantised \(tomorrow\), and the transformers library here does not know how"),
        ({}, r"quantised \(an unnamed method\), and cannot be read here"),
        ({"quant_method": "fbgemm_fp8"}, r"quantised \(fbgemm_fp8\), and cannot be read here: .* requires a GPU"),
    ],
)
def test_what_this_machine_cannot_read_is_refused_with_the_reason(quantised, describe, settings, says):
    folder = quantised(**settings)
    with pytest.raises(BvfError, match=says) as error:
        describe(folder)
    assert "\n" not in error.value.message


@pytest.mark.parametrize(
    ("method", "rounding"),
    [
        ("bitsandbytes 8", 0.1),
        ("bitsandbytes 4", 1e-3),
        ("torchao 8", 1e-3),
        ("torchao 8, inputs too", 0.1),
        ("compressed_tensors W8A8", 0.1),
        ("compressed_tensors FP8_DYNAMIC", 0.1),
    ],
)
def test_packages_that_are_here_answer_as_a_plain_loop_over_their_model(plain, tmp_path, load_model, method, rounding):
    """Methods that round inputs, too, answer a little otherwise when a batch has another shape."""
    pytest.importorskip(method.split()[0])
    folder = shutil.copytree(plain, tmp_path / "quantised")
    (folder / "model.safetensors").unlink()
    if method.startswith("compressed"):
        compress(plain, folder, method.split()[1])
        model = tf.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    else:
        model = tf.AutoModelForCausalLM.from_pretrained(
            plain, quantization_config=settings_for(method), dtype=torch.float32, device_map="cpu"
        )
        model.save_pretrained(folder)
    backend = load_model(folder)
    tokenizer = tf.AutoTokenizer.from_pretrained(folder)
    logp = backend.word_logprobs(PROMPTS, WORDS)
    for row, prompt in zip(logp, PROMPTS, strict=True):
        left = tokenizer(prompt.left)["input_ids"]
        pieces = [tokenizer(f"{prompt.left} {word}")["input_ids"][len(left) :] for word in WORDS]
        begun = [logprob_of_rest(model, [*left, *each], len(left)) for each in pieces]
        plainly = np.log(own_probabilities(np.exp(begun), pieces))
        assert row == pytest.approx(plainly, abs=rounding)


def settings_for(method):
    if method.startswith("bitsandbytes"):
        return tf.BitsAndBytesConfig(load_in_8bit="8" in method, load_in_4bit="4" in method)
    from torchao.quantization import Int8DynamicActivationInt8WeightConfig, Int8WeightOnlyConfig

    return tf.TorchAoConfig(Int8DynamicActivationInt8WeightConfig() if "inputs" in method else Int8WeightOnlyConfig())


def compress(plain, folder, scheme):
    """Write the model in a folder with the weights that compressed-tensors makes of it: a scale for each row."""
    from compressed_tensors.compressors import ModelCompressor
    from compressed_tensors.quantization import QuantizationConfig, apply_quantization_config, preset_name_to_scheme

    model = tf.AutoModelForCausalLM.from_pretrained(plain, dtype=torch.float32)
    groups = {"layers": preset_name_to_scheme(scheme, ["Linear"])}
    settings = QuantizationConfig(config_groups=groups, ignore=["lm_head"], quantization_status="initialized")
    apply_quantization_config(model, settings)
    largest = LARGEST_FP8 if scheme.startswith("FP8") else 127
    for part in model.modules():
        if hasattr(part, "weight_scale"):
            part.weight_scale.data.copy_(part.weight.data.abs().amax(dim=1, keepdim=True) / largest)
    compressor = ModelCompressor.from_pretrained_model(model)
    compressor.compress_model(model)
    model.save_pretrained(folder)
    compressor.update_config(folder)
