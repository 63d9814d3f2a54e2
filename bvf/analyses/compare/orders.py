"""Whether two readings of a model put the groups in the same order: probable words, texts, and words after thoughts."""

from collections.abc import Sequence

import numpy as np

from bvf.analyses.compare.result import OrderAgreement
from bvf.arrays import FloatArray
from bvf.stats.rank_agreement import DECIMALS, FEWEST_RANKED, rank_agreement
from bvf.stats.risk import Risk
from bvf.study.study import Study


def orders_of(studies: Sequence[Study]) -> tuple[OrderAgreement, ...]:
    """Return how far two models order the groups alike, by lean, r and r^b.

    Empty unless there are two models that were read in different ways: by probabilities, by texts, or after thoughts.
    """
    ways = {(each.measurement.told is None, each.measurement.thoughts is None) for each in studies}
    if len(studies) != 2 or len(ways) == 1:
        return ()
    first, second = studies
    risks = first.risk, second.risk
    values = {"lean": (_leans(first), _leans(second)), **{name: _both(risks, name) for name in ("r", "r_bias")}}
    level, what = first.choices.level, {"lean": f"lean to {first.predictions.classes[0]}"}
    return tuple(
        OrderAgreement(figure=what.get(name, name), level=level, **_agreement(one, other, level))
        for name, (one, other) in values.items()
        if len(one) >= FEWEST_RANKED and np.ptp(np.round(one, DECIMALS)) and np.ptp(np.round(other, DECIMALS))
    )


def _both(risks: tuple[Risk, Risk], name: str) -> tuple[FloatArray, FloatArray]:
    one, other = (getattr(risk, name) for risk in risks)
    return one, other


def _leans(study: Study) -> FloatArray:
    """E_c[p - p*] of the first class, for each group, shape (X,)."""
    fields = study.predictions.of_each_group()
    first = study.predictions.classes[0]
    return np.array([each["mean_probabilities"][first] - each["reference_probabilities"][first] for each in fields])


def _agreement(one: FloatArray, other: FloatArray, level: float) -> dict[str, float | None]:
    found = rank_agreement(one, other, level)
    return {"kendall": found.kendall, "p_value": found.p_value, "low": found.low, "high": found.high}
