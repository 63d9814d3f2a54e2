"""The tokenizers of the bundled models, learned from the training sentences."""

from collections.abc import Iterable

from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from transformers import PreTrainedTokenizerFast

BYTE_LEVEL_SIZE = 4096
WORDPIECE_SIZE = 6144
SENTINELS = 8


def causal_tokenizer(sentences: Iterable[str]) -> PreTrainedTokenizerFast:
    """Byte-level BPE; a sentence begins with <s>, as in training."""
    tokenizer = byte_level(sentences, ["<s>", "</s>", "<pad>"])
    tokenizer.post_processor = begins_with(tokenizer, "<s>")
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>", pad_token="<pad>", model_max_length=128
    )


def seq2seq_tokenizer(sentences: Iterable[str]) -> PreTrainedTokenizerFast:
    """Byte-level BPE with T5's sentinels; a sequence ends with </s>."""
    sentinels = [f"<extra_id_{i}>" for i in range(SENTINELS)]
    tokenizer = byte_level(sentences, ["<pad>", "</s>", *sentinels])
    tokenizer.post_processor = processors.TemplateProcessing(
        single="$A </s>", special_tokens=[("</s>", tokenizer.token_to_id("</s>"))]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        eos_token="</s>",
        pad_token="<pad>",
        additional_special_tokens=sentinels,
        model_max_length=128,
    )


def masked_tokenizer(sentences: Iterable[str]) -> PreTrainedTokenizerFast:
    """Lower-cased WordPiece, as BERT's."""
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    tokenizer.train_from_iterator(
        sentences, trainers.WordPieceTrainer(vocab_size=WORDPIECE_SIZE, special_tokens=special, show_progress=False)
    )
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        special_tokens=[(token, tokenizer.token_to_id(token)) for token in ("[CLS]", "[SEP]")],
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
        model_max_length=128,
    )


def byte_level(sentences: Iterable[str], special: list[str]) -> Tokenizer:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=BYTE_LEVEL_SIZE,
        special_tokens=special,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(sentences, trainer)
    return tokenizer


def begins_with(tokenizer: Tokenizer, token: str) -> processors.TemplateProcessing:
    return processors.TemplateProcessing(single=f"{token} $A", special_tokens=[(token, tokenizer.token_to_id(token))])
