"""Matches counted by template and document, a sentence once per template, in any order and number of pieces."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bvf.interfaces.miner import Found
from bvf.stats.replicates import replicate_counts

CONFIDENCE_DIGITS = 3


@dataclass(frozen=True, slots=True)
class Finding:
    """A match with its words in place of its document: a row of ``--matches``.

    Args:
        document: Name of the document.
        sentence: The words of the whole sentence; so ``subject`` and ``word``.
        subject_start: Character of the document; so the others.
        confidence: How sure the miner is of it, 0 to 1; ``rule``, ``distance`` and ``competitors`` say why.
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
    confidence: float = 1.0
    rule: str = ""
    distance: int = 0
    competitors: int = 0

    @property
    def place(self) -> tuple[str, int]:
        """Where it stands: documents by name, each from its beginning."""
        return self.document, self.subject_start

    def row(self) -> dict[str, Any]:
        """Return the fields by name."""
        return asdict(self)


@dataclass(frozen=True)
class Counts:
    """How many sentences were read, looked at closely, and kept or dropped by each rule.

    Args:
        sentences: The sentences of the corpus.
        parsed: Those that were looked at closely.
        kept: Matches; for a whole corpus, those that count.
        repeated: Matches in sentences that stand in the corpus before; they do not count.
        dropped: Sentences, by rule.
    """

    sentences: int = 0
    parsed: int = 0
    kept: int = 0
    repeated: int = 0
    dropped: dict[str, int] = field(default_factory=dict)

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(
            self.sentences + other.sentences,
            self.parsed + other.parsed,
            self.kept + other.kept,
            self.repeated + other.repeated,
            dict(Counter(self.dropped) + Counter(other.dropped)),
        )


@dataclass(frozen=True)
class Line:
    """A line of a context set that was mined.

    Args:
        template: The template that was made from sentences.
        count: From how many different sentences.
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
    """Counts findings by template, each sentence once per template; the order in which they come does not matter.

    A sentence that stands in a corpus several times counts where it stands first: in the first document by name, and
    there at the first place. Sentences are the same if their words are, whatever the white space between them.
    """

    def __init__(self) -> None:
        self._first: dict[tuple[str, str], Finding] = {}

    @property
    def kept(self) -> int:
        """How many findings count."""
        return len(self._first)

    @property
    def documents(self) -> int:
        """In how many documents something counts; documents with the same name are one."""
        return len({finding.document for finding in self._first.values()})

    def add(self, findings: Iterable[Finding]) -> None:
        """Count more findings."""
        for finding in findings:
            key = _what_counts_once(finding)
            known = self._first.get(key)
            self._first[key] = min(known, finding, key=_order) if known else finding

    def counted(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        """Yield the findings that count, each once, in their order."""
        left = dict(self._first)
        for finding in findings:
            key = _what_counts_once(finding)
            if left.get(key) == finding:
                del left[key]
                yield finding

    def lines(self) -> list[Line]:
        """Return one line per template, the most frequent first."""
        by_template: dict[str, list[Finding]] = defaultdict(list)
        for finding in self._first.values():
            by_template[finding.template].append(finding)
        ordered = sorted(by_template.items(), key=lambda item: (-len(item[1]), item[0]))
        return [_line(template, findings) for template, findings in ordered]

    def replicates(self, templates: Sequence[str]) -> NDArray[np.unsignedinteger]:
        """Return the counts of all templates, in some order, if documents were drawn again, shape (C, R)."""
        by_document: dict[str, Counter[str]] = defaultdict(Counter)
        for finding in self._first.values():
            by_document[finding.document][finding.template] += 1
        return replicate_counts(by_document.items(), templates)


def _what_counts_once(finding: Finding) -> tuple[str, str]:
    return finding.sentence, finding.template


def _order(finding: Finding) -> tuple[Any, ...]:
    return *finding.place, *finding.row().values()


def _line(template: str, findings: Sequence[Finding]) -> Line:
    kinds = Counter((finding.verb, finding.family, finding.tense) for finding in findings)
    usual, _ = min(kinds.items(), key=lambda item: (-item[1], item[0]))
    example = min(findings, key=lambda finding: (finding.place, finding.sentence))
    documents = len({finding.document for finding in findings})
    return Line(template, len(findings), documents, *usual, example.document, example.sentence)


def findings_of(mined: Found) -> list[Finding]:
    """Return the matches as rows, without their documents."""
    return [
        Finding(
            document=match.document.id,
            sentence=match.words(),
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
            confidence=round(match.confidence, CONFIDENCE_DIGITS),
            rule=match.rule,
            distance=match.distance,
            competitors=match.competitors,
        )
        for match in mined.matches
    ]


def counts_of(mined: Found) -> Counts:
    """Return the counts of what was found."""
    return Counts(mined.sentences, mined.parsed, len(mined.matches), dropped=dict(mined.dropped))
