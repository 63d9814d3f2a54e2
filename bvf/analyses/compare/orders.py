"""Whether two ways of asking a model put groups in one order, and how often its answer changes after a thought."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from bvf.analyses.compare.result import ChangedByThought, GroupLean, OrderAgreement
from bvf.arrays import FloatArray
from bvf.stats.comparing.ranks import RankAgreement
from bvf.stats.sampling.samples import ContextSample
from bvf.study.predictions import lean_in_probability
from bvf.study.study import Study

LEAN = "lean to"
"""How the name of the order by the lean to a class begins."""


def orders_of(studies: Sequence[Study], names: Sequence[str]) -> tuple[OrderAgreement, ...]:
    """Return how far every two formats, or two ways of reading a model, order the groups alike: by lean, r and r^b.

    Empty unless models are formats, or are two that were read in different ways: by probabilities, by texts, or after
    thoughts. ``names`` are those of the models.
    """
    ways = {each.measurement.answers.way for each in studies}
    of_formats = all(each.measurement.format for each in studies)
    if not of_formats and (len(studies) != 2 or len(ways) == 1):
        return ()
    return tuple(
        OrderAgreement(first=first, second=second, **each)
        for (one, first), (other, second) in combinations(zip(studies, names, strict=True), 2)
        for each in _orders(one, other)
    )


def _orders(first: Study, second: Study) -> Iterator[dict[str, Any]]:
    risks, to = (first.risk, second.risk), first.predictions.classes[0]
    leans = [lean_in_probability(each.predictions, to)[0] for each in (first, second)]
    values = {f"{LEAN} {to}": leans, "r": [each.r for each in risks], "r_bias": [each.r_bias for each in risks]}
    level = first.choices.level
    for name, (one, other) in values.items():
        rounded = [np.round(each, RankAgreement.DECIMALS) for each in (one, other)]
        if len(one) >= RankAgreement.FEWEST and all(map(np.ptp, rounded)):
            found = RankAgreement.of(one, other, level)
            ends = {"low": found.low, "high": found.high, "level": level}
            yield {"figure": name, "kendall": found.kendall, "p_value": found.p_value, **ends}


def leans_of(studies: Sequence[Study]) -> tuple[GroupLean, ...]:
    """Return the lean of each group by probable words and by texts; empty unless there is one run of each."""

    def of_texts(study: Study) -> bool:
        return study.measurement.answers.way == "texts"

    if len(studies) != 2 or len({of_texts(each) for each in studies}) == 1:
        return ()
    probable, said = sorted(studies, key=of_texts)
    read, ends = probable.predictions, ("", "_low", "_high")
    return tuple(
        GroupLean(
            group=group.name,
            gloss=group.gloss,
            to=read.classes[0],
            **{f"probable{end}": value for end, value in zip(ends, one, strict=True)},
            **{f"said{end}": value for end, value in zip(ends, other, strict=True)},
        )
        for group, one, other in zip(read.groups, _lean_of_each(probable), _lean_of_each(said), strict=True)
    )


def _lean_of_each(study: Study) -> list[tuple[float, float | None, float | None]]:
    """E_c[p - p*] of the first class for each group, and the ends of its interval; None: contexts are no sample."""
    read, level = study.predictions, study.choices.level
    values, influence = lean_in_probability(read, read.classes[0])
    if read.sample is None:
        return [(value, None, None) for value in values.tolist()]
    both = zip(values.tolist(), influence, strict=True)
    return [(value, *read.sample.ends(value, of_group, level)) for value, of_group in both]


SHARE = "share"


def changed_by_thought(studies: Sequence[Study], names: Sequence[str]) -> ChangedByThought | None:
    """Return how often another class leads after a thought than without; None unless one of two models thinks."""
    thinks = [each.measurement.answers.way == "thoughts" for each in studies]
    if sorted(thinks) != [False, True]:
        return None
    after, without = (studies[thinks.index(which)] for which in (True, False))
    sample, level, predictions = after.sample, after.choices.level, after.predictions
    before = _leading(without.predictions.stereotypes)

    def differs(stereotypes: FloatArray) -> FloatArray:
        now = _leading(stereotypes)
        other: FloatArray = (now != before.repeat(now.shape[1] // before.shape[1], axis=1)).astype(np.float64)
        return other

    shares = predictions.basis.mean_of(differs, predictions.probabilities, predictions.reference)
    in_these = ContextSample(predictions.context_weights, "template")
    averaged = after.average(SHARE, shares, sample or in_these).sampled
    estimate = averaged.estimates(predictions.group_weights, level).total
    return ChangedByThought(
        with_thought=names[thinks.index(True)],
        without=names[thinks.index(False)],
        share=float(estimate.value),
        low=None if sample is None else float(estimate.low),
        high=None if sample is None else float(estimate.high),
        level=level,
    )


def _leading(stereotypes: FloatArray) -> FloatArray:
    """The index of the class with the largest p / p*, on the last axis; 0 where p is missing."""
    leading: FloatArray = np.nan_to_num(stereotypes, nan=-2.0).argmax(axis=-1)
    return leading
