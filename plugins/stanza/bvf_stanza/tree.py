"""Sentences as dependency trees (Universal Dependencies 2), and the interfaces of parsers and grammars."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from bvf.interfaces import Found, Match, Span

ROOT = -1


@dataclass(frozen=True)
class Word:
    """A syntactic word.

    Args:
        text: The word as in the document; a part of a contraction has its own text, but the span of the whole.
        lemma: The base form.
        tag: Universal part-of-speech tag: ``NOUN``.
        features: Morphological features: ``Number=Sing``.
        head: Index of the word that this one depends on; `ROOT` for the root.
        relation: The dependency relation including its subtype: ``nsubj:pass``.
        span: The position in the parsed text, in characters.
        chains: Indices of the coreference chains that the word is in; empty if the parser finds none.
    """

    text: str
    lemma: str
    tag: str
    features: frozenset[str]
    head: int
    relation: str
    span: Span
    chains: frozenset[int] = frozenset()

    @property
    def kind(self) -> str:
        """The relation without its subtype."""
        return self.relation.partition(":")[0]


@dataclass(frozen=True)
class Sentence:
    """The words of a sentence in order, as a tree. Raises `ValueError` for heads that form a cycle."""

    words: tuple[Word, ...]

    def __post_init__(self) -> None:
        for index in range(len(self.words)):
            if sum(1 for _ in self.ancestors(index)) > len(self.words):
                raise ValueError(f"the heads of {[word.text for word in self.words]} form a ring")

    @cached_property
    def _children(self) -> tuple[tuple[int, ...], ...]:
        below: list[list[int]] = [[] for _ in self.words]
        for index, word in enumerate(self.words):
            if word.head != ROOT:
                below[word.head].append(index)
        return tuple(map(tuple, below))

    def children(self, index: int, *kinds: str) -> tuple[int, ...]:
        """Return the indices of the words that depend on a word, in order. ``kinds``: only by these relations."""
        children = self._children[index]
        return tuple(child for child in children if self.words[child].kind in kinds) if kinds else children

    def texts(self, index: int, *kinds: str) -> list[str]:
        """Return the texts of the `children` of a word, in lower case."""
        return [self.words[child].text.lower() for child in self.children(index, *kinds)]

    def subtree(self, index: int) -> tuple[int, ...]:
        """Return the indices of a word and all its descendants, in the order of the sentence."""
        places = [index]
        for place in places:
            places.extend(self._children[place])
        return tuple(sorted(places))

    def span(self, first: int = 0, last: int = -1) -> Span:
        """Return the position in the parsed text from one word to another; of the whole sentence by default."""
        return Span(self.words[first].span.start, self.words[last].span.stop)

    def phrase(self, index: int) -> Span:
        """Return the position of a word and all its descendants, from the first to the last."""
        words = self.subtree(index)
        return self.span(words[0], words[-1])

    def ancestors(self, index: int) -> Iterator[int]:
        """Yield the head of a word, the head of that, and so on up to the root.

        In a cycle, it stops after N + 1 words.
        """
        head = self.words[index].head
        for _ in range(len(self.words) + 1):
            if head == ROOT:
                return
            yield head
            head = self.words[head].head

    def roots(self) -> tuple[int, ...]:
        """Return the indices of the words without a head. A complete parse has one."""
        return tuple(index for index, word in enumerate(self.words) if word.head == ROOT)


class Parser(ABC):
    """A dependency parser. Implement `parse`, and set ``models`` to the name of its models for provenance."""

    models: str = ""

    @abstractmethod
    def parse(self, texts: Sequence[str], /) -> list[list[Sentence]]:
        """Return the sentences of each text. Spans are positions in that text."""


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
