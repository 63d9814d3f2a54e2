"""Describes a model without loading it, and caches the description.

Describing a model needs torch and transformers, which take seconds to import. So descriptions are kept in the user's
cache, and a finished run is shown without either library. A description is filed under a digest of all that it depends
on: the model's files, the options, the versions of the libraries, this plugin's code, and which accelerators there are.
So no kept description can be out of date. Modules that import torch are imported inside functions here.
"""

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import TypeAdapter

from bvf import BvfError, ModelDescription, ModelRequest
from bvf_transformers.learned import models_in_cache, name_in_cache
from bvf_transformers.loading.checkpoint import ADAPTER, settings_digest, weights_in
from bvf_transformers.loading.digests import number_format, parameters_in, sha256_of, weights_digest
from bvf_transformers.loading.gguf import contents_of, gguf_file
from bvf_transformers.options import options_of

if TYPE_CHECKING:
    from transformers import PreTrainedConfig

    from bvf_transformers.kinds.kind import Kind
    from bvf_transformers.kinds.slot import SlotModel

ACCELERATORS = ("/dev/nvidiactl", "/dev/kfd", "/dev/dxg")
VISIBLE = ("CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES")


def describe(request: ModelRequest, kind: "Kind | None") -> ModelDescription:
    """Describe a model, read as the given kind, or as the kind in its configuration if that is None."""

    def find_out() -> ModelDescription:
        from bvf_transformers.loading.load import choose, explained

        with explained(request, "model"):
            config, _, backend = choose(request, kind)
            return describe_chosen(request, config, backend)

    return remembered(request, kind or "any", find_out)


describe_any = partial(describe, kind=None)
describe_masked = partial(describe, kind="masked")
describe_causal = partial(describe, kind="causal")
describe_seq2seq = partial(describe, kind="seq2seq")
describe_permutation = partial(describe, kind="permutation")


def describe_chosen(request: ModelRequest, config: "PreTrainedConfig", backend: "type[SlotModel]") -> ModelDescription:
    """Describe a model that the given backend class will read. It may fetch files from the hub, but loads no model."""
    from bvf_transformers.loading.adapter import adapter_of, described_with, of_base
    from bvf_transformers.loading.device import check_device_map, check_quantised, device_of, dtype_of, quantisation_of
    from bvf_transformers.loading.fit import memory_of
    from bvf_transformers.loading.load import explained, read_tokenizer
    from bvf_transformers.loading.weights import fetch_weights, settings_of, tokenizer_named_in, weight_files

    adapter = adapter_of(request)
    if adapter:
        with of_base(adapter):
            return described_with(adapter, describe_chosen(adapter.base, config, backend))
    chosen = options_of(request)
    device = device_of(request)
    wanted_format = dtype_of(request, device)
    check_device_map(request)
    quantisation = quantisation_of(config)
    as_in_files = check_quantised(config, request.model, device) or wanted_format == "auto"
    if tokenizer_named_in(request):
        read_tokenizer(request)
    with explained(request, "weights"):
        fetch_weights(request)
        files = weight_files(request)
        weights = weights_digest(files, number_format(wanted_format, config, files))
        runs_own_code = chosen.trust_remote_code and bool(getattr(config, "auto_map", None))
        return ModelDescription(
            backend.capabilities,
            weights,
            settings_of(request),
            None if quantisation else parameters_in(files),
            read_as=backend.__name__
            + (", by code that comes with it" if runs_own_code else "")
            + (f", weights quantised by {quantisation.text}" if quantisation else ""),
            revision=chosen.revision,
            word_boundary=chosen.word_boundary,
            start="" if backend.capabilities.reads_right else chosen.start,
            longer_words=request.longer_words if backend.goes_on else None,
            rounds={"dtype": "float32"} if chosen.dtype in ("bfloat16", "float16") else {},
            libraries=("torch", "transformers", "tokenizers"),
            name=contents_of(gguf).name if (gguf := gguf_file(request)) else "",
            memory=None if chosen.device_map else memory_of(files, None if as_in_files else wanted_format),
            in_main_memory=device.type in ("cpu", "mps"),
        )


def remembered(request: ModelRequest, kind: str, find_out: Callable[[], ModelDescription]) -> ModelDescription:
    """Return the description of a model. It is from the cache if it is there, else from ``find_out``.

    The cache saves the import of torch: if torch is already imported, the cache is neither read nor written.
    """
    if "torch" in sys.modules or options_of(request).no_cache:
        return find_out()
    file = _file_of_description(request, kind)
    if not file:
        return find_out()
    folder = models_in_cache()
    with suppress(BvfError, ValueError):
        return TypeAdapter(ModelDescription).validate_json(folder.read_bytes(file) or b"")
    description = find_out()
    with suppress(BvfError, OSError):
        folder.write(file, TypeAdapter(ModelDescription).dump_json(description))
    return description


def _file_of_description(request: ModelRequest, kind: str) -> str:
    """Name of the cached description; empty if the model is no readable file or folder, or has files elsewhere."""
    folder, options, single = Path(request.model), options_of(request), gguf_file(request)
    try:
        if options.tokenizer or not (single or folder.is_dir()) or (folder / ADAPTER).is_file():
            return ""
        files = [single] if single else weights_in(folder, allow_pickle=options.allow_pickle)
        weights = [sha256_of(file).hex() for file in files]
        settings = "" if single else settings_digest(folder)
    except (BvfError, OSError):
        return ""
    devices = [sys.platform, *map(os.path.exists, ACCELERATORS), *map(os.environ.get, VISIBLE)]
    return name_in_cache(kind, settings, weights, options.model_dump(mode="json"), request.longer_words, devices)
