"""Miners: documents in, matches out, counted into a context set."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from bvf.context import ContextSet, Template
from bvf.errors import ContractError


@dataclass(frozen=True)
class Document:
    """A text of a corpus, under the name that matches are reported with."""

    id: str
    text: str


@dataclass(frozen=True)
class Span:
    """Characters ``start`` to ``stop`` of a document, ``stop`` not among them."""

    start: int
    stop: int

    def of(self, document: Document) -> str:
        """Return what stands there."""
        return document.text[self.start : self.stop]


@dataclass(frozen=True)
class Match:
    """A place in a document where a template was found.

    Args:
        template: What is left of the sentence.
        subject: Where the words stand that became ``[X]``.
        word: Where the word stands that became ``[Y]``.
    """

    template: Template
    subject: Span
    word: Span


class Miner(ABC):
    """Finds contexts in documents. Implement `matches` and nothing else."""

    def mine(self, documents: Iterable[Document], name: str = "mined", source: str = "") -> ContextSet:
        """Count the templates of all documents, the most frequent first.

        Raises:
            ContractError: A match of `matches` points outside its document.
            BvfError: No template was found.
        """
        counts: Counter[str] = Counter()
        for document in documents:
            for match in self.matches(document):
                self._check(match, document)
                counts[match.template.text] += 1
        ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        templates = tuple(Template(text) for text, _ in ordered)
        return ContextSet(name, templates, tuple(float(count) for _, count in ordered), source)

    @abstractmethod
    def matches(self, document: Document) -> Iterable[Match]:
        """Return every match in a document; what it returns must depend on nothing else."""

    def _check(self, match: Match, document: Document) -> None:
        for what, span in (("subject", match.subject), ("word", match.word)):
            if not 0 <= span.start < span.stop <= len(document.text):
                raise ContractError(
                    f"{type(self).__name__}.matches put the {what} of {document.id} at {span.start} to {span.stop} "
                    f"of {len(document.text)} characters"
                )
