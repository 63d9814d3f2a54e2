"""The probability that a pronoun refers to the subject, given the evidence."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import exp

from bvf_stanza.lexicon import Gender, Lexicon

SURE = 3.5
"""Log odds that a pronoun refers to a subject without a rival; from hand-labelled sentences of ordinary text."""
RIVAL, EARLIER, FAR = -2.0, -0.6, -1.1
"""Added for a rival after the subject or in its phrase, one before it, and a long distance; fitted on GAP's dev set."""
MERE_NAME = -1.0
"""Added if the subject is a name, without other evidence that it is a person; from matches read by hand."""
LATELY = -2.0
"""Added if a pronoun of that gender stands shortly before a noun or name: the later one may mean the same person."""
LEFT_OUT = -0.6
"""Added per content word that the template leaves out, since its meaning may then change (docs/evidence/mining.md)."""
FARTHEST = 15
JUST_BEFORE = 25
"""How many words before the subject `is_spoken_of` looks at."""


def is_spoken_of(gender: Gender, words: Sequence[str], lexicon: Lexicon) -> bool:
    """Whether a pronoun of this gender is among the last `JUST_BEFORE` words before a subject."""
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
    """The subject that a pronoun may refer to, and the evidence for it.

    Args:
        meant: Index of the subject's head.
        subject: The evidence that the subject is a person.
        distance: Words from the subject to the pronoun; negative if the pronoun comes first.
        competitors: How many other persons after the subject, or in its phrase, could be meant.
        earlier: How many persons before the subject could be meant.
        left_out: How many content words the template leaves out.
        is_spoken_of: Whether a pronoun of the same gender is among the words just before the subject.
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
        """The probability that the pronoun refers to the subject, estimated from labels (docs/evidence/mining.md).

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
