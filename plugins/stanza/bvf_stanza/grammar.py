"""How a language writes the template of a sentence."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

from bvf_stanza.tree import Sentence


class Unfit(Exception):
    """A sentence gives no template; says by which rule, in a few words that name no word of the sentence."""

    @property
    def rule(self) -> str:
        return str(self)


@dataclass(frozen=True)
class Draft:
    """A template as a grammar writes it, with its parts; `Match` has the same fields but the last.

    Args:
        text: The template.
        verb: Its verb, in the base form.
        tense: The tense of the verb in the sentence.
        left_out: How many words that mean something stand before the word of Y and not in the template.
    """

    text: str
    verb: str
    tense: str
    left_out: int = 0


class Grammar(ABC):
    """How a language writes the template of a sentence. Implement `write` and nothing else."""

    @abstractmethod
    def write(self, sentence: Sentence, subject: int, clause: int | None) -> Draft:
        """Return the template of a sentence.

        Args:
            sentence: As it was parsed.
            subject: Head of the subject of its clause.
            clause: Head of the later clause that ``[Y]`` begins; None: the predicate is kept, ``[Y]`` after it.

        Raises:
            Unfit: The sentence cannot be written so that it says nothing of Y.
        """

    def filled(self, template: str) -> str:
        """Return a template as a sentence that the parser can read again; empty: it is not read again."""
        return ""

    def reads_as_filled(self, sentence: Sentence) -> bool:
        """Whether the tree of a filled template has what stands for ``[X]`` as the subject of its verb."""
        return True
