"""Which kind of model is it? Read from its configuration."""

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
"""Remote code that registers itself as seq2seq although it continues a text."""


def kind_of(config: PreTrainedConfig, model: str) -> Kind:
    """Return which kind of model it is: masked, causal, seq2seq or permutation.

    The architecture that its weights were saved from decides; then what the code beside it offers; then its type.

    Raises:
        BvfError: It is none of the four kinds.
    """
    if config.model_type == "xlnet":
        return "permutation"
    if config.model_type in REMOTE_CAUSAL:
        return "causal"
    for architecture in [*(config.architectures or []), *_offered_by_code(config)]:
        kind = _kind_of_architecture(architecture)
        if kind:
            return kind
    if config.model_type in MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES:
        return "seq2seq"
    if config.model_type in MODEL_FOR_MASKED_LM_MAPPING_NAMES:
        return "masked"
    if config.model_type in MODEL_FOR_CAUSAL_LM_MAPPING_NAMES:
        return "causal"
    raise BvfError(
        f"{model}: a model of type {config.model_type} is neither masked, causal, seq2seq nor permutation",
        "say which with --backend masked, causal, seq2seq or permutation",
    )


def _kind_of_architecture(name: str) -> Kind | None:
    if name in MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES.values() or "Seq2SeqLM" in name:
        return "seq2seq"
    if name in MODEL_FOR_MASKED_LM_MAPPING_NAMES.values() or "MaskedLM" in name:
        return "masked"
    if name in MODEL_FOR_CAUSAL_LM_MAPPING_NAMES.values() or "CausalLM" in name:
        return "causal"
    return None


def _offered_by_code(config: PreTrainedConfig) -> list[str]:
    return list(getattr(config, "auto_map", None) or {})
