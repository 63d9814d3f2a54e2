"""Whether two readings of a model put groups in one order: formats, probable words, texts, and words after thoughts."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from bvf.analyses.compare.result import GroupLean, OrderAgreement
from bvf.stats.comparing.rank_agreement import DECIMALS, FEWEST_RANKED, rank_agreement
from bvf.study.leans import ends_in_contexts, lean_in_probability
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
        if len(one) >= FEWEST_RANKED and np.ptp(np.round(one, DECIMALS)) and np.ptp(np.round(other, DECIMALS)):
            found = rank_agreement(one, other, level)
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
    return [(value, *ends_in_contexts(value, of_group, read.sample, level)) for value, of_group in both]
