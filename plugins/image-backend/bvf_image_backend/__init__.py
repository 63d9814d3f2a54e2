"""Models that read images and text, in the formats of the transformers library, and a topic with pictures."""

from importlib.resources import files
from typing import TYPE_CHECKING

from bvf_transformers import LIBRARIES

from bvf.domain.context import ContextSet
from bvf.domain.topic import Topic
from bvf.files.contexts.sets import contexts_in
from bvf.files.topics import topics_in
from bvf.hooks.provider import Provider
from bvf.hooks.specs import hookimpl

if TYPE_CHECKING:
    from bvf.interfaces.backend import Backend

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
