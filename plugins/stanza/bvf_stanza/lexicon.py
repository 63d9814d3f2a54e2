"""The word lists by which a miner recognises persons, pronouns and gender cues, and names in a text."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError, field_validator

from bvf import BvfError
from bvf.files import parse_toml, read_text
from bvf.interfaces import Span

Gender = Literal["masculine", "feminine"]
TABLES = ("names", "families", "implied")
"""Fields that are tables of several word lists."""
BESIDE = ("names", "implied")
"""Fields that have a file of their own."""
HAN = "\u3400-\u9fff"
APOSTROPHE = re.compile("[\u2019']")
WORD = re.compile(rf"[{HAN}]|[^\W_{HAN}]+(?:[\u2019'][^\W_{HAN}]+)?")
TOKEN = re.compile(r"[^\W_]+|(?<=\w)[\u2019'][^\W_]+|-{2,}|[^\w\s]")
NAME_AFTER = re.compile(r"\b([A-Za-z][a-z]+)\.?[ \n]([A-Z][a-z]+)\b")
CALLED = re.compile(r"\b([A-Z][a-z]+), (?:an?|the) ((?:[a-z]+ ){1,4})")
LEAST_CHARACTERS = 2
Names = Mapping[str, Gender | None]
"""Names of persons, each with the gender that the document implies; None if it implies none, or both."""
NO_NAMES: Names = MappingProxyType({})


class Lexicon(BaseModel):
    """Words of a language for its miner. They are in lower case, except for names.

    Args:
        script: Unicode name of the script, ``LATIN``.
        sentence_end: Regular expression of the end of a sentence; the next one begins after it.
        pronouns: Third-person singular pronouns for persons, in all cases, each with its gender.
        subject_pronouns: Pronouns among them that can be the subject of a clause or possess it: *she*, *her*.
        other_pronouns: First words of sentences whose subject is not a noun.
        nominatives: Pronouns of any person that are subjects.
        openers: Words that are not nouns but capitalised at the beginning of a sentence.
        persons: Nouns for persons. So are words with ``person_endings``, other than ``not_persons``.
        masculine: Nouns for male persons.
        feminine: Nouns for female persons.
        titles: Titles before names, each with its gender or *any*.
        short_titles: Titles that end with a full stop, after which a parser may begin a sentence: *Mr.*
        names: Given names, by gender.
        no_persons: Proper nouns of places, months and organisations.
        placing: Prepositions that come before names of places, not of persons.
        addressing: Verbs whose object is a person.
        before_no_subject: Words after which a noun or name is not a subject: *of*, *whom*.
        determiners: Words that may stand between a word of ``before_no_subject`` and a noun.
        joining: Words that coordinate clauses: *and*.
        links: Words that may introduce a later clause, such as *because*; ``_`` joins several: ``even_if``.
        cues: Words that reveal the gender of the subject, as the pronoun does.
        quantities: Words beside a noun that make it plural, for languages without a plural feature.
        plural_endings: Endings of plurals, for languages without a plural feature.
        attributive_particles: Words that join a describing word to its noun: 的.
        spaced: Whether there are spaces between words.
        noun_tags: Tags of nouns and names.
        any_clause: Whether the subject may be that of any clause, not only the main one: for languages whose
            sentences are chains of clauses.
        pronoun_subjects: Whether the subject may itself be a pronoun, repeated later: *he said that he*.
        inner_clauses: Whether the subject may be that of a subordinate or coordinate clause, not only the main one.
        phrase_clauses: Whether the word of Y may begin a clause that modifies a noun or adverb: *the letter that he*.
        fronted_clauses: Whether the subject may be that of a clause before the main one: *when he came, he*.
        articles: Articles, which come before nouns and names of things but never before names of persons.
        no_occupations: Nouns for persons that do not name an occupation: *friend*.
        gendered: Words that reveal the gender of persons other than the subject: *men*, *Mrs.*; not in templates.
        animals: Nouns for animals; a passage full of them may call one *he*.
        animal_parts: Words used of animals only, beside which *he* may be an animal: *paw*.
        vessels: Words beside which a name may be that of a ship, so that *she* is not a person.
        relatives: Nouns for relatives, of whom *younger* or *elder* tells the order and no age: *brother*.
        families: Verbs by meaning: ``reporting`` verbs take *that*.
        implied: Words that imply the gender of the person in a template, by kind: *gown*, *convent*; ``_`` is a space.
        endings: Endings with which these words, and those that name a gender, count too: *gowns*.
        no_cues: Words of a template that look like cues and are none: *missed* (*miss*).
        second_person: Regular expression of words that bring a second person into a template: *told someone*.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    script: str
    sentence_end: str
    pronouns: dict[str, Gender]
    subject_pronouns: frozenset[str]
    other_pronouns: frozenset[str]
    nominatives: frozenset[str] = frozenset()
    openers: frozenset[str] = frozenset()
    persons: frozenset[str]
    person_endings: tuple[str, ...] = ()
    not_persons: frozenset[str] = frozenset()
    masculine: frozenset[str] = frozenset()
    feminine: frozenset[str] = frozenset()
    titles: dict[str, Gender | Literal["any"]] = {}
    short_titles: frozenset[str] = frozenset()
    names: dict[Gender, frozenset[str]] = {}
    no_persons: frozenset[str] = frozenset()
    placing: frozenset[str] = frozenset()
    addressing: frozenset[str] = frozenset()
    before_no_subject: frozenset[str] = frozenset()
    determiners: frozenset[str] = frozenset()
    joining: frozenset[str] = frozenset()
    links: frozenset[str] = frozenset()
    cues: frozenset[str] = frozenset()
    quantities: frozenset[str] = frozenset()
    plural_endings: tuple[str, ...] = ()
    attributive_particles: frozenset[str] = frozenset()
    spaced: bool = True
    noun_tags: tuple[str, ...] = ("NOUN", "PROPN")
    any_clause: bool = False
    pronoun_subjects: bool = False
    inner_clauses: bool = False
    phrase_clauses: bool = False
    fronted_clauses: bool = False
    articles: frozenset[str] = frozenset()
    gendered: frozenset[str] = frozenset()
    animals: frozenset[str] = frozenset()
    animal_parts: frozenset[str] = frozenset()
    vessels: frozenset[str] = frozenset()
    no_occupations: frozenset[str] = frozenset()
    relatives: frozenset[str] = frozenset()
    opening: tuple[str, ...] = ("“", "\u2018", "「", "『", "«", "``", "`")
    closing: tuple[str, ...] = ("”", "\u2019", "」", "』", "»", "''")
    toggling: str = '"'
    families: dict[str, frozenset[str]] = {}
    implied: dict[str, frozenset[str]] = {}
    endings: tuple[str, ...] = ()
    no_cues: frozenset[str] = frozenset()
    second_person: str = "(?!)"

    @field_validator("sentence_end", "second_person")
    @classmethod
    def _pattern(cls, pattern: str) -> str:
        try:
            re.compile(pattern)
        except re.error as error:
            raise ValueError(f"not a regular expression: {error}") from error
        return pattern

    def is_person(self, noun: str) -> bool:
        """Whether a common noun, in its base form, means a person."""
        if noun in self.persons or self.gender(noun):
            return True
        return noun.endswith(self.person_endings) and noun not in self.not_persons

    def gender(self, noun: str) -> Gender | None:
        """The gender of a noun, title or name; None if unknown.

        In a language without spaces between words, it is that of the longest ending that is a known noun or title.
        """
        for part in (noun,) if self.spaced else (noun[start:] for start in range(len(noun))):
            lower = part.lower()
            if lower in self.masculine or self.titles.get(lower) == "masculine":
                return "masculine"
            if lower in self.feminine or self.titles.get(lower) == "feminine":
                return "feminine"
        return next((gender for gender, names in self.names.items() if noun in names), None)

    def may_be_name(self, word: str) -> bool:
        """Whether a word is capitalised, not one of `openers`, and not the name of a place, month or organisation."""
        return word[0].isupper() and word.lower() not in self.openers and word not in self.no_persons

    def pronoun_gender(self, word: str) -> Gender | None:
        """The gender of a pronoun; None for another word."""
        return self.pronouns.get(word.lower())

    def is_pronoun_subject(self, word: str) -> bool:
        """Whether a word is a pronoun that ``[X]`` can replace: the first of *he said that he*."""
        lower = word.lower()
        return self.pronoun_subjects and lower in self.nominatives and lower in self.pronouns

    def shows_gender(self, word: str, base: str) -> bool:
        """Whether a word or its base form, both in lower case, reveals a gender: *wife*, *beard*."""
        return word in self.cues or word in self.gendered or bool(self.gender(base))

    def family(self, verb: str) -> str:
        """The family of a verb in its base form; ``other`` if it has none."""
        return next((name for name, verbs in self.families.items() if verb in verbs), "other")

    @cached_property
    def governing(self) -> frozenset[str]:
        """Verbs of saying and thinking, which can govern a content clause."""
        return self.families["reporting"] | self.families["thinking"]

    def rough_sentences(self, text: str) -> Iterator[Span]:
        """Yield the spans of sentences, split by punctuation. The parser may split them further."""
        start = 0
        for stop in (*(end.end() for end in re.finditer(self.sentence_end, text)), len(text)):
            rough = text[start:stop]
            begin, length = start + len(rough) - len(rough.lstrip()), len(rough.strip())
            if length >= LEAST_CHARACTERS:
                yield Span(begin, begin + length)
            start = stop

    def cue(self, template: str) -> str:
        """The first word of a template that names or implies a gender of the person; empty if there is none.

        >>> from importlib.resources import files
        >>> english = read_lexicon(files("bvf_en.mining"))
        >>> english.cue("The [X] was educated in a convent where [Y]"), english.cue("The [X] missed it when [Y]")
        ('convent', '')
        """
        cue = self._cues.search(re.sub(self._any_of(self.no_cues), "", template))
        return cue[0].lower() if cue else ""

    def second(self, template: str) -> str:
        """The words of a template that bring a second person, whom the word of Y may mean; empty if there are none."""
        second = re.search(self.second_person, template, re.VERBOSE)
        return " ".join(second[0].split()) if second else ""

    @cached_property
    def telling(self) -> frozenset[str]:
        """The words that `cue` looks for, without names: those that name a gender, and ``implied``."""
        return frozenset().union(self.masculine, self.feminine, self.cues, self.gendered, *self.implied.values())

    @cached_property
    def _cues(self) -> re.Pattern[str]:
        names = frozenset().union(*self.names.values())
        return re.compile(f"(?i:{self._any_of(self.telling, self.endings)})|{self._any_of(names)}")

    def _any_of(self, words: Iterable[str], endings: Iterable[str] = ()) -> str:
        """The pattern of any of these words, whole in a language with spaces."""
        longest_first = sorted(words, key=len, reverse=True)
        any_word = "|".join(re.escape(word.replace("_", " ")) for word in longest_first) or "(?!)"
        return rf"\b(?:{any_word})(?:{'|'.join(endings)})?\b" if self.spaced else f"(?:{any_word})"


def read_lexicon(folder: Traversable) -> Lexicon:
    """Read ``lexicon.toml``, and ``names.toml`` and ``implied.toml`` where they are there.

    A list may be a string of space-separated words.

    Raises:
        BvfError: ``lexicon.toml`` is missing, a file is not TOML, or a list is missing, unknown or of the wrong type.
    """
    file = folder / "lexicon.toml"
    raw = _toml(file) | {name: _toml(folder / f"{name}.toml") for name in BESIDE if (folder / f"{name}.toml").is_file()}
    try:
        return Lexicon.model_validate({key: _listed(key, value) for key, value in raw.items()})
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise BvfError(f"{file}: {place}: {first['msg']}", "bvf_stanza.Lexicon names the lists") from error


def _toml(file: Traversable) -> dict[str, Any]:
    return parse_toml(read_text(file), str(file))


def _listed(key: str, value: object) -> object:
    if isinstance(value, dict):
        return {inner: _listed(key, words) for inner, words in value.items()} if key in TABLES else value
    field = Lexicon.model_fields.get(key)
    is_list = key in TABLES or (field is not None and field.annotation in (frozenset[str], tuple[str, ...]))
    return value.split() if isinstance(value, str) and is_list else value


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
