"""A backend of bvf for planning only. It describes a model that inspect calls: a chat that reads no text after [Y]."""

from typing import NoReturn

from pydantic import BaseModel, ConfigDict

from bvf import Backend, BvfError, Capabilities, ModelDescription, ModelRequest, Provider, hookimpl
from bvf.domain import Count

BVF_API = 1
NAME = "inspect"


class Asking(BaseModel):
    """The options of a model that inspect calls."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    samples: Count = 0


def described(request: ModelRequest) -> ModelDescription:
    """Describe a model that inspect calls."""
    samples = request.options.samples if isinstance(request.options, Asking) else 0
    chat = Capabilities(reads_right=False, wording="chat")
    longer_words = request.longer_words if samples else ()  # of a first token it is not known what follows
    return ModelDescription(chat, samples=samples, longer_words=longer_words, libraries=("inspect-ai",))


def _made(request: ModelRequest) -> NoReturn:
    raise BvfError(f"{request.model} is asked by inspect", "inspect eval bvf/gender --model PROVIDER/NAME")


@hookimpl
def bvf_backends() -> list[Provider[Backend]]:
    return [Provider(NAME, _made, "a model that inspect asks", describe=described, options=Asking)]
