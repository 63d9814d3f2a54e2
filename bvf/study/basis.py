"""What p of an analysis rests on: it is exact, a share of counts, or a mean over thoughts."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bvf.arrays import FloatArray, IntArray
from bvf.domain.answers import AfterThoughts as Thoughts
from bvf.domain.answers import Pick, Samples
from bvf.domain.measurement import Asked, Measurement
from bvf.stats.sampling.reading_error import Confusion, corrected
from bvf.stats.sampling.sampled_answers import Answers
from bvf.stats.sampling.thoughts import AfterThoughts
from bvf.study.margin import Margin
from bvf.study.said import as_corrected, confusion_in


@dataclass(frozen=True, eq=False)
class Exact:
    """p as it is. It is the base of all kinds."""

    @property
    def confusion(self) -> Confusion | None:
        """The counted error of the reader, for which p is corrected; None: p is as it was read."""
        return None

    def random(self, p_star: FloatArray) -> Answers | AfterThoughts | None:
        """Return what p was estimated from, with p*; None: it was computed."""
        return None

    def each(self, pick: Pick) -> "Exact":
        """Return the basis of the prompts that ``pick`` selects from an array of shape (X, C, ...)."""
        return self

    def scaled(self, ratio: FloatArray) -> "Exact":
        """Return the basis of p times a ratio, shape (X, C, Y): it is no share of counts any more."""
        return Exact()

    def unclipped(self, p: FloatArray) -> FloatArray:
        """Return p without bias, shape (X, C, Y): corrected for errors of reading, it may be below 0 or above 1."""
        return p

    def every(self, p: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the p of every answer, (X, N, Y), and its weight in its group, (X, N), for ``weights`` (X, C)."""
        return p, weights


EXACT = Exact()


@dataclass(frozen=True, eq=False)
class Counted(Exact):
    """How often each class was sampled, shape (X, C, Y), and the counted error of a reader."""

    counts: IntArray
    error: Confusion | None = None

    @property
    def confusion(self) -> Confusion | None:
        return self.error

    def random(self, p_star: FloatArray) -> Answers:
        return Answers(self.counts, p_star, matrix=None if self.error is None else self.error.matrix)

    def each(self, pick: Pick) -> Exact:
        return replace(self, counts=pick(self.counts))

    def unclipped(self, p: FloatArray) -> FloatArray:
        if self.error is None:
            return p
        with np.errstate(invalid="ignore"):
            return corrected(self.counts / self.counts.sum(axis=2, keepdims=True), self.error.matrix)


@dataclass(frozen=True, eq=False)
class ByThought(Exact):
    """p(y | x, c, k) after each thought, shape (X, C, K, Y), whose means are p."""

    probabilities: FloatArray

    def random(self, p_star: FloatArray) -> AfterThoughts:
        return AfterThoughts(self.probabilities, p_star)

    def each(self, pick: Pick) -> Exact:
        return ByThought(pick(self.probabilities))

    def scaled(self, ratio: FloatArray) -> Exact:
        return ByThought(self.probabilities * ratio[:, :, np.newaxis])

    def every(self, p: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        groups, contexts, thoughts, classes = self.probabilities.shape
        shape = (groups, contexts * thoughts, classes)
        return self.probabilities.reshape(shape), weights.repeat(thoughts, axis=1) / thoughts


def read_basis(measurement: Measurement, asked: Asked, margin: Margin, p: FloatArray) -> tuple[FloatArray, Exact]:
    """Return p(y | x, c), corrected for errors of reading, and what it rests on.

    Args:
        measurement: Its texts are read.
        asked: Its questions, with the words that count.
        margin: The classes of the analysis.
        p: The shares of these classes as they were read, shape (X, C, Y).
    """
    kept = np.isin(measurement.record.asked.words, asked.words)
    answers = measurement.answers.of_words(measurement.word_logprobs, kept)
    if isinstance(answers, Thoughts):
        return p, ByThought(margin.of(answers.probabilities))
    if not isinstance(answers, Samples):
        return p, Exact()
    counts: Any = np.rint(np.nan_to_num(p) * answers.hits[..., np.newaxis]).astype(np.intp)
    error = confusion_in(measurement)
    return as_corrected(p, error), Counted(counts, error)
