"""Finds words of Y that stand before the subject and describe it: *the young engineer*."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from bvf_stanza.lexicon import WORD, Lexicon
from bvf_stanza.tree import Sentence, Unfit

Place = Literal["both", "before", "after"]
DESCRIBING = ("amod", "compound", "nmod", "acl")
"""Relations of a describing word to its noun: those of adjectives and nouns, and, in Chinese, of adjectives with 的."""
COUNTING = ("det", "nummod", "clf")
"""Relations of words that count or point at the noun, which a parser may join to the describing word before it."""
NOT_ALONE = "the word of Y is a part of a longer phrase"
OF_ANOTHER = "the word of Y may describe another noun"


@dataclass(frozen=True)
class Attribute:
    """A word of Y before the subject: the indices of its first and last token."""

    first: int
    last: int


class Attributes:
    """The words of Y of a topic, and where in a template they may stand.

    ``place`` is *before* the noun, *after* it (``[Y]`` ends the template, whoever the subject is), or both.
    """

    def __init__(self, words: Iterable[str], lexicon: Lexicon, place: Place = "both") -> None:
        self.place, self._lexicon = place, lexicon
        self._joint = " " if lexicon.spaced else ""
        listed = tuple(words)
        self._words = frozenset(map(self._plain, listed))
        self._longest = max((2 * len(WORD.findall(word)) - 1 for word in listed), default=0)  # with hyphens

    @property
    def may_be_before(self) -> bool:
        """Whether ``[Y]`` may stand before the noun."""
        return self.place != "after"

    def may_be_in(self, text: str) -> bool:
        """Whether a word of Y may describe a noun of a sentence, so that it must be parsed."""
        return self.may_be_before and self._has_word(text)

    def before(self, sentence: Sentence, subject: int) -> Attribute | None:
        """Return the word of Y that describes the subject from the left; None if the template has ``[Y]`` at its end.

        Raises:
            Unfit: No word of Y does and ``place`` is *before*, or what it describes or how is in doubt.
        """
        if not self.may_be_before:
            return None
        found = [attribute for last in range(subject) if (attribute := self._ending_at(sentence, subject, last))]
        if not found and self.place == "before":
            raise Unfit("no word of Y describes the subject")
        if not found:
            return None
        if len(found) > 1:
            raise Unfit("another word tells of Y")
        self._refuse_doubt(sentence, subject, found[0])
        return found[0]

    def refuse_another(self, text: str) -> None:
        """Raise `Unfit` if what a template says of the subject has a word of Y too."""
        if self._has_word(text):
            raise Unfit("another word tells of Y")

    def _has_word(self, text: str) -> bool:
        around = f"{self._joint}{self._plain(text)}{self._joint}"
        return any(f"{self._joint}{word}{self._joint}" in around for word in self._words)

    def _plain(self, text: str) -> str:
        """A text as its words alone, in lower case: ``middle class`` for *middle-class*."""
        return self._joint.join(WORD.findall(text.lower()))

    def _ending_at(self, sentence: Sentence, subject: int, last: int) -> Attribute | None:
        """The longest word of Y that ends with a token, if it describes the subject."""
        for first in range(max(last + 1 - self._longest, 0), last + 1):
            tokens = sentence.words[first : last + 1]
            has_words_at_its_ends = tokens[0].tag != "PUNCT" != tokens[-1].tag
            if (
                not has_words_at_its_ends
                or self._plain(self._joint.join(word.text for word in tokens)) not in self._words
            ):
                continue
            heads = [word for index, word in enumerate(tokens, first) if not first <= word.head <= last]
            if any(word.head == subject and word.kind in DESCRIBING for word in heads):
                return Attribute(first, last)
        return None

    def _refuse_doubt(self, sentence: Sentence, subject: int, attribute: Attribute) -> None:
        inside = range(attribute.first, attribute.last + 1)
        for index in inside:
            below = [child for child in sentence.children(index) if child not in inside]
            below = [child for child in below if sentence.words[child].kind not in COUNTING or child > index]
            if any(not self._is_joining(sentence, child) for child in below):
                raise Unfit(NOT_ALONE)
            if below and self._may_own(sentence, attribute):
                raise Unfit(OF_ANOTHER)
        self._refuse_subject(sentence, subject)
        for index in range(attribute.last + 1, subject):
            word = sentence.words[index]
            if self._is_joining(sentence, index):
                continue
            if word.tag in self._lexicon.noun_tags:
                raise Unfit(OF_ANOTHER)
            if word.tag == "PUNCT" or word.head != subject:
                raise Unfit(NOT_ALONE)
        if attribute.first and sentence.words[attribute.first - 1].text == "-":
            raise Unfit(NOT_ALONE)

    def _refuse_subject(self, sentence: Sentence, subject: int) -> None:
        """Raise `Unfit` if no other noun could stand in place of the subject, or it may be that of another verb."""
        word = sentence.words[subject]
        if sentence.children(subject, "cc", "conj"):
            raise Unfit("the subject is several")
        if word.lemma.lower() in self._lexicon.relatives or (not self._lexicon.spaced and len(word.text) == 1):
            raise Unfit("the word of Y and the subject are one word")
        phrase = sentence.subtree(subject)
        for index in range(subject + 1, word.head):
            between = sentence.words[index]
            ends_phrase = index not in phrase or index == subject + 1 == phrase[-1]
            if ends_phrase and (between.tag == "PUNCT" or between.kind == "nsubj"):
                raise Unfit("the subject may be that of another verb")

    def _may_own(self, sentence: Sentence, attribute: Attribute) -> bool:
        """Whether a word of Y may own the subject: 穆斯林的医生, the doctor of the Muslims."""
        return self._lexicon.is_person(
            "".join(word.text for word in sentence.words[attribute.first : attribute.last + 1])
        )

    def _is_joining(self, sentence: Sentence, index: int) -> bool:
        """Whether a word only joins a describing word to its noun: 的."""
        return sentence.words[index].text in self._lexicon.attributive_particles
