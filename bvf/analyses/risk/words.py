"""What depends on the choice of words for each class, from log p-hat of every word."""

from dataclasses import replace

import numpy as np

from bvf.analyses.risk.result import WordFigures, WordLists
from bvf.arrays import FloatArray
from bvf.domain.measurement import Measurement
from bvf.errors import BvfError
from bvf.interfaces.analysis import Choices
from bvf.results.result import number
from bvf.stats.word_lists import HALVINGS, WordProbabilities, halved_at_random, leaving_each_word_out, middle
from bvf.study.basis import Basis
from bvf.study.decomposing import total_risk_of
from bvf.study.parts import RISK
from bvf.study.reference import PRIOR

SEED = 0
"""Seed of the halvings: the same for every model, so that models can be compared."""


def word_lists_of(measurement: Measurement, basis: Basis, choices: Choices) -> WordLists | None:
    """Return the risk without each word, and with halves of them; None where words are not known, or one per class.

    Also None where p* is what the model answers for neutral subjects: with other words, p* would change too.

    Args:
        measurement: With log p-hat of words.
        basis: What of it counts.
        choices: J, p* and the scale.
    """
    logp, record = measurement.word_logprobs, measurement.record.asked
    counting = {attribute.name: attribute.words for attribute in basis.asked.attributes}
    if logp is None or choices.reference == PRIOR or all(len(words) == 1 for words in counting.values()):
        return None
    asked = [(attribute.name, word) for attribute in record.attributes for word in attribute.words]
    words = [(of, word) for of, listed in counting.items() for word in listed]
    rows, columns = [record.group_names.index(group.name) for group in basis.groups], [asked.index(w) for w in words]
    model = WordProbabilities.from_logp(logp[rows][..., columns], record.class_of_word[columns], len(counting))

    def figures_of(p: FloatArray) -> FloatArray:
        try:
            return np.array(total_risk_of(replace(basis, probabilities=basis.margin.of(p)), choices))
        except BvfError:  # some group has no answer by these words
            return np.full(len(RISK), np.nan)

    removable, without = leaving_each_word_out(model.class_of_word)
    figures = np.full((len(words), len(RISK)), np.nan)
    figures[removable] = model.figures(without, figures_of)
    halved = model.figures(halved_at_random(model.class_of_word, HALVINGS, SEED), figures_of)
    shares = model.shares(basis.context_weights, basis.group_weights)
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
