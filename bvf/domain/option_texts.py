"""Parses option values of the form ``name=value``: the words of a class, and labels."""

from collections.abc import Sequence

from bvf.domain.spelling import plain_letters
from bvf.errors import BvfError


def parse_all_words(texts: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the words of every class, each given as ``class=word,word``.

    Raises:
        BvfError: A text has no words, or two texts have the same class.
    """
    words: dict[str, tuple[str, ...]] = {}
    for name, listed in map(parse_words, texts):
        if name in words:
            both = ",".join((*words[name], *listed))
            raise BvfError(f'--words: the class "{name}" is there twice', f"write its words once: '{name}={both}'")
        words[name] = listed
    return words


def parse_labels(texts: Sequence[str]) -> dict[str, str]:
    """Return labels by name, each given as ``name=value``.

    Raises:
        BvfError: A text is not of this form, or two texts have the same name.
    """
    labels: dict[str, str] = {}
    for text in texts:
        name, _, value = (part.strip() for part in text.partition("="))
        if not name or not value:
            raise BvfError(f'--label "{text}" is not a label', "write name=value, e.g. --label size=7b")
        if name in labels:
            raise BvfError(f"--label {text}: {name} is there twice", "name every label once")
        labels[name] = value
    return labels


def parse_words(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the class and its words, given as ``class=word,word``. Raises `BvfError` if there are no words."""
    name, equals, words = plain_letters(text).partition("=")
    listed = tuple(word.strip() for word in words.split(",") if word.strip())
    if not equals or not listed:
        raise BvfError(f'--words "{text}" names no words', "write class=word,word, e.g. --words 'male=he,him'")
    return name.strip(), listed
