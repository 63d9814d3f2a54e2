"""From a request to a backend: configuration, kind, tokenizer, weights."""

import importlib.util
from pathlib import Path
from typing import Any

import torch
import transformers
from huggingface_hub.utils import logging as hub_logging
from transformers import AutoConfig, AutoTokenizer, PreTrainedConfig, PreTrainedTokenizerBase

from bvf.errors import BvfError
from bvf.interfaces.backend import Backend, ModelRequest, check_wishes
from bvf_transformers.kinds.causal import CausalModel
from bvf_transformers.kinds.masked import MaskedModel
from bvf_transformers.kinds.parts import Parts
from bvf_transformers.kinds.permutation import PermutationModel
from bvf_transformers.kinds.seq2seq import DenoisingModel, SentinelModel
from bvf_transformers.kinds.slot import SlotModel
from bvf_transformers.loading.checkpoint import check_tokenizer_files
from bvf_transformers.loading.explaining import explained
from bvf_transformers.loading.filled import check_filled
from bvf_transformers.loading.gguf import gguf_file, unpacking_unseen
from bvf_transformers.loading.kind import REMOTE_CAUSAL, Kind, kind_of
from bvf_transformers.loading.limits import no_larger_than
from bvf_transformers.loading.memory import check_memory
from bvf_transformers.loading.weights import check_files, check_index, settings_of, weight_files

AUTO_CLASSES: dict[Kind, str] = {
    "masked": "AutoModelForMaskedLM",
    "causal": "AutoModelForCausalLM",
    "seq2seq": "AutoModelForSeq2SeqLM",
    "permutation": "AutoModelForCausalLM",
}
DTYPES = ("float32", "bfloat16", "float16")
DENOISING = frozenset({"bart", "mbart", "mvp", "plbart", "led"})


def load_any(request: ModelRequest) -> Backend:
    """Load a model of the kind that its configuration says."""
    return _load(request, None)


def load_masked(request: ModelRequest) -> Backend:
    """Load a model that fills masks."""
    return _load(request, "masked")


def load_causal(request: ModelRequest) -> Backend:
    """Load a model that continues a text."""
    return _load(request, "causal")


def load_seq2seq(request: ModelRequest) -> Backend:
    """Load a model with an encoder and a decoder."""
    return _load(request, "seq2seq")


def load_permutation(request: ModelRequest) -> Backend:
    """Load a model that predicts positions by target mapping."""
    return _load(request, "permutation")


def read_config(request: ModelRequest) -> PreTrainedConfig:
    """Return the configuration of a model: of a folder, a hub id or a GGUF file.

    Raises:
        BvfError: There is no such model, or its files are damaged or refused.
    """
    _quieten()
    check_files(request)
    name, options = _source(request)
    with explained(request, "configuration"):
        config: PreTrainedConfig = AutoConfig.from_pretrained(name, **options)
    return config


def read_parts(request: ModelRequest, config: PreTrainedConfig, kind: Kind) -> Parts:
    """Return tokenizer and model of a configuration.

    Raises:
        BvfError: A part is missing, damaged or refused; or the weights lack what a model of this kind needs.
    """
    name, options = _source(request)
    with explained(request, "tokenizer"):
        tokenizer = AutoTokenizer.from_pretrained(name, **options)
    model = _model(request, config, kind)
    return Parts(config, tokenizer_checked(tokenizer, request), model, weight_files(request), settings_of(request))


def _load(request: ModelRequest, kind: Kind | None) -> Backend:
    with explained(request, "model"):
        config = read_config(request)
        found = kind or kind_of(config, request.model)
        backend_class = _backend_class(found, config)
        check_wishes(request, backend_class, kind or "transformers")
        return backend_class(read_parts(request, config, found), request)


def _source(request: ModelRequest) -> tuple[str, dict[str, Any]]:
    """What ``from_pretrained`` is called with: a name, and where and how to read."""
    options = {"revision": request.revision or None, "trust_remote_code": request.trust_remote_code}
    single = gguf_file(request)
    if single:
        return str(single.parent), {**options, "gguf_file": single.name}
    return request.model, options


def tokenizer_checked(tokenizer: PreTrainedTokenizerBase, request: ModelRequest) -> PreTrainedTokenizerBase:
    """Return the tokenizer if it can write anything at all.

    Raises:
        BvfError: It was made without its files, or is empty.
    """
    if tokenizer.vocab_files_names and Path(request.model).is_dir():
        check_tokenizer_files(Path(request.model), tokenizer.vocab_files_names.values())
    if not tokenizer("a", add_special_tokens=False)["input_ids"]:
        raise BvfError(
            f"{request.model}: the tokenizer has no vocabulary", "its files are empty: download or copy them again"
        )
    return tokenizer


def _model(request: ModelRequest, config: PreTrainedConfig, kind: Kind) -> Any:
    device = _device(request)
    name, source = _source(request)
    options: dict[str, Any] = {
        **source,
        "config": config,
        "dtype": _dtype(request, device),
        "use_safetensors": not request.allow_pickle or None,
        "output_loading_info": True,
        "ignore_mismatched_sizes": True,
    }
    if request.device_map:
        if importlib.util.find_spec("accelerate") is None:
            raise BvfError("--device-map needs accelerate, which is not installed", "pip install 'bvf[accelerate]'")
        options["device_map"] = request.device_map
    auto_class = getattr(transformers, _auto_class(config, kind))
    with explained(request, "weights"), unpacking_unseen(request):
        check_index(request)
        if not request.device_map and options["dtype"] != "auto":
            check_memory(request, device, options["dtype"])
        with no_larger_than(weight_files(request), request.model):
            model, info = auto_class.from_pretrained(name, **options)
        if not request.device_map:
            model = model.to(device)
    check_filled(model, info, request.model, kind)
    return model.eval()


def _quieten() -> None:
    """No bars and no remarks of the library: what matters is raised."""
    library: Any = transformers.utils.logging
    library.disable_progress_bar()
    hub: Any = hub_logging
    for logging in (library, hub):
        logging.set_verbosity_error()


def _auto_class(config: PreTrainedConfig, kind: Kind) -> str:
    """The class to load with; remote code may offer itself under another one only."""
    offered = getattr(config, "auto_map", None) or {}
    wanted = AUTO_CLASSES[kind]
    if config.model_type in REMOTE_CAUSAL and wanted not in offered:
        return next((name for name in ("AutoModelForSeq2SeqLM", "AutoModel") if name in offered), wanted)
    return wanted


def _backend_class(kind: Kind, config: PreTrainedConfig) -> type[SlotModel]:
    if kind == "seq2seq":
        return DenoisingModel if config.model_type in DENOISING else SentinelModel
    classes: dict[Kind, type[SlotModel]] = {
        "masked": MaskedModel,
        "causal": CausalModel,
        "permutation": PermutationModel,
    }
    return classes[kind]


def _device(request: ModelRequest) -> torch.device:
    if request.device != "auto":
        not_there = BvfError(f'--device "{request.device}" is not to be had here', "see bvf doctor for the devices")
        try:
            device = torch.device(request.device)
            torch.zeros(1, device=device).tolist()
        except Exception as error:  # every kind of device says in its own way that it is not there
            raise not_there from error
        if device.type == "cpu" and device.index:
            raise not_there
        return device
    if torch.cuda.is_available():
        return torch.device("cuda")
    return torch.device("mps" if torch.backends.mps.is_available() else "cpu")


def _dtype(request: ModelRequest, device: torch.device) -> Any:
    if request.dtype != "auto":
        if request.dtype not in DTYPES:
            raise BvfError(f'there is no number format "{request.dtype}"', f"formats are auto, {', '.join(DTYPES)}")
        return getattr(torch, request.dtype)
    return torch.float32 if device.type == "cpu" else "auto"
