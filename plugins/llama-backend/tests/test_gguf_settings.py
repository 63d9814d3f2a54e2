"""Settings of GGUF files that the library leaves out: the file answers as its folder does, or is refused by name."""

import numpy as np
import pytest
import torch
from gguf import RopeScalingType
from gguf_files import write_gguf
from tiny_families import refused
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

import bvf

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


@pytest.mark.parametrize("architecture", ["llama", "qwen2", "qwen3"])
@pytest.mark.parametrize("rope", [YARN, LINEAR], ids=["yarn", "linear"])
def test_scaled_positions_are_those_of_the_folder(write_model, apart, file, architecture, rope):
    folder = write_model(architecture, rope_parameters=rope)
    write_gguf(folder, file, "F32", architecture, more=scaled(rope["rope_type"]))
    bare = write_gguf(folder, file.with_name("bare.gguf"), "F32", architecture)
    assert apart(file, folder) < 1e-4
    assert apart(bare, folder) > 1e-2  # the scaling does change the answers


def test_frequencies_in_the_file_slow_positions_down(write_model, read, apart, file):
    folder = write_model("llama", rope_parameters=SLOWER)
    plain = 1.0 / 10000.0 ** (torch.arange(0, 16, 2) / 16)
    frequencies, _ = ROPE_INIT_FUNCTIONS["llama3"](read(folder).model.config, "cpu")
    factors = (plain / frequencies).numpy().astype(np.float32)
    assert factors.max() == pytest.approx(8.0)
    write_gguf(folder, file, "F32", more=lambda writer: writer.add_tensor("rope_freqs.weight", factors))
    assert apart(file, folder) < 1e-4


def width_of_16(writer):
    writer.add_key_length(16)
    writer.add_value_length(16)


def without_effect(writer):
    writer.add_rope_scaling_type(RopeScalingType.NONE)
    writer.add_causal_attention(True)
    writer.add_logit_scale(1.0)
    writer.add_key_length(16)


@pytest.mark.parametrize(
    ("kind", "more"), [("qwen3", width_of_16), ("llama", without_effect)], ids=["other width of heads", "no effect"]
)
def test_settings_that_the_library_reads_or_need_not_read(write_model, apart, file, kind, more):
    """The library takes the heads of Qwen3 to be 128 wide."""
    folder = write_model(kind, head_dim=16)
    assert apart(write_gguf(folder, file, "F32", kind, more=more), folder) < 1e-4


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
def test_what_the_library_leaves_out_is_refused_by_its_name(write_model, read, file, add, says):
    line = refused(read, write_gguf(write_model("llama"), file, "F32", more=add))
    for each in (says, "which the transformers library leaves out", "--backend llama -B library=llama.cpp"):
        assert each in line
