"""From a request to a backend: configuration, kind, tokenizer, weights."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import transformers
from huggingface_hub.utils import logging as hub_logging
from transformers import AutoConfig, AutoTokenizer, PreTrainedConfig, PreTrainedTokenizerBase

from bvf.errors import BvfError
from bvf.interfaces.backend import Backend, ModelRequest
from bvf_transformers.kinds.causal import CausalModel
from bvf_transformers.kinds.masked import MaskedModel
from bvf_transformers.kinds.parts import Parts
from bvf_transformers.kinds.permutation import PermutationModel
from bvf_transformers.kinds.seq2seq import DenoisingModel, SentinelModel
from bvf_transformers.kinds.slot import SlotModel
from bvf_transformers.loading.checkpoint import check_tokenizer_files
from bvf_transformers.loading.device import check_device_map, device_of, dtype_of, take_share
from bvf_transformers.loading.explaining import explained
from bvf_transformers.loading.filled import check_filled
from bvf_transformers.loading.gguf import config_in_gguf, forget, gguf_file, reading
from bvf_transformers.loading.kind import REMOTE_CAUSAL, Kind, kind_of
from bvf_transformers.loading.limits import no_larger_than
from bvf_transformers.loading.memory import check_memory
from bvf_transformers.loading.weights import check_files, check_index, weight_files
from bvf_transformers.options import options_of

AUTO_CLASSES: dict[Kind, str] = {
    "masked": "AutoModelForMaskedLM",
    "causal": "AutoModelForCausalLM",
    "seq2seq": "AutoModelForSeq2SeqLM",
    "permutation": "AutoModelForCausalLM",
}
DENOISING = frozenset({"bart", "mbart", "mvp", "plbart", "led"})


@dataclass(frozen=True)
class Choice:
    """How a model will be read, as its configuration says."""

    config: PreTrainedConfig
    kind: Kind
    backend: type[SlotModel]


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
    single = gguf_file(request)
    name, options = _source(request)
    with explained(request, "configuration"), reading(request):
        if single:
            return config_in_gguf(single)
        config: PreTrainedConfig = AutoConfig.from_pretrained(name, **options)
    return config


def choose(request: ModelRequest, kind: Kind | None) -> Choice:
    """Return how a model will be read, as a kind or, for None, as its configuration says.

    Raises:
        BvfError: There is no such model, its files are damaged or refused, or it cannot be read as is asked.
    """
    config = read_config(request)
    chosen_kind = kind or kind_of(config, request.model)
    backend = _backend_class(chosen_kind, config)
    check_boundary(request, backend, kind or "transformers")
    _check_class(request, config, chosen_kind)
    return Choice(config, chosen_kind, backend)


def read_tokenizer(request: ModelRequest) -> PreTrainedTokenizerBase:
    """Return the tokenizer of a model.

    Raises:
        BvfError: It is missing, damaged or refused, or cannot write anything.
    """
    name, options = _source(request)
    with explained(request, "tokenizer"), reading(request):
        tokenizer = AutoTokenizer.from_pretrained(name, **options)
    return tokenizer_checked(tokenizer, request)


def read_parts(request: ModelRequest, config: PreTrainedConfig, kind: Kind) -> Parts:
    """Return tokenizer and model of a configuration, with the share of the machine that is the request's.

    Raises:
        BvfError: A part is missing, damaged or refused; or the weights lack what a model of this kind needs.
    """
    take_share(request.share)
    parts = Parts(config, read_tokenizer(request), _model(request, config, kind))
    forget(request)
    return parts


def _load(request: ModelRequest, kind: Kind | None) -> Backend:
    with explained(request, "model"):
        choice = choose(request, kind)
        return choice.backend(read_parts(request, choice.config, choice.kind), request)


def check_boundary(request: ModelRequest, backend: type[SlotModel], name: str) -> None:
    """Check that a model can be asked for whole words, where that is wished.

    Raises:
        BvfError: It cannot.
    """
    if options_of(request).word_boundary and not backend.sees_word_ends:
        raise BvfError(f"--word-boundary: the backend {name} asks for no boundary", "leave it out: causal models can")


def _source(request: ModelRequest) -> tuple[str, dict[str, Any]]:
    """The arguments of ``from_pretrained``: a name, and where and how to read."""
    options = {
        "revision": options_of(request).revision or None,
        "trust_remote_code": options_of(request).trust_remote_code,
    }
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
    device = device_of(request)
    name, source = _source(request)
    options: dict[str, Any] = {
        **source,
        "config": config,
        "dtype": dtype_of(request, device),
        "use_safetensors": not options_of(request).allow_pickle or None,
        "output_loading_info": True,
        "ignore_mismatched_sizes": True,
    }
    check_device_map(request)
    if options_of(request).device_map:
        options["device_map"] = options_of(request).device_map
    auto_class = getattr(transformers, _auto_class(config, kind))
    with explained(request, "weights"), reading(request):
        check_index(request)
        if not options_of(request).device_map and options["dtype"] != "auto":
            check_memory(request, device, options["dtype"])
        with no_larger_than(weight_files(request), request.model):
            model, info = auto_class.from_pretrained(name, **options)
        if not options_of(request).device_map:
            model = model.to(device)
    check_filled(model, info, request.model, kind)
    return model.eval()


def _quieten() -> None:
    """Switch off the library's progress bars and remarks: what matters is raised."""
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


def _check_class(request: ModelRequest, config: PreTrainedConfig, kind: Kind) -> None:
    name = _auto_class(config, kind)
    known: Any = getattr(transformers, name)
    if type(config) not in known._model_mapping and name not in (getattr(config, "auto_map", None) or {}):
        raise BvfError(f"{request.model}: this model cannot be read that way", "leave --backend out, and it is found")


def _backend_class(kind: Kind, config: PreTrainedConfig) -> type[SlotModel]:
    if kind == "seq2seq":
        return DenoisingModel if config.model_type in DENOISING else SentinelModel
    classes: dict[Kind, type[SlotModel]] = {
        "masked": MaskedModel,
        "causal": CausalModel,
        "permutation": PermutationModel,
    }
    return classes[kind]
