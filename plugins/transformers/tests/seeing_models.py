"""Tiny random models that read images or sounds beside text, built from their configurations."""

from pathlib import Path

import torch
import transformers as tf
from tiny_models import tokenizer_of

SIZES = {
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 8,
    "max_position_embeddings": 64,
    "pad_token_id": 1,
    "bos_token_id": 0,
    "eos_token_id": 2,
}
EYES = {
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "image_size": 28,
    "patch_size": 14,
}
QWEN_EYES = {"depth": 1, "embed_dim": 32, "hidden_size": 32, "num_heads": 2, "patch_size": 14, "out_hidden_size": 32}
LLAMA4_EYES = {"vision_output_dim": 32, "projector_input_dim": 32, "projector_output_dim": 32}
TURNED_IN_THREE = {"rope_parameters": {"rope_type": "default", "rope_theta": 10_000.0, "mrope_section": [2, 1, 1]}}
EXPERTS = {"num_local_experts": 4, "num_experts_per_tok": 1, "intermediate_size_mlp": 48}
EARS = {"d_model": 32, "encoder_layers": 1, "encoder_attention_heads": 2, "encoder_ffn_dim": 48}
LLAMA_WITH_EYES = {"text_config": {"model_type": "llama"}, "vision_config": {"model_type": "clip_vision_model", **EYES}}
STATES = {
    "layer_types": ["linear_attention", "full_attention"],
    **{f"linear_num_{each}_heads": 2 for each in ("key", "value")},
    **{f"linear_{each}_head_dim": 8 for each in ("key", "value")},
}
CONFIGS = {
    "llava": (tf.LlavaConfig, LLAMA_WITH_EYES),
    "llava_next": (tf.LlavaNextConfig, LLAMA_WITH_EYES),
    "qwen2_vl": (tf.Qwen2VLConfig, {"text_config": TURNED_IN_THREE, "vision_config": QWEN_EYES}),
    "qwen2_5_vl": (tf.Qwen2_5_VLConfig, {"text_config": TURNED_IN_THREE, "vision_config": QWEN_EYES}),
    "qwen3_vl": (tf.Qwen3VLConfig, {"text_config": TURNED_IN_THREE, "vision_config": QWEN_EYES}),
    "idefics3": (tf.Idefics3Config, {"text_config": {"model_type": "llama"}, "vision_config": EYES, "scale_factor": 2}),
    "smolvlm": (tf.SmolVLMConfig, {"text_config": {"model_type": "llama"}, "vision_config": EYES, "scale_factor": 2}),
    "paligemma": (tf.PaliGemmaConfig, {"text_config": {"model_type": "gemma"}, "vision_config": EYES}),
    "gemma3": (tf.Gemma3Config, {"text_config": {}, "vision_config": EYES, "mm_tokens_per_image": 4}),
    "mistral3": (
        tf.Mistral3Config,
        {"text_config": {"model_type": "mistral"}, "vision_config": {"model_type": "pixtral", **EYES}},
    ),
    "llama4": (tf.Llama4Config, {"text_config": EXPERTS, "vision_config": {**EYES, **LLAMA4_EYES}}),
    "internvl": (
        tf.InternVLConfig,
        {
            "text_config": {"model_type": "qwen2"},
            "vision_config": {**EYES, "image_size": [28, 28], "patch_size": [14, 14]},
        },
    ),
    "mllama": (
        tf.MllamaConfig,
        {
            "text_config": {"cross_attention_layers": [1]},
            "vision_config": {
                **EYES,
                "num_global_layers": 1,
                "attention_heads": 2,
                "vision_output_dim": 64,
                "intermediate_layers_indices": [0],
            },
        },
    ),
    "qwen3_5": (tf.Qwen3_5Config, {"text_config": STATES, "vision_config": QWEN_EYES}),
    "qwen2_audio": (tf.Qwen2AudioConfig, {"text_config": {"model_type": "qwen2"}, "audio_config": EARS}),
    "voxtral": (tf.VoxtralConfig, {"text_config": {"model_type": "llama"}, "audio_config": SIZES}),
}
"""The configuration of each type, and its settings. The part for text has `SIZES`, too."""


def write_seeing_model(kind: str, folder: Path) -> Path:
    """Write a model folder as on the hub, with the type's architecture for images or sounds and text."""
    tokenizer = tokenizer_of("unigram-before")
    config_class, settings = CONFIGS[kind]
    text = {**SIZES, "vocab_size": len(tokenizer), **settings["text_config"]}
    torch.manual_seed(7)
    model = tf.AutoModelForMultimodalLM.from_config(config_class(**{**settings, "text_config": text}))
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if weight.dim() > 1:
                weight.mul_(2.0 if "embed" in name else 8.0)
    model.eval().save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
