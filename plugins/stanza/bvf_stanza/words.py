"""Tokenises text by regular expressions, and finds names of persons in it."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from bvf_stanza.lexicon import Gender, Lexicon

HAN = "\u3400-\u9fff"
APOSTROPHE = re.compile("[\u2019']")
WORD = re.compile(rf"[{HAN}]|[^\W_{HAN}]+(?:[\u2019'][^\W_{HAN}]+)?")
TOKEN = re.compile(r"[^\W_]+|(?<=\w)[\u2019'][^\W_]+|-{2,}|[^\w\s]")
NAME_AFTER = re.compile(r"\b([A-Za-z][a-z]+)\.?[ \n]([A-Z][a-z]+)\b")
CALLED = re.compile(r"\b([A-Z][a-z]+), (?:an?|the) ((?:[a-z]+ ){1,4})")

Names = Mapping[str, Gender | None]
"""Names of persons, each with the gender that the document implies; None if it implies none, or both."""
NOBODY: Names = MappingProxyType({})


def uncontracted(word: str) -> str:
    """Return a word in lower case without a contracted ending: *he* for *he's*."""
    return APOSTROPHE.split(word.lower(), maxsplit=1)[0]


def names_in(text: str, lexicon: Lexicon) -> Names:
    """Return the names after a title or given name, or before a noun for the person (*Adams, a surgeon*).

    >>> from importlib.resources import files
    >>> from bvf_stanza.lexicon import read_lexicon
    >>> english = read_lexicon(files("bvf_en.mining"))
    >>> names_in("Mr. Bingley danced; Jane Bennet danced too. Adams, a surgeon of note, did not.", english)
    {'Bingley': 'masculine', 'Bennet': 'feminine', 'Adams': None}
    """
    names: dict[str, Gender | None] = {}
    for before, name in NAME_AFTER.findall(text):
        title = lexicon.titles.get(before.lower())
        gender = lexicon.gender(before) if title != "any" else None
        if (title or (gender and before[0].isupper())) and name not in lexicon.no_persons:
            names[name] = gender if names.get(name, gender) == gender else None
    for name, called in CALLED.findall(text):
        persons = [word for word in called.split() if lexicon.is_person(word)]
        if persons and name not in names and name not in lexicon.no_persons:
            names[name] = lexicon.gender(persons[0])
    return names
