"""Tiny models of the family, with the tokenizer of the bundled model."""

import sys
from pathlib import Path

import pytest
import torch
import transformers as tf

sys.path.insert(0, str(Path(__file__).parent))

import bvf
from bvf.hooks.loader import load

BUNDLED = Path(__file__).parents[3] / "languages" / "en" / "bvf_en" / "models" / "en-causal"
SIZES = {
    "hidden_size": 64,
    "intermediate_size": 96,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "max_position_embeddings": 256,
    "initializer_range": 0.2,
    "bos_token_id": 0,
    "eos_token_id": 1,
    "pad_token_id": 2,
}
EXPERTS = {"num_local_experts": 4, "num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 48}
CONFIGS = {
    "llama": tf.LlamaConfig,
    "mistral": tf.MistralConfig,
    "mixtral": tf.MixtralConfig,
    "qwen2": tf.Qwen2Config,
    "qwen2_moe": tf.Qwen2MoeConfig,
    "qwen3": tf.Qwen3Config,
    "qwen3_moe": tf.Qwen3MoeConfig,
    "llama4_text": tf.Llama4TextConfig,
}


@pytest.fixture(scope="session")
def write_model(tmp_path_factory):
    """Write a random model: its type, how many heads have keys of their own, whether the head is the embedding."""

    def write(kind, *, key_heads=2, tied=False, chat_template=None):
        torch.manual_seed(0)
        folder = tmp_path_factory.mktemp(kind)
        tokenizer = tf.AutoTokenizer.from_pretrained(BUNDLED)
        tokenizer.chat_template = chat_template
        tokenizer.save_pretrained(folder)
        more = {"intermediate_size_mlp": 96, "num_experts_per_tok": 1} if kind == "llama4_text" else {}
        config = CONFIGS[kind](
            vocab_size=len(tokenizer),
            num_key_value_heads=key_heads,
            head_dim=128 if kind == "qwen3" else 16,  # 128 is what GGUF files of Qwen3 leave unsaid
            tie_word_embeddings=tied,
            **{**SIZES, **(EXPERTS if "moe" in kind or kind in {"mixtral", "llama4_text"} else {}), **more},
        )
        tf.AutoModelForCausalLM.from_config(config).save_pretrained(folder)
        return folder

    return write


@pytest.fixture(scope="session")
def topic():
    return load().topics.in_language("en").find("gender").make()


@pytest.fixture(scope="session")
def words(topic):
    return [word for own in topic.counted_words().values() for word in own]


@pytest.fixture(scope="session")
def read(topic):
    """Read a model with this plugin's backend."""
    torch.set_num_threads(1)
    backends = load().backends
    return lambda model, **options: backends.find("llama").make(bvf.ModelRequest(str(model), topic, **options))
