"""Splits text into sentences, and finds by word lists which need not be parsed."""

from collections.abc import Iterator, Sequence

from bvf.interfaces import Span
from bvf_stanza.attributes import Attributes
from bvf_stanza.lexicon import Lexicon
from bvf_stanza.pairs import Pairs
from bvf_stanza.words import WORD, Names, uncontracted

LEAST_CHARACTERS = 2
LEAST_WORDS = 3
NO_PERSON = "no person stands where a subject could"


class Sieve:
    """Finds sentences that cannot match. If ``pronouns`` is empty, predicates of persons match (`Attributes`)."""

    def __init__(
        self,
        lexicon: Lexicon,
        pronouns: frozenset[str],
        attributes: Attributes,
        max_words: int,
        min_confidence: float,
    ) -> None:
        self.lexicon, self.pronouns, self.max_words = lexicon, pronouns, max_words
        self._attributes = attributes
        self._pairs = Pairs(lexicon, pronouns, min_confidence)
        self._subjects = pronouns & lexicon.nominatives if lexicon.pronoun_subjects else frozenset()

    def rough_sentences(self, text: str) -> Iterator[Span]:
        """Yield the spans of sentences, split by punctuation. The parser may split them further."""
        start = 0
        for end in self.lexicon.end_of_sentence.finditer(text):
            yield from _trimmed(text, start, end.end())
            start = end.end()
        yield from _trimmed(text, start, len(text))

    def passed_over(self, text: str) -> str:
        """Return the rule by which a sentence is skipped; empty if it must be parsed."""
        words = WORD.findall(text)
        if len(words) > self.max_words:
            return "longer than --max-words"
        if len(words) < LEAST_WORDS:
            return "no subject and predicate"
        if not self.pronouns and self._attributes.may_be_in(text):
            is_empty = self.lexicon.spaced and self._first_person(words) == len(words)
            return NO_PERSON if is_empty else ""
        if not self.pronouns and self._attributes.place == "before":
            return "no word of Y"
        if not self.lexicon.any_clause and words[0].lower() in self.lexicon.other_pronouns:
            return "" if self._takes_up_a_pronoun(words) else "begins with a pronoun"
        if not self.pronouns:
            return self._without_person(words) if self.lexicon.spaced else ""
        if not any(uncontracted(word) in self.pronouns for word in words[1:]):
            return "no word of Y after a subject"
        return self._far_from_a_match(words)

    def means_nobody(self, text: str, before: Sequence[str], known: Names) -> str:
        """Return the rule by which no answer word (*she*) can refer to a person in its sentence; empty if one can."""
        if not self.pronouns or self._pairs.are_in(text, before, known):
            return ""
        return "no word of Y can mean the person before it"

    def _far_from_a_match(self, words: list[str]) -> str:
        """The rule by which word order alone excludes a match; empty if none does.

        A person must come before any pronoun that could be the subject, and be followed by an answer word that is
        a nominative or follows a link (*that her*). Or the subject is itself a pronoun, repeated later.
        """
        if self._takes_up_a_pronoun(words):
            return ""
        if reason := self._without_person(words):
            return reason
        after = range(self._first_person(words) + 1, len(words))
        begins_clause = any(self._begins_clause(words, place) for place in after)
        return "" if begins_clause else "no word of Y begins a later clause"

    def _takes_up_a_pronoun(self, words: list[str]) -> bool:
        """Whether a subject pronoun may be followed by an answer word of the same gender: *he said that he*."""
        lower = [uncontracted(word) for word in words]
        gender = self.lexicon.pronouns
        return any(
            gender[lower[later]] == gender[word] and self._begins_clause(words, later)
            for place, word in enumerate(lower)
            if word in self._subjects
            for later in range(place + 1, len(lower))
            if lower[later] in self.pronouns
        )

    def _begins_clause(self, words: list[str], place: int) -> bool:
        word, before = uncontracted(words[place]), uncontracted(words[place - 1])
        return word in self.pronouns and (word in self.lexicon.nominatives or before in self.lexicon.links)

    def _without_person(self, words: list[str]) -> str:
        """The rule by which a sentence has no person as possible subject; empty if it has one."""
        before = words[: self._first_person(words)]
        if len(before) == len(words) or any(uncontracted(word) in self.lexicon.nominatives for word in before):
            return NO_PERSON
        return ""

    def _first_person(self, words: list[str]) -> int:
        lexicon = self.lexicon
        may_be = (lexicon.is_person(word.lower()) or lexicon.may_be_name(word) for word in words)
        return next((place for place, is_one in enumerate(may_be) if is_one), len(words))


def _trimmed(text: str, start: int, stop: int) -> Iterator[Span]:
    while start < stop and text[start].isspace():
        start += 1
    while stop > start and text[stop - 1].isspace():
        stop -= 1
    if stop - start >= LEAST_CHARACTERS:
        yield Span(start, stop)
