"""Models that read images and text, in the formats of the transformers library, and a topic with pictures."""

from importlib.resources import files
from typing import TYPE_CHECKING

from bvf_transformers import LIBRARIES

from bvf import ContextSet, Provider, Topic, contexts_in, hookimpl, topics_in

if TYPE_CHECKING:
    from bvf import Backend

BVF_API = 1


@hookimpl
def bvf_backends() -> "list[Provider[Backend]]":
    return [
        Provider(
            "image",
            "bvf_image_backend.loading:load_image",
            "SmolVLM, LLaVA, Qwen-VL, PaliGemma, Gemma 3, ...: reads the pictures of contexts, and their text",
            needs=LIBRARIES,
            describe="bvf_image_backend.loading:describe_image",
            options="bvf_llama_backend.options:LlamaOptions",
        )
    ]


@hookimpl
def bvf_topics() -> list[Provider[Topic]]:
    return topics_in(files(__package__) / "topics", language="en")


@hookimpl
def bvf_contexts() -> list[Provider[ContextSet]]:
    return contexts_in(files(__package__) / "contexts", language="en")
