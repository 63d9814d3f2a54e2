"""The three model architectures, each of 2.6 to 3.3 million parameters."""

from transformers import (
    BertConfig,
    BertForMaskedLM,
    LlamaConfig,
    LlamaForCausalLM,
    PreTrainedModel,
    PreTrainedTokenizerFast,
    T5Config,
    T5ForConditionalGeneration,
)

WIDTH = 192


def causal_model(tokenizer: PreTrainedTokenizerFast) -> PreTrainedModel:
    return LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(tokenizer),
            hidden_size=WIDTH,
            intermediate_size=512,
            num_hidden_layers=4,
            num_attention_heads=6,
            num_key_value_heads=6,
            max_position_embeddings=128,
            tie_word_embeddings=True,
            bos_token_id=tokenizer.bos_token_id,
            eos_token_id=tokenizer.eos_token_id,
            pad_token_id=tokenizer.pad_token_id,
        )
    )


def masked_model(tokenizer: PreTrainedTokenizerFast) -> PreTrainedModel:
    return BertForMaskedLM(
        BertConfig(
            vocab_size=len(tokenizer),
            hidden_size=WIDTH,
            intermediate_size=768,
            num_hidden_layers=4,
            num_attention_heads=6,
            max_position_embeddings=128,
            type_vocab_size=1,
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
            pad_token_id=tokenizer.pad_token_id,
        )
    )


def seq2seq_model(tokenizer: PreTrainedTokenizerFast) -> PreTrainedModel:
    return T5ForConditionalGeneration(
        T5Config(
            vocab_size=len(tokenizer),
            d_model=WIDTH,
            d_kv=32,
            d_ff=512,
            num_layers=3,
            num_decoder_layers=3,
            num_heads=6,
            dropout_rate=0.0,
            feed_forward_proj="relu",
            tie_word_embeddings=True,
            pad_token_id=tokenizer.pad_token_id,
            eos_token_id=tokenizer.eos_token_id,
            decoder_start_token_id=tokenizer.pad_token_id,
        )
    )
