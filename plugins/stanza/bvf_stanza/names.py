"""What a document tells about its names: who has a title or a given name somewhere, or is called a person."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from bvf_stanza.lexicon import Gender, Lexicon

NAME_BEHIND = re.compile(r"\b([A-Za-z][a-z]+)\.?[ \n]([A-Z][a-z]+)\b")
CALLED = re.compile(r"\b([A-Z][a-z]+), (?:an?|the) ((?:[a-z]+ ){1,4})")

Names = Mapping[str, Gender | None]
"""Names of persons, each with the gender that the document tells; None if it tells none, or both."""
NOBODY: Names = MappingProxyType({})


def names_in(text: str, lexicon: Lexicon) -> Names:
    """Return the names that stand after a title or given name, or before what a person is called.

    >>> from importlib.resources import files
    >>> from bvf_stanza.lexicon import read_lexicon
    >>> english = read_lexicon(files("bvf_en.mining"))
    >>> names_in("Mr. Bingley and Jane Bennet danced. Adams, a surgeon of note, did not.", english)
    {'Bingley': 'masculine', 'Bennet': 'feminine', 'Adams': None}
    """
    names: dict[str, Gender | None] = {}
    for before, name in NAME_BEHIND.findall(text):
        title = lexicon.titles.get(before.lower())
        told = lexicon.gender(before) if title != "any" else None
        if (title or (told and before[0].isupper())) and name not in lexicon.no_persons:
            names[name] = told if names.get(name, told) == told else None
    for name, called in CALLED.findall(text):
        persons = [word for word in called.split() if lexicon.is_person(word)]
        if persons and name not in names and name not in lexicon.no_persons:
            names[name] = lexicon.gender(persons[0])
    return names
