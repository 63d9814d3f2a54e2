"""From runs of one model over several context sets to what the choice of texts changes."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import kendalltau

from bvf.analysing.basis import basis_of
from bvf.analysing.choices import prepared
from bvf.analysing.comparing import folders_of_runs
from bvf.analysing.config import AnalysisConfig
from bvf.analysing.context_comparison import ContextComparison, ContextSetPair, ContextSetRisk
from bvf.analysing.decomposing import risk_of
from bvf.analysing.naming import model_key
from bvf.analysing.pairing import name_of
from bvf.domain.measurement import Measurement
from bvf.errors import BvfError
from bvf.hooks.loader import Plugins, load
from bvf.interfaces.criterion import KnowledgeCriterion
from bvf.measuring.folder import read_measurement
from bvf.stats.context_sets import compared
from bvf.stats.risk import Risk

FEWEST_FOR_RANKS = 3
ROUNDING = 12
"""Decimals of risks that are put in an order."""


@dataclass(frozen=True)
class _OfSet:
    name: str
    measurement: Measurement
    risk: Risk


def compare_contexts(
    runs: Sequence[Path | str],
    config: AnalysisConfig,
    *,
    plugins: Plugins | None = None,
    preferred: Sequence[str] = (),
) -> ContextComparison:
    """Compare what one model says of the same groups in several context sets.

    Args:
        runs: Folders of runs, or folders that hold such folders.
        config: How all are analysed.
        plugins: Where criteria are looked up; what is installed if None.
        preferred: Plugins whose criterion is meant where none is named.

    Raises:
        BvfError: They are not of one model, topic, words and groups; names what differs.
    """
    folders = [folder for run in runs for folder in folders_of_runs(Path(run))]
    measurements = [read_measurement(folder, words=bool(config.words)) for folder in folders]
    _refuse_what_differs(measurements)
    first, available = measurements[0], plugins or load()
    _, choices = prepared(config, first.record.asked, available, preferred=preferred)
    if isinstance(choices.criterion, KnowledgeCriterion):
        raise BvfError(
            f"the criterion {choices.criterion_name} is one of knowledge", "context sets are compared by risk"
        )
    bases = [basis_of(each, choices) for each in measurements]
    sets = [
        _OfSet(name, each, risk_of(basis, choices))
        for name, each, basis in zip(_names(measurements), measurements, bases, strict=True)
    ]
    return ContextComparison(
        model=first.record.model.name,
        topic=first.record.asked.topic,
        criterion=choices.criterion_name,
        groups=len(bases[0].groups),
        sets=tuple(_of_set(each) for each in sets),
        pairs=tuple(_pair(one, other) for one, other in combinations(sets, 2)),
    )


def _refuse_what_differs(measurements: Sequence[Measurement]) -> None:
    if len(measurements) < 2:
        raise BvfError("one run alone cannot be compared", "name two folders of runs or more")
    first = measurements[0]
    same: dict[str, Callable[[Measurement], Any]] = {
        "model": model_key,
        "topic": lambda each: (each.record.asked.topic, each.record.asked.language),
        "words": lambda each: [(attribute.name, set(attribute.words)) for attribute in each.record.asked.attributes],
        "groups": lambda each: each.record.asked.group_names,
    }
    for each in measurements[1:]:
        for what, of in same.items():
            if of(each) != of(first):
                raise BvfError(
                    f"{name_of(first)} and {name_of(each)} differ in the {what}",
                    "--by contexts compares runs of one model and topic that differ in their contexts alone",
                )
        if each.record.digest == first.record.digest:
            raise BvfError(f"{name_of(first)} and {name_of(each)} are the same measurement", "name every run once")


def _names(measurements: Sequence[Measurement]) -> list[str]:
    names = [each.record.asked.contexts for each in measurements]
    times = Counter(names)
    return [
        f"{name} ({name_of(each)})" if times[name] > 1 else name for name, each in zip(names, measurements, strict=True)
    ]


def _of_set(found: _OfSet) -> ContextSetRisk:
    return ContextSetRisk(
        contexts=found.name,
        folder=str(found.measurement.folder or ""),
        templates=len(found.measurement.record.asked.templates),
        R=found.risk.R,
        R_bias=found.risk.R_bias,
        R_volatility=found.risk.R_volatility,
    )


def _pair(first: _OfSet, second: _OfSet) -> ContextSetPair:
    one, other = first.risk, second.risk
    sets = [each.measurement.record.asked.context_set() for each in (first, second)]
    kendall, p_value = _ranks(np.round(one.r, ROUNDING).tolist(), np.round(other.r, ROUNDING).tolist())
    return ContextSetPair(
        first=first.name,
        second=second.name,
        total_variation=compared(*sets).total_variation,
        R=one.R - other.R,
        R_bias=one.R_bias - other.R_bias,
        R_volatility=one.R_volatility - other.R_volatility,
        of_groups=float(one.group_weights @ np.abs(one.r - other.r)),
        kendall=kendall,
        p_value=p_value,
    )


def _ranks(one: list[float], other: list[float]) -> tuple[float, float] | tuple[None, None]:
    if len(one) < FEWEST_FOR_RANKS or len(set(one)) == 1 or len(set(other)) == 1:
        return None, None
    found = kendalltau(one, other)
    return float(found.statistic), float(found.pvalue)
