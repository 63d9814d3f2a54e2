"""Sentences as dependency trees (Universal Dependencies 2), and the interface of parsers."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from bvf.interfaces import Span

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

    words: tuple[Word, ...] = field(default=())

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
