"""Finds by word lists which sentences need not be parsed."""

from collections.abc import Sequence
from dataclasses import dataclass

from bvf_stanza.attributes import Attributes
from bvf_stanza.belief import Belief, Subject, is_spoken_of
from bvf_stanza.lexicon import TOKEN, WORD, Gender, Lexicon, Names, uncontracted

BREAKS = frozenset((*";:?!()[]\u2014\u2013", "--"))
APOSTROPHES = frozenset("\u2019'")
MOST_TOKENS = 30
"""The most tokens from the subject to the word of Y: templates are shorter."""
LEADING_IN = 4
"""How many tokens before a possessive its clause may begin: *that in his ...*."""
REST_OF_NAME = 3
"""How many more tokens a name may have after the one found: the parser may choose the last as its head."""
IN_ITS_PHRASE = 2
"""How many tokens after a word may belong to the same noun phrase: *the old gentleman*."""
LEAST_WORDS = 3
NO_PERSON = "no person stands where a subject could"


@dataclass(frozen=True)
class Person:
    """A word that may be a subject: token index, evidence that it is a person, and gender if known."""

    place: int
    subject: Subject
    gender: Gender | None = None


class Pairs:
    """Finds pairs of a person and a later answer word (*she*) that may refer to that person.

    The rules check on tokens what `Reader` checks on a tree, and compute an upper bound of `Belief.confidence`; pairs
    below ``min_confidence`` are ignored. So a sentence without such a pair gives no match
    (`docs/evidence/mining.md`, Speed).
    """

    def __init__(self, lexicon: Lexicon, pronouns: frozenset[str], min_confidence: float) -> None:
        self.lexicon, self.pronouns, self.min_confidence = lexicon, pronouns, min_confidence
        self._quotes = frozenset((*lexicon.opening, *lexicon.closing, *lexicon.toggling)) - APOSTROPHES
        self._going_on = lexicon.before_no_subject | {link.partition("_")[0] for link in lexicon.links}

    def are_in(self, text: str, before: Sequence[str], known: Names) -> bool:
        """Whether a sentence has a pair of person and answer word (*she*).

        ``before`` has earlier words, ``known`` person names.
        """
        tokens = TOKEN.findall(text)
        lower = [token.lower() for token in tokens]
        words_of_y = [place for place, token in enumerate(lower) if token in self.pronouns]
        return any(
            person.gender in (None, self.lexicon.pronouns[lower[word]])
            and self._may_begin_clause(lower, person.place, word)
            and self._leads(lower, person.place, word)
            and self._at_most(lower, person, word, before) >= self.min_confidence
            for place, token in enumerate(tokens)
            if (person := self._person(token, place, known)) and not self._is_no_subject(tokens, lower, person)
            for word in words_of_y
            if place < word <= place + MOST_TOKENS
        )

    def _person(self, token: str, place: int, known: Names) -> Person | None:
        lexicon, lower = self.lexicon, token.lower()
        if not token[0].isalpha():
            return None
        if lexicon.is_pronoun_subject(lower):
            return Person(place, Subject.PRONOUN, lexicon.pronouns[lower])
        if title := lexicon.titles.get(lower):
            return Person(place, Subject.GENDERED_NAME, None if title == "any" else title)
        if lexicon.is_person(lower):
            return Person(place, Subject.NOUN, lexicon.gender(lower))
        if not token[0].isupper():
            return None
        if gender := lexicon.gender(token) or known.get(token):
            return Person(place, Subject.GENDERED_NAME, gender)
        is_name = lexicon.may_be_name(token) and lower not in lexicon.other_pronouns
        return Person(place, Subject.NAME) if is_name else None

    def _is_no_subject(self, tokens: list[str], lower: list[str], person: Person) -> bool:
        """Whether a preposition or *whom* precedes a person: *to Dr. Anna Smith*. Then it is not a subject."""
        first = person.place
        if person.subject is Subject.PRONOUN:
            return first > 0 and lower[first - 1] in self.lexicon.before_no_subject
        while first and (tokens[first - 1] == "." or tokens[first - 1][0].isupper()):
            first -= 1
            if lower[first] in self.lexicon.before_no_subject:
                return True
        before = lower[max(first - 2, 0) : first]
        if before and before[-1] in self.lexicon.determiners:
            before.pop()
        return bool(before) and before[-1] in self.lexicon.before_no_subject

    def _may_begin_clause(self, lower: list[str], subject: int, word: int) -> bool:
        """Whether an answer word can be the subject of a clause or possess it: *that she*, *when he came, his*."""
        links = self.lexicon.links
        if lower[word - 1] == "," and links.isdisjoint(lower[max(subject - LEADING_IN, 0) : word]):
            return False
        if lower[word] in self.lexicon.nominatives or lower[word - 1] == ",":
            return True
        is_fronted = subject > 0 and lower[subject - 1] in links
        is_led = not links.isdisjoint(lower[max(word - LEADING_IN, 0) : word])
        return is_led or is_fronted or word - subject < LEADING_IN

    def _leads(self, lower: list[str], subject: int, word: int) -> bool:
        """Whether no token between subject and word separates their clauses or reveals the class."""
        return not any(
            self._separates(lower, place)
            or (place > subject + IN_ITS_PHRASE and self.lexicon.shows_gender(lower[place], lower[place]))
            or (place > subject + 1 and self._begins_another(lower, place))
            for place in range(subject + 1, word)
        )

    def _separates(self, lower: list[str], place: int) -> bool:
        """Whether a token is a quotation mark or a break. A break must not be followed by a link or preposition."""
        return lower[place] in self._quotes or (lower[place] in BREAKS and lower[place + 1] not in self._going_on)

    def _begins_another(self, lower: list[str], place: int) -> bool:
        """Whether a token is a nominative pronoun that begins a new coordinate clause: *and they*, *; she*."""
        joins = lower[place - 1] in self.lexicon.joining or lower[place - 1] in BREAKS
        return joins and lower[place] in self.lexicon.nominatives

    def _at_most(self, lower: list[str], person: Person, word: int, before: Sequence[str]) -> float:
        """An upper bound of the confidence (0 to 1) that the word refers to the person."""
        spoken_of = is_spoken_of(self.lexicon.pronouns[lower[word]], [*before, *lower[: person.place]], self.lexicon)
        distance = word - person.place - REST_OF_NAME
        return Belief(person.place, person.subject, distance, is_spoken_of=spoken_of).confidence


class Sieve:
    """Finds sentences that cannot match. If ``pronouns`` is empty, predicates of persons match (`Attributes`)."""

    def __init__(
        self, lexicon: Lexicon, pronouns: frozenset[str], attributes: Attributes, max_words: int, min_confidence: float
    ) -> None:
        self.lexicon, self.pronouns, self.max_words = lexicon, pronouns, max_words
        self._attributes = attributes
        self._pairs = Pairs(lexicon, pronouns, min_confidence)
        self._subjects = pronouns & lexicon.nominatives if lexicon.pronoun_subjects else frozenset()

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
