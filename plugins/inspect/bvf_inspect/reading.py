"""Reads candidate words in an answer, for the scorer."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from bvf_openai_backend.bounds import deviation_within, middle_of, most_unlisted
from bvf_openai_backend.word_begun import word_begun

from bvf.arrays import FloatArray, IntArray
from bvf.errors import BvfError
from bvf.stats.probabilities import class_probabilities


@dataclass(frozen=True)
class Reading:
    """The reading of one answer.

    Args:
        classes: p of each class, shape (Y,); all 0 without a candidate word.
        mass: The probability of all candidate words.
        bound: How far from exact a class probability can be.
        word: The most probable candidate word; empty without one.
    """

    classes: FloatArray
    mass: float
    bound: float
    word: str


@dataclass(frozen=True)
class Reader:
    """Reads answers to questions with the same W words; ``spaced``: the language puts spaces between words."""

    words: tuple[str, ...]
    class_of_word: IntArray
    spaced: bool

    def exact(self, logp: dict[str, float]) -> Reading:
        """Read the log-probabilities of whole words; a word without one is impossible."""
        return self._reading(np.array([logp.get(word, -np.inf) for word in self.words]), 0.0)

    def most_probable(self, tokens: Sequence[tuple[bytes, float]]) -> Reading:
        """Read the two or more most probable first tokens of an answer, and their log-probabilities.

        The p of a word is that of the tokens that equal it, with or without spaces around it. The p of a word that
        equals no token is at least 0, and at most that of an unlisted token and of all tokens that may begin the word;
        the middle is taken, as for servers.
        """
        if len(tokens) < 2:
            raise BvfError("the provider returns fewer than two log-probabilities of a token", "--top-logprobs 20")
        listed = [(letters.lstrip(), float(np.exp(min(logp, 0.0)))) for letters, logp in tokens]
        unlisted = most_unlisted([p for _, p in listed])
        lowest, begun = np.zeros(len(self.words)), np.zeros(len(self.words))
        for letters, p in listed:
            word = word_begun(letters.decode(errors="replace"), self.words, spaced=self.spaced, gap=False)
            if word is not None:
                lowest[word] += p
            else:
                begun += [p * each.encode().startswith(letters) for each in self.words]
        with np.errstate(divide="ignore"):
            low, high = np.log(lowest), np.log(np.where(lowest > 0, lowest, unlisted + begun))
        bound = float(deviation_within(low[np.newaxis], high[np.newaxis], self.class_of_word)[0])
        return self._reading(middle_of(low, high), bound)

    def sampled(self, text: str) -> Reading:
        """Read one continuation: all probability is that of the word that it begins with."""
        word = word_begun(text.lstrip(), self.words, spaced=self.spaced, gap=False)
        logp = np.full(len(self.words), -np.inf)
        if word is not None:
            logp[word] = 0.0
        return self._reading(logp, 0.0)

    def _reading(self, logp: FloatArray, bound: float) -> Reading:
        mass = float(np.exp(logp).sum())
        classes = class_probabilities(logp[np.newaxis], self.class_of_word, int(self.class_of_word.max()) + 1)[0]
        word = self.words[int(logp.argmax())] if mass else ""
        return Reading(np.nan_to_num(classes), mass, bound, word)
