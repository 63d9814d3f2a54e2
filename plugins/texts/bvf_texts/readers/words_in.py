"""Finds the words of classes in a text."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from bvf import BvfError, Language
from bvf.domain import Attribute

OF_NO_CLASS = "no word of a class"
BETWEEN_ALTERNATIVES = re.compile(r"\s*(?:\bor\b|/|或者?)\s*", re.IGNORECASE)
"""What stands between two words of which a text leaves open which is meant: *he or she*."""
NO_LETTER_BEFORE, NO_LETTER_AFTER = r"(?<!\w)", r"(?!\w)"
Find = Callable[[str], list[str]]
"""Returns the class of each word of a class in a text, in their order."""


@dataclass(frozen=True)
class _Found:
    """A word of a class in a text: the class, and where it begins and ends."""

    name: str
    start: int
    stop: int


def finder(classes: Sequence[Attribute], language: Language) -> Find:
    """Return the function that finds words of classes in a text, whatever their letter case.

    A word counts where it stands alone, not in a longer one: in a language that writes spaces, *he* is not in *the*; in
    one that does not, the longest word counts, and the language's `longer_words` are skipped. Words of different
    classes with *or* or a slash between them are skipped.

    Raises:
        BvfError: Two classes have the same word but for letter case.
    """
    class_of = dict[str, str]()
    for each in classes:
        for word in each.words:
            if class_of.setdefault(word.lower(), each.name) != each.name:
                raise BvfError(
                    f'the word "{word}" is of two classes, {class_of[word.lower()]} and {each.name}',
                    "no reader can tell which one a text means: choose other words with --words",
                )
    skipped = {word.lower() for word in language.longer_words()} - class_of.keys()
    expression = _expression_for({*class_of, *skipped})

    def find(text: str) -> list[str]:
        found = [
            _Found(class_of[word], match.start(), match.end())
            for match in expression.finditer(text)
            if (word := match[0].lower()) in class_of
        ]
        return list(_without_alternatives(found, text))

    return find


def _expression_for(words: Collection[str]) -> re.Pattern[str]:
    """An expression for words that are no part of longer ones. Of several at one place the longest is found."""
    parts = list[str]()
    for left, right in product((True, False), repeat=2):
        alike = [word for word in words if (_is_spaced(word[0]), _is_spaced(word[-1])) == (left, right)]
        if alike:
            longest_first = sorted(alike, key=lambda word: (-len(word), word))
            any_of_them = f"(?:{'|'.join(map(re.escape, longest_first))})"
            parts.append(f"{NO_LETTER_BEFORE if left else ''}{any_of_them}{NO_LETTER_AFTER if right else ''}")
    return re.compile("|".join(parts), re.IGNORECASE)


def _is_spaced(letter: str) -> bool:
    """Whether words that begin or end with this letter have a space or a sign beside them."""
    return letter.isalnum() and not "\u2e80" <= letter <= "\u9fff"


def _without_alternatives(found: Sequence[_Found], text: str) -> Iterator[str]:
    place = 0
    while place < len(found):
        here, after = found[place], found[place + 1] if place + 1 < len(found) else None
        if after is not None and after.name != here.name:
            between = text[here.stop : after.start]
            if BETWEEN_ALTERNATIVES.fullmatch(between):
                place += 2
                continue
        yield here.name
        place += 1
