"""Settings of GGUF files that the library leaves out: the file answers as its folder does, or is refused by name."""

import numpy as np
import pytest
import torch
from gguf import RopeScalingType
from gguf_files import write_gguf
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

import bvf
from bvf.errors import BvfError

YARN = {"rope_type": "yarn", "rope_theta": 10000.0, "factor": 4.0, "original_max_position_embeddings": 64}
LINEAR = {"rope_type": "linear", "rope_theta": 10000.0, "factor": 4.0}
SLOWER = {
    **{"rope_type": "llama3", "rope_theta": 10000.0, "factor": 8.0, "original_max_position_embeddings": 64},
    **{"low_freq_factor": 1.0, "high_freq_factor": 4.0},
}


@pytest.fixture(scope="module")
def prompts():
    texts = "The nurse said that", "On the morning of the last day before the long journey to the sea the baker thought"
    return [bvf.Prompt(text, "", "g", "The [X] said that [Y]") for text in texts]


def scaled(kind):
    def write(writer):
        writer.add_rope_scaling_type(RopeScalingType(kind))
        writer.add_rope_scaling_factor(4.0)
        if kind == "yarn":
            writer.add_rope_scaling_orig_ctx_len(64)

    return write


def answers(read, path, prompts, words):
    return read(path).word_logprobs(prompts, words)


@pytest.mark.parametrize("architecture", ["llama", "qwen2", "qwen3"])
@pytest.mark.parametrize("rope", [YARN, LINEAR], ids=["yarn", "linear"])
def test_scaled_positions_are_those_of_the_folder(write_model, read, prompts, words, tmp_path, architecture, rope):
    folder = write_model(architecture, rope_parameters=rope)
    file, bare = (tmp_path / f"{name}.gguf" for name in ("scaled", "bare"))
    write_gguf(folder, file, "F32", architecture, more=scaled(rope["rope_type"]))
    write_gguf(folder, bare, "F32", architecture)
    expected = answers(read, folder, prompts, words)
    assert np.abs(answers(read, file, prompts, words) - expected).max() < 1e-4
    assert np.abs(answers(read, bare, prompts, words) - expected).max() > 1e-2  # the scaling does change the answers


def test_frequencies_in_the_file_slow_positions_down(write_model, read, prompts, words, tmp_path):
    folder = write_model("llama", rope_parameters=SLOWER)
    config = read(folder).model.config
    plain = 1.0 / 10000.0 ** (torch.arange(0, 16, 2) / 16)
    frequencies, _ = ROPE_INIT_FUNCTIONS["llama3"](config, "cpu")
    factors = (plain / frequencies).numpy().astype(np.float32)
    assert factors.max() == pytest.approx(8.0)
    file = write_gguf(
        folder, tmp_path / "x.gguf", "F32", more=lambda writer: writer.add_tensor("rope_freqs.weight", factors)
    )
    expected = answers(read, folder, prompts, words)
    assert np.abs(answers(read, file, prompts, words) - expected).max() < 1e-4


def test_heads_of_another_width_than_the_library_takes(write_model, read, prompts, words, tmp_path):
    folder = write_model("qwen3", head_dim=16)

    def width(writer):
        writer.add_key_length(16)
        writer.add_value_length(16)

    file = write_gguf(folder, tmp_path / "x.gguf", "F32", "qwen3", more=width)
    expected = answers(read, folder, prompts, words)
    assert np.abs(answers(read, file, prompts, words) - expected).max() < 1e-4


@pytest.mark.parametrize(
    ("add", "says"),
    [
        (lambda writer: writer.add_logit_scale(0.5), "llama.logit_scale = 0.5"),
        (lambda writer: writer.add_value_length(8), "llama.attention.value_length = 8"),
        (lambda writer: writer.add_final_logit_softcapping(30.0), "llama.final_logit_softcapping = 30.0"),
        (lambda writer: writer.add_rope_scaling_type(RopeScalingType.LONGROPE), "llama.rope.scaling.type = longrope"),
        (
            lambda writer: (scaled("yarn")(writer), writer.add_rope_scaling_yarn_log_mul(0.1)),
            "llama.rope.scaling.yarn_log_multiplier = 0.1",
        ),
        (
            lambda writer: writer.add_tensor("blk.0.attn_q.bias", np.ones(64, np.float32)),
            "the tensor blk.0.attn_q.bias",
        ),
    ],
    ids=["scale of logits", "width of values", "softcapping", "longrope", "yarn's logarithm", "a bias"],
)
def test_what_the_library_leaves_out_is_refused_by_its_name(write_model, read, tmp_path, add, says):
    file = write_gguf(write_model("llama"), tmp_path / "x.gguf", "F32", more=add)
    with pytest.raises(BvfError, match="which the transformers library leaves out") as error:
        read(file)
    assert says in str(error.value)
    assert "--backend llama -B library=llama.cpp" in error.value.hint


def test_a_setting_without_effect_is_read_over(write_model, read, prompts, words, tmp_path):
    def neutral(writer):
        writer.add_rope_scaling_type(RopeScalingType.NONE)
        writer.add_causal_attention(True)
        writer.add_logit_scale(1.0)
        writer.add_key_length(16)

    folder = write_model("llama")
    file = write_gguf(folder, tmp_path / "x.gguf", "F32", more=neutral)
    assert np.abs(answers(read, file, prompts, words) - answers(read, folder, prompts, words)).max() < 1e-4
