"""Finds the probabilities of the candidate words in an answer, for the scorer."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from bvf_openai_backend.bounds import deviation_within, middle_of, most_unlisted
from bvf_openai_backend.word_begun import word_begun

from bvf import BvfError
from bvf.stats import FloatArray, IntArray, class_probabilities


@dataclass(frozen=True)
class Reading:
    """The probabilities of the candidate words in one answer.

    Args:
        classes: p of each class, shape (Y,); all 0 if the answer has no candidate word.
        mass: The probability of all candidate words.
        bound: Error bound of the class probabilities.
        word: The most probable candidate word; empty if the answer has none.
    """

    classes: FloatArray
    mass: float
    bound: float
    word: str


@dataclass(frozen=True)
class Reader:
    """Reads answers to questions with the same W candidate words. ``spaced``: spaces separate words.

    What begins with one of ``longer_words`` counts for none of the candidates.
    """

    words: tuple[str, ...]
    class_of_word: IntArray
    spaced: bool
    longer_words: tuple[str, ...] = ()

    def exact(self, logp: dict[str, float]) -> Reading:
        """Read an answer with log p of whole words. A word that is not listed has p = 0."""
        return self._reading(np.array([logp.get(word, -np.inf) for word in self.words]), 0.0)

    def most_probable(self, tokens: Sequence[tuple[bytes, float]]) -> Reading:
        """Read an answer that lists the most probable first tokens (at least two) and their log p.

        The p of a word is the summed p of listed tokens that equal it or start with it and a word boundary. p of a word
        without such a token lies between 0 and the bound for an unlisted token plus p of all listed tokens that may
        begin the word; the midpoint is taken, as for servers.
        """
        if len(tokens) < 2:
            raise BvfError("the provider returns fewer than two log-probabilities of a token", "--top-logprobs 20")
        listed = [(letters.lstrip(), float(np.exp(min(logp, 0.0)))) for letters, logp in tokens]
        unlisted = most_unlisted([p for _, p in listed])
        lowest, begun = np.zeros(len(self.words)), np.zeros(len(self.words))
        for letters, p in listed:
            word = self._begun(letters.decode(errors="replace"))
            if word in self.words:
                lowest[self.words.index(word)] += p
            elif not word:
                begun += [p * each.encode().startswith(letters) for each in self.words]
        with np.errstate(divide="ignore"):
            low, high = np.log(lowest), np.log(np.where(lowest > 0, lowest, unlisted + begun))
        bound = float(deviation_within(low[np.newaxis], high[np.newaxis], self.class_of_word)[0])
        return self._reading(middle_of(low, high), bound)

    def sampled(self, text: str) -> Reading:
        """Read one sampled continuation. p is 1 for the candidate word that it begins with, and 0 for the others."""
        word = self._begun(text.lstrip())
        return self._reading(np.array([0.0 if each == word else -np.inf for each in self.words]), 0.0)

    def _begun(self, text: str) -> str:
        """The longest of all words that a text begins with; empty if it begins with none."""
        known = (*self.words, *self.longer_words)
        found = word_begun(text, known, spaced=self.spaced, gap=False)
        return "" if found is None else known[found]

    def _reading(self, logp: FloatArray, bound: float) -> Reading:
        mass = float(np.exp(logp).sum())
        classes = class_probabilities(logp[np.newaxis], self.class_of_word, int(self.class_of_word.max()) + 1)[0]
        word = self.words[int(logp.argmax())] if mass else ""
        return Reading(np.nan_to_num(classes), mass, bound, word)
