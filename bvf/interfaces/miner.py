"""The interface of a miner, which finds sentences of a corpus that can become templates."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from bvf.domain.context import ContextSet, Sampling, Template
from bvf.domain.numbers import MIN_CONFIDENCE
from bvf.domain.topic import Topic
from bvf.errors import ContractError
from bvf.interfaces.engine import Share


@dataclass(frozen=True)
class Document:
    """A document of a corpus: its text, and an ``id`` that matches in it refer to."""

    id: str
    text: str


@dataclass(frozen=True)
class Span:
    """A span of a document: the characters ``start`` to ``stop``, excluding ``stop``."""

    start: int
    stop: int

    def of(self, document: Document) -> str:
        """Return the text of the span."""
        return document.text[self.start : self.stop]

    def shifted(self, by: int) -> "Span":
        """Return the span shifted to the right by ``by`` characters, for a text that begins so much earlier."""
        return Span(self.start + by, self.stop + by)


@dataclass(frozen=True)
class Match:
    """A sentence of a document from which a template was made, and the places of its words.

    Args:
        template: The template that was made from the sentence.
        document: The document of the sentence; all spans are spans of its text.
        sentence: The whole sentence.
        subject: The words that became ``[X]``.
        word: The word of Y, or the predicate if the template brings its own ``[Y]``.
        verb: Base form of the verb of the template.
        family: The kind of the verb, such as ``reporting``; empty: not known.
        tense: The tense in the text, such as ``Past``, before the template was put into the past; empty: none.
        confidence: How sure the miner is that the word of Y means the subject, 0 to 1.
        rule: The reason for the match, in a few words that quote no word of the sentence; may be empty.
        distance: Number of words from the subject to the word of Y.
        competitors: Number of other persons or things in the sentence that the word of Y could refer to.
        cue: What in the template tells of Y, or whom else the word of Y may mean; empty: nothing, or not looked for.
    """

    template: Template
    document: Document
    sentence: Span
    subject: Span
    word: Span
    verb: str = ""
    family: str = ""
    tense: str = ""
    confidence: float = 1.0
    rule: str = ""
    distance: int = 0
    competitors: int = 0
    cue: str = ""

    def words(self) -> str:
        """Return the sentence with single spaces. Sentences that are equal in this form are counted once."""
        return " ".join(self.sentence.of(self.document).split())


@dataclass
class Found:
    """The matches that a miner found in some documents, and the numbers of sentences.

    Args:
        matches: In the order of the documents.
        sentences: The number of sentences in the documents.
        parsed: The number of sentences that were parsed.
        dropped: The number of sentences that each rule dropped, by rule.
    """

    matches: list[Match] = field(default_factory=list)
    sentences: int = 0
    parsed: int = 0
    dropped: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class MiningRequest:
    """The request from which a miner is made: the topic, limits, and options.

    Args:
        topic: The topic whose words of Y are searched for.
        max_words: Sentences with more words are ignored.
        options: The provider's own options as the user set them; None: it has none, or all have their defaults.
        share: The part of this machine that the miner may use; ``bvf mine`` gives every miner one thread, so that the
            number of workers changes no figure.
        min_confidence: Matches with a lower confidence are left out, 0 to 1.
    """

    topic: Topic
    max_words: int = 60
    options: Any = None
    share: Share = field(default_factory=Share)
    min_confidence: float = MIN_CONFIDENCE


class Miner(ABC):
    """Finds templates and their counts in documents. Implement `find` and nothing else.

    Attributes:
        script: Unicode name of the script of the language (``LATIN``); a corpus in another script is refused.
        models: The models that parse the text, for the record of provenance.
        cues: The lexicon of words that tell of Y, for the same record; empty: none.
        libraries: Distributions on whose versions the matches depend.
    """

    script: str = ""
    models: str = ""
    cues: str = ""
    libraries: tuple[str, ...] = ()

    def mine(self, documents: Iterable[Document], name: str = "mined", source: str = "") -> ContextSet:
        """Return the templates in all documents and their counts, most frequent first. Equal sentences count once.

        Raises:
            ContractError: A match of `find` points outside its document.
            BvfError: No template was found.
        """
        matches = self(list(documents)).matches
        counts = Counter(template for template, _ in {(each.template.text, each.words()) for each in matches})
        ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        templates = tuple(Template(text) for text, _ in ordered)
        return ContextSet(name, templates, tuple(float(count) for _, count in ordered), source, sampling=Sampling())

    def __call__(self, documents: Sequence[Document], /) -> Found:
        """Return the matches in documents that `find` returns, after checking them."""
        mined = self.find(documents)
        for match in mined.matches:
            self._check(match)
        return mined

    @abstractmethod
    def find(self, documents: Sequence[Document], /) -> Found:
        """Return every match in these documents. Matches in one document must not depend on the others."""

    def _check(self, match: Match) -> None:
        if not 0 <= match.confidence <= 1:
            where, sure = match.document.id, match.confidence
            raise ContractError(f"{type(self).__name__}.find has a match in {where} of confidence {sure}, not 0 to 1")
        length = len(match.document.text)
        for what, span in (("subject", match.subject), ("word", match.word), ("sentence", match.sentence)):
            if not 0 <= span.start < span.stop <= length:
                raise ContractError(
                    f"{type(self).__name__}.find put the {what} of {match.document.id} at {span.start} to {span.stop} "
                    f"of {length} characters"
                )
