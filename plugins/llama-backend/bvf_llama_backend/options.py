"""What users may choose of how a causal model is asked: its chat template."""

from bvf_transformers.options import TransformersOptions
from pydantic import Field

from bvf.interfaces.backend import ModelRequest


class LlamaOptions(TransformersOptions):
    """How a causal model is read, bare or as a chat."""

    chat_template: bool = Field(
        default=False, description="Put every context into the user's turn of a chat; the words begin the answer."
    )
    system: str = Field(default="", description="What the system's turn of the chat says.")


def options_of(request: ModelRequest) -> LlamaOptions:
    """Return the options of a request; the defaults where it has none."""
    chosen = request.options
    return chosen if isinstance(chosen, LlamaOptions) else LlamaOptions()
