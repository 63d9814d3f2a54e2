"""How the risk depends on the words chosen for each class, computed from log p-hat of every word."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bvf.analyses.risk.result import WordFigures, WordLists
from bvf.arrays import BoolArray, FloatArray
from bvf.errors import BvfError
from bvf.results.result import number
from bvf.stats.figures.word_lists import (
    HALVINGS,
    WordProbabilities,
    halved_at_random,
    leaving_each_unit_out,
    middle,
    unit_of_each,
)
from bvf.study.averages import RISK
from bvf.study.reference import PRIOR
from bvf.study.study import Study

SEED = 0
"""Seed of the random halves: the same for every model, so that models can be compared."""


def word_lists_of(study: Study) -> WordLists | None:
    """Return the risk without each unit of words, and the range of the risk over random halves of the units.

    None if probabilities of words were not stored, if each class has one word, or if p* is the model's prediction for
    neutral subjects, which would change with the words.
    """
    logp, record, predictions = study.measurement.word_logprobs, study.measurement.record.asked, study.predictions
    counting = {attribute.name: attribute.words for attribute in predictions.asked.attributes}
    if logp is None or study.choices.reference == PRIOR or all(len(words) == 1 for words in counting.values()):
        return None
    asked = [(attribute.name, word) for attribute in record.attributes for word in attribute.words]
    words = [(of, word) for of, listed in counting.items() for word in listed]
    rows = [record.row_of[name] for name in predictions.group_names]
    columns = [asked.index(word) for word in words]
    model = WordProbabilities.from_logp(logp[rows][..., columns], record.class_of_word[columns], len(counting))

    def figures_of(p: FloatArray) -> FloatArray:
        try:
            by_these_words = replace(predictions, probabilities=predictions.margin.of(p))
            return np.array(replace(study, predictions=by_these_words).total_risk())
        except BvfError:  # a group has no answer by these words
            return np.full(len(RISK), np.nan)

    place = {word: number for number, (_, word) in enumerate(words)}
    named = [[place[word] for word in unit if word in place] for unit in record.units]
    level = predictions.margin.level_of_class
    counts_for = model.class_of_word if level is None else level[model.class_of_word]
    unit = unit_of_each(counts_for, [each for each in named if each])
    figures, halved = np.full((len(words), len(RISK)), np.nan), np.full((1, len(RISK)), np.nan)
    if unit is not None and len(without := leaving_each_unit_out(unit)):
        figures = model.figures(without, figures_of)[np.unique(unit, return_inverse=True)[1]]
        halved = model.figures(halved_at_random(unit, HALVINGS, SEED), figures_of)
        halved = np.where(np.isfinite(halved).all(axis=1, keepdims=True), halved, np.nan)
    units = [()] * len(words) if unit is None else [_words_in(unit == number, words) for number in unit]
    shares = model.shares(predictions.context_weights, predictions.group_weights)
    return WordLists(
        of_words=tuple(
            WordFigures(
                word=word,
                unit=unit,
                attribute=of,
                share=number(share),
                **dict(zip(RISK, map(number, without_it), strict=True)),
            )
            for (of, word), unit, share, without_it in zip(words, units, shares, figures, strict=True)
        ),
        halved={} if np.isnan(halved).all() else dict(zip(RISK, zip(*middle(halved), strict=True), strict=True)),
    )


def _words_in(unit: BoolArray, words: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    return tuple(word for (_, word), inside in zip(words, unit, strict=True) if inside)
