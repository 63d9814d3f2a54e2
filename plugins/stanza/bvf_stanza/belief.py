"""Why a pronoun is believed to mean somebody, and how surely."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import exp

from bvf_stanza.lexicon import Gender, Lexicon

SURE = 3.5
"""Log odds of a link to the subject with no rival: sentences of ordinary text that were labelled by hand."""
RIVAL, EARLIER, FAR = -2.0, -0.6, -1.1
"""What lowers them, on GAP development: a rival nearer than the subject or in its phrase, one before it, distance."""
MERE_NAME = -1.0
"""What else lowers them, in matches read by hand: a name of which nothing is known."""
LATELY = -2.0
"""And somebody of the gender in the words just before, whom a pronoun after a noun or name may go on about."""
LEFT_OUT = -0.6
"""And each word that the template leaves out: the more, the oftener it says something else (docs/mining.md)."""
FARTHEST = 15
JUST_BEFORE = 25
"""How many words before the subject `Belief.is_spoken_of` looks at."""


def is_spoken_of(gender: Gender, words: Sequence[str], lexicon: Lexicon) -> bool:
    """Whether a pronoun of a gender stands among the last words before a subject."""
    return any(lexicon.pronouns.get(word.lower()) == gender for word in words[-JUST_BEFORE:])


class Subject(StrEnum):
    """The evidence that the subject is a person."""

    PRONOUN = "a pronoun"
    NOUN = "a noun for persons"
    TOLD = "a name whose gender is told"
    NAME = "a name"
    CHAIN = "a chain of the parser"


@dataclass(frozen=True)
class Belief:
    """Somebody whom a pronoun is believed to mean.

    Args:
        meant: Index of the head of the mention.
        subject: The evidence that this is a person.
        distance: Words from the mention to the pronoun; below 0 where the pronoun comes first.
        competitors: How many others after the subject, or in its phrase, could be meant.
        earlier: How many before the subject could be meant.
        left_out: How many words that mean something the template leaves out.
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
    def is_far(self) -> bool:
        """Whether the distance is so large that somebody else may be meant."""
        return self.distance > FARTHEST and self.subject is not Subject.PRONOUN

    @property
    def confidence(self) -> float:
        """How probable the belief is, by how often such beliefs were right (docs/mining.md).

        >>> round(Belief(1, Subject.NOUN, 3).confidence, 2)
        0.97
        >>> round(Belief(1, Subject.NOUN, 3, competitors=1).confidence, 2)
        0.82
        """
        odds = SURE + RIVAL * bool(self.competitors) + EARLIER * bool(self.earlier) + FAR * self.is_far
        odds += MERE_NAME * self.is_of_a_mere_name
        odds += LEFT_OUT * self.left_out
        odds += LATELY * (self.is_spoken_of and self.subject is not Subject.PRONOUN)
        return 1 / (1 + exp(-odds))
