"""The options of the backends in this package."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from bvf import ModelRequest
from bvf.domain import NumberOrWord, Positive
from bvf.interfaces import RUNTIME

Start = Annotated[Literal["separator", "harness"], RUNTIME]
"""In a model's identity by its description, and only where a text has nothing left of it: not as an option."""
START = (
    "Causal models whose tokenizer puts no token before a text: which one stands before a word or text with nothing "
    "left of it; separator: <|endoftext|>, if there is one; harness: as lm-evaluation-harness. Else bos, else eos."
)


class TransformersOptions(BaseModel):
    """How a model in the formats of the transformers library is read."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    revision: str = Field(default="", description="Branch, tag or commit of the model on the hub.")
    device: Annotated[str, RUNTIME] = Field(default="auto", description="auto, cpu, cuda, cuda:1, mps.")
    dtype: Literal["auto", "float32", "bfloat16", "float16"] = Field(
        default="auto", description="Number format of the weights; auto: float32 on a CPU."
    )
    device_map: Annotated[str, RUNTIME] = Field(
        default="", description="accelerate's device map (auto) for models larger than one device."
    )
    tokenizer: str = Field(
        default="", description="GGUF files: folder or hub id of the tokenizer, if the file does not say how it splits."
    )
    trust_remote_code: bool = Field(default=False, description="Run code that comes with the model.")
    allow_pickle: bool = Field(default=False, description="Read weights that are not safetensors.")
    batch_tokens: Annotated[Positive | Literal["auto"], NumberOrWord, RUNTIME] = Field(
        default="auto", description="Tokens per batch; auto: grows, and backs off when memory runs out."
    )
    no_cache: Annotated[bool, RUNTIME] = Field(
        default=False, description="Check the model anew: neither use nor keep what earlier runs learned of it."
    )
    word_boundary: bool = Field(
        default=False,
        description="Causal models: count a word only where it ends, so that 'he' does not include 'heir'.",
    )
    start: Start = Field(default="separator", description=START)


def options_of(request: ModelRequest) -> TransformersOptions:
    """Return the options of a request, or the defaults."""
    chosen = request.options
    return chosen if isinstance(chosen, TransformersOptions) else TransformersOptions()
