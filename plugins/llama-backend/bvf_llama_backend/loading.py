"""From a request to a causal model, bare or as a chat, and what is known of it before it is loaded."""

from dataclasses import replace

from bvf_transformers.kinds.causal import CausalModel
from bvf_transformers.loading.describe import describe_chosen
from bvf_transformers.loading.errors import explained
from bvf_transformers.loading.kind import kind_of
from bvf_transformers.loading.load import read_config, read_parts, read_tokenizer
from transformers import PreTrainedConfig

from bvf.errors import BvfError
from bvf.interfaces.backend import Backend, ModelDescription, ModelRequest
from bvf_llama_backend.chat import ChatModel, ChatTurns, ContinuedChatModel, chat_template_of
from bvf_llama_backend.options import Turn, options_of, user_of

NAME = "llama"
KINDS: dict[Turn | None, type[CausalModel]] = {None: CausalModel, "user": ChatModel, "assistant": ContinuedChatModel}
"""What reads a context, by whose turn of a chat it is."""


def load_llama(request: ModelRequest) -> Backend:
    """Load a model that continues a text or answers in a chat.

    Raises:
        BvfError: It is of another kind, its files are damaged or refused, or it has no chat template and is asked for
            it.
    """
    with explained(request, "model"):
        parts = read_parts(request, _causal_config(request), "causal")
        made = _backend_class(request)
        if not issubclass(made, ChatModel):
            return made(parts, request)
        turns = ChatTurns(parts.tokenizer, request.model, options_of(request).system, user_of(request))
        return made(parts, request, turns)


def describe_llama(request: ModelRequest) -> ModelDescription:
    """Describe such a model.

    Raises:
        BvfError: As `load_llama`, as far as it is known without the weights.
    """
    with explained(request, "model"):
        config = _causal_config(request)
        if options_of(request).turn:
            chat_template_of(read_tokenizer(request), request.model)
        description = describe_chosen(request, config, _backend_class(request))
        return replace(description, system=options_of(request).system, user=user_of(request))


def _backend_class(request: ModelRequest) -> type[CausalModel]:
    return KINDS[options_of(request).turn]


def _causal_config(request: ModelRequest) -> PreTrainedConfig:
    """The configuration of a model, checked to be causal."""
    config, chosen = read_config(request), options_of(request)
    kind = kind_of(config, request.model)
    if kind != "causal":
        raise BvfError(
            f"{request.model}: a model of type {config.model_type} is {kind}, and --backend {NAME} reads causal models",
            "--backend transformers reads it" + (", without --chat-template" if chosen.turn else ""),
        )
    return config
