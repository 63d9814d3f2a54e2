"""From a request to a model on a server, and what is known about it before it is asked."""

from dataclasses import dataclass
from typing import Any

from bvf_transformers.tokens.cutting import Cutter

from bvf.interfaces.backend import Backend, ModelDescription, ModelRequest
from bvf_openai_backend.backend import ExactModel, ServerModel
from bvf_openai_backend.client import Client
from bvf_openai_backend.options import options_of
from bvf_openai_backend.probe import Probed, probe
from bvf_openai_backend.sampled_model import sampled_class
from bvf_openai_backend.sampling import Drawing, drawing_of
from bvf_openai_backend.served import Served, served_model, text_at
from bvf_openai_backend.server import Server
from bvf_openai_backend.tokens import tokenizer_of
from bvf_openai_backend.top_model import TopChatModel, TopModel

LIBRARIES = ("transformers", "tokenizers", "httpx2")


@dataclass(frozen=True)
class Connection:
    """A server that was probed."""

    client: Client
    served: Served
    tokenizer: Any
    probed: Probed


def load_openai(request: ModelRequest) -> Backend:
    """Connect to a model on a server.

    Raises:
        BvfError: Nobody answers, the key or the model is refused, or what it tells are no log-probabilities.
    """
    if options_of(request).estimate:
        drawn = drawn_from(request)
        return sampled_class(drawn.drawing)(drawn.served, drawn.client, drawn.drawing)
    connection = connected(request)
    cutter = Cutter(connection.tokenizer, connection.served.name, reads_right=False)
    return _backend_class(connection)(connection.served, Server(connection.client, connection.probed.dialect), cutter)


def describe_openai(request: ModelRequest) -> ModelDescription:
    """Describe such a model: what the server says about itself, and how it answers a probe.

    Raises:
        BvfError: See `load_openai`.
    """
    if options_of(request).estimate:
        return _described_by_samples(drawn_from(request))
    connection = connected(request)
    dialect = connection.probed.dialect
    version = text_at(connection.client, *dialect.version_at)
    known = [f"{dialect.name} {version}".strip(), *([f"of {connection.served.root}"] if connection.served.root else [])]
    return ModelDescription(
        _backend_class(connection).capabilities,
        read_as=" ".join(known),
        libraries=LIBRARIES,
        probe=connection.probed.answers,
    )


def connected(request: ModelRequest) -> Connection:
    """Find the model, its tokenizer and the dialect of a server.

    Raises:
        BvfError: See `load_openai`.
    """
    client = Client(options_of(request))
    served = served_model(client, request.model)
    tokenizer = tokenizer_of(request, client, served)
    return Connection(client, served, tokenizer, probe(client, served, tokenizer))


@dataclass(frozen=True)
class SampledConnection:
    """A server from which continuations are drawn."""

    client: Client
    served: Served
    drawing: Drawing


def drawn_from(request: ModelRequest) -> SampledConnection:
    """Find the model of a server, and how continuations are drawn from it; no tokenizer is needed.

    Raises:
        BvfError: Nobody answers, the key or the model is refused, or nothing is sampled.
    """
    client = Client(options_of(request))
    served = served_model(client, request.model)
    return SampledConnection(client, served, drawing_of(client, served.name, client.options.samples))


def _described_by_samples(connection: SampledConnection) -> ModelDescription:
    drawing = connection.drawing
    way = f"samples of {drawing.name} {text_at(connection.client, '/version', 'version')}"
    known = [
        way.strip(),
        *([f"of {connection.served.root}"] if connection.served.root else []),
    ]
    return ModelDescription(
        sampled_class(drawing).capabilities,
        read_as=" ".join(known),
        libraries=("httpx2",),
        samples=connection.client.options.samples,
    )


def _backend_class(connection: Connection) -> type[ServerModel]:
    dialect = connection.probed.dialect
    if dialect.exact:
        return ExactModel
    return TopChatModel if dialect.is_chat else TopModel
