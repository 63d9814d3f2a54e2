"""Phrases of several words, made from patterns such as ``[race] [gender]``."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod

SLOT = re.compile(r"\[([^\[\]]*)\]")
PAIR = ("[X1]", "[X2]")
"""The slots of a template with two people."""
PLACES = ("first", "second")
"""The places of two people in a text: factors of the groups that are pairs."""


def filled(pattern: str, words: Mapping[str, str]) -> str:
    """Return a pattern with its slots filled by words.

    >>> filled("[race] [gender]", {"race": "Black", "gender": "woman"})
    'Black woman'
    """
    return SLOT.sub(lambda slot: words[slot[1]], pattern)


def combinations(levels: Mapping[str, Sequence[str]]) -> Iterator[dict[str, str]]:
    """Yield every combination of one level per factor. The last factor changes fastest.

    >>> list(combinations({"race": ["Black", "white"], "gender": ["female"]}))
    [{'race': 'Black', 'gender': 'female'}, {'race': 'white', 'gender': 'female'}]
    """
    for chosen in product(*levels.values()):
        yield dict(zip(levels, chosen, strict=True))


def size_text(numbers: Sequence[int]) -> str:
    """Return the product of numbers as text that shows its factors.

    >>> size_text([7, 78, 40])
    '7 x 78 x 40 = 21,840'
    """
    return f"{' x '.join(map(str, numbers))} = {prod(numbers):,}"


def check_pattern(pattern: str, factors: Sequence[str]) -> None:
    """Check that a pattern has exactly one slot per factor.

    Raises:
        ValueError: A slot is missing, repeated or unknown; the message names it.
    """
    slots = SLOT.findall(pattern)
    for factor in factors:
        if slots.count(factor) != 1:
            raise ValueError(f'the phrase "{pattern}" has [{factor}] {slots.count(factor)} times, not once')
    unknown = [slot for slot in slots if slot not in factors]
    if unknown:
        raise ValueError(f'the phrase "{pattern}" has [{unknown[0]}], which is not one of {", ".join(factors)}')
