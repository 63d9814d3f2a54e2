"""Loads a causal model (for plain text or as a chat), or describes it without loading."""

from dataclasses import replace

from bvf_transformers.kinds.causal import CausalModel
from bvf_transformers.kinds.kind import kind_of
from bvf_transformers.loading.describe import describe_chosen
from bvf_transformers.loading.errors import explained
from bvf_transformers.loading.load import read_config, read_parts, read_tokenizer
from transformers import PreTrainedConfig, PreTrainedTokenizerBase

from bvf import Backend, BvfError, ModelDescription, ModelRequest
from bvf.domain import Chat, Turn, text_of
from bvf_llama_backend.chat import ChatModel, ChatTurns, ContinuedChatModel, LlamaModel
from bvf_llama_backend.options import chat_options_of, options_of, user_of
from bvf_llama_backend.packed.loading import check_packed, described_packed, is_packed, load_packed

BACKENDS: dict[Turn | None, type[LlamaModel]] = {
    None: LlamaModel,
    "user": ChatModel,
    "assistant": ContinuedChatModel,
}
"""The class that reads a context, by whose turn of the chat it is; None: there is no chat."""


def load_llama(request: ModelRequest) -> Backend:
    """Load a model that continues a text or answers in a chat."""
    with explained(request, "model"):
        config, turn = _causal_config(request), options_of(request).turn
        if is_packed(request):
            backend, parts = load_packed(request, config)
        else:
            backend, parts = BACKENDS[turn], read_parts(request, config, "causal")
        if not issubclass(backend, ChatModel):
            return backend(parts, request)
        return backend(parts, request, chat_turns(parts.tokenizer, request), chat_of(request))


def describe_llama(request: ModelRequest) -> ModelDescription:
    """Describe a model, without loading it, that continues a text or answers in a chat."""
    with explained(request, "model"):
        config, chosen = _causal_config(request), options_of(request)
        if not chosen.turn:
            bare = _described(request, config, CausalModel)
            return replace(bare, capabilities=LlamaModel.capabilities)
        description = _described(request, config, BACKENDS[chosen.turn])
        return in_chat(description, chat_turns(read_tokenizer(request), request), request)


def in_chat(description: ModelDescription, turns: ChatTurns, request: ModelRequest) -> ModelDescription:
    """Return the description of a model with what its chats say beside the contexts."""
    chosen = chat_options_of(request)
    read_as = f"{description.read_as} on {turns.date}" if turns.reads_clock else description.read_as
    variables = {name: text_of(value) for name, value in chosen.chat_variable.items()}
    described = replace(description, read_as=read_as, system=chosen.system, user=user_of(request))
    return replace(described, chat_variables=variables, chat_date=turns.date)


def _described(request: ModelRequest, config: PreTrainedConfig, backend: type[CausalModel]) -> ModelDescription:
    description = describe_chosen(request, config, backend)
    return described_packed(request, description) if is_packed(request) else description


def chat_of(request: ModelRequest) -> Chat:
    """Return the chat into which a run puts all contexts."""
    chosen = chat_options_of(request)
    return Chat(chosen.turn or "user", user_of(request), chosen.system)


def chat_turns(tokenizer: PreTrainedTokenizerBase, request: ModelRequest) -> ChatTurns:
    """Return the chat template of a tokenizer with the choices of a request."""
    variables, thinks = chat_options_of(request).chat_variable, request.thinking is not None
    return ChatTurns(tokenizer, request.model, variables, chat_of(request), thinks=thinks)


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
