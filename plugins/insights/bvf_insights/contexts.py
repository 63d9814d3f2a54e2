"""Models over several context sets: how figures depend on the choice of texts, and the tables of such a comparison."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from os import PathLike
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

import numpy as np
import scipy
from pydantic import Field, model_validator

from bvf import AnalysisConfig, BvfError, KnowledgeCriterion, Measurement, Section, Study, load
from bvf.domain import Count, Finite, Record, Share
from bvf.hooks import Plugins
from bvf.results import FoundRuns, in_title
from bvf.stats import FloatArray, RankAgreement, compared, trend
from bvf.study import RISK, distinct_names, names_over, prepared, warnings_of
from bvf.tables import Column, Finding, correlation, counted, decimals, legend, p_value, symbol, symbols, table, warned
from bvf_insights.stats.agreement import FEWEST_THINGS, concordance

if TYPE_CHECKING:
    import pandas as pd

Figure = Literal["R", "R_bias", "R_volatility"]
SURE = 0.05


class ContextSetRisk(Record):
    """The figures of one model in one context set."""

    contexts: str = Field(description="The name or file of the set; with a folder where several sets have it")
    model: str
    folder: str = Field(description="Where the run lies; empty: it was never stored")
    templates: Count = Field(description="Of the set from which contexts were asked or drawn")
    R: Finite
    R_bias: Finite
    R_volatility: Finite


class ContextSetPair(Record):
    """Two context sets: their distance, and the differences between the results of one model in them."""

    first: str
    second: str
    model: str
    total_variation: Share = Field(
        description="Half the sum of differences of template weights: 0 the same, 1 no template in common"
    )
    R: Finite = Field(description="R of the first set less R of the second")
    R_bias: Finite
    R_volatility: Finite
    of_groups: Finite = Field(description="Mean over groups, by P(X), of the absolute difference of r")
    kendall: Finite | None = Field(
        description="Rank correlation (tau-b) of r of groups; null: fewer than three groups, or all have one r"
    )
    p_value: Share | None = Field(description="Of the rank correlation, two-sided")


class ModelOrder(Record):
    """Whether two sets rank the models alike by a figure; null: too few models, or all have the same figure."""

    first: str
    second: str
    figure: Figure
    spearman: Finite | None = Field(None, description="Rank correlation over models")
    p_value: Share | None = Field(None, description="By permutation, two-sided")
    smallest_p: Share | None = Field(None, description="The smallest that so many models can have")


class ModelAgreement(Record):
    """Whether all sets rank the models alike by a figure; null as for `ModelOrder`."""

    figure: Figure
    kendall_w: Finite | None = Field(None, description="Kendall's W: 1 for one order everywhere")
    p_value: Share | None = Field(None, description="By permutation within each set, of a W as large")
    smallest_p: Share | None = Field(None, description="The smallest that so many models and sets can have")


class ContextComparison(Finding):
    """Models and one topic over several context sets (the paper's Table 4)."""

    tables: ClassVar[str] = "bvf_insights.contexts:sections"
    row_fields: ClassVar[tuple[str, ...]] = ("pairs", "sets", "orders", "agreement")
    portable: ClassVar[str] = "bvf_insights.portable:contexts"
    schema_: Literal["bvf.context-comparison/2"] = Field("bvf.context-comparison/2", alias="schema")
    models: tuple[str, ...]
    topic: str
    criterion: str
    reference: str = Field("", description="What --reference said; empty: not known, as in files of before")
    scale: str
    groups: Count
    warnings: tuple[str, ...] = Field(
        (), description="What makes the figures doubtful, one sentence each that begins with the model and the set"
    )
    sets: tuple[ContextSetRisk, ...] = Field(description="Set by set, the models of each in their order")
    pairs: tuple[ContextSetPair, ...] = Field(description="Of every two sets, model by model")
    orders: tuple[ModelOrder, ...] = Field((), description="Of every two sets and figure; empty for one model")
    agreement: tuple[ModelAgreement, ...] = Field((), description="Of all sets, three or more; empty for one model")

    @model_validator(mode="after")
    def _names_its_models_and_sets(self) -> "ContextComparison":
        models = {each.model for each in self.sets} | {each.model for each in self.pairs}
        sets = {each.first for each in self.pairs} | {each.second for each in self.pairs}
        sets |= {each.first for each in self.orders} | {each.second for each in self.orders}
        for kind, named, known in (("model", models, self.models), ("context set", sets, self.contexts)):
            if unknown := sorted(named.difference(known)):
                raise ValueError(f'"{unknown[0]}" is not a {kind} of the comparison')
        return self

    @property
    def contexts(self) -> tuple[str, ...]:
        """The names of the context sets."""
        return tuple(dict.fromkeys(each.contexts for each in self.sets))

    def to_frame(self) -> "pd.DataFrame":
        """Return a data frame with a row per pair of sets and model. Every row has the warnings of the comparison."""
        import pandas as pd

        rows = [{**each.model_dump(), "warnings": "; ".join(self.warnings)} for each in self.pairs]
        return pd.DataFrame(rows, columns=[*ContextSetPair.model_fields, "warnings"])


_Orders = tuple[str, Mapping[str, ModelOrder | ModelAgreement]]
"""Which sets are meant (two numbers, or all), and the agreement of their rankings by figure."""


def sections(comparison: ContextComparison, show: int = 0) -> list[Section]:
    """Return tables of context sets, of pairs of sets, and of how sets rank the models. All rows are always shown."""
    number = {name: str(place) for place, name in enumerate(comparison.contexts, 1)}
    several = len(comparison.models) > 1
    who = counted(len(comparison.models), "model") if several else comparison.models[0]
    title = f"{who} over {counted(len(comparison.contexts), 'context set')}: {comparison.topic}, {in_title(comparison)}"
    warnings = warned(comparison.warnings)
    pairs = _pair_columns(number, several, comparison.groups)
    sets: list[Column[ContextSetRisk]] = [
        Column("", lambda each: number[each.contexts]),
        Column("contexts", lambda each: each.contexts),
        *([Column[ContextSetRisk]("model", lambda each: each.model)] if several else []),
        Column("templates", lambda each: f"{each.templates:,}"),
        *(Column[ContextSetRisk](symbol(field), partial(_of_field, field=field)) for field in RISK),
    ]
    return [
        table(title, sets, comparison.sets, names=2 + several, warnings=warnings),
        table(
            "How far the sets are apart, and how far their results",
            pairs,
            comparison.pairs,
            names=1 + several,
            notes=[
                "; ".join(legend([each]).removesuffix(".") for each in pairs if each.help),
                *(sentences_on_orders(comparison) if len(comparison.models) == 2 else []),
            ],
        ),
        *([_table_of_orders(comparison, number)] if len(comparison.models) > 2 else []),
    ]


def _of_field(each: ContextSetRisk | ContextSetPair, field: str, places: int = 4) -> str:
    return decimals(getattr(each, field), places=places)[0]


def _pair_columns(number: Mapping[str, str], several: bool, groups: int) -> list[Column[ContextSetPair]]:
    R, *parts = (Column[ContextSetPair](symbol(field), partial(_of_field, field=field, places=3)) for field in RISK)
    return [
        Column("sets", lambda each: f"{number[each.first]} - {number[each.second]}"),
        *([Column[ContextSetPair]("model", lambda each: each.model)] if several else []),
        Column(
            "distance",
            lambda each: _of_field(each, "total_variation", 3),
            "half the sum of differences of template weights, 0 the same, 1 nothing in common",
        ),
        replace(R, help="of the first less the second", term=", ".join(symbols(*RISK))),
        *parts,
        Column("r of groups", lambda each: _of_field(each, "of_groups", 3), "mean absolute difference"),
        Column(
            "Kendall",
            lambda each: "" if each.p_value is None else correlation(each.kendall),
            f"are the {groups} groups in the same order by r",
        ),
        Column("p", lambda each: "" if each.kendall is None else p_value(each.p_value)),
    ]


def sentences_on_orders(comparison: ContextComparison) -> list[str]:
    """Return sentences on whether the ranking of models by R is the same in all sets; empty for one model."""
    if len(comparison.models) < 2:
        return []
    if len(comparison.models) > 2:
        return [*_order_by_R(comparison), *_too_few(comparison)]
    first, second = comparison.models
    R = {(each.contexts, each.model): each.R for each in comparison.sets}
    higher = sum(R[name, first] > R[name, second] for name in comparison.contexts)
    where = f"{higher} of {counted(len(comparison.contexts), 'context set')}"
    return [
        f"{symbol('R')} of {first} is above that of {second} in {where}; two models have only two orders, so no test "
        "can say whether they keep theirs"
    ]


def _order_by_R(comparison: ContextComparison) -> Iterator[str]:
    orders = [each for each in comparison.orders if each.figure == "R"]
    correlations = [each.spearman for each in orders if each.spearman is not None]
    if len(correlations) < len(orders):
        yield "in some set all models have the same R, so that they are in no order"
    elif len(orders) == 1:
        yield f"the order of models by R: rank correlation {correlations[0]:+.2f}, p {p_value(orders[0].p_value)}"
    for each in comparison.agreement:
        if each.figure == "R" and each.kendall_w is not None and each.p_value is not None:
            yield (
                f"the order of models by R over all {len(comparison.contexts)} sets: Kendall's W {each.kendall_w:.2f} "
                f"(1: the same everywhere), p {p_value(each.p_value)}; between two sets the rank correlation is "
                f"{min(correlations):+.2f} to {max(correlations):+.2f}"
            )


def _too_few(comparison: ContextComparison) -> Iterator[str]:
    least = {
        "between two sets": [each.smallest_p for each in comparison.orders if each.smallest_p is not None],
        "over all sets": [each.smallest_p for each in comparison.agreement if each.smallest_p is not None],
    }
    for where, smallest in least.items():
        if smallest and min(smallest) >= SURE:
            models = counted(len(comparison.models), "model")
            yield f"{where}, {models} cannot have a p below {p_value(min(smallest))}: too few to be sure of any order"


def _table_of_orders(comparison: ContextComparison, number: dict[str, str]) -> Section:
    by_sets = dict[str, dict[str, ModelOrder | ModelAgreement]]()
    for each in comparison.orders:
        by_sets.setdefault(f"{number[each.first]} - {number[each.second]}", {})[each.figure] = each
    for of_all in comparison.agreement:
        by_sets.setdefault("all", {})[of_all.figure] = of_all
    columns = [Column[_Orders]("sets", lambda each: each[0]), *(x for figure in RISK for x in _order_columns(figure))]
    return table(
        "Do the models keep their order?",
        columns,
        by_sets.items(),
        subtitle=sentences_on_orders(comparison),
        notes=[
            "Spearman's rank correlation over models, p by trying every order of them; all: Kendall's W, p by every "
            "combination of orders, or 20,000 of them; empty: too few models, or all have one figure"
        ],
    )


def _order_columns(figure: str) -> list[Column[_Orders]]:
    return [
        Column(symbol(figure), lambda each: _cell(each[1][figure])),
        Column("p", lambda each: p_value(each[1][figure].p_value)),
    ]


def _cell(each: ModelOrder | ModelAgreement) -> str:
    return correlation(each.spearman) if isinstance(each, ModelOrder) else decimals(each.kendall_w, places=2)[0]


FEWEST_FOR_RANKS = 3
SETS_FOR_AGREEMENT = 3
FIGURES: tuple[Figure, ...] = get_args(Figure)


def compare_contexts(
    runs: Sequence[PathLike[str] | str | Measurement],
    config: AnalysisConfig,
    plugins: Plugins | None = None,
    preferred: Sequence[str] = (),
) -> ContextComparison:
    """Compare models over context sets. Every model must have been measured in every set.

    Choices (criterion, scale, p*) that ``config`` does not set are those of the runs, which must then be equal.
    """
    available = plugins or load()
    found = FoundRuns.among(runs)
    config = found.choices_in_common(config, available)
    return contexts_by_choices(found.measurements(words=bool(config.words)), config, available, preferred)


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
    figures = figures.round(RankAgreement.DECIMALS)
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
            for warning in warnings_of(each, each.record.asked.with_words(choices.words))
        ),
        sets=tuple(
            ContextSetRisk(
                contexts=name,
                model=model,
                folder=str(study.measurement.folder or ""),
                templates=study.measurement.record.asked.whole.templates,
                **{field: getattr(study.risk, field) for field in FIGURES},
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
                    f"{first.run_name} and {each.run_name} differ in the {what}",
                    "--by contexts compares runs of one topic that differ in their models and contexts alone",
                )
        other = seen.setdefault(each.record.digest, each)
        if other is not each:
            raise BvfError(
                f"{other.run_name} and {each.run_name} are the same measurement, but for the number of draws",
                "name one of them",
            )


def _crossed(measurements: Sequence[Measurement]) -> tuple[tuple[str, ...], dict[str, dict[str, Measurement]]]:
    """Return the names of models, and also their measurements by context set, then by model."""
    by_set = dict[Hashable, list[Measurement]]()
    for each in measurements:
        by_set.setdefault(contexts_key(each), []).append(each)
    firsts = [measured[0] for measured in by_set.values()]
    facts = [[each.record.asked.contexts_in_words, each.run_name] for each in firsts]  # for sets of one name
    names = list(distinct_names([each.record.asked.contexts for each in firsts], facts))
    models = names_over(list(by_set.values()))
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
    kendall, p_value = _kendall(*np.round([one.r, other.r], RankAgreement.DECIMALS).tolist())
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
