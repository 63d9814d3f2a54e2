"""Loads a backend for a request: configuration, kind, tokenizer and weights."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import transformers
from huggingface_hub.utils import logging as hub_logging
from transformers import AutoConfig, AutoTokenizer, PreTrainedConfig, PreTrainedTokenizerBase

from bvf import Backend, BvfError, ModelRequest
from bvf_transformers.kinds.causal import CausalModel
from bvf_transformers.kinds.kind import Kind, auto_class_of, kind_of
from bvf_transformers.kinds.masked import MaskedModel, PermutationModel
from bvf_transformers.kinds.seq2seq import DenoisingModel, SentinelModel
from bvf_transformers.kinds.slot import Parts, SlotModel
from bvf_transformers.loading.adapter import adapter_of, applied, check_adapter, of_base
from bvf_transformers.loading.checkpoint import check_tokenizer_files
from bvf_transformers.loading.device import (
    check_device_map,
    check_quantised,
    device_of,
    dtype_of,
    quantisation_of,
    take_share,
)
from bvf_transformers.loading.errors import explained
from bvf_transformers.loading.fit import check_filled, check_memory, no_larger_than
from bvf_transformers.loading.gguf import check_same_tokens, contents_of, forget, gguf_file, reading, split_as_named
from bvf_transformers.loading.weights import check_files, check_index, tokenizer_named_in, weight_files
from bvf_transformers.options import options_of
from bvf_transformers.tokens.gaps import DENOISING, check_family

BACKENDS: dict[Kind, type[SlotModel]] = {
    "masked": MaskedModel,
    "causal": CausalModel,
    "seq2seq": SentinelModel,
    "permutation": PermutationModel,
}


@dataclass(frozen=True)
class Choice:
    """The way to read a model: its configuration, kind and backend class."""

    config: PreTrainedConfig
    kind: Kind
    backend: type[SlotModel]


def load(request: ModelRequest, kind: Kind | None) -> Backend:
    """Load a model, read as the given kind, or as the kind in its configuration if that is None."""
    with explained(request, "model"):
        choice = choose(request, kind)
        return choice.backend(read_parts(request, choice.config, choice.kind), request)


load_any = partial(load, kind=None)
load_masked = partial(load, kind="masked")
load_causal = partial(load, kind="causal")
load_seq2seq = partial(load, kind="seq2seq")
load_permutation = partial(load, kind="permutation")


def choose(request: ModelRequest, kind: Kind | None) -> Choice:
    """Return the way to read a model, by ``kind`` or, if None, its configuration. Refuses an unreadable model."""
    config = read_config(request)
    chosen = kind or kind_of(config, request.model)
    backend = DenoisingModel if chosen == "seq2seq" and config.model_type in DENOISING else BACKENDS[chosen]
    if options_of(request).word_boundary and not backend.sees_word_ends:
        raise BvfError(
            f"--word-boundary: the backend {kind or 'transformers'} asks for no boundary",
            "leave it out: causal models can",
        )
    auto_class_of(config, chosen, request.model)
    if chosen == "seq2seq":
        check_family(config.model_type, request.model)
    return Choice(config, chosen, backend)


def read_config(request: ModelRequest) -> PreTrainedConfig:
    """Check the files of a model, and return its configuration, from a folder, the hub or a GGUF file."""
    _silence_libraries()
    adapter = adapter_of(request)
    if adapter:
        with explained(request, "adapter"):
            check_adapter(adapter)
        with of_base(adapter):
            return read_config(adapter.base)
    check_files(request)
    single = gguf_file(request)
    name, options = _source(request)
    with explained(request, "configuration"), reading(request):
        if single:
            from bvf_transformers.loading.gguf import config_of

            return config_of(single)
        config: PreTrainedConfig = AutoConfig.from_pretrained(name, **options)
    return config


def _silence_libraries() -> None:
    """Switch off progress bars and warnings of the libraries. bvf reports what matters as errors."""
    library: Any = transformers.utils.logging
    library.disable_progress_bar()
    hub: Any = hub_logging
    for logging in (library, hub):
        logging.set_verbosity_error()


def _source(request: ModelRequest) -> tuple[str, dict[str, Any]]:
    """The arguments of ``from_pretrained``: the name, and the keyword arguments."""
    options = {
        "revision": options_of(request).revision or None,
        "trust_remote_code": options_of(request).trust_remote_code,
    }
    single = gguf_file(request)
    if single:
        return str(single.parent), {**options, "gguf_file": single.name}
    return request.model, options


def read_parts(request: ModelRequest, config: PreTrainedConfig, kind: Kind) -> Parts:
    """Load the tokenizer and the model, and limit torch's threads to those in the request."""
    take_share(request.share)
    parts = Parts(read_tokenizer(request), _model(request, config, kind))
    forget(request)
    return parts


def read_tokenizer(request: ModelRequest) -> PreTrainedTokenizerBase:
    """Return the tokenizer of a model: that of an adapter, if it has one. Refuses one without a vocabulary."""
    adapter = adapter_of(request)
    if adapter and not adapter.has_tokenizer:
        return read_tokenizer(adapter.base)
    single, named = gguf_file(request), tokenizer_named_in(request)
    if single and named:
        return _tokenizer_named(named, single)
    name, options = _source(request)
    with explained(request, "tokenizer"), reading(request):
        tokenizer: PreTrainedTokenizerBase = AutoTokenizer.from_pretrained(name, **options)
        if single:
            split_as_named(tokenizer, contents_of(single), request.model)
    if tokenizer.vocab_files_names and Path(request.model).is_dir():
        check_tokenizer_files(Path(request.model), tokenizer.vocab_files_names.values())
    if not tokenizer("a", add_special_tokens=False)["input_ids"]:
        raise BvfError(
            f"{request.model}: the tokenizer has no vocabulary", "its files are empty: download or copy them again"
        )
    return tokenizer


def _tokenizer_named(request: ModelRequest, single: Path) -> PreTrainedTokenizerBase:
    """The tokenizer that stands in for that of a GGUF file, with the file's chat template. Refuses other tokens."""
    from bvf_transformers.loading.gguf import TOKENS, reader_of

    tokenizer = read_tokenizer(request)
    check_same_tokens(tokenizer, request.model, reader_of(single).texts_of(TOKENS), str(single))
    tokenizer.chat_template = contents_of(single).texts.get("tokenizer.chat_template") or tokenizer.chat_template
    return tokenizer


def _model(request: ModelRequest, config: PreTrainedConfig, kind: Kind) -> Any:
    adapter = adapter_of(request)
    if adapter:
        with of_base(adapter):
            base = _model(adapter.base, config, kind)
        with explained(request, "adapter"):
            return applied(adapter, base).eval()
    device, device_map = device_of(request), options_of(request).device_map
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
    stays_quantised = check_quantised(config, request.model, device)
    if device_map or quantisation_of(config):
        options["device_map"] = device_map or {"": device}
    auto_class = getattr(transformers, auto_class_of(config, kind, request.model))
    with explained(request, "weights"), reading(request):
        check_index(request)
        files = weight_files(request)
        if not device_map and options["dtype"] != "auto":
            check_memory(files, request.model, device, None if stays_quantised else options["dtype"])
        with no_larger_than(files, request.model):
            model, info = auto_class.from_pretrained(name, **options)
        if "device_map" not in options:
            model = model.to(device)
    check_filled(model, info, request.model, kind)
    return model.eval()
