"""Finds sentences, and those that need not be parsed, by their words alone."""

from collections.abc import Iterator, Sequence

from bvf.interfaces.miner import Span
from bvf_stanza.lexicon import Lexicon
from bvf_stanza.names import Names
from bvf_stanza.pairs import Pairs
from bvf_stanza.tokens import WORD, uncontracted

LEAST_CHARACTERS = 2
LEAST_WORDS = 3


class Sieve:
    """Passes over sentences that cannot have a match.

    Args:
        lexicon: Words of the language.
        pronouns: Words of Y that are looked for; none: every predicate of a person is wanted.
        max_words: Longer sentences are passed over.
        min_confidence: Links that cannot be believed so surely need not be found.
    """

    def __init__(self, lexicon: Lexicon, pronouns: frozenset[str], max_words: int, min_confidence: float) -> None:
        self.lexicon, self.pronouns, self.max_words = lexicon, pronouns, max_words
        self._pairs = Pairs(lexicon, pronouns, min_confidence)
        self._verbs = frozenset().union(*lexicon.families.values())
        self._subjects = pronouns & lexicon.nominatives if lexicon.pronoun_subjects else frozenset()

    def rough_sentences(self, text: str) -> Iterator[Span]:
        """Yield where sentences are, by their punctuation alone; the parser looks again at those that count."""
        start = 0
        for end in self.lexicon.end_of_sentence.finditer(text):
            yield from _trimmed(text, start, end.end())
            start = end.end()
        yield from _trimmed(text, start, len(text))

    def passed_over(self, text: str) -> str:
        """Return the rule by which a sentence need not be parsed; empty if it must be."""
        words = WORD.findall(text)
        if len(words) > self.max_words:
            return "longer than --max-words"
        if len(words) < LEAST_WORDS:
            return "no subject and predicate"
        if not self.lexicon.any_clause and words[0].lower() in self.lexicon.other_pronouns:
            return "begins with a pronoun" if self._without_its_like(words) else ""
        if not self.pronouns:
            return self._without_person(words) if self.lexicon.spaced else ""
        if not any(uncontracted(word) in self.pronouns for word in words[1:]):
            return "no word of Y after a subject"
        if self.lexicon.any_clause:
            return "" if any(verb in text for verb in self._verbs) else "no verb of saying or thinking"
        return self._far_from_a_match(words)

    def means_nobody(self, text: str, before: Sequence[str], known: Names) -> str:
        """Return the rule by which no word of Y can mean a person of its sentence; empty if one can.

        Args:
            text: The sentence.
            before: The words of the document just before it.
            known: Names of persons in the document.
        """
        if not self.pronouns or self.lexicon.any_clause or self._pairs.are_in(text, before, known):
            return ""
        return "no word of Y can mean the person before it"

    def goes_on(self, before: str, text: str) -> str:
        """The rule by which a pronoun may mean somebody of the sentence before; empty if it need not."""
        if not self.pronouns or not self.lexicon.fresh_pronouns:
            return ""
        here, earlier = ({word.lower() for word in WORD.findall(part)} & self.pronouns for part in (text, before))
        return "the sentence before has the word of Y too" if here & earlier else ""

    def _far_from_a_match(self, words: list[str]) -> str:
        """The rule by which the order of words alone forbids a match; empty if it does not.

        Before any pronoun that could be the subject a person must stand, and after it a word of Y that is a subject
        itself, or follows a word that leads to a clause (*that her*). Or the subject is a pronoun that comes again.
        """
        if not self._without_its_like(words):
            return ""
        reason = self._without_person(words)
        if reason:
            return reason
        after = range(self._first_person(words) + 1, len(words))
        begins_clause = any(self._begins_clause(words, place) for place in after)
        return "" if begins_clause else "no word of Y begins a later clause"

    def _without_its_like(self, words: list[str]) -> str:
        """The rule by which no subject pronoun is taken up by the same pronoun; empty if one can be."""
        lower = [uncontracted(word) for word in words]
        gender = self.lexicon.pronouns
        for place, word in enumerate(lower):
            if word in self._subjects and any(
                gender[lower[later]] == gender[word] and self._begins_clause(words, later)
                for later in range(place + 1, len(lower))
                if lower[later] in self.pronouns
            ):
                return ""
        return "no word of Y begins a later clause"

    def _begins_clause(self, words: list[str], place: int) -> bool:
        word, before = uncontracted(words[place]), uncontracted(words[place - 1])
        return word in self.pronouns and (word in self.lexicon.nominatives or before in self.lexicon.links)

    def _without_person(self, words: list[str]) -> str:
        """The rule by which no person can be the subject; empty if one can."""
        before = words[: self._first_person(words)]
        if len(before) == len(words) or any(uncontracted(word) in self.lexicon.nominatives for word in before):
            return "no person stands where a subject could"
        return ""

    def _first_person(self, words: list[str]) -> int:
        return next((place for place, word in enumerate(words) if self._may_be_person(word)), len(words))

    def _may_be_person(self, word: str) -> bool:
        return self.lexicon.is_person(word.lower()) or self.lexicon.may_be_name(word)


def _trimmed(text: str, start: int, stop: int) -> Iterator[Span]:
    while start < stop and text[start].isspace():
        start += 1
    while stop > start and text[stop - 1].isspace():
        stop -= 1
    if stop - start >= LEAST_CHARACTERS:
        yield Span(start, stop)
