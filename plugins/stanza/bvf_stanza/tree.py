"""Sentences as dependency trees, in the terms of Universal Dependencies (version 2)."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from bvf.interfaces.miner import Span

ROOT = -1


@dataclass(frozen=True)
class Word:
    """A syntactic word.

    Args:
        text: As it stands in the document; a part of a contraction has its own text, and the span of the whole.
        lemma: Its base form.
        tag: Universal part of speech: ``NOUN``.
        features: Morphological features: ``Number=Sing``.
        head: Index in the sentence of the word it depends on; `ROOT` for the root.
        relation: To its head, with the subtype: ``nsubj:pass``.
        span: Where it stands in the document.
        chains: Coreference chains that the word belongs to, where the parser tells.
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
    """The words of a sentence in their order, as one tree.

    Raises:
        ValueError: The heads form no tree.
    """

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
        """Return the words that depend on one, in their order; of these kinds of relation if any are named."""
        children = self._children[index]
        return tuple(child for child in children if self.words[child].kind in kinds) if kinds else children

    def texts(self, index: int, *kinds: str) -> list[str]:
        """Return those children as they stand in the text, in lower case."""
        return [self.words[child].text.lower() for child in self.children(index, *kinds)]

    def subtree(self, index: int) -> tuple[int, ...]:
        """Return a word and everything below it, in the order of the sentence."""
        places = [index]
        for place in places:
            places.extend(self._children[place])
        return tuple(sorted(places))

    def ancestors(self, index: int) -> Iterator[int]:
        """Yield the head of a word, its head, and so on up to the root; at most as many as there are words, and one."""
        head = self.words[index].head
        for _ in range(len(self.words) + 1):
            if head == ROOT:
                return
            yield head
            head = self.words[head].head

    def roots(self) -> tuple[int, ...]:
        """Return the words that depend on none; one, in a parse that is whole."""
        return tuple(index for index, word in enumerate(self.words) if word.head == ROOT)
