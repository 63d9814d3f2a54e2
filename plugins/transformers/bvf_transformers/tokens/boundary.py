"""Word boundaries: finds the tokens that show the end of the word before them."""

import unicodedata

from transformers import PreTrainedTokenizerBase

from bvf import BvfError
from bvf_transformers.tokens.composing import ANCHOR
from bvf_transformers.tokens.markers import CONTINUES, PART_OF_A_LETTER, SPACES


def boundary_tokens(tokenizer: PreTrainedTokenizerBase, model: str) -> list[int]:
    """Return the ids of all tokens that may follow a complete word.

    They begin a new word, or are not part of one: punctuation, line breaks, and special tokens. A vocabulary that marks
    neither where words begin nor where they continue is refused.
    """
    tokens = tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))
    special = set(tokenizer.all_special_ids)
    continues = _mark_of_continuing(tokenizer)
    if not continues and not any(token and token.startswith(SPACES) for token in tokens):
        raise BvfError(
            f"{model}: --word-boundary needs a tokenizer that marks where words begin, and this one does not",
            "leave it out: without spaces between words there is no boundary to ask for",
        )
    return [
        index
        for index, token in enumerate(tokens)
        if token and (index in special or _may_follow(token, tokenizer, continues))
    ]


def _mark_of_continuing(tokenizer: PreTrainedTokenizerBase) -> str:
    """The prefix of tokens that continue a word; empty if the tokenizer has none."""
    fast = getattr(tokenizer, "backend_tokenizer", None)
    if fast is not None:
        return getattr(fast.model, "continuing_subword_prefix", None) or ""
    joined = tokenizer.convert_tokens_to_string(["a", f"{CONTINUES}b"])
    return CONTINUES if joined == "ab" else ""


def _may_follow(token: str, tokenizer: PreTrainedTokenizerBase, continues: str) -> bool:
    if continues:
        return not token.startswith(continues)
    if token.startswith(SPACES):
        return True
    text = tokenizer.convert_tokens_to_string([token])
    if not text:  # decoding drops a space at the beginning of a text, so decode it after a word
        text = tokenizer.convert_tokens_to_string([ANCHOR, token]).removeprefix(ANCHOR)
    return text != "" and not _is_in_a_word(text[0])


def _is_in_a_word(character: str) -> bool:
    """Whether a character is a letter or digit, a combining accent or vowel sign, or a single byte."""
    return character.isalnum() or character == PART_OF_A_LETTER or unicodedata.category(character).startswith("M")
