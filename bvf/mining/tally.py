"""Matches counted by template and by document, in any order and in any number of pieces."""

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bvf.interfaces.miner import Found
from bvf.stats.replicates import replicate_counts


@dataclass(frozen=True)
class Finding:
    """A match with its words in place of its document: a row of ``--matches``.

    Args:
        document: Its name.
        sentence: The words of the whole sentence; so ``subject`` and ``word``.
        subject_start: Character of the document; so the others.
    """

    document: str
    sentence: str
    subject: str
    word: str
    subject_start: int
    subject_end: int
    word_start: int
    word_end: int
    template: str
    verb: str
    family: str
    tense: str

    def row(self) -> dict[str, Any]:
        """Return the fields by name."""
        return asdict(self)


@dataclass(frozen=True)
class Counts:
    """How many sentences were read, looked at closely, and kept or dropped by each rule."""

    sentences: int = 0
    parsed: int = 0
    kept: int = 0
    dropped: dict[str, int] = field(default_factory=dict)

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(
            self.sentences + other.sentences,
            self.parsed + other.parsed,
            self.kept + other.kept,
            dict(Counter(self.dropped) + Counter(other.dropped)),
        )


@dataclass(frozen=True)
class Line:
    """A line of a context set that was mined.

    Args:
        template: What is left of sentences.
        count: Of how many.
        documents: In how many documents they stand.
        verb: The most frequent one; so ``family`` and ``tense``.
        document: Where the example stands: the first by name.
        example: The earliest sentence there.
    """

    template: str
    count: int
    documents: int
    verb: str
    family: str
    tense: str
    document: str
    example: str


class Tally:
    """Counts findings by template; what comes out does not depend on the order in which they came in."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._kinds: dict[str, Counter[tuple[str, str, str]]] = {}
        self._examples: dict[str, tuple[str, int, str]] = {}
        self._documents: dict[str, Counter[str]] = {}

    @property
    def documents(self) -> int:
        """In how many documents something was found; those of one name are one."""
        return len(self._documents)

    def add(self, findings: Iterable[Finding]) -> None:
        """Count more of them."""
        for finding in findings:
            self._counts[finding.template] += 1
            self._documents.setdefault(finding.document, Counter())[sys.intern(finding.template)] += 1
            kinds = self._kinds.setdefault(finding.template, Counter())
            kinds[finding.verb, finding.family, finding.tense] += 1
            example = (finding.document, finding.subject_start, finding.sentence)
            self._examples[finding.template] = min(self._examples.get(finding.template, example), example)

    def lines(self) -> list[Line]:
        """Return a line a template, the most frequent first."""
        documents = Counter(template for found in self._documents.values() for template in found)
        return [
            Line(template, count, documents[template], *self._usual(template), document, example)
            for template, count in sorted(self._counts.items(), key=lambda item: (-item[1], item[0]))
            for document, _, example in [self._examples[template]]
        ]

    def replicates(self, templates: Sequence[str]) -> NDArray[np.unsignedinteger]:
        """Return the counts of all templates, in some order, if documents were drawn again, shape (C, R)."""
        return replicate_counts(self._documents.items(), templates)

    def _usual(self, template: str) -> tuple[str, str, str]:
        return min(self._kinds[template].items(), key=lambda item: (-item[1], item[0]))[0]


def findings_of(found: Found) -> list[Finding]:
    """Return the matches as rows, without their documents."""
    return [
        Finding(
            document=match.document.id,
            sentence=" ".join(match.sentence.of(match.document).split()),
            subject=match.subject.of(match.document),
            word=match.word.of(match.document),
            subject_start=match.subject.start,
            subject_end=match.subject.stop,
            word_start=match.word.start,
            word_end=match.word.stop,
            template=match.template.text,
            verb=match.verb,
            family=match.family,
            tense=match.tense,
        )
        for match in found.matches
    ]


def counts_of(found: Found) -> Counts:
    """Return the counts of what was found."""
    return Counts(found.sentences, found.parsed, len(found.matches), dict(found.dropped))
