"""The tokenizers of the bundled models, learned from the training sentences."""

from collections import Counter
from collections.abc import Iterable

from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from transformers import PreTrainedTokenizerFast

BYTE_LEVEL_SIZE = 4096
WORDPIECE_SIZE = 6144
SENTINELS = 8
LEAST_CHARACTER_COUNT = 3
CAUSAL_SPECIAL = ["<s>", "</s>", "<pad>"]
BERT_SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def byte_level_tokenizer(sentences: Iterable[str]) -> PreTrainedTokenizerFast:
    """Train a byte-level BPE tokenizer that puts <s> before a sentence."""
    return as_causal(byte_level(sentences, CAUSAL_SPECIAL))


def sentinel_tokenizer(sentences: Iterable[str]) -> PreTrainedTokenizerFast:
    """Train a byte-level BPE tokenizer with T5's sentinels that puts </s> after a sequence."""
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


def wordpiece_tokenizer(sentences: Iterable[str]) -> PreTrainedTokenizerFast:
    """Train a lower-casing WordPiece tokenizer like BERT's."""
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.train_from_iterator(
        sentences,
        trainers.WordPieceTrainer(vocab_size=WORDPIECE_SIZE, special_tokens=BERT_SPECIAL, show_progress=False),
    )
    return as_bert(tokenizer)


def character_tokenizer(sentences: Iterable[str]) -> PreTrainedTokenizerFast:
    """Build a tokenizer with a token per character. Rare characters are written as bytes, so none is unknown."""
    entries = [*CAUSAL_SPECIAL, *(f"<0x{byte:02X}>" for byte in range(256)), *common_characters(sentences)]
    tokenizer = Tokenizer(
        models.BPE({entry: index for index, entry in enumerate(entries)}, [], byte_fallback=True, fuse_unk=False)
    )
    tokenizer.decoder = decoders.Sequence([decoders.ByteFallback(), decoders.Fuse()])
    tokenizer.add_special_tokens(CAUSAL_SPECIAL)
    return as_causal(tokenizer)


def bert_character_tokenizer(sentences: Iterable[str]) -> PreTrainedTokenizerFast:
    """Build a tokenizer like Chinese BERT's: a token per character, and Latin words split into letters."""
    characters = [c for c in common_characters(sentence.lower() for sentence in sentences) if not c.isspace()]
    inside = [f"##{c}" for c in characters if c.isascii() and c.isalnum()]
    entries = [*BERT_SPECIAL, *characters, *inside]
    tokenizer = Tokenizer(models.WordPiece({entry: index for index, entry in enumerate(entries)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True, handle_chinese_chars=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return as_bert(tokenizer)


def common_characters(sentences: Iterable[str]) -> list[str]:
    """Return the characters that occur at least three times, the commonest first."""
    counts = Counter(character for sentence in sentences for character in sentence)
    return [character for character, count in counts.most_common() if count >= LEAST_CHARACTER_COUNT]


def as_causal(tokenizer: Tokenizer) -> PreTrainedTokenizerFast:
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A", special_tokens=[("<s>", tokenizer.token_to_id("<s>"))]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>", pad_token="<pad>", model_max_length=128
    )


def as_bert(tokenizer: Tokenizer) -> PreTrainedTokenizerFast:
    tokenizer.decoder = decoders.WordPiece()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[(token, tokenizer.token_to_id(token)) for token in ("[CLS]", "[SEP]")]
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
