"""Matrix products by MKL or oneDNN (torch has both), and fused activation functions.

MKL, which torch asks for float32, uses the widest vectors on Intel's processors only; oneDNN uses them on all.
"""

from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from transformers.activations import FastGELUActivation, NewGELUActivation
from transformers.pytorch_utils import Conv1D
from transformers.utils.quantization_config import QuantizationMethod

IN_MANY_STEPS = (NewGELUActivation, FastGELUActivation)
"""The library's tanh approximations of GELU: each step reads all values again, a tenth of GPT-2's time on a CPU."""
CPUINFO = Path("/proc/cpuinfo")
WORTH_A_KERNEL = 16_000_000
"""Products of fewer multiplications stay with MKL: each new shape costs oneDNN a millisecond and half a megabyte."""


def fuse_activations(model: Any) -> None:
    """Replace activation functions by torch's fused GELU where the values agree up to rounding."""
    fused = nn.GELU(approximate="tanh")
    values = torch.linspace(-8.0, 8.0, 1001)
    for module in model.modules():
        for name, child in list(module.named_children()):
            if isinstance(child, IN_MANY_STEPS) and torch.allclose(child(values), fused(values), atol=1e-6):
                setattr(module, name, fused)


def linear(states: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    """Return states @ weight.T + bias, shape (..., N). Shapes are (..., K), (N, K) and (N,)."""
    is_large = states.numel() * len(weight) >= WORTH_A_KERNEL
    if is_large and onednn_is_faster() and _is_float_on_cpu(states) and _is_float_on_cpu(weight):
        return _by_onednn(states, weight, bias)
    return nn.functional.linear(states, weight, bias)


def speed_up_products(model: Any) -> None:
    """Let every plain linear layer of a model use `linear`. Subclasses and patched layers are left alone.

    So are models whose weights stay quantised: their libraries may change layers when they are first used.
    """
    if not onednn_is_faster() or stays_quantised(model):
        return
    for layer in model.modules():
        if type(layer) in (nn.Linear, Conv1D) and "forward" not in vars(layer) and _is_float_on_cpu(layer.weight):
            layer.forward = partial(_forward, layer)


def stays_quantised(model: Any) -> bool:
    """Whether the weights of a loaded model are quantised. Those of a GGUF file are unpacked when they are read."""
    method = getattr(model, "quantization_method", None)
    return bool(getattr(model, "is_quantized", False)) and method != QuantizationMethod.GGUF


@lru_cache(maxsize=1)
def onednn_is_faster() -> bool:
    """Whether oneDNN is faster than MKL. On AMD with AVX-512, MKL does not use the processor's widest vectors.

    The processor's name decides, not a timing: on some processors the difference is so small that a timing would vary
    from run to run.
    """
    has_onednn: bool = torch.backends.mkldnn.is_available()  # type: ignore[no-untyped-call]
    if not has_onednn or not hasattr(torch.ops.mkldnn, "_linear_pointwise"):
        return False
    has_widest = torch.backends.cpu.get_cpu_capability() == "AVX512"
    return has_widest and CPUINFO.exists() and "AuthenticAMD" in CPUINFO.read_text(encoding="utf-8")


def _forward(layer: nn.Linear | Conv1D, states: Tensor) -> Tensor:
    return linear(states, layer.weight.t() if isinstance(layer, Conv1D) else layer.weight, layer.bias)


def _by_onednn(states: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    product: Tensor = torch.ops.mkldnn._linear_pointwise(states, weight, bias, "none", [], "")
    return product


def _is_float_on_cpu(values: Tensor) -> bool:
    """Whether these are plain numbers in float32; quantised weights call themselves float32, too."""
    is_plain = type(values) in (Tensor, nn.Parameter)
    return is_plain and values.dtype == torch.float32 and values.device.type == "cpu"
