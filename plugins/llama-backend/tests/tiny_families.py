"""Types of tiny models, and the line that says why one is refused."""

from pathlib import Path

import pytest

from bvf.errors import BvfError

BUNDLED = Path(__file__).parents[3] / "languages" / "en" / "bvf_en" / "models" / "en-causal"
SIZES = {
    **{"hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 2, "num_attention_heads": 4},
    **{"max_position_embeddings": 256, "initializer_range": 0.2},
    **{"bos_token_id": 0, "eos_token_id": 1, "pad_token_id": 2},
}
EXPERTS = {"num_local_experts": 4, "num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 48}
ALTERNATING = {"layer_types": ["sliding_attention", "full_attention"]}
FAMILIES = {
    "llama": {},
    "mistral": {},
    "mixtral": EXPERTS,
    "qwen2": {},
    "qwen2_moe": EXPERTS,
    "qwen3": {"head_dim": 128},  # what GGUF files of Qwen3 leave unsaid
    "qwen3_moe": EXPERTS,
    "llama4_text": {**EXPERTS, "intermediate_size_mlp": 96, "num_experts_per_tok": 1},
    "gemma": {},
    "gemma2": {"query_pre_attn_scalar": 16},
    "gemma3_text": {"query_pre_attn_scalar": 16, **ALTERNATING},
    "phi": {},
    "phi3": {},
    "cohere": {},
    "cohere2": ALTERNATING,
    "deepseek_v3": {
        **{"head_dim": 8, "qk_rope_head_dim": 8, "qk_nope_head_dim": 8, "v_head_dim": 16, "num_key_value_heads": 4},
        **{"q_lora_rank": 16, "kv_lora_rank": 16, "n_group": 1, "topk_group": 1},
        **{"n_routed_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 32},
    },
    "exaone4": ALTERNATING,
    "glm4": {},
    "gpt_oss": EXPERTS,
    "granite": {"logits_scaling": 2.0, "residual_multiplier": 0.5},
    "olmo2": {},
    "smollm3": {},
    "starcoder2": {},
    "bloom": {"n_layer": 2, "n_head": 4},
    "gpt2": {"n_embd": 64, "n_layer": 2, "n_head": 4},
}
"""Types of models, with their settings beside `SIZES`."""


def refused(look, *model, **options):
    """The one line that says why this plugin reads or describes no such model, and its hint."""
    with pytest.raises(BvfError) as error:
        look(*model, **options)
    assert "\n" not in error.value.message
    return f"{error.value.message} | {error.value.hint}"
