"""What the transformers library leaves out of a GGUF file: it is carried over, or refused by its name."""

from collections.abc import Mapping
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import PreTrainedConfig
from transformers.modeling_gguf_pytorch_utils import (
    GGUF_TO_TRANSFORMERS_MAPPING,
    TENSOR_PROCESSORS,
    TensorProcessor,
    get_gguf_hf_weights_map,
)

from bvf import BvfError

BY_LLAMA_CPP = "llama.cpp reads all that a GGUF file says: --backend llama -B library=llama.cpp"
ATTRIBUTES = {
    "attention.sliding_window": "sliding_window",
    "attn_logit_softcapping": "attn_logit_softcapping",
    "final_logit_softcapping": "final_logit_softcapping",
    "expert_feed_forward_length": "moe_intermediate_size",
    "expert_shared_feed_forward_length": "shared_expert_intermediate_size",
}
"""Settings by their names without the architecture, and the attribute of a configuration that has the same meaning."""
CHANGES_NOTHING: dict[str, tuple[Any, ...]] = {
    "attention.causal": (True,),
    "expert_count": (0,),
    "expert_used_count": (0,),
    "logit_scale": (0.0, 1.0),
}
"""Values with which a setting that is not carried over is without effect."""
NEVER_MATTERS = frozenset({"vocab_size", "context_length", "tensor_data_layout", "rope.scaling.finetuned"})
SCALING = "rope.scaling."
YARN = {"yarn_beta_fast": "beta_fast", "yarn_beta_slow": "beta_slow"}
FREQUENCIES = "rope_freqs.weight"
"""The tensor by which the rotation of each pair of dimensions is slowed down, as Llama 3.1 has it."""
EXPERTS = "_exps."
"""Part of the names of tensors of several experts, which the library takes apart."""


def carry_over(config: PreTrainedConfig, values: Mapping[str, Any], file: Path) -> None:
    """Put into a configuration what the library left out of it.

    Args:
        config: The configuration as the library reads it; it is changed.
        values: Every setting of the file that begins with its architecture, by its whole name.
        file: The file.

    Raises:
        BvfError: A setting would change the model and cannot be carried over.
    """
    architecture = next(iter(values), "").partition(".")[0]
    own = {name.partition(".")[2]: each for name, each in values.items()}
    settings: Any = GGUF_TO_TRANSFORMERS_MAPPING["config"]
    by_library = settings.get(config.model_type.removesuffix("_text"), {})
    text, scaling = config.get_text_config(), {}
    for name, value in own.items():
        if name.startswith(SCALING) and config.model_type != "gpt_oss":
            scaling[name.removeprefix(SCALING)] = value
        elif name in {"attention.key_length", "attention.value_length"}:
            _set_width(text, name, value, file, architecture)
        elif name == "rope.dimension_count":
            _set_rotated(text, int(own.get("attention.key_length", width_of(text))), value, file, architecture)
        elif name == "rope.freq_base_swa":
            _ropes_of(text).get("sliding_attention", {})["rope_theta"] = value
        elif name in ATTRIBUTES and hasattr(text, ATTRIBUTES[name]):
            setattr(text, ATTRIBUTES[name], value)
        elif by_library.get(name) is None and value not in CHANGES_NOTHING.get(name, ()) and name not in NEVER_MATTERS:
            raise _refused(file, f"{architecture}.{name}", value)
    _scale(text, scaling, file, architecture)


def width_of(config: PreTrainedConfig) -> int:
    """The width of an attention head."""
    return int(getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads)


def take_left_out(model: Any, tensors: Mapping[str, Any], architecture: str, file: Path) -> None:
    """Let a model that was read from a file turn positions as its tensor `FREQUENCIES` says.

    Raises:
        BvfError: A tensor has no place in the model.
    """
    processors: Any = TENSOR_PROCESSORS
    processor = processors.get(architecture, TensorProcessor)(config={})
    placed = get_gguf_hf_weights_map(model, processor)
    for name in sorted(tensors):
        if name not in placed and name != FREQUENCIES and EXPERTS not in name:
            raise _refused(file, name)
    if FREQUENCIES in tensors:
        slower = torch.from_numpy(np.array(tensors[FREQUENCIES], dtype=np.float32))
        for part in model.modules():
            for name in ("inv_freq", "original_inv_freq"):
                if getattr(part, name, None) is not None:
                    getattr(part, name).div_(slower.to(getattr(part, name)))


def _refused(file: Path, name: str, value: Any = None) -> BvfError:
    said = f"{name} = {value}" if value is not None else f"the tensor {name}"
    return BvfError(f"{file}: the file has {said}, which the transformers library leaves out", BY_LLAMA_CPP)


def _set_width(config: PreTrainedConfig, name: str, value: int, file: Path, architecture: str) -> None:
    if name == "attention.value_length":
        if value != width_of(config):
            raise _refused(file, f"{architecture}.{name}", value)
    elif value != width_of(config):
        config.head_dim = value


def _set_rotated(config: PreTrainedConfig, width: int, rotated: int, file: Path, architecture: str) -> None:
    """Let positions rotate so many dimensions of each head."""
    ropes = _ropes_of(config)
    if rotated != int(width * ropes.get("partial_rotary_factor", 1.0)):
        if "partial_rotary_factor" not in ropes:
            raise _refused(file, f"{architecture}.rope.dimension_count", rotated)
        ropes["partial_rotary_factor"] = rotated / width


def _ropes_of(config: PreTrainedConfig) -> dict[str, Any]:
    return getattr(config, "rope_parameters", None) or {}


def _scale(config: PreTrainedConfig, scaling: dict[str, Any], file: Path, architecture: str) -> None:
    """Scale positions as the ``scaling`` says, whose names are without `SCALING`."""
    scaling = {name: value for name, value in scaling.items() if name != "finetuned"}
    kind, factor = scaling.pop("type", "none"), scaling.pop("factor", None)
    if kind == "none" or (kind == "linear" and factor in (None, 0.0, 1.0)):
        return
    rope = {"rope_type": kind, "factor": factor}
    if (length := scaling.pop("original_context_length", None)) is not None:
        rope["original_max_position_embeddings"] = length
    if kind == "yarn" and (attention := scaling.pop("attn_factor", 1.0)) != 1.0:
        rope["attention_factor"] = attention * (0.1 * log(factor) + 1.0)
    rope |= {YARN[name]: scaling.pop(name) for name in [*scaling] if name in YARN and kind == "yarn"}
    ropes = _ropes_of(config)
    if kind not in {"linear", "yarn"} or factor is None or scaling or not ropes:
        name, value = next(iter(scaling.items()), ("type", kind))
        raise _refused(file, f"{architecture}.{SCALING}{name}", value)
    ropes.get("full_attention", ropes).update(rope)
