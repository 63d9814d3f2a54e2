"""The result of `compare_contexts`, one or several models over several context sets, and its tables."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field, model_validator

from bvf import Section
from bvf.domain import Count, Finite, Record, Share
from bvf.results import in_title
from bvf.study import RISK
from bvf.tables import Column, Finding, correlation, counted, decimals, legend, p_value, symbol, symbols, table, warned

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

    tables: ClassVar[str] = "bvf_insights.contexts.result:sections"
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
    return [
        table(title, _set_columns(number, several), comparison.sets, names=2 + several, warnings=warnings),
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
        *([_orders(comparison, number)] if len(comparison.models) > 2 else []),
    ]


def _set_columns(number: Mapping[str, str], several: bool) -> list[Column[ContextSetRisk]]:
    return [
        Column("", lambda each: number[each.contexts]),
        Column("contexts", lambda each: each.contexts),
        *([Column[ContextSetRisk]("model", lambda each: each.model)] if several else []),
        Column("templates", lambda each: f"{each.templates:,}"),
        *(Column[ContextSetRisk](symbol(field), partial(_of_field, field=field)) for field in RISK),
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
    if len(comparison.models) == 2:
        return [_order_of_two(comparison)]
    return [*_order_by_R(comparison), *_too_few(comparison)]


def _order_of_two(comparison: ContextComparison) -> str:
    first, second = comparison.models
    R = {(each.contexts, each.model): each.R for each in comparison.sets}
    higher = sum(R[name, first] > R[name, second] for name in comparison.contexts)
    where = f"{higher} of {counted(len(comparison.contexts), 'context set')}"
    return (
        f"{symbol('R')} of {first} is above that of {second} in {where}; two models have only two orders, so no test "
        "can say whether they keep theirs"
    )


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


def _orders(comparison: ContextComparison, number: dict[str, str]) -> Section:
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
        Column(symbol(figure), lambda each: _agreement(each[1][figure])),
        Column("p", lambda each: p_value(each[1][figure].p_value)),
    ]


def _agreement(each: ModelOrder | ModelAgreement) -> str:
    return correlation(each.spearman) if isinstance(each, ModelOrder) else decimals(each.kendall_w, places=2)[0]
