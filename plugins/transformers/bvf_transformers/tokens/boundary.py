"""Where a word ends: the tokens that cannot continue it."""

import unicodedata

from transformers import PreTrainedTokenizerBase

from bvf.errors import BvfError
from bvf_transformers.tokens.composing import ANCHOR
from bvf_transformers.tokens.spaces import SPACES

"""The first character of tokens that begin a word, in byte-level and sentencepiece vocabularies."""
GOES_ON = "##"
"""The first characters of tokens that continue a word, in WordPiece vocabularies; elsewhere they are plain text."""
PART_OF_A_LETTER = "\ufffd"
"""How vocabularies write single bytes of a letter."""


def boundary_tokens(tokenizer: PreTrainedTokenizerBase, model: str) -> list[int]:
    """Return the ids of all tokens that may follow a whole word.

    They begin a new word, or are no part of one: punctuation, line breaks, and the special tokens that end a text.

    Raises:
        BvfError: The vocabulary marks neither the beginning of words nor their going on.
    """
    tokens = tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))
    special = set(tokenizer.all_special_ids)
    goes_on = _mark_of_going_on(tokenizer)
    if not goes_on and not any(token and token.startswith(SPACES) for token in tokens):
        raise BvfError(
            f"{model}: --word-boundary needs a tokenizer that marks where words begin, and this one does not",
            "leave it out: without spaces between words there is no boundary to ask for",
        )
    return [
        index
        for index, token in enumerate(tokens)
        if token and (index in special or _may_follow(token, tokenizer, goes_on))
    ]


def _mark_of_going_on(tokenizer: PreTrainedTokenizerBase) -> str:
    """What tokens begin with where a word goes on; empty where the tokenizer marks no such tokens."""
    fast = getattr(tokenizer, "backend_tokenizer", None)
    if fast is not None:
        return getattr(fast.model, "continuing_subword_prefix", None) or ""
    joined = tokenizer.convert_tokens_to_string(["a", f"{GOES_ON}b"])
    return GOES_ON if joined == "ab" else ""


def _may_follow(token: str, tokenizer: PreTrainedTokenizerBase, goes_on: str) -> bool:
    if goes_on:
        return not token.startswith(goes_on)
    if token.startswith(SPACES):
        return True
    text = tokenizer.convert_tokens_to_string([token]) or _text_after_a_word(token, tokenizer)
    return text != "" and not _is_in_a_word(text[0])


def _text_after_a_word(token: str, tokenizer: PreTrainedTokenizerBase) -> str:
    """What a token adds to a word: a space, of which nothing is left where a text begins with it, is seen here."""
    return tokenizer.convert_tokens_to_string([ANCHOR, token]).removeprefix(ANCHOR)


def _is_in_a_word(character: str) -> bool:
    """Whether it is a letter, a digit, or a part of one: an accent or vowel sign of its own, or a single byte."""
    return character.isalnum() or character == PART_OF_A_LETTER or unicodedata.category(character).startswith("M")
