"""Describes and loads models that read images and text. What cannot be read is refused before the weights are read."""

from dataclasses import replace
from importlib.util import find_spec
from typing import Any

from bvf_llama_backend.chat import chat_turns
from bvf_llama_backend.loading import in_chat
from bvf_llama_backend.options import options_of
from bvf_transformers.kinds.kind import is_multimodal
from bvf_transformers.loading.adapter import adapter_of
from bvf_transformers.loading.describe import describe_chosen
from bvf_transformers.loading.load import explained, read_config, read_parts, read_tokenizer
from transformers import AutoImageProcessor, PreTrainedConfig
from transformers.models.auto.modeling_auto import MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES
from transformers.models.auto.processing_auto import PROCESSOR_MAPPING

from bvf import Backend, BvfError, ModelDescription, ModelRequest
from bvf.domain import Turn
from bvf_image_backend.model import ContinuedImageChatModel, ImageChatModel, ImageModel
from bvf_image_backend.processor import Processor

BACKENDS: dict[Turn | None, type[ImageModel]] = {
    None: ImageModel,
    "user": ImageChatModel,
    "assistant": ContinuedImageChatModel,
}
"""The class that reads a context, by whose turn of the chat it is; None: there is no chat."""
NEEDED = {"PIL": "pillow", "num2words": "num2words"}
"""Distributions that a processor may need, by module."""


def load_image(request: ModelRequest) -> Backend:
    """Load a model that reads images and text."""
    with explained(request, "model"):
        config = _seeing_config(request)
        processor = read_processor(request, config)
        parts = replace(read_parts(request, config, "causal"), tokenizer=processor.tokenizer)
        return BACKENDS[options_of(request).turn](parts, request, processor)


def describe_image(request: ModelRequest) -> ModelDescription:
    """Describe a model that reads images and text, without loading it. Its processor is read."""
    with explained(request, "model"):
        config, chosen = _seeing_config(request), options_of(request)
        processor = read_processor(request, config)
        description = describe_chosen(request, config, BACKENDS[chosen.turn])
        description = replace(description, libraries=(*description.libraries, "pillow"))
        if not chosen.turn:
            return description
        return in_chat(description, chat_turns(processor.tokenizer, request, in_parts=True), request)


def read_processor(request: ModelRequest, config: PreTrainedConfig) -> Processor:
    """Return the processor of a model, without its part for videos. Refuses one that cannot be read here."""
    for module, distribution in NEEDED.items():
        if find_spec(module) is None and (module == "PIL" or "smolvlm" in config.model_type):
            raise BvfError(
                f"{request.model}: the model's processor needs {distribution}, which is not installed",
                "pip install 'bvf[images]'",
            )
    adapter = adapter_of(request)
    name = adapter.base.model if adapter else request.model
    source = {"revision": options_of(request).revision or None}
    if type(config) not in PROCESSOR_MAPPING:
        raise BvfError(
            f"{request.model}: the transformers library has no processor for models of type {config.model_type}",
            "name another model, or update transformers",
        )
    with explained(request, "processor"):
        pictures: Any = AutoImageProcessor  # has no types
        made = _without_videos(PROCESSOR_MAPPING[type(config)])
        settings, _ = made.get_processor_dict(name, **source)
        part_of = {
            "tokenizer": read_tokenizer(request),
            "image_processor": pictures.from_pretrained(name, backend="pil", **source),
        }
        processor = made.from_args_and_dict([part_of.get(each) for each in made.get_attributes()], settings)
    tokenizer = processor.tokenizer
    tokenizer.chat_template = processor.chat_template or tokenizer.chat_template
    return Processor(processor, config, request.model)


def _without_videos(processor: Any) -> Any:
    """The class of a processor that does without a part for videos, which would need torchvision."""

    class OfPictures(processor):  # type: ignore[misc] # known at run time only
        def check_argument_for_proper_class(self, argument_name: str, argument: Any) -> Any:
            return None if argument is None else super().check_argument_for_proper_class(argument_name, argument)

    return OfPictures


def _seeing_config(request: ModelRequest) -> PreTrainedConfig:
    """The configuration of a model. Refuses one that sees no images, or that reads them by an encoder of its own."""
    config = read_config(request)
    sees = config.model_type in MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES and is_multimodal(config)
    if not sees or not hasattr(config, "image_token_id"):
        raise BvfError(
            f"{request.model}: a model of type {config.model_type} sees no images in its text",
            "name one that does (SmolVLM, LLaVA, Qwen-VL, PaliGemma, Gemma 3); without images, leave --backend out",
        )
    return config
