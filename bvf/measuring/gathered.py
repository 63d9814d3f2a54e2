"""Puts the content of shards (blocks of stored questions) together into the arrays of a measurement."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bvf.arrays import BoolArray, FloatArray, IntArray
from bvf.domain.answers import AfterThoughts as Thoughts
from bvf.domain.answers import Computed, Pick, Samples, TextArray, Written
from bvf.files.shard_files import Stored
from bvf.files.text_shards import StoredTexts
from bvf.files.thought_shards import StoredThoughts
from bvf.measuring.questions import Questions


@dataclass(frozen=True)
class Gathered:
    """What was read from shards so far, by question.

    Args:
        questions: All questions of the measurement.
        probabilities: p(y | x, c), shape (X * C, Y); NaN where it is missing, and where texts were written.
        bounds: Error bound of the class probabilities of each question, shape (X * C,).
        hits: Number of sampled continuations that were a candidate word, shape (X * C,).
        logp: log p-hat of every word, shape (X * C, W); None: not read.
        texts: The texts of each question, shape (X * C,); None: none were written.
        thoughts: The thoughts before each answer, arrays of length X * C; None: there are none.
        asked: Whether a question is stored, shape (X * C,).
        remarks: Remarks of the backend.
    """

    questions: Questions
    probabilities: FloatArray
    bounds: FloatArray
    hits: FloatArray
    logp: FloatArray | None
    texts: TextArray | None
    thoughts: Thoughts | None
    asked: BoolArray
    remarks: dict[str, None] = field(default_factory=dict)

    @classmethod
    def nothing(cls, questions: Questions, *, words: bool, texts: bool, thoughts: int = 0) -> "Gathered":
        """Return arrays in which nothing is known yet.

        They have space for log p-hat of ``words``, for ``texts``, or for a number of ``thoughts`` per question.
        """
        size, classes = questions.size, len(questions.classes)
        return cls(
            questions,
            probabilities=np.full((size, classes), np.nan),
            bounds=np.zeros(size),
            hits=np.zeros(size),
            logp=np.full((size, len(questions.words)), np.nan) if words else None,
            texts=np.empty(size, dtype=np.object_) if texts else None,
            thoughts=_no_thoughts(size, thoughts, classes) if thoughts else None,
            asked=np.zeros(size, dtype=np.bool_),
        )

    def add(self, places: IntArray, stored: Stored | StoredTexts | StoredThoughts) -> None:
        """Add the content of a shard, whose questions have the numbers ``places``."""
        self.asked[places] = True
        if isinstance(stored, StoredTexts):
            assert self.texts is not None
            for place, texts in zip(places.tolist(), stored.texts, strict=True):
                self.texts[place] = texts
            return
        if isinstance(stored, StoredThoughts):
            self._add_thoughts(places, stored)
            return
        self.probabilities[places] = stored.probabilities
        self.bounds[places] = stored.bounds
        self.hits[places] = 0.0 if stored.hits is None else stored.hits
        if self.logp is not None and stored.word_logprobs is not None:
            self.logp[places] = stored.word_logprobs
        self.remarks.update(dict.fromkeys(stored.remarks))

    def _add_thoughts(self, places: IntArray, stored: StoredThoughts) -> None:
        thoughts = self.thoughts
        assert thoughts is not None
        for place, of_prompt in zip(places.tolist(), stored.thoughts, strict=True):
            thoughts.texts[place] = tuple(each.text for each in of_prompt)
            thoughts.ended[place] = [each.ended for each in of_prompt]
        thoughts.probabilities[places] = stored.probabilities
        self.probabilities[places] = stored.probabilities.mean(axis=1)
        self.remarks.update(dict.fromkeys(stored.remarks))

    def answers(self, sampled: bool, pick: Pick) -> Computed:
        """Return the answers to the questions that ``pick`` selects; ``sampled``: p is a share of samples."""
        if self.texts is not None:
            return Written(pick(self.texts))
        if self.thoughts is not None:
            return self.thoughts.each(pick)
        return Samples(pick(self.hits)) if sampled else Computed()

    def in_contexts(self, values: NDArray[Any], there: IntArray) -> NDArray[Any]:
        """Return values of questions, shape (X * C, ...), in the contexts ``there``, as shape (X, C, ...)."""
        shape = (len(self.questions.groups), len(self.questions.templates))
        return values.reshape(*shape, *values.shape[1:])[:, there]


def _no_thoughts(size: int, thoughts: int, classes: int) -> Thoughts:
    return Thoughts(
        np.empty(size, dtype=np.object_),
        np.zeros((size, thoughts), dtype=np.bool_),
        np.full((size, thoughts, classes), np.nan),
    )
