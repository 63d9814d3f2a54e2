"""GGUF files written from model folders by the gguf package, in the layout of llama.cpp's converter."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
import transformers as tf
from gguf import GGMLQuantizationType, GGUFWriter, TokenType, quantize
from sentencepiece import SentencePieceProcessor

NAMES = {
    **{"model.embed_tokens": "token_embd", "model.norm": "output_norm", "lm_head": "output"},
    **{f"self_attn.{part}_proj": f"attn_{part}" for part in "qkv"},
    **{f"self_attn.{part}_norm": f"attn_{part}_norm" for part in "qk"},
    **{f"mlp.{part}_proj": f"ffn_{part}" for part in ("gate", "up", "down")},
    **{"self_attn.o_proj": "attn_output", "input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm"},
}
"""What a GGUF file calls the parts of a layer, and those around layers."""


def write_gguf(
    folder: Path,
    file: Path,
    number_format: str,
    architecture: str = "llama",
    split_by: str = "gpt-2",
    more: Callable[[GGUFWriter], None] = lambda writer: None,
) -> Path:
    """Write the model in a folder, as a GGUF file of F32, F16 or Q8_0 that names a rule of splitting.

    ``more`` adds further settings and tensors.
    """
    model = tf.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    writer = GGUFWriter(str(file), architecture)
    describe(writer, model.config)
    if (folder / "tokenizer.model").is_file():
        add_sentencepiece(writer, SentencePieceProcessor(model_file=str(folder / "tokenizer.model")))
    else:
        add_byte_level(writer, folder)
    if split_by:
        writer.add_tokenizer_pre(split_by)
    for name, weight in weights_of(model).items():
        add_tensor(writer, name, weight, number_format)
    more(writer)
    finish(writer)
    return file


def finish(writer: GGUFWriter) -> None:
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def describe(writer: GGUFWriter, config: tf.PreTrainedConfig) -> None:
    writer.add_name("tiny")
    writer.add_context_length(config.max_position_embeddings)
    writer.add_block_count(config.num_hidden_layers)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_embedding_length(config.hidden_size)
    writer.add_rope_dimension_count(
        getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    )
    writer.add_rope_freq_base(config.rope_parameters["rope_theta"])
    writer.add_head_count(config.num_attention_heads)
    writer.add_head_count_kv(config.num_key_value_heads)
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    writer.add_vocab_size(config.vocab_size)


def add_sentencepiece(writer: GGUFWriter, pieces: SentencePieceProcessor) -> None:
    ids = range(pieces.vocab_size())
    writer.add_tokenizer_model("llama")
    writer.add_token_list([pieces.id_to_piece(i) for i in ids])
    writer.add_token_scores([pieces.get_score(i) for i in ids])
    writer.add_token_types([piece_type(pieces, i) for i in ids])
    writer.add_bos_token_id(pieces.bos_id())
    writer.add_eos_token_id(pieces.eos_id())
    writer.add_unk_token_id(pieces.unk_id())
    writer.add_add_bos_token(True)


def piece_type(pieces: SentencePieceProcessor, index: int) -> TokenType:
    if pieces.is_unknown(index):
        return TokenType.UNKNOWN
    if pieces.is_control(index):
        return TokenType.CONTROL
    return TokenType.BYTE if pieces.is_byte(index) else TokenType.NORMAL


def add_byte_level(writer: GGUFWriter, folder: Path) -> None:
    tokenizer = tf.AutoTokenizer.from_pretrained(folder)
    stored = json.loads((folder / "tokenizer.json").read_text("utf-8"))
    special = set(tokenizer.all_special_tokens)
    tokens = tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))
    writer.add_tokenizer_model("gpt2")
    writer.add_token_list(tokens)
    writer.add_token_types([TokenType.CONTROL if token in special else TokenType.NORMAL for token in tokens])
    writer.add_token_merges([" ".join(pair) for pair in stored["model"]["merges"]])
    begins = tokenizer("a")["input_ids"][0] == tokenizer.bos_token_id
    writer.add_bos_token_id(tokenizer.bos_token_id)
    writer.add_eos_token_id(tokenizer.eos_token_id)
    writer.add_add_bos_token(begins)
    if tokenizer.chat_template:
        writer.add_chat_template(tokenizer.chat_template)


def weights_of(model: tf.PreTrainedModel) -> dict[str, np.ndarray]:
    """Weights under their GGUF names. For Llama, the halves of each query and key head are interleaved."""
    config = model.config
    tied = config.tie_word_embeddings
    weights = {}
    for name, weight in model.state_dict().items():
        if name == "lm_head.weight" and tied:
            continue
        stem, _, end = name.rpartition(".")
        layer = stem.removeprefix("model.layers.")
        index, _, part = layer.partition(".")
        renamed = f"{NAMES[stem]}.{end}" if stem in NAMES else f"blk.{index}.{NAMES[part]}.{end}"
        array = weight.numpy()
        if config.model_type in {"llama", "mistral"} and part in {"self_attn.q_proj", "self_attn.k_proj"}:
            heads = config.num_attention_heads if part.endswith("q_proj") else config.num_key_value_heads
            array = interleaved(array, heads)
        weights[renamed] = array
    return weights


def interleaved(weight: np.ndarray, heads: int) -> np.ndarray:
    """Rows 0, n/2, 1, n/2 + 1, ... of every head. So the two that a rotation mixes are adjacent."""
    halves = weight.reshape(heads, 2, -1, weight.shape[1])
    return halves.swapaxes(1, 2).reshape(weight.shape)


def add_tensor(writer: GGUFWriter, name: str, weight: np.ndarray, number_format: str) -> None:
    plain = {"F32": np.float32, "F16": np.float16}
    if number_format in plain or weight.ndim == 1:
        writer.add_tensor(name, weight.astype(np.float32 if weight.ndim == 1 else plain[number_format]))
    else:
        kind = GGMLQuantizationType[number_format]
        writer.add_tensor(name, quantize(weight.astype(np.float32), kind), raw_dtype=kind)
