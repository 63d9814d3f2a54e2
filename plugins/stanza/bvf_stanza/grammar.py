"""How a language writes the template of a sentence, and what is noted of a sentence without one."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bvf.interfaces.miner import Found, Match
from bvf_stanza.tree import Sentence


class Unfit(Exception):
    """A sentence gives no template; says by which rule, in a few words that name no word of the sentence."""


@dataclass(frozen=True)
class Draft:
    """A template as a grammar writes it.

    Args:
        text: The template.
        verb: Its verb, in the base form.
        tense: The tense of the verb in the sentence.
        left_out: How many content words before the word of Y are not in the template.
    """

    text: str
    verb: str
    tense: str
    left_out: int = 0


class Grammar(ABC):
    """How a language writes the template of a sentence: implement `write`; the other methods have defaults."""

    @abstractmethod
    def write(self, sentence: Sentence, subject: int, clause: int | None) -> Draft:
        """Return the template of a sentence.

        Args:
            sentence: The parser's tree.
            subject: Head of the subject of its clause.
            clause: Head of the later clause that ``[Y]`` begins; None: the predicate is kept, ``[Y]`` after it.

        Raises:
            Unfit: The sentence cannot be written so that it says nothing of Y.
        """

    def filled(self, template: str) -> str:
        """Return a template as a sentence that the parser can read again; empty: it is not read again."""
        return ""

    def reads_as_filled(self, sentence: Sentence) -> bool:
        """Whether the tree of a filled template has the filling of ``[X]`` as the subject of its verb."""
        return True


def note_matches(mined: Found, sentences: Sequence[Sentence], matches: Callable[[Sentence], Sequence[Match]]) -> None:
    """Add the matches in the parser's sentences of a rough sentence; if none has one, count the rule of the first.

    Args:
        mined: Where matches are added.
        sentences: The sentences that the parser finds in the rough sentence.
        matches: Returns the matches of one sentence, or raises `Unfit`.
    """
    rules = []
    for sentence in sentences:
        try:
            mined.matches.extend(matches(sentence))
        except Unfit as unfit:
            rules.append(str(unfit))
    if rules and len(rules) == len(sentences):
        mined.dropped[rules[0]] += 1
