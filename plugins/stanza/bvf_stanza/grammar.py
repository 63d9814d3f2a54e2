"""The interface by which a language turns a sentence into a template. An answer word is a word of Y, such as *she*."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bvf.interfaces import Found, Match
from bvf_stanza.tree import Sentence


class Unfit(Exception):
    """A sentence gives no template. The message is the rule, the same for all sentences that it excludes."""


@dataclass(frozen=True)
class Draft:
    """A template from a grammar.

    Args:
        text: The template.
        verb: The base form of its verb, the last one if there are several.
        tense: The tense of that verb in the sentence.
        left_out: The number of content words before the answer word that the template leaves out.
    """

    text: str
    verb: str
    tense: str
    left_out: int = 0


class Grammar(ABC):
    """How a language writes the template of a sentence. Implement `write`; the other methods have defaults.

    A language in which words of Y stand before the noun (*the young engineer*) implements `write_before_noun` too.
    """

    @abstractmethod
    def write(self, sentence: Sentence, subject: int, clause: int | None) -> Draft:
        """Return the template of a sentence.

        Args:
            sentence: The parser's tree.
            subject: Index of the head of the subject.
            clause: Index of the head of the clause that ``[Y]`` begins; None: keep the predicate and append ``[Y]``.

        Raises:
            Unfit: The sentence gives no template that leaves the class of ``[Y]`` open.
        """

    def write_before_noun(self, sentence: Sentence, subject: int, last: int) -> Draft:
        """Return the template of a sentence whose subject is described by a word of Y before it: *The [Y] [X] left*.

        Args:
            sentence: The parser's tree.
            subject: Index of the head of the subject.
            last: Index of the last token of the word of Y.

        Raises:
            Unfit: The sentence gives no such template.
        """
        raise Unfit("the language has no template with [Y] before the noun")

    def filled(self, template: str) -> str:
        """Return a template with its slots filled, for the parser to check. Empty: templates are not checked."""
        return ""

    def reads_as_filled(self, sentence: Sentence) -> bool:
        """Whether the word for ``[X]`` is the subject of the verb in the tree of a filled template."""
        return True


def note_matches(mined: Found, sentences: Sequence[Sentence], matches: Callable[[Sentence], Sequence[Match]]) -> None:
    """Add the matches in a rough sentence. If all its sentences are unfit, the rule that excludes the first is counted.

    Args:
        mined: Where matches are added.
        sentences: The sentences into which the parser splits the rough sentence.
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
