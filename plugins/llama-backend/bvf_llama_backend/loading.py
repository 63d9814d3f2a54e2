"""Loads a causal model (for plain text or as a chat, also with packed weights), or describes it without loading."""

from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

from bvf_transformers.kinds.causal import CausalModel
from bvf_transformers.kinds.kind import kind_of
from bvf_transformers.kinds.slot import Parts
from bvf_transformers.loading.describe import describe_chosen
from bvf_transformers.loading.device import device_of, take_share
from bvf_transformers.loading.digests import weights_digest
from bvf_transformers.loading.gguf import forget, gguf_file
from bvf_transformers.loading.load import explained, read_config, read_parts, read_tokenizer
from bvf_transformers.reading.memory import free_bytes
from torch import device, get_num_threads
from transformers import PreTrainedConfig

from bvf import Backend, BvfError, ModelDescription, ModelRequest
from bvf.domain import Turn, text_of
from bvf.errors import OutOfMemoryError
from bvf_llama_backend.chat import ChatModel, ChatTurns, ContinuedChatModel, LlamaModel, chat_turns
from bvf_llama_backend.options import chat_options_of, options_of, user_of

LIBRARY = "llama_cpp"
COMMAND = "pip install 'bvf[llama-cpp]'   (pip compiles it, for some minutes)"
OPTION = "-B library=llama.cpp"
BACKENDS: dict[Turn | None, type[LlamaModel]] = {None: LlamaModel, "user": ChatModel, "assistant": ContinuedChatModel}
"""The class that reads a context, by whose turn of the chat it is; None: there is no chat."""


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


def load_llama(request: ModelRequest) -> Backend:
    """Load a model that continues a text or answers in a chat."""
    with explained(request, "model"):
        config, turn = _causal_config(request), options_of(request).turn
        if is_packed(request):
            backend, parts = load_packed(request, config)
        else:
            backend, parts = BACKENDS[turn], read_parts(request, config, "causal")
        return backend(parts, request)


def describe_llama(request: ModelRequest) -> ModelDescription:
    """Describe a model, without loading it, that continues a text or answers in a chat."""
    with explained(request, "model"):
        config, chosen = _causal_config(request), options_of(request)
        if not chosen.turn:
            return replace(_described(request, config, CausalModel), capabilities=LlamaModel.capabilities)
        description = _described(request, config, BACKENDS[chosen.turn])
        described = in_chat(description, chat_turns(read_tokenizer(request), request), request)
        if request.in_chats and chosen.named_template and not (chosen.chat_turn or chosen.system):
            return replace(described, start=description.start, capabilities=LlamaModel.capabilities)
        return described


def in_chat(description: ModelDescription, turns: ChatTurns, request: ModelRequest) -> ModelDescription:
    """Return the description of a model with what its chats say beside the contexts."""
    chosen = chat_options_of(request)
    read_as = f"{description.read_as} on {turns.date}" if turns.reads_clock else description.read_as
    read_as += turns.remark(writes=request.generation is not None, thinks=request.thinking is not None)
    if named := chosen.named_template:
        read_as += f", chat template {Path(named).name} {turns.digest}"
    variables = {name: text_of(value) for name, value in chosen.chat_variable.items()}
    described = replace(description, read_as=read_as, system=chosen.system, user=user_of(request), start="")
    return replace(described, chat_variables=variables, chat_date=turns.date)


def _described(request: ModelRequest, config: PreTrainedConfig, backend: type[CausalModel]) -> ModelDescription:
    description = describe_chosen(request, config, backend)
    return described_packed(request, description) if is_packed(request) else description


def _causal_config(request: ModelRequest) -> PreTrainedConfig:
    """The configuration of a model. Refuses a model that is not causal."""
    if is_packed(request):
        check_packed(request)
    config, chosen = read_config(request), options_of(request)
    kind = kind_of(config, request.model)
    if kind != "causal":
        raise BvfError(
            f"{request.model}: a model of type {config.model_type} is {kind}, and --backend llama reads causal models",
            "--backend transformers reads it" + (", without --chat-template" if chosen.turn else ""),
        )
    return config
