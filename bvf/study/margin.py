"""One factor of crossed classes, such as gender of gender x age: its levels, and the level of each class."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bvf.arrays import FloatArray
from bvf.domain.asked import Asked
from bvf.domain.measurement import Measurement
from bvf.errors import BvfError, nearest
from bvf.stats.figures.probabilities import class_probabilities, margins
from bvf.stats.figures.word_lists import WordProbabilities


@dataclass(frozen=True)
class Margin:
    """The classes of an analysis: the levels of one factor, or all classes of the measurement.

    Args:
        classes: Names of the classes of the analysis.
        level_of_class: Index of the level of each measured class, shape (Y,); None: all classes are analysed.
    """

    classes: tuple[str, ...]
    level_of_class: NDArray[np.intp] | None = None

    @property
    def most_classes(self) -> int:
        """The number of measured classes in the level that has the most."""
        return 1 if self.level_of_class is None else int(np.bincount(self.level_of_class).max())

    def of(self, probabilities: FloatArray) -> FloatArray:
        """Return probabilities summed over the classes of each level. Their last axis is Y."""
        return probabilities if self.level_of_class is None else margins(probabilities, self.level_of_class)


def margin_of(asked: Asked, factor: str) -> Margin:
    """Return the margin (levels) of a factor. An empty name gives one that leaves probabilities unchanged.

    Raises:
        BvfError: The classes have no such factor, or a single level of it.
    """
    if not factor:
        return Margin(asked.classes)
    factors = list(asked.attributes[0].factors)
    if not factors:
        raise BvfError(
            f"--margin {factor}: the classes of {asked.topic} have no factors", "it goes with --cross race,gender"
        )
    if factor not in factors:
        raise BvfError(f'--margin: the classes of {asked.topic} have no factor "{factor}"', nearest(factor, factors))
    levels = [attribute.factors[factor] for attribute in asked.attributes]
    names = tuple(dict.fromkeys(levels))
    if len(names) == 1:
        raise BvfError(
            f"--margin {factor}: every class of {asked.topic} is {names[0]}", "choose a factor with two levels or more"
        )
    return Margin(names, np.array([names.index(level) for level in levels], dtype=np.intp))


def counted(
    asked: Asked, measurement: Measurement, words: Mapping[str, tuple[str, ...]]
) -> tuple[Asked, FloatArray, FloatArray]:
    """Return the questions restricted to ``words`` (by class), p(y | x, c) from these words, and its error bounds.

    Classes without an entry in ``words`` keep all their words.

    Raises:
        BvfError: A word was not measured, or probabilities of single words are needed but were not stored.
    """
    fewer = asked.with_words(words)
    if fewer is asked:
        return asked, measurement.probabilities, measurement.bounds
    if measurement.word_logprobs is None:
        raise BvfError(
            "--words: this measurement keeps probabilities of classes alone, not of words",
            "measure again with --keep-words",
        )
    wanted = {attribute.name: attribute.words for attribute in fewer.attributes}
    counts = np.array([word in wanted[each.name] for each in asked.attributes for word in each.words])
    logp = measurement.word_logprobs[..., counts]
    p = class_probabilities(logp.reshape(-1, logp.shape[-1]), asked.class_of_word[counts], len(wanted))
    every = WordProbabilities(measurement.word_logprobs, asked.class_of_word, len(wanted), measurement.bounds)
    ((_, bounds, _),) = every.by_lists(counts[np.newaxis])
    return fewer, p.reshape(measurement.probabilities.shape), bounds
