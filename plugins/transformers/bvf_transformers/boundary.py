"""Where a word ends: the tokens that cannot go on with it."""

from transformers import PreTrainedTokenizerBase

from bvf.errors import BvfError

BEGINS_A_WORD = ("Ġ", "▁", " ")
"""What tokens of byte-level and sentencepiece vocabularies begin with where a word begins."""
GOES_ON = "##"
"""What tokens of WordPiece vocabularies begin with where a word goes on."""
PART_OF_A_LETTER = "\ufffd"
"""What single bytes of a letter are written as."""


def boundary_tokens(tokenizer: PreTrainedTokenizerBase, model: str) -> list[int]:
    """Return the ids of all tokens that may follow a whole word.

    They begin a new word, or are no part of one: punctuation, line breaks, and the special tokens that end a text.

    Raises:
        BvfError: The vocabulary marks neither the beginning of words nor their going on.
    """
    tokens = tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))
    special = set(tokenizer.all_special_ids)
    marks_rest = any(token.startswith(GOES_ON) for token in tokens)
    if not marks_rest and not any(token.startswith(BEGINS_A_WORD) for token in tokens):
        raise BvfError(
            f"{model}: --word-boundary needs a tokenizer that marks where words begin, and this one does not",
            "leave it out: without spaces between words there is no boundary to ask for",
        )
    return [
        index
        for index, token in enumerate(tokens)
        if token and (index in special or _may_follow(token, tokenizer, marks_rest=marks_rest))
    ]


def _may_follow(token: str, tokenizer: PreTrainedTokenizerBase, *, marks_rest: bool) -> bool:
    if marks_rest:
        return not token.startswith(GOES_ON)
    if token.startswith(BEGINS_A_WORD):
        return True
    text = tokenizer.convert_tokens_to_string([token])
    return text != "" and not (text[0].isalnum() or text[0] == PART_OF_A_LETTER)
