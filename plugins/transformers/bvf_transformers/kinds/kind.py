"""Finds the kind of a model from its configuration, and the library's class that loads it."""

import re
from typing import Any, Literal

import transformers
from transformers import PreTrainedConfig
from transformers.models.auto.modeling_auto import (
    MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
    MODEL_FOR_MASKED_LM_MAPPING_NAMES,
    MODEL_FOR_MULTIMODAL_LM_MAPPING_NAMES,
    MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES,
)

from bvf import BvfError

Kind = Literal["masked", "causal", "seq2seq", "permutation"]
REMOTE_CAUSAL = frozenset({"chatglm"})
"""Model types whose remote code registers itself as seq2seq although the model is causal."""
FAMILIES: tuple[tuple[Kind, dict[str, str], str], ...] = (
    ("seq2seq", MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES, "Seq2SeqLM"),
    ("masked", MODEL_FOR_MASKED_LM_MAPPING_NAMES, "MaskedLM"),
    ("causal", MODEL_FOR_CAUSAL_LM_MAPPING_NAMES, "CausalLM"),
)
"""Each kind, the library's architectures by model type, and the part that names of other architectures contain."""
AUTO_CLASSES: dict[Kind, str] = {
    "masked": "AutoModelForMaskedLM",
    "causal": "AutoModelForCausalLM",
    "seq2seq": "AutoModelForSeq2SeqLM",
    "permutation": "AutoModelForCausalLM",
}
OTHER_TASK = re.compile(r"Classif|QuestionAnswering|MultipleChoice|NextSentence|Reward|Regression|Similarity")
"""Part of the names of architectures whose heads do not say which words come."""
MULTIMODAL = "AutoModelForMultimodalLM"
"""The class for models that read images or sounds beside text."""


def check_task(config: PreTrainedConfig, model: str) -> None:
    """Refuse a model that was saved for another task than to say which words come.

    With tied embeddings, such as a classifier's, it would answer without a word of warning.
    """
    saved_as = config.architectures or []
    other = [name for name in saved_as if OTHER_TASK.search(name)]
    if other and len(other) == len(saved_as):
        raise BvfError(
            f"{model}: it was saved as {other[0]}, which is no language model", "name the model that it was made from"
        )


def kind_of(config: PreTrainedConfig, model: str) -> Kind:
    """Return the kind of a model. Refuses a model of no known kind.

    A model that continues a text after images or sounds is causal. Of others the architecture in the configuration
    decides, else the classes in the model's own code, else the model type.
    """
    if config.model_type == "xlnet":
        return "permutation"
    if config.model_type in REMOTE_CAUSAL or is_multimodal(config):
        return "causal"
    for architecture in [*(config.architectures or []), *(getattr(config, "auto_map", None) or {})]:
        for kind, known, part in FAMILIES:
            if architecture in known.values() or part in architecture:
                return kind
    for kind, known, _ in FAMILIES:
        if config.model_type in known:
            return kind
    raise BvfError(
        f"{model}: a model of type {config.model_type} is neither masked, causal, seq2seq nor permutation",
        "name a language model of one of these kinds",
    )


def is_multimodal(config: PreTrainedConfig) -> bool:
    """Whether the library reads images or sounds with a model, and its answer continues the text after them."""
    return config.model_type in MODEL_FOR_MULTIMODAL_LM_MAPPING_NAMES and not config.is_encoder_decoder


def auto_class_of(config: PreTrainedConfig, kind: Kind, model: str) -> str:
    """Return the name of the library's class that loads a model as a kind. Refuses a kind that the model is not.

    A model that reads images or sounds is loaded whole, as it was saved. A model's own code may be registered for
    another class than that of its kind.
    """
    own_code = getattr(config, "auto_map", None) or {}
    wanted = AUTO_CLASSES[kind]
    if config.model_type in REMOTE_CAUSAL and wanted not in own_code:
        wanted = next((name for name in ("AutoModelForSeq2SeqLM", "AutoModel") if name in own_code), wanted)
    saved_as = {*(config.architectures or [])}
    names = (
        [MULTIMODAL, wanted] if saved_as & {*MODEL_FOR_MULTIMODAL_LM_MAPPING_NAMES.values()} else [wanted, MULTIMODAL]
    )
    for name in names if kind == "causal" and is_multimodal(config) else [wanted]:
        library: Any = getattr(transformers, name)
        if type(config) in library._model_mapping or name in own_code:
            return name
    found = kind_of(config, model)
    if found == kind:
        raise BvfError(
            f"{model}: the library has no {kind} model of type {config.model_type}",
            "name another model, or update transformers",
        )
    raise BvfError(f"{model}: this model cannot be read that way", f"leave --backend out: it is {found}")
