"""Causal models from a hub id, a folder or a GGUF file, which read plain text or a chat."""

from typing import TYPE_CHECKING

from bvf_transformers import LIBRARIES

from bvf import Provider, hookimpl

if TYPE_CHECKING:
    from bvf import Backend

BVF_API = 1


@hookimpl
def bvf_backends() -> "list[Provider[Backend]]":
    return [
        Provider(
            "llama",
            "bvf_llama_backend.loading:load_llama",
            "Llama, Mistral, Qwen, Gemma, Phi, ...: a hub id, folder or .gguf file; --chat-turn for chat versions",
            needs=LIBRARIES,
            describe="bvf_llama_backend.loading:describe_llama",
            options="bvf_llama_backend.options:LlamaOptions",
        )
    ]
