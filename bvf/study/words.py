"""A study with fewer words: without one unit, or with other lists of words; and where there can be none."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from bvf.arrays import FloatArray, IntArray
from bvf.stats.figures.word_lists import WordProbabilities, leaving_each_unit_out, unit_of_each
from bvf.study.reference import PRIOR
from bvf.study.study import Study


@dataclass(frozen=True, eq=False)
class CountedWords:
    """The words that count in a study, and what the study would be with fewer of them.

    Args:
        study: It has all of these words.
        words: The class and the text of each word.
        unit: The unit that each word is in, shape (W,); None: some class has no word in some unit.
        probabilities: p-hat of each word, with its measured class.
    """

    study: Study
    words: tuple[tuple[str, str], ...]
    unit: IntArray | None
    probabilities: WordProbabilities

    @classmethod
    def of(cls, study: Study) -> "CountedWords | None":
        """Return the words of a study.

        None if probabilities of words were not stored, or are of samples, if each class has one word, or if p* is the
        model's prediction for neutral subjects, which would change with the words.
        """
        measurement, predictions = study.measurement, study.predictions
        logp, asked = measurement.word_logprobs, measurement.record.asked
        counting = {attribute.name: attribute.words for attribute in predictions.asked.attributes}
        alone = all(len(words) == 1 for words in counting.values())
        if logp is None or alone or study.choices.reference == PRIOR or predictions.random is not None:
            return None
        of_asked = [(attribute.name, word) for attribute in asked.attributes for word in attribute.words]
        words = tuple((of, word) for of, listed in counting.items() for word in listed)
        columns = [of_asked.index(word) for word in words]
        rows = [asked.row_of[name] for name in predictions.group_names]
        if (len(rows), len(columns)) != (len(logp), logp.shape[2]):  # else it would be a copy of all
            logp = logp[rows][..., columns]
        model = WordProbabilities(logp, asked.class_of_word[columns], len(counting), predictions.bounds)
        place = {word: number for number, (_, word) in enumerate(words)}
        named = [[place[word] for word in unit if word in place] for unit in asked.units]
        level = predictions.margin.level_of_class
        counts_for = model.class_of_word if level is None else level[model.class_of_word]
        return cls(study, words, unit_of_each(counts_for, [each for each in named if each]), model)

    @cached_property
    def units(self) -> list[tuple[str, ...]]:
        """The words of each unit; none if some class has no word in some unit."""
        unit = np.zeros(0) if self.unit is None else self.unit
        return [tuple(self.words[w][1] for w in np.flatnonzero(unit == number)) for number in np.unique(unit)]

    def study_by(self, p: FloatArray, bounds: FloatArray) -> Study:
        """Return the study with p(y | x, c) of the measured classes and its error bounds from fewer words.

        What is missing with all words stays missing.
        """
        predictions = self.study.predictions
        missing = np.isnan(predictions.probabilities).any(axis=2, keepdims=True)
        fewer = np.where(missing, np.nan, predictions.margin.of(p))
        return replace(self.study, predictions=replace(predictions, probabilities=fewer, bounds=bounds))

    def without_each_unit(self) -> Iterator[Study]:
        """Yield the study without each of the units; nothing if there are not two units or more."""
        if self.unit is not None and len(self.units) > 1:
            lists = leaving_each_unit_out(self.unit)
            for p, bounds, _ in self.probabilities.by_lists(lists):
                yield self.study_by(p, bounds)
