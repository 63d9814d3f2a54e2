"""Finds the kind of a model from its configuration."""

from typing import Literal

from transformers import PreTrainedConfig
from transformers.models.auto.modeling_auto import (
    MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
    MODEL_FOR_MASKED_LM_MAPPING_NAMES,
    MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES,
)

from bvf.errors import BvfError

Kind = Literal["masked", "causal", "seq2seq", "permutation"]
REMOTE_CAUSAL = frozenset({"chatglm"})
"""Model types whose remote code registers itself as seq2seq although the model is causal."""
FAMILIES: tuple[tuple[Kind, dict[str, str], str], ...] = (
    ("seq2seq", MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES, "Seq2SeqLM"),
    ("masked", MODEL_FOR_MASKED_LM_MAPPING_NAMES, "MaskedLM"),
    ("causal", MODEL_FOR_CAUSAL_LM_MAPPING_NAMES, "CausalLM"),
)
"""Each kind, the library's architectures by model type, and the part that names of other architectures contain."""


def kind_of(config: PreTrainedConfig, model: str) -> Kind:
    """Return the kind of a model. Refuses a model of no known kind.

    The architecture in the configuration decides, else the classes in the model's own code, else the model type.
    """
    if config.model_type == "xlnet":
        return "permutation"
    if config.model_type in REMOTE_CAUSAL:
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
        "say which with --backend masked, causal, seq2seq or permutation",
    )
