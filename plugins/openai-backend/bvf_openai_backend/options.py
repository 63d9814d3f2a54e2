"""The options of the backend: the server's address, and settings of requests."""

from typing import Annotated, Literal, Self

from bvf_llama_backend.options import ChatOptions
from bvf_transformers.options import START, Start
from pydantic import Field, model_validator

from bvf import ModelRequest
from bvf.domain import Amount, Count, Positive
from bvf.interfaces import RUNTIME

AUTHORIZATION = "Authorization"
HEADER = "^[A-Za-z0-9-]+$"
"""What a name of a header may be."""


class ServerOptions(ChatOptions):
    """Where a server is, and how it is asked."""

    base_url: Annotated[str, RUNTIME] = Field(
        default="http://localhost:8000/v1", description="The address of its API, as http://HOST:PORT/v1."
    )
    tokenizer: Annotated[str, RUNTIME] = Field(
        default="",
        description="Folder, GGUF file or hub id of the model's tokenizer; if empty, the one that the server names.",
    )
    echo: Annotated[bool | None, RUNTIME] = Field(
        default=None, description="true: refuse a server that echoes no log-probabilities of a text; false: do not ask."
    )
    start: Start = Field(default="separator", description=START)
    key_env: Annotated[str, RUNTIME] = Field(
        default="OPENAI_API_KEY", description="The environment variable that holds the key."
    )
    key_header: Annotated[str, RUNTIME] = Field(
        default=AUTHORIZATION,
        pattern=HEADER,
        description="The header that has the key, as `Bearer KEY`; in any other, such as api-key, it is the key alone.",
    )
    headers_env: Annotated[dict[Annotated[str, Field(pattern=HEADER)], str], RUNTIME] = Field(
        default={},
        description="Further headers, each with the environment variable that holds its value: {X-Team = 'TEAM'}.",
    )
    api_version: Annotated[str, RUNTIME] = Field(
        default="",
        description="Sent as `?api-version=` with every request; paths then have /v1 only if base_url ends with it.",
    )
    rows: Annotated[Positive, RUNTIME] = Field(
        default=256, description="Texts per request, where a server takes several."
    )
    in_flight: Annotated[Positive, RUNTIME] = Field(default=4, description="Requests at the same time.")
    timeout: Annotated[Amount, Field(gt=0), RUNTIME] = Field(
        default=300.0, description="Seconds that one request may take."
    )
    max_requests: Annotated[Count, RUNTIME] = Field(
        default=0, description="Requests that a run may take; one that needs more is refused. 0: any number."
    )
    estimate: Literal["", "samples"] = Field(
        default="",
        description="samples: estimate probabilities from sampled continuations, where the server returns none.",
    )
    samples: Annotated[Count, Field(ge=2)] = Field(
        default=64, description="Continuations per prompt, with estimate=samples."
    )

    @model_validator(mode="after")
    def _samples_are_meant(self) -> Self:
        if "samples" in self.model_fields_set and not self.estimate:
            raise ValueError("samples are drawn with estimate=samples only")
        return self


def options_of(request: ModelRequest) -> ServerOptions:
    """Return the options of a request, or the defaults."""
    return request.options if isinstance(request.options, ServerOptions) else ServerOptions()
