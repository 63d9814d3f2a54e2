"""One vocabulary of groups: who the items of benchmarks are about, whatever the authors call them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cache

from bvf_bias_benchmarks import declared

WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
"""A word, without an apostrophe and what follows it: "girl's" is "girl" and "s"."""


def group_called(name: str) -> str:
    """Return the group that a benchmark calls ``name``; a name that the vocabulary lacks stays as it is.

    >>> group_called("F"), group_called("girl"), group_called("\u5973\u6027"), group_called("Muslim")
    ('women', 'women', 'women', 'Muslims')
    """
    plain = " ".join(name.split())
    return _vocabulary().get(plain.casefold(), plain)


@cache
def _vocabulary() -> dict[str, str]:
    return {name.casefold(): group for group, names in declared("groups").items() for name in (group, *names)}


def group_in(sentence: str, other: str, language: str) -> str:
    """Return the group that a sentence names in the words that another one lacks; empty: none, or several.

    >>> group_in("The old man sang.", "The young man sang.", "en"), group_in("Jamal sang.", "John sang.", "en")
    ('older people', '')
    """
    words, others = WORD.findall(sentence.casefold()), WORD.findall(other.casefold())
    blocks = SequenceMatcher(None, words, others, autojunk=False).get_opcodes()
    apart = [words[start:stop] for kind, start, stop, *_ in blocks if kind != "equal"]
    named = {group for span in apart for group in _named_in(span, _words_of_groups(language))}
    return named.pop() if len(named) == 1 else ""


@cache
def _words_of_groups(language: str) -> dict[str, str]:
    return {word: group for group, words in declared("words_of_groups")[language].items() for word in words}


def _named_in(words: Sequence[str], names: Mapping[str, str]) -> Iterator[str]:
    """Yield the groups that words name, alone or two together: the longer name counts."""
    place = 0
    while place < len(words):
        for length in (2, 1):
            group = names.get(" ".join(words[place : place + length]))
            if group is not None:
                yield group
                break
        place += length
