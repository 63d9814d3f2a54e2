"""How the risk depends on the words chosen for each class, computed from log p-hat of every word."""

from dataclasses import replace

import numpy as np

from bvf.analyses.risk.result import WordFigures, WordLists
from bvf.arrays import FloatArray
from bvf.errors import BvfError
from bvf.results.result import number
from bvf.stats.figures.word_lists import HALVINGS, WordProbabilities, halved_at_random, leaving_each_word_out, middle
from bvf.study.averages import RISK
from bvf.study.reference import PRIOR
from bvf.study.study import Study

SEED = 0
"""Seed of the random halves: the same for every model, so that models can be compared."""


def word_lists_of(study: Study) -> WordLists | None:
    """Return the risk without each single word, and the range of the risk over random halves of the words.

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

    removable, without = leaving_each_word_out(model.class_of_word)
    figures = np.full((len(words), len(RISK)), np.nan)
    figures[removable] = model.figures(without, figures_of)
    halved = model.figures(halved_at_random(model.class_of_word, HALVINGS, SEED), figures_of)
    halved = np.where(np.isfinite(halved).all(axis=1, keepdims=True), halved, np.nan)
    shares = model.shares(predictions.context_weights, predictions.group_weights)
    return WordLists(
        of_words=tuple(
            WordFigures(
                word=word,
                attribute=of,
                share=number(share),
                **dict(zip(RISK, map(number, without_it), strict=True)),
            )
            for (of, word), share, without_it in zip(words, shares, figures, strict=True)
        ),
        halved={} if np.isnan(halved).all() else dict(zip(RISK, zip(*middle(halved), strict=True), strict=True)),
    )
