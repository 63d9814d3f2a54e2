"""Finds the candidate word at the start of a continuation, by comparing strings."""

import unicodedata
from collections.abc import Sequence

PART_OF_A_LETTER = "\ufffd"


def tokens_of_the_longest(words: Sequence[str]) -> int:
    """Return the most tokens that any tokenizer needs for a word, a space before it, and a character after it.

    No token is shorter than a byte.

    >>> tokens_of_the_longest(["he", "she"])
    5
    """
    return max(len(word.encode()) for word in words) + 2


def word_begun(continuation: str, words: Sequence[str], *, spaced: bool, gap: bool) -> int | None:
    """Return the index of the longest word that a continuation begins with; None if it begins with no word.

    Args:
        continuation: The text that a model adds.
        words: The candidate words as they are written inside a sentence.
        spaced: Whether spaces separate words, so that a word followed by a letter is another word.
        gap: Whether the continuation must begin with a space.

    >>> word_begun(" her", ["he", "her"], spaced=True, gap=True)
    1
    >>> word_begun(" hers", ["he", "her"], spaced=True, gap=True) is None
    True
    """
    if gap and not continuation.startswith(" "):
        return None
    text = continuation[1:] if gap else continuation
    fitting = [
        index
        for index, word in enumerate(words)
        if text.startswith(word) and not (spaced and _goes_on(text[len(word) :]))
    ]
    return max(fitting, key=lambda index: len(words[index]), default=None)


def _goes_on(rest: str) -> bool:
    """Whether this text continues a word: begins with a letter, digit, combining mark or incomplete character."""
    first = rest[:1]
    return first.isalnum() or first == PART_OF_A_LETTER or (first != "" and unicodedata.category(first).startswith("M"))
