"""Tables of models over several context sets."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

from bvf import Section
from bvf.results import in_title
from bvf.study import RISK
from bvf.tables import Column, correlation, counted, decimals, legend, p_value, symbol, symbols, table, warned
from bvf_insights.contexts.result import ContextComparison, ContextSetPair, ContextSetRisk, ModelAgreement, ModelOrder

SURE = 0.05
_Orders = tuple[str, Mapping[str, ModelOrder | ModelAgreement]]
"""Which sets are meant (two numbers, or all), and the agreement of their rankings by figure."""


def sections(comparison: ContextComparison, show: int = 0) -> list[Section]:
    """Return tables of context sets, of pairs of sets, and of agreement between the sets' rankings of models.

    All rows are shown: ``show``, the number of rows in tables of other findings, changes nothing.
    """
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
