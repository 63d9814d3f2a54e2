"""Connects to a model on a server, or describes it."""

from dataclasses import replace
from typing import Any

from bvf_llama_backend.chat import ChatTurns, chat_template_of
from bvf_llama_backend.loading import chat_of, chat_turns, in_chat
from bvf_llama_backend.options import chat_options_of
from bvf_transformers.tokens.cutting import Cutter

from bvf import Backend, BvfError, ModelDescription, ModelRequest
from bvf.domain import Turn
from bvf.files import digest_of
from bvf_openai_backend.backend import ExactModel, ServerModel, TopChatModel, TopModel
from bvf_openai_backend.chats import ExactChatModel, ExactContinuedChatModel
from bvf_openai_backend.client import Client
from bvf_openai_backend.dialects import Continuing, Dialect
from bvf_openai_backend.options import options_of
from bvf_openai_backend.probe import probe
from bvf_openai_backend.sampling import Drawing, SampledChatModel, SampledModel, drawing_of
from bvf_openai_backend.server import Served, Server, served_model, text_at
from bvf_openai_backend.tokens import SAY_WHICH, ServerTokenizer, tokenizer_of
from bvf_openai_backend.writing import WritingChatModel, WritingModel, drawing_for

CHAT_MODELS: dict[Turn, type[ExactChatModel]] = {"user": ExactChatModel, "assistant": ExactContinuedChatModel}
"""The class that reads a context, by whose turn of a chat it is."""


def load_openai(request: ModelRequest) -> Backend:
    """Connect to a model on a server.

    Raises:
        BvfError: The server does not answer or refuses the key or model, or log p or the tokenizer is not available; or
            the model is to be asked in a chat, or to think, and cannot be.
    """
    client, served = _connected(request)
    if request.generation is not None:
        writing = drawing_for(client, served.name, request.generation)
        return _writing_class(writing)(served, client, writing)
    if client.options.estimate:
        drawing = drawing_of(client, served.name, client.options.samples)
        return _sampled_class(drawing)(served, client, drawing)
    tokenizer = tokenizer_of(request, client, served)
    dialect = probe(client, served, tokenizer).dialect
    server, turn = Server(client, dialect), chat_options_of(request).turn
    if turn is None:
        return _backend_class(dialect)(served, server, Cutter(tokenizer, served.name, reads_right=False))
    turns, thinks = _turns(request, client, dialect, tokenizer), request.thinking is not None
    cutter = Cutter(tokenizer, served.name, reads_right=False, adds_special_tokens=False)
    return CHAT_MODELS[turn](served, server, cutter, turns, chat_of(request), thinks=thinks)


def describe_openai(request: ModelRequest) -> ModelDescription:
    """Describe a model on a server by its version and its answers to a probe. Raises the errors of `load_openai`."""
    client, served = _connected(request)
    if request.generation is not None:
        writing = drawing_for(client, served.name, request.generation)
        way = f"texts of {'chat' if writing.is_chat else 'completions'}"
        return ModelDescription(
            _writing_class(writing).capabilities,
            read_as=_read_as(way, text_at(client, "/version", "version"), served),
            libraries=("httpx2",),
        )
    if client.options.estimate:
        drawing = drawing_of(client, served.name, client.options.samples)
        way = f"samples of {'chat' if drawing.is_chat else 'completions'}"
        return ModelDescription(
            _sampled_class(drawing).capabilities,
            read_as=_read_as(way, text_at(client, "/version", "version"), served),
            libraries=("httpx2",),
            samples=client.options.samples,
        )
    tokenizer = tokenizer_of(request, client, served)
    probed, turn = probe(client, served, tokenizer), chat_options_of(request).turn
    description = ModelDescription(
        (CHAT_MODELS[turn] if turn else _backend_class(probed.dialect)).capabilities,
        read_as=_read_as(probed.dialect.name, text_at(client, *probed.dialect.version_at), served),
        libraries=("transformers", "tokenizers", "httpx2"),
        probe=probed.answers,
    )
    if turn is None:
        return description
    turns = _turns(request, client, probed.dialect, tokenizer)
    template = digest_of(str(chat_template_of(tokenizer, request.model)))[:8]
    return in_chat(replace(description, read_as=f"{description.read_as}, chat template {template}"), turns, request)


def _connected(request: ModelRequest) -> tuple[Client, Served]:
    _refuse_chats(request)
    client = Client(options_of(request))
    return client, served_model(client, request.model)


def _refuse_chats(request: ModelRequest) -> None:
    """Raise `BvfError` for choices of chats and thoughts that no server can follow, before one is asked."""
    turn = chat_options_of(request).turn
    if request.thinking is not None and turn is None:
        raise BvfError(
            "--reading thought: a model on a server thinks in a chat", "add --chat-turn user, or --chat-turn assistant"
        )
    if turn is not None and (request.generation is not None or options_of(request).estimate):
        raise BvfError(
            "--chat-template and --chat-turn: a server writes texts and samples without a chat, or in its own chat",
            "leave them out, or ask for probabilities: without --reading generated and -B estimate=samples",
        )


def _turns(request: ModelRequest, client: Client, dialect: Dialect, tokenizer: Any) -> ChatTurns:
    """The chat template of the model. Refuses a server that cannot be asked in such a chat, or for thoughts."""
    if not dialect.exact:
        raise BvfError(
            f"--chat-turn: {client.host} lists the most probable tokens alone ({dialect.name}), and a chat that is "
            "written here needs log p of any token",
            "start the model on vLLM, SGLang or llama-server of llama.cpp",
        )
    if request.thinking is not None and not isinstance(dialect, Continuing):
        raise BvfError(
            f"--reading thought: {client.host} ({dialect.name}) is not asked for thoughts",
            "start the model on vLLM or llama-server of llama.cpp",
        )
    if isinstance(tokenizer, ServerTokenizer):
        raise BvfError(f"{client.host} does not say the chat template of {request.model}", SAY_WHICH)
    return chat_turns(tokenizer, request)


def _backend_class(dialect: Dialect) -> type[ServerModel]:
    if dialect.exact:
        return ExactModel
    return TopChatModel if dialect.is_chat else TopModel


def _sampled_class(drawing: Drawing) -> type[SampledModel]:
    return SampledChatModel if drawing.is_chat else SampledModel


def _writing_class(drawing: Drawing) -> type[WritingModel]:
    return WritingChatModel if drawing.is_chat else WritingModel


def _read_as(way: str, version: str, served: Served) -> str:
    """A text on how the model is read. A run records the text, and is resumed only with the same text."""
    return " ".join(filter(None, (way, version, f"of {served.root}" if served.root else "")))
