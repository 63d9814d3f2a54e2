"""Loads a backend for a request: configuration, kind, tokenizer and weights. Errors of libraries become one line."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import transformers
from huggingface_hub import constants
from huggingface_hub.errors import GatedRepoError, RepositoryNotFoundError, RevisionNotFoundError
from huggingface_hub.utils import logging as hub_logging
from transformers import AutoConfig, AutoTokenizer, PreTrainedConfig, PreTrainedTokenizerBase

from bvf import Backend, BvfError, ModelRequest
from bvf_transformers.kinds.causal import CausalModel
from bvf_transformers.kinds.kind import Kind, auto_class_of, check_task, kind_of
from bvf_transformers.kinds.masked import MaskedModel, PermutationModel
from bvf_transformers.kinds.seq2seq import DenoisingModel, SentinelModel
from bvf_transformers.kinds.slot import Parts, SlotModel
from bvf_transformers.learned import Memory, name_in_cache
from bvf_transformers.loading.adapter import adapter_of, applied, check_adapter, of_base
from bvf_transformers.loading.checkpoint import (
    CONFIG,
    PICKLE_HINT,
    check_growth,
    check_tokenizer_files,
    has_tokenizer_files,
)
from bvf_transformers.loading.checks import check_files
from bvf_transformers.loading.device import (
    check_device_map,
    check_quantised,
    device_name,
    device_of,
    dtype_of,
    quantisation_of,
    take_share,
)
from bvf_transformers.loading.digests import weights_digest
from bvf_transformers.loading.fit import check_filled, check_memory, no_larger_than
from bvf_transformers.loading.gguf import contents_of, forget, gguf_file, reading
from bvf_transformers.loading.splitting import check_same_tokens, split_as_named
from bvf_transformers.loading.weights import (
    NONE_IF_OFFLINE,
    check_index,
    fetch,
    folder_of,
    settings_of,
    tokenizer_named_in,
    weight_files,
)
from bvf_transformers.options import options_of
from bvf_transformers.reading.memory import is_out_of_memory, out_of_memory
from bvf_transformers.reading.readout import stays_quantised
from bvf_transformers.tokens.gaps import DENOISING, check_family

READERS = ("sentencepiece", "protobuf", "tiktoken")
"""Names that the library's error has if it cannot read a sentencepiece file; it tries tiktoken last."""
SENTENCEPIECE = ("sentencepiece", "google")
"""Modules that are all needed to read such a file; google is that of protobuf."""
UNREACHABLE = ("couldn't connect", "not a local folder", "cannot find", "connection", "not find", "offline")
UNKNOWN_TYPE = re.compile(r"model type `(.*)` but Transformers does not recognize")
LONGEST = 300
BACKENDS: dict[Kind, type[SlotModel]] = {
    "masked": MaskedModel,
    "causal": CausalModel,
    "seq2seq": SentinelModel,
    "permutation": PermutationModel,
}


@contextmanager
def explained(request: ModelRequest, part: str) -> Iterator[None]:
    """Turn any library error in the block into a one-line `BvfError`. The block loads ``part`` of a model."""
    try:
        yield
    except BvfError:
        raise
    except Exception as error:
        folder = None if gguf_file(request) else folder_of(request)
        is_here = bool(gguf_file(request) or (folder and (part != "weights" or weight_files(request))))
        raise _explanation(request, part, error, is_here=is_here) from error


def _explanation(request: ModelRequest, part: str, error: Exception, *, is_here: bool) -> BvfError:
    text = str(error)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    first_line = " ".join(lines[: 2 if lines and lines[0].endswith(":") else 1])[:LONGEST] or type(error).__name__
    if is_out_of_memory(error):
        return out_of_memory(f"{request.model}: the {part} cannot be loaded: {first_line}")
    if "trust_remote_code" in text:
        return BvfError(
            f"{request.model}: this model comes with code of its own",
            "use --trust-remote-code if you trust its authors",
        )
    if unknown := UNKNOWN_TYPE.search(text):
        return BvfError(
            f"{request.model}: the transformers library here ({version('transformers')}) knows no model of type "
            f'"{unknown[1]}"',
            "update it, or name another model: pip install -U transformers",
        )
    if "Should have a `model_type` key" in text:
        return BvfError(f"{request.model}: {CONFIG} has no model_type", "say which type of model it is, such as llama")
    if "GGUF model with architecture" in text:
        return BvfError(
            f"{request.model}: {first_line}", "llama, mistral, qwen2 and qwen3 are; or give the folder it was made from"
        )
    if part == "tokenizer":
        if Path(request.model).is_dir():
            check_tokenizer_files(Path(request.model))
        if any(name in text for name in READERS) and any(find_spec(name) is None for name in SENTENCEPIECE):
            return BvfError(
                f"{request.model}: the tokenizer is a sentencepiece file, and what reads it is not installed",
                "pip install 'bvf[sentencepiece]'",
            )
    explanation = None if is_here else _hub_explanation(request, error)
    return explanation or BvfError(f"{request.model}: the {part} cannot be loaded: {first_line}", "--debug shows more")


def _hub_explanation(request: ModelRequest, error: Exception) -> BvfError | None:
    """The error that says why a model cannot be fetched from the hub; None if no known cause fits."""
    text = str(error)
    reasons, cause = list[type[BaseException]]([type(error)]), error.__cause__
    while cause is not None:
        reasons.append(type(cause))
        cause = cause.__cause__
    if constants.is_offline_mode():
        return BvfError(
            f"{request.model}: not in the cache, and HF_HUB_OFFLINE is set", "give a folder, or go online once"
        )
    if GatedRepoError in reasons:
        return BvfError(
            f"{request.model}: its authors ask you to accept their licence first",
            f"accept it at {constants.ENDPOINT}/{request.model}, then log in: hf auth login",
        )
    if RevisionNotFoundError in reasons:
        return BvfError(
            f'{request.model}: there is no revision "{options_of(request).revision}" on the hub',
            "--revision takes a branch, a tag or a commit",
        )
    if RepositoryNotFoundError in reasons:
        return BvfError(
            f"{request.model}: not a folder here, and there is no such model on the hub, or it is private",
            "check the name; a private model needs hf auth login",
        )
    if "cannot be loaded with `safetensors`" in text:
        return BvfError(
            f"{request.model}: no safetensors on the hub, and pickled weights can run any code", PICKLE_HINT
        )
    if any(sign in text.lower() for sign in UNREACHABLE):
        return BvfError(
            f"{request.model}: not a folder here, and it cannot be fetched from the hub",
            "check the name and the network, or give a folder",
        )
    return None


def load(request: ModelRequest, kind: Kind | None) -> Backend:
    """Load a model, read as the given kind, or as the kind in its configuration if that is None."""
    with explained(request, "model"):
        config, chosen, backend = choose(request, kind)
        return backend(read_parts(request, config, chosen), request)


load_any = partial(load, kind=None)
load_masked = partial(load, kind="masked")
load_causal = partial(load, kind="causal")
load_seq2seq = partial(load, kind="seq2seq")
load_permutation = partial(load, kind="permutation")


def choose(request: ModelRequest, kind: Kind | None) -> tuple[PreTrainedConfig, Kind, type[SlotModel]]:
    """Return the configuration, kind and backend class of a model. Refuses an unreadable model.

    The kind is ``kind`` or, if that is None, the one in the configuration.
    """
    config = read_config(request)
    check_task(config, request.model)
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
    return config, chosen, backend


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
            from bvf_transformers.loading.gguf_reader import config_of

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
    chosen, single = options_of(request), gguf_file(request)
    options = {"revision": chosen.revision or None, "trust_remote_code": chosen.trust_remote_code}
    if single:
        return str(single.parent), {**options, "gguf_file": single.name}
    return request.model, options


def read_parts(request: ModelRequest, config: PreTrainedConfig, kind: Kind) -> Parts:
    """Load the tokenizer and the model, and limit torch's threads to those in the request."""
    take_share(request.share)
    model = _model(request, config, kind)
    parts = Parts(read_tokenizer(request), model, _memory(request, model))
    forget(request)
    return parts


def _memory(request: ModelRequest, model: Any) -> Memory:
    """The memory of a model on its device. There is none of an adapter, quantised weights, or unknown files."""
    options, files = options_of(request), weight_files(request)
    if options.no_cache or adapter_of(request) or not files or stays_quantised(model):
        return Memory()
    weights = weights_digest(files, str(model.dtype))
    return Memory(
        name_in_cache(
            "learned", device_name(model.device), weights, settings_of(request), options.model_dump(mode="json")
        )
    )


def read_tokenizer(request: ModelRequest) -> PreTrainedTokenizerBase:
    """Return the tokenizer of a model: that of an adapter, if it has one. Refuses one without a vocabulary."""
    adapter = adapter_of(request)
    if adapter and not has_tokenizer_files(adapter.folder):
        return read_tokenizer(adapter.base)
    single, named = gguf_file(request), tokenizer_named_in(request)
    if single and named:
        return _tokenizer_named(named, single)
    name, options = _source(request)
    with explained(request, "tokenizer"), reading(request):
        if not single:
            fetch(request, "tokenizer.json", NONE_IF_OFFLINE)
            check_growth(folder_of(request) or Path(name))
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
    from bvf_transformers.loading.gguf_reader import TOKENS, reader_of

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
        if single := gguf_file(request):
            from bvf_transformers.loading.gguf_reader import check_whole

            check_whole(model, single)
        if "device_map" not in options:
            model = model.to(device)
    check_filled(model, info, request.model, kind)
    return model.eval()
