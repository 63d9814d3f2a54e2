"""How surely a pronoun means somebody, by the evidence."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import exp

from bvf_stanza.lexicon import Gender, Lexicon

SURE = 3.5
"""Log odds of a link to the subject without a rival: sentences of ordinary text that were labelled by hand."""
RIVAL, EARLIER, FAR = -2.0, -0.6, -1.1
"""Added, by GAP development, for a rival nearer than the subject or in its phrase, for one before it, for distance."""
MERE_NAME = -1.0
"""Added, by matches read by hand, for a subject that is a name of which nothing else is known."""
LATELY = -2.0
"""Added where a pronoun of the gender stands just before a noun or name: the next one may mean the same person."""
LEFT_OUT = -0.6
"""Added per word that the template leaves out: the more, the oftener it says something else (docs/mining.md)."""
FARTHEST = 15
JUST_BEFORE = 25
"""How many words before the subject count for `Belief.is_spoken_of`."""


def is_spoken_of(gender: Gender, words: Sequence[str], lexicon: Lexicon) -> bool:
    """Whether a pronoun of a gender stands among the last words before a subject."""
    return any(lexicon.pronoun_gender(word) == gender for word in words[-JUST_BEFORE:])


class Subject(StrEnum):
    """The evidence that the subject is a person."""

    PRONOUN = "a pronoun"
    NOUN = "a noun for persons"
    GENDERED_NAME = "a name whose gender is told"
    NAME = "a name"
    CHAIN = "a chain of the parser"


@dataclass(frozen=True)
class Belief:
    """The subject that a pronoun may mean, with the evidence.

    Args:
        meant: Index of the subject's head.
        subject: The evidence that the subject is a person.
        distance: Words from the subject to the pronoun; below 0 where the pronoun comes first.
        competitors: How many others after the subject, or in its phrase, could be meant.
        earlier: How many before the subject could be meant.
        left_out: How many content words the template leaves out.
        is_spoken_of: Whether a pronoun of the same gender stands in the words just before the subject.
    """

    meant: int
    subject: Subject
    distance: int
    competitors: int = 0
    earlier: int = 0
    left_out: int = 0
    is_spoken_of: bool = False

    @property
    def is_of_a_mere_name(self) -> bool:
        """Whether a name is the only evidence that the subject is a person."""
        return self.subject is Subject.NAME

    @property
    def confidence(self) -> float:
        """The probability that the subject is meant, by how often such beliefs were right (docs/mining.md).

        >>> round(Belief(1, Subject.NOUN, 3).confidence, 2)
        0.97
        >>> round(Belief(1, Subject.NOUN, 3, competitors=1).confidence, 2)
        0.82
        """
        is_noun = self.subject is not Subject.PRONOUN
        odds = SURE + RIVAL * bool(self.competitors) + EARLIER * bool(self.earlier)
        odds += FAR * (is_noun and self.distance > FARTHEST)
        odds += MERE_NAME * self.is_of_a_mere_name
        odds += LEFT_OUT * self.left_out
        odds += LATELY * (is_noun and self.is_spoken_of)
        return 1 / (1 + exp(-odds))
