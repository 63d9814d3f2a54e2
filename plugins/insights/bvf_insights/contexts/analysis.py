"""Compares models over several context sets. It shows how figures depend on the choice of texts."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, get_args

import numpy as np
import scipy

from bvf import AnalysisConfig, BvfError, KnowledgeCriterion, Measurement, Study, load
from bvf.hooks import Plugins
from bvf.results import choices_in_common
from bvf.stats import FloatArray, compared, trend
from bvf.study import (
    asked_contexts,
    distinct_names,
    found_runs,
    measurements_of,
    names_over,
    prepared,
    run_name,
    warnings_of,
)
from bvf_insights.contexts.result import (
    ContextComparison,
    ContextSetPair,
    ContextSetRisk,
    Figure,
    ModelAgreement,
    ModelOrder,
)
from bvf_insights.stats.concordance import FEWEST_THINGS, concordance

FEWEST_FOR_RANKS = 3
DECIMALS = 12
"""Decimals to which figures are rounded before they are ranked."""
SETS_FOR_AGREEMENT = 3
FIGURES: tuple[Figure, ...] = get_args(Figure)


def compare_contexts(
    runs: Sequence[Path | str | Measurement],
    config: AnalysisConfig,
    plugins: Plugins | None = None,
    preferred: Sequence[str] = (),
) -> ContextComparison:
    """Compare models over context sets. Every model must have been measured in every set.

    Choices (criterion, scale, p*) that ``config`` does not set are those of the runs, which must then be equal.
    """
    available = plugins or load()
    found = found_runs(runs)
    config = choices_in_common(found, config, available)
    return contexts_by_choices(measurements_of(found, words=bool(config.words)), config, available, preferred)


def contexts_by_choices(
    measurements: Sequence[Measurement], config: AnalysisConfig, plugins: Plugins, preferred: Sequence[str] = ()
) -> ContextComparison:
    """Compare measurements as `compare_contexts` does. What ``config`` does not set is as by default."""
    _refuse_what_differs(measurements)
    first = measurements[0]
    _, choices = prepared(config, first.record.asked, plugins, preferred=preferred)
    if isinstance(choices.criterion, KnowledgeCriterion):
        raise BvfError(
            f"the criterion {choices.criterion_name} is one of knowledge", "context sets are compared by risk"
        )
    models, crossed = _crossed(measurements)
    sets = [{model: Study.of(each, choices) for model, each in by_model.items()} for by_model in crossed.values()]
    names, several = list(crossed), len(models) > 1
    figures = np.array([[[getattr(each.risk, f) for each in of_set.values()] for of_set in sets] for f in FIGURES])
    figures = figures.round(DECIMALS)
    return ContextComparison(
        models=models,
        topic=first.record.asked.topic,
        criterion=choices.criterion_name,
        scale=choices.scale,
        reference=choices.reference,
        groups=len(next(iter(sets[0].values())).risk.r),
        warnings=tuple(
            f"{model}, {name}: {warning}"
            for name, by_model in crossed.items()
            for model, each in by_model.items()
            for warning in warnings_of(each.record)
        ),
        sets=tuple(
            ContextSetRisk(
                contexts=name,
                model=model,
                folder=str(study.measurement.folder or ""),
                templates=study.measurement.record.asked.whole.templates,
                R=study.risk.R,
                R_bias=study.risk.R_bias,
                R_volatility=study.risk.R_volatility,
            )
            for name, of_set in zip(names, sets, strict=True)
            for model, study in of_set.items()
        ),
        pairs=tuple(
            _pair((names[i], names[j]), model, (sets[i][model], sets[j][model]))
            for i, j in combinations(range(len(sets)), 2)
            for model in models
        ),
        orders=tuple(_orders(names, figures)) if several else (),
        agreement=tuple(_agreement(figures)) if several and len(sets) >= SETS_FOR_AGREEMENT else (),
    )


def _refuse_what_differs(measurements: Sequence[Measurement]) -> None:
    if len(measurements) < 2:
        raise BvfError("one run alone cannot be compared", "name two folders of runs or more")
    first, seen = measurements[0], dict[str, Measurement]()
    same: dict[str, Callable[[Measurement], Any]] = {
        "topic": lambda each: (each.record.asked.topic, each.record.asked.language),
        "words": lambda each: [(attribute.name, set(attribute.words)) for attribute in each.record.asked.attributes],
        "groups": lambda each: each.record.asked.group_names,
    }
    for each in measurements:
        for what, of in same.items():
            if of(each) != of(first):
                raise BvfError(
                    f"{run_name(first)} and {run_name(each)} differ in the {what}",
                    "--by contexts compares runs of one topic that differ in their models and contexts alone",
                )
        other = seen.setdefault(each.record.digest, each)
        if other is not each:
            raise BvfError(
                f"{run_name(other)} and {run_name(each)} are the same measurement, but for the number of draws",
                "name one of them",
            )


def _crossed(measurements: Sequence[Measurement]) -> tuple[tuple[str, ...], dict[str, dict[str, Measurement]]]:
    """Return the names of models, and also their measurements by context set, then by model."""
    by_set = dict[Hashable, list[Measurement]]()
    for each in measurements:
        by_set.setdefault(contexts_key(each), []).append(each)
    names, models = _set_names([measured[0] for measured in by_set.values()]), names_over(list(by_set.values()))
    if len(names) < 2:
        raise BvfError(f"all runs are of one context set, {names[0]}", "--by contexts takes runs over two sets or more")
    every = tuple(dict.fromkeys(model for of_set in models for model in of_set))
    crossed = dict[str, dict[str, Measurement]]()
    for name, measured, of_set in zip(names, by_set.values(), models, strict=True):
        there = dict(zip(of_set, measured, strict=True))
        if without := [model for model in every if model not in there]:
            hint = "ask every model in every set; of draws, with one --seed"
            raise BvfError(f"{without[0]} was not asked in {name}", hint)
        crossed[name] = {model: there[model] for model in every}
    return every, crossed


def contexts_key(measurement: Measurement) -> Hashable:
    """Return a key that is equal for runs measured in the same contexts."""
    return tuple((each.context.key, each.count, each.drawn) for each in measurement.record.asked.in_order)


def _set_names(measurements: Sequence[Measurement]) -> list[str]:
    """The names of context sets. If several sets have the same name, their size or a folder is appended."""
    names = [each.record.asked.contexts for each in measurements]
    facts = [[asked_contexts(each.record.asked), run_name(each)] for each in measurements]
    return list(distinct_names(names, facts))


def _orders(sets: Sequence[str], figures: FloatArray) -> Iterator[ModelOrder]:
    """Yield rank correlations of M models between any two of S sets, by R, R^b and R^v, shape (3, S, M)."""
    for (i, first), (j, second) in combinations(enumerate(sets), 2):
        for figure, values in zip(FIGURES, figures, strict=True):
            tested = dict[str, float]()
            if _ordered(values[[i, j]]):
                found = trend(values[i], values[j])
                tested = {"spearman": found.correlation, "p_value": found.p_value, "smallest_p": found.smallest_p}
            yield ModelOrder(first=first, second=second, figure=figure, **tested)


def _agreement(figures: FloatArray) -> Iterator[ModelAgreement]:
    """Yield Kendall's W of the rankings of M models in S sets, by R, R^b and R^v, shape (3, S, M)."""
    for figure, values in zip(FIGURES, figures, strict=True):
        tested = dict[str, float]()
        if _ordered(values):
            found = concordance(values)
            tested = {"kendall_w": found.W, "p_value": found.p_value, "smallest_p": found.smallest_p}
        yield ModelAgreement(figure=figure, **tested)


def _ordered(values: FloatArray) -> bool:
    """Whether rankings of M models in S sets, shape (S, M), can be tested: M is large enough, and models differ."""
    return values.shape[1] >= FEWEST_THINGS and bool((np.ptp(values, axis=1) > 0.0).all())


def _pair(names: tuple[str, str], model: str, studies: tuple[Study, Study]) -> ContextSetPair:
    one, other = (study.risk for study in studies)
    asked = [study.measurement.record.asked for study in studies]
    if any(each.large for each in asked):
        message = f"{' and '.join(names)}: a run stores only those contexts of a large set that it drew"
        raise BvfError(message, "bvf contexts compare says how far two sets are apart, and bvf show shows each run")
    sets = [each.context_set() for each in asked]
    kendall, p_value = _kendall(np.round(one.r, DECIMALS).tolist(), np.round(other.r, DECIMALS).tolist())
    return ContextSetPair(
        first=names[0],
        second=names[1],
        model=model,
        total_variation=compared(*sets).total_variation,
        R=one.R - other.R,
        R_bias=one.R_bias - other.R_bias,
        R_volatility=one.R_volatility - other.R_volatility,
        of_groups=float(one.group_weights @ np.abs(one.r - other.r)),
        kendall=kendall,
        p_value=p_value,
    )


def _kendall(one: list[float], other: list[float]) -> tuple[float, float] | tuple[None, None]:
    """Kendall's tau and its p value; None for both if it is undefined."""
    if len(one) < FEWEST_FOR_RANKS or len(set(one)) == 1 or len(set(other)) == 1:
        return None, None
    tau = scipy.stats.kendalltau(one, other)
    return float(tau.statistic), float(tau.pvalue)
