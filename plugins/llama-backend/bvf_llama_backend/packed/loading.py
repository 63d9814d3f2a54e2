"""Loads a GGUF file with its weights packed, and says how it is described. Without llama.cpp it refuses."""

from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

from bvf_transformers.kinds.slot import Parts
from bvf_transformers.loading.device import device_of, take_share
from bvf_transformers.loading.digests import weights_digest
from bvf_transformers.loading.gguf import forget, gguf_file
from bvf_transformers.loading.load import read_tokenizer
from bvf_transformers.reading.memory import free_bytes
from torch import device, get_num_threads
from transformers import PreTrainedConfig

from bvf import BvfError, ModelDescription, ModelRequest
from bvf.errors import OutOfMemoryError
from bvf_llama_backend.chat import LlamaModel
from bvf_llama_backend.options import options_of

LIBRARY = "llama_cpp"
COMMAND = "pip install 'bvf[llama-cpp]'   (pip compiles it, for some minutes)"
OPTION = "-B library=llama.cpp"


def is_packed(request: ModelRequest) -> bool:
    """Whether the weights of a model are to stay packed, so that llama.cpp computes."""
    return options_of(request).library == "llama.cpp"


def check_packed(request: ModelRequest) -> None:
    """Refuse a model, before it is loaded, that llama.cpp is asked for and cannot read, or options that it ignores."""
    chosen, file = options_of(request), gguf_file(request)
    if file is None:
        raise BvfError(f"{OPTION} goes with a GGUF file, and {request.model} is none", "leave it out")
    if find_spec(LIBRARY) is None:
        raise BvfError(f"{file}: {OPTION} needs llama-cpp-python, which is not installed", COMMAND)
    for option, value in (("--dtype", chosen.dtype != "auto"), ("-B device_map", chosen.device_map)):
        if value:
            raise BvfError(
                f"{option} goes with weights that are unpacked: {OPTION} takes them as they are", "leave it out"
            )


def load_packed(request: ModelRequest, config: PreTrainedConfig) -> tuple[type[LlamaModel], Parts]:
    """Load the tokenizer with the transformers library and the weights with llama.cpp. Returns also what reads them."""
    file = Path(request.model)
    _check_memory(file)
    from bvf_llama_backend.packed.models import PACKED
    from bvf_llama_backend.packed.weights import PackedWeights

    take_share(request.share)
    tokenizer = read_tokenizer(request)
    forget(request)
    on_cpu = device_of(request).type == "cpu"
    weights = PackedWeights(file, config, get_num_threads(), on_cpu=on_cpu)
    return PACKED[options_of(request).turn], Parts(tokenizer, weights.eval())


def _check_memory(file: Path) -> None:
    """Refuse a file that is larger than the free memory: its weights would be read from the disk for each text."""
    size, free = file.stat().st_size, free_bytes(device("cpu"))
    if free is not None and size > free:
        raise OutOfMemoryError(
            f"{file}: the packed weights need {size / 1e9:.1f} GB, and {free / 1e9:.1f} GB are free",
            "take a file of fewer bits, or a machine with more memory",
        )


def described_packed(request: ModelRequest, description: ModelDescription) -> ModelDescription:
    """Return the description of a model whose weights stay packed, from that of the same model with unpacked ones."""
    return replace(
        description,
        weights=weights_digest([Path(request.model)], "packed"),
        read_as=f"{description.read_as}, by llama.cpp from packed weights",
        libraries=(*description.libraries, "llama-cpp-python"),
        memory=Path(request.model).stat().st_size,
    )
