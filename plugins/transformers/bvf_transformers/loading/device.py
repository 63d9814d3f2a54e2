"""The device and number format of a model, and whether this machine computes with quantised weights."""

import importlib.util
import logging
from importlib.util import find_spec
from typing import Any, NamedTuple

import torch
from transformers import PreTrainedConfig
from transformers.quantizers.auto import AutoHfQuantizer

from bvf import BvfError, ModelRequest, Share
from bvf.files import threads
from bvf_transformers.options import options_of

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


def device_of(request: ModelRequest) -> torch.device:
    """Return the device. "auto" is the best of this machine, and spreads several workers over the GPUs."""
    if options_of(request).device != "auto":
        return _device_named(options_of(request).device)
    if torch.cuda.is_available():
        several, share = torch.cuda.device_count(), request.share
        return torch.device("cuda", share.index % several) if share.workers > 1 < several else torch.device("cuda")
    return torch.device("mps" if torch.backends.mps.is_available() else "cpu")


def _device_named(name: str) -> torch.device:
    unavailable = BvfError(f'--device "{name}" is not available here', "see bvf doctor for the devices")
    try:
        device = torch.device(name)
        torch.zeros(1, device=device).tolist()
    except Exception as error:  # every kind of device raises its own error if it is missing
        raise unavailable from error
    if device.type == "cpu" and device.index:
        raise unavailable
    return device


def device_name(device: torch.device) -> str:
    """Return what distinguishes kinds of devices: the product name of a GPU, else the type."""
    return torch.cuda.get_device_name(device) if device.type == "cuda" else device.type


def dtype_of(request: ModelRequest, device: torch.device) -> Any:
    """Return torch's number format. "auto": the model's files decide."""
    if options_of(request).dtype != "auto":
        return getattr(torch, options_of(request).dtype)
    return torch.float32 if device.type == "cpu" else "auto"


def check_device_map(request: ModelRequest) -> None:
    """Refuse ``device_map`` if accelerate is not installed."""
    if options_of(request).device_map and importlib.util.find_spec("accelerate") is None:
        raise BvfError("-B device_map needs accelerate, which is not installed", "pip install 'bvf[accelerate]'")


def take_share(share: Share) -> None:
    """Set torch's number of threads to the worker's number, else to torch's default.

    It is at most one per processor.
    """
    _threads.set(share.threads)


class _Threads:
    """Sets torch's global number of threads. It remembers torch's own number for later runs that set none."""

    def __init__(self) -> None:
        self.torch_has = self.set_here = 0

    def set(self, wanted: int) -> None:
        now = torch.get_num_threads()
        if now != self.set_here:
            self.torch_has = now
        self.set_here = wanted or min(self.torch_has, threads())
        torch.set_num_threads(self.set_here)


_threads = _Threads()


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
    named = by_name.values() if isinstance(by_name, dict) else ()
    types = [each.get("_type", "") for each in named if isinstance(each, dict)]
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
