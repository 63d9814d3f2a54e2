"""Counts matched sentences by template and document, in any order. A sentence counts once per template."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bvf.interfaces import Found
from bvf_mining.replicates import replicate_counts

CONFIDENCE_DIGITS = 3


@dataclass(frozen=True, slots=True)
class Finding:
    """A matched sentence as texts and positions: a row of ``--matches``. It does not hold the document."""

    document: str
    sentence: str  # the text of the whole sentence; ``subject`` and ``word`` are texts too
    subject: str
    word: str
    subject_start: int  # position in the document, in characters, like the other starts and ends
    subject_end: int
    word_start: int
    word_end: int
    template: str
    verb: str
    family: str
    tense: str
    # how sure the miner is of it, 0 to 1; ``rule``, ``distance`` and ``competitors`` are the reasons
    confidence: float = 1.0
    rule: str = ""
    distance: int = 0
    competitors: int = 0
    cue: str = ""

    @property
    def place(self) -> tuple[str, int]:
        """Sort key of findings: the document, and the position in it."""
        return self.document, self.subject_start

    def row(self) -> dict[str, Any]:
        """Return the fields by name."""
        return asdict(self)


@dataclass(frozen=True)
class Counts:
    """How many sentences were read and parsed, how many matches were kept, and what each rule dropped."""

    sentences: int = 0  # number of sentences in the corpus
    parsed: int = 0  # number of sentences that were parsed
    kept: int = 0  # number of matches; for a whole corpus, without the repeated ones
    repeated: int = 0  # number of matches left out because their sentence stands earlier in the corpus too
    dropped: dict[str, int] = field(default_factory=dict)  # number of sentences that each rule dropped

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
    """A line of a mined context set."""

    template: str  # the template that was made from sentences
    count: int  # number of different sentences
    documents: int
    verb: str  # its verb; ``verb``, ``family`` and ``tense`` are the most frequent combination of the three
    family: str
    tense: str
    cue: str  # what in it tells of Y, where such templates are kept
    document: str  # the first document by name, from which the example is
    example: str  # the earliest sentence of the template in that document


class Tally:
    """Counts findings by template, in any order. Each sentence counts once per template.

    A sentence that occurs several times in a corpus counts only in the first document by name, at its first
    position. White space between words makes no difference.
    """

    def __init__(self) -> None:
        self._first: dict[tuple[str, str], Finding] = {}

    @property
    def kept(self) -> int:
        """Number of counted findings. Each sentence counts once per template."""
        return len(self._first)

    @property
    def documents(self) -> int:
        """Number of documents, by name, that have a counted finding."""
        return len({finding.document for finding in self._first.values()})

    def add(self, findings: Iterable[Finding]) -> None:
        """Count more findings."""
        for finding in findings:
            key = finding.sentence, finding.template
            known = self._first.get(key)
            self._first[key] = min(known, finding, key=_order) if known else finding

    def counted(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        """Yield the findings in their order, without repeated sentences."""
        left = dict(self._first)
        for finding in findings:
            key = finding.sentence, finding.template
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
        """Return the counts of these templates in bootstrap resamples of the documents, shape (C, R)."""
        by_document: dict[str, Counter[str]] = defaultdict(Counter)
        for finding in self._first.values():
            by_document[finding.document][finding.template] += 1
        return replicate_counts(by_document.items(), templates)


def _order(finding: Finding) -> tuple[Any, ...]:
    return *finding.place, *finding.row().values()


def _line(template: str, findings: Sequence[Finding]) -> Line:
    kinds = Counter((finding.verb, finding.family, finding.tense) for finding in findings)
    usual, _ = min(kinds.items(), key=lambda item: (-item[1], item[0]))
    example = min(findings, key=lambda finding: (finding.place, finding.sentence))
    documents = len({finding.document for finding in findings})
    return Line(template, len(findings), documents, *usual, example.cue, example.document, example.sentence)


def findings_of(mined: Found) -> list[Finding]:
    """Return matches as findings: texts and positions, without the documents."""
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
            cue=match.cue,
        )
        for match in mined.matches
    ]
