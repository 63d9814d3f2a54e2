"""How the risk depends on the words chosen for each class, computed from log p-hat of every word."""

import numpy as np

from bvf.analyses.risk.exactness import CLOSE, error_bounds, error_bounds_of_risk
from bvf.analyses.risk.result import KindFigures, WordFigures, WordLists
from bvf.arrays import FloatArray
from bvf.domain.scale import ends_at_1
from bvf.errors import BvfError
from bvf.results.result import number
from bvf.stats.comparing.ranks import RankAgreement
from bvf.stats.figures.word_lists import HALVINGS, halved_at_random, leaving_each_unit_out, middle
from bvf.study.predictions import lean_in_probability
from bvf.study.study import PARTICULAR, RISK, Study
from bvf.study.words import CountedWords

SEED = 0
"""Seed of the random halves: the same for every model, so that models can be compared."""


def word_lists_of(study: Study) -> WordLists | None:
    """Return the risk without each unit of words, and the range of the risk over random halves of the units.

    Where words were left out by a tolerance, each risk has its own error bound. None where `CountedWords.of` is.
    """
    counted = CountedWords.of(study)
    if counted is None:
        return None
    words, unit, model = counted.words, counted.unit, counted.probabilities

    def figures_of(p: FloatArray, bounds: FloatArray) -> FloatArray:
        try:
            by_these_words = counted.study_by(p, bounds)
            risk, within = (
                np.array(by_these_words.total_risk()),
                error_bounds_of_risk(by_these_words, study.risk.divisor),
            )
        except BvfError:  # a group has no answer by these words
            return np.full((2, len(RISK)), np.nan)
        return np.stack([risk, np.minimum(within, np.maximum(risk, most - risk))])

    most = 1.0 if ends_at_1(study.choices.scale) else np.inf
    figures, halved = np.full((len(words), 2, len(RISK)), np.nan), np.full((1, 2, len(RISK)), np.nan)
    if unit is not None and len(without := leaving_each_unit_out(unit)):
        figures = model.figures(without, figures_of)[np.unique(unit, return_inverse=True)[1]]
        halved = model.figures(halved_at_random(unit, HALVINGS, SEED), figures_of)
        halved = np.where(np.isfinite(halved).all(axis=(1, 2), keepdims=True), halved, np.nan)
    units = [()] * len(words) if unit is None else [counted.units[u] for u in np.unique(unit, return_inverse=True)[1]]
    unknown = np.isnan(halved).all() or (halved[:, 1] > CLOSE).any()
    shares = model.shares(study.predictions.context_weights, study.predictions.group_weights)
    return WordLists(
        of_words=tuple(
            WordFigures(
                word=word,
                unit=unit,
                attribute=of,
                share=number(share),
                **dict(zip(RISK, map(number, without_it), strict=True)),
                within=dict(zip(RISK, within.tolist(), strict=True)) if (within > 0.0).any() else {},
            )
            for (of, word), unit, share, (without_it, within) in zip(words, units, shares, figures, strict=True)
        ),
        kinds=_kinds(counted),
        halved={} if unknown else dict(zip(RISK, zip(*middle(halved), strict=True), strict=True)),
    )


def _kinds(counted: CountedWords) -> tuple[KindFigures, ...]:
    """The risk by each kind of words, and whether kinds order the groups alike; none where some words do not count."""
    predictions, model = counted.study.predictions, counted.probabilities
    classes, found, leans = predictions.classes, list[KindFigures](), dict[str, FloatArray]()
    kinds = predictions.asked.kinds if len(counted.words) == len(counted.study.measurement.record.asked.words) else {}
    lists = np.array([np.isin([word for _, word in counted.words], each) for each in kinds.values()])
    for (name, words), (p, bounds, of_words) in zip(kinds.items(), model.by_lists(lists), strict=True):
        mass = np.nansum(of_words * predictions.weights_of_group, axis=1)
        by_kind = counted.study_by(p, bounds)
        figures, within = _of_kind(by_kind)
        alike = dict[str, float]()
        if figures["R"] is not None and len(predictions.groups) >= RankAgreement.FEWEST:
            lean = lean_in_probability(by_kind.predictions, classes[0])[0]
            if np.ptp(np.round(lean, RankAgreement.DECIMALS)):
                alike = {other: RankAgreement.of(leans[other], lean).kendall for other in leans}
                leans[name] = lean
        share = min(float(predictions.group_weights @ mass), 1.0)
        found.append(KindFigures(name=name, words=words, share=share, **figures, within=within, kendall=alike))
    return tuple(found)


def _of_kind(study: Study) -> tuple[dict[str, float | None], dict[str, float]]:
    """R, R^b, R^v and particular R^b by field, and their error bounds."""
    fields = (*RISK, PARTICULAR[1])
    try:
        risk, bounds = study.risk, error_bounds(study)
    except BvfError:  # a group has no answer by these words
        return dict.fromkeys(fields), {}
    of_all = [*bounds[RISK], bounds[PARTICULAR][1]] @ study.predictions.group_weights if bounds else np.zeros(0)
    figures = [risk.R, risk.R_bias, risk.R_volatility, risk.parts.particular_bias if risk.parts else None]
    known = figures if of_all.max(initial=0.0) <= CLOSE else [None] * len(fields)
    return dict(zip(fields, known, strict=True)), dict(zip(fields, of_all.tolist(), strict=False))
