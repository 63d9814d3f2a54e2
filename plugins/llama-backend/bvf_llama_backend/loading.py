"""From a request to a model of the family."""

from bvf_transformers.kinds.causal import CausalModel
from bvf_transformers.loading.explaining import explained
from bvf_transformers.loading.load import read_config, read_parts

from bvf.errors import BvfError
from bvf.interfaces.backend import Backend, ModelRequest
from bvf_llama_backend.chat import ChatModel, ChatTurns

FAMILY = frozenset(
    {
        *("llama", "llama4", "llama4_text"),
        *("mistral", "ministral", "ministral3", "mixtral"),
        *("qwen2", "qwen2_moe", "qwen3", "qwen3_moe"),
    }
)
"""Values of ``model_type`` in a configuration."""


def load_llama(request: ModelRequest) -> Backend:
    """Load a model of the Llama family, Mistral or Qwen.

    Raises:
        BvfError: It is another model, its files are damaged or refused, or it has no chat template and is asked for it.
    """
    with explained(request, "model"):
        config = read_config(request)
        if config.model_type not in FAMILY:
            raise BvfError(
                f"{request.model}: a model of type {config.model_type} is no Llama, Mistral or Qwen",
                f"--backend transformers reads the others{', as bare texts' if request.chat_template else ''}",
            )
        parts = read_parts(request, config, "causal")
        if not request.chat_template:
            return CausalModel(parts, request)
        return ChatModel(parts, request, ChatTurns(parts.tokenizer, request.model, request.system))
