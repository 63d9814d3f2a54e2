"""Connects to a model on a server, or describes it."""

from bvf_transformers.tokens.cutting import Cutter

from bvf.interfaces.backend import Backend, ModelDescription, ModelRequest
from bvf_openai_backend.backend import ExactModel, ServerModel, TopChatModel, TopModel
from bvf_openai_backend.client import Client
from bvf_openai_backend.dialects import Dialect
from bvf_openai_backend.options import options_of
from bvf_openai_backend.probe import probe
from bvf_openai_backend.sampling import Drawing, SampledChatModel, SampledModel, drawing_of
from bvf_openai_backend.server import Served, Server, served_model, text_at
from bvf_openai_backend.tokens import tokenizer_of
from bvf_openai_backend.writing import WritingChatModel, WritingModel, drawing_for


def load_openai(request: ModelRequest) -> Backend:
    """Connect to a model on a server.

    Raises:
        BvfError: The server does not answer or refuses the key or model, or log p or the tokenizer is not available.
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
    cutter = Cutter(tokenizer, served.name, reads_right=False)
    return _backend_class(dialect)(served, Server(client, dialect), cutter)


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
    probed = probe(client, served, tokenizer_of(request, client, served))
    return ModelDescription(
        _backend_class(probed.dialect).capabilities,
        read_as=_read_as(probed.dialect.name, text_at(client, *probed.dialect.version_at), served),
        libraries=("transformers", "tokenizers", "httpx2"),
        probe=probed.answers,
    )


def _connected(request: ModelRequest) -> tuple[Client, Served]:
    client = Client(options_of(request))
    return client, served_model(client, request.model)


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
