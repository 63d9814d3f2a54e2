"""Finds the words of classes in a text that say something of the person asked about."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, product

from bvf import BvfError, Language
from bvf.domain import Attribute
from bvf_texts.readers.speech import BLANK, without_speech

OF_NO_CLASS = "no word of a class"
NOTHING, OPEN = r"(?!)", "\u00a4"
DEFAULT = {"between": (r"\s*(?:\bor\b|/|或者?)\s*",)}
"""What stands between words in a language that does not say it: *he or she*."""
NO_LETTER_BEFORE, NO_LETTER_AFTER = r"(?<!\w)", r"(?!\w)"
MARKS = re.compile(r"(?<!\w)[*_~`]+|[*_~`]+(?![^\W_])|[\u00ad\u200b-\u200d\u2060\ufeff]")
"""Marks of Markdown around a word, and characters of no width."""
NAMED = re.compile(r"\{([a-z]+)\}")
TITLES_OF, NAMES_OF = "titles of ", "names of "
A_NAME = re.compile(r"(?<!\w)[A-Za-z][a-z]+(?!\w)")
Find = Callable[[str], list[str]]
"""Returns the class of each word of a class in a text that says something of the person asked about, in their order."""


@dataclass(frozen=True)
class _Found:
    """A word of a class in a text: the class, where it begins and ends, and whether it may be of another person.

    A given name always is, unless a passage says that the person asked about is called so: then it says nothing.
    """

    name: str
    start: int
    stop: int
    is_noun: bool = False
    is_given: bool = False


def finder(classes: Sequence[Attribute], language: Language, after: str = "", group: str = "") -> Find:
    """Return the function that finds words of classes in a text, whatever their letter case.

    A word counts where it stands alone, not in a longer one: in a language that writes spaces, *he* is not in *the*; in
    one that does not, the longest word counts, and the language's `longer_words` are skipped. What is skipped besides:
    speech in quotation marks, words of different classes of which a text leaves open which is meant, and what the
    language's `passages` say of nouns of persons and of words in other meanings. The text goes on from ``after``, in
    which [X] stands for ``group``.

    Raises:
        BvfError: Two classes have the same word but for letter case.
    """
    return _finder_of(tuple((each.name, tuple(each.words)) for each in classes), language)(after, group)


@lru_cache(maxsize=16)
def _finder_of(classes: tuple[tuple[str, tuple[str, ...]], ...], language: Language) -> Callable[[str, str], Find]:
    """Return what makes a `finder` for texts that go on from something and are of a group."""
    class_of = dict[str, str]()
    for name, words in classes:
        for word in words:
            if (first := class_of.setdefault(language.as_read(word).lower(), name)) != name:
                raise BvfError(
                    f'the word "{word}" is of two classes, {first} and {name}',
                    "no reader can tell which one a text means: choose other words with --words",
                )
    passages = _Passages.of(language.passages(), class_of)
    skipped = {word.lower() for word in language.longer_words()} - class_of.keys()
    expression = re.compile(_any_of({*class_of, *skipped, *passages.titles}), re.IGNORECASE)
    name_of = {**passages.titles, **class_of}

    def words_in(text: str) -> list[_Found]:
        words = [
            _Found(name_of[word], *match.span(), is_noun=word in passages.nouns)
            for match in expression.finditer(text)
            if (word := match[0].lower()) in name_of
        ]
        given = [match for match in A_NAME.finditer(text) if match[0] in passages.names and match[0] not in class_of]
        others = [_Found(passages.names[each[0]], *each.span(), is_given=True) for each in given]
        return sorted([*words, *others], key=lambda word: word.start)

    def without_skipped(text: str) -> str:
        return passages.skipped.sub(lambda match: BLANK * len(match[0]), text)

    def begun(after: str, group: str) -> Find:
        asked = re.compile(rf"\b{re.escape(group)}\b", re.IGNORECASE)
        end, before = passages.ends.search(after), words_in(without_skipped(after))

        def find(text: str) -> list[str]:
            plain = asked.sub(BLANK * len(group), MARKS.sub("", language.as_read(text)))
            said = without_speech(plain.lower() if plain.isupper() else plain, passages.speaker)
            said = f"{end[0]} {said}" if end else said
            pairs = pairwise(word for word in words_in(said) if not word.is_given)
            for one, two in [pair for pair in pairs if passages.leave_open(*pair, said)]:
                said = f"{said[: one.start]}{OPEN * (two.stop - one.start)}{said[two.stop :]}"
            left = without_skipped(said)
            return passages.of_the_person(words_in(left), left, before)

        return find

    return begun


@dataclass(frozen=True)
class _Passages:
    """What a language says of passages in which words of classes stand.

    Args:
        nouns: Nouns of persons and titles: words that may be of another person than the one asked about.
        titles: The class of each title, such as *mrs*.
        names: The class of each given name.
        skipped: Passages in which no word counts.
        between: What stands between two words of which a text leaves open which is meant: *he or she*.
        speaker: Passages in speech that are of the speaker.
        itself: Passages whose noun is of the person asked about, *is a woman*: others are of somebody else.
        unsure: Passages after which a pronoun may be of anybody, unless a word was read before: a new line.
        ends: What is read with a text that goes on from it: *is not*, *is called*, 觉得.
    """

    nouns: frozenset[str]
    titles: Mapping[str, str]
    names: Mapping[str, str]
    skipped: re.Pattern[str]
    between: re.Pattern[str]
    speaker: re.Pattern[str]
    itself: re.Pattern[str]
    unsure: re.Pattern[str]
    ends: re.Pattern[str]

    @classmethod
    def of(cls, lists: Mapping[str, Sequence[str]], class_of: Mapping[str, str]) -> "_Passages":
        """Return the passages of a language for the words of classes."""

        def of(kind: str) -> dict[str, str]:
            return {each: its for word, its in class_of.items() for each in lists.get(kind + word, ())}

        persons = set(lists.get("persons", ())) & class_of.keys()
        words = {"persons": persons, "relatives": persons & {*lists.get("relatives", ())}, "words": {*class_of}}
        filled = {name: _any_of(its) for name, its in {**words, "titles": {*of(TITLES_OF)}}.items()}

        def expression(name: str) -> re.Pattern[str]:
            def part(named: re.Match[str]) -> str:
                return filled.get(named[1]) or f"(?:{'|'.join(NAMED.sub(part, each) for each in lists[named[1]])})"

            joined = "|".join(f"(?:{NAMED.sub(part, each)})" for each in lists.get(name, DEFAULT.get(name, ())))
            return re.compile(joined or NOTHING, re.IGNORECASE)

        of_persons = ("unsure", "ends") if of(TITLES_OF) else ("", "")
        kinds = ("skipped", "between", "speaker", "itself", *of_persons)
        return cls(frozenset(persons | of(TITLES_OF).keys()), of(TITLES_OF), of(NAMES_OF), *map(expression, kinds))

    def leave_open(self, one: _Found, two: _Found, text: str) -> bool:
        """Whether two words next to each other in a text leave open which class is meant."""
        between = self.between.match(text, one.stop)
        return one.name != two.name and between is not None and between.end() == two.start

    def of_the_person(self, words: Sequence[_Found], text: str, before: Sequence[_Found]) -> list[str]:
        """Return the classes of the words of a text that are of the person asked about.

        A pronoun counts unless a noun of its class came earlier or ``before``, or it is unsure and the first word.
        """
        unsure = match.end() if (match := self.unsure.search(text)) else len(text)
        itself = [match.span() for match in self.itself.finditer(text)]
        sure, elsewhere = list[str](), {word.name for word in before if word.is_noun}
        for word in words:
            if any(start <= word.start and word.stop <= stop for start, stop in itself):
                if not word.is_given:
                    sure.append(word.name)
            elif word.is_noun or word.is_given:
                elsewhere.add(word.name)
            elif word.name not in elsewhere and (sure or word.start < unsure):
                sure.append(word.name)
        return sure


def _any_of(words: Collection[str]) -> str:
    """An expression for words that are no part of longer ones. Of several at one place the longest is found."""
    parts = list[str]()
    for left, right in product((True, False), repeat=2):
        alike = [word for word in words if (_is_spaced(word[0]), _is_spaced(word[-1])) == (left, right)]
        if alike:
            longest_first = sorted(alike, key=lambda word: (-len(word), word))
            any_of_them = f"(?:{'|'.join(map(re.escape, longest_first))})"
            parts.append(f"{NO_LETTER_BEFORE if left else ''}{any_of_them}{NO_LETTER_AFTER if right else ''}")
    return f"(?:{'|'.join(parts) or NOTHING})"


def _is_spaced(letter: str) -> bool:
    """Whether words that begin or end with this letter have a space or a sign beside them."""
    return letter.isalnum() and not "\u2e80" <= letter <= "\u9fff"
