"""Quantised weights: by which method, and whether this machine can compute with them."""

import logging
from importlib.util import find_spec
from typing import Any, NamedTuple

import torch
from transformers import PreTrainedConfig
from transformers.quantizers.auto import AutoHfQuantizer

from bvf import BvfError

LIBRARIES = {
    "bitsandbytes": ("accelerate", "bitsandbytes"),
    "torchao": ("accelerate", "torchao"),
    "compressed-tensors": ("accelerate", "compressed-tensors"),
    "gptq": ("accelerate", "gptqmodel", "optimum"),
    "awq": ("accelerate", "gptqmodel"),
    "fp8": ("accelerate",),
    "mxfp4": ("accelerate",),
    "hqq": ("accelerate", "hqq"),
    "quanto": ("accelerate", "optimum-quanto"),
}
"""The packages without which weights of a method cannot be read. The library itself checks other methods."""
COMPILED = "gptqmodel"
"""A package that pip compiles, with the torch that is here."""
MODULES = {"compressed-tensors": "compressed_tensors", "optimum-quanto": "optimum"}
UNPACKED_WHEN_USED = frozenset({"compressed-tensors"})
"""Methods whose library unpacks weights before the first product."""
TALKATIVE = ("bitsandbytes", "torchao")
"""Libraries that write a line for each product."""
WAY_OUT = "name a version of the model whose weights are not quantised, or use another machine: see bvf doctor"


class Quantisation(NamedTuple):
    """How weights are quantised: the library's name of the method, and its settings in words."""

    method: str
    text: str


def quantisation_of(config: PreTrainedConfig) -> Quantisation | None:
    """Return how the weights of a model are quantised; None if they are not."""
    settings = _settings_in(config)
    if settings is None:
        return None
    bits = next((each for each in ("4", "8") if settings.get(f"load_in_{each}bit")), settings.get("bits"))
    method = str(settings.get("quant_method") or ("bitsandbytes" if bits else "an unnamed method"))
    parts = [method, f"in {bits} bits" if bits else "", *_details(settings)]
    return Quantisation(method, " ".join(filter(None, parts)))


def _settings_in(config: PreTrainedConfig) -> dict[str, Any] | None:
    for part in (config, config.get_text_config(decoder=True)):
        settings = getattr(part, "quantization_config", None)
        if settings is not None:
            return settings if isinstance(settings, dict) else dict(settings.to_dict())
    return None


def _details(settings: dict[str, Any]) -> list[str]:
    """What else says how weights are rounded: the format, and the class of a setting of torchao."""
    by_name = settings.get("quant_type")
    types = (
        [each.get("_type", "") for each in by_name.values() if isinstance(each, dict)]
        if isinstance(by_name, dict)
        else []
    )
    formats = [settings.get("format"), settings.get("bnb_4bit_quant_type") if settings.get("load_in_4bit") else None]
    return [*map(str, types), *(str(each) for each in formats if each)]


def check_quantised(config: PreTrainedConfig, model: str, device: torch.device) -> bool:
    """Refuse quantised weights that this machine cannot compute with, before they are read.

    Returns whether they stay quantised in memory. The library unpacks some where their products need another device.
    """
    quantisation, settings = quantisation_of(config), _settings_in(config)
    if quantisation is None or settings is None:
        return False
    says = f"{model}: the weights are quantised ({quantisation.text})"
    missing = [name for name in LIBRARIES.get(quantisation.method, ()) if find_spec(MODULES.get(name, name)) is None]
    if missing:
        command = ["pip install", *(["--no-build-isolation"] if COMPILED in missing else []), *missing]
        raise BvfError(f"{says}, which needs {missing[0]}, and that is not installed", " ".join(command))
    for name in TALKATIVE:
        logging.getLogger(name).setLevel(logging.ERROR)
    library: Any = AutoHfQuantizer
    try:
        if not library.supports_quant_method(settings):
            raise BvfError(f"{says}, and the transformers library here does not know how", WAY_OUT)
        quantizer = library.from_config(dict(settings), pre_quantized=True)
        quantizer.validate_environment(device_map={"": device}, weights_only=True)
    except (ImportError, RuntimeError, ValueError, TypeError, AttributeError, KeyError) as error:
        first_line = next(iter(str(error).strip().splitlines()), type(error).__name__)
        raise BvfError(f"{says}, and cannot be read here: {first_line}", WAY_OUT) from error
    is_unpacked = getattr(quantizer.quantization_config, "dequantize", False)
    return not is_unpacked and quantisation.method not in UNPACKED_WHEN_USED
