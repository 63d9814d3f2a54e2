"""Reads candidate words in an answer: pure functions, for the scorer."""

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
        classes: p of each class, shape (Y,); all 0 where there is no candidate word.
        mass: The probability of all candidate words.
        bound: How far from exact a class probability can be.
        word: The most probable one; empty: none.
    """

    classes: FloatArray
    mass: float
    bound: float
    word: str


@dataclass(frozen=True)
class Reader:
    """Reads answers to questions with the same words.

    Args:
        words: Length W.
        class_of_word: Shape (W,).
        spaced: The language puts spaces between words.
    """

    words: tuple[str, ...]
    class_of_word: IntArray
    spaced: bool

    def exact(self, logp: dict[str, float]) -> Reading:
        """Read the log-probabilities of whole words; one that is not there cannot come."""
        return self._reading(np.array([logp.get(word, -np.inf) for word in self.words]), 0.0)

    def most_probable(self, tokens: Sequence[tuple[bytes, float]]) -> Reading:
        """Read the most probable first tokens of an answer and their log-probabilities.

        The p of a word is that of the tokens that are the word, with or without spaces around it. A word that no token
        is lies between 0 and the p that was not told plus that of tokens that may begin the word; the middle is
        taken, as for servers.

        Raises:
            BvfError: There are fewer than two.
        """
        if len(tokens) < 2:
            raise BvfError("the provider tells fewer than two log-probabilities of a token", "--top-logprobs 20")
        told = [(letters.lstrip(), float(np.exp(min(logp, 0.0)))) for letters, logp in tokens]
        untold = most_unlisted([p for _, p in told])
        lowest, begun = np.zeros(len(self.words)), np.zeros(len(self.words))
        for letters, p in told:
            word = word_begun(letters.decode(errors="replace"), self.words, spaced=self.spaced, gap=False)
            if word is not None:
                lowest[word] += p
            else:
                begun += [p * each.encode().startswith(letters) for each in self.words]
        with np.errstate(divide="ignore"):
            low, high = np.log(lowest), np.log(np.where(lowest > 0, lowest, untold + begun))
        bound = float(deviation_within(low[np.newaxis], high[np.newaxis], self.class_of_word)[0])
        return self._reading(middle_of(low, high), bound)

    def sampled(self, text: str) -> Reading:
        """Read one continuation: the word that it begins with has all the probability."""
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
