"""Causal models on servers, scored over HTTP."""

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
            "openai",
            "bvf_openai_backend.loading:load_openai",
            "a model on a server: vLLM, SGLang, llama.cpp, Ollama, TGI, OpenAI, ...; -B base_url=http://HOST:PORT/v1",
            needs=LIBRARIES,
            describe="bvf_openai_backend.loading:describe_openai",
            options="bvf_openai_backend.options:ServerOptions",
        )
    ]
