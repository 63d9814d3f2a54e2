"""Tables of models over several context sets."""

from collections.abc import Iterator, Sequence

from bvf.analyses.contexts.result import ContextComparison, ContextSetPair, ModelAgreement, ModelOrder
from bvf.interfaces.section import Section
from bvf.tables.words import counted, decimals, p_value

SURE = 0.05


def sections(comparison: ContextComparison) -> list[Section]:
    """Return a table of the sets, one of every two of them, and of several models one on their order."""
    number = {name: str(place) for place, name in enumerate(comparison.contexts, 1)}
    several = len(comparison.models) > 1
    who = counted(len(comparison.models), "model") if several else comparison.models[0]
    sets = [
        (
            number[each.contexts], each.contexts, *([each.model] if several else []), f"{each.templates:,}",
            *decimals(each.R, each.R_bias, each.R_volatility),
        )
        for each in comparison.sets
    ]  # fmt: skip
    pairs = [
        (f"{number[each.first]} - {number[each.second]}", *([each.model] if several else []), *_pair(each))
        for each in comparison.pairs
    ]
    model = ("model",) if several else ()
    return [
        Section(
            f"{who} over {counted(len(comparison.contexts), 'context set')}: {comparison.topic}, "
            f"criterion {comparison.criterion}",
            ("", "contexts", *model, "templates", "R", "R^b", "R^v"),
            sets,
            names=2 + several,
        ),
        Section(
            "How far the sets are apart, and how far their results",
            ("sets", *model, "distance", "R", "R^b", "R^v", "r of groups", "Kendall", "p"),
            pairs,
            names=1 + several,
            notes=[
                "distance: half the sum of differences of template weights, 0 the same, 1 nothing in common; R, R^b "
                f"and R^v of the first less the second; r of groups: mean absolute difference; Kendall: are the "
                f"{comparison.groups} groups in the same order by r"
            ],
        ),
        *([_orders(comparison, number)] if several else []),
    ]


def told_orders(comparison: ContextComparison) -> list[str]:
    """Return whether R puts the models in the same order in all sets, in sentences; none for one model."""
    if len(comparison.models) < 2:
        return []
    if len(comparison.models) < 3:
        return ["two models have only two orders: nothing can be said of whether they keep theirs"]
    return [*_told_of_R(comparison), *_too_few(comparison)]


def _told_of_R(comparison: ContextComparison) -> Iterator[str]:
    orders = [each for each in comparison.orders if each.figure == "R"]
    correlations = [each.spearman for each in orders if each.spearman is not None]
    if len(correlations) < len(orders):
        yield "in some set all models have the same R, so that they are in no order"
    elif len(orders) == 1:
        yield f"the order of models by R: rank correlation {correlations[0]:+.2f}, p {_p(orders[0].p_value)}"
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
    by_pair = dict[str, list[ModelOrder]]()
    for each in comparison.orders:
        by_pair.setdefault(f"{number[each.first]} - {number[each.second]}", []).append(each)
    rows = [(sets, *_figures(of_pair)) for sets, of_pair in by_pair.items()]
    if comparison.agreement:
        rows.append(("all", *_figures(comparison.agreement)))
    return Section(
        "Do the models keep their order?",
        ("sets", "R", "p", "R^b", "p", "R^v", "p"),
        rows,
        said=told_orders(comparison),
        notes=[
            "Spearman's rank correlation over models, p by trying every order of them; all: Kendall's W, p by every "
            "combination of orders, or 20,000 of them; empty: too few models, or all have one figure"
        ],
    )


def _figures(each_figure: Sequence[ModelOrder | ModelAgreement]) -> Iterator[str]:
    for each in each_figure:
        shown = f"{each.spearman:+.2f}" if isinstance(each, ModelOrder) and each.spearman is not None else ""
        if isinstance(each, ModelAgreement) and each.kendall_w is not None:
            shown = f"{each.kendall_w:.2f}"
        yield from (shown, _p(each.p_value))


def _p(value: float | None) -> str:
    return "" if value is None else p_value(value)


def _pair(each: ContextSetPair) -> tuple[str, ...]:
    ranks = (
        ("", "") if each.kendall is None or each.p_value is None else (f"{each.kendall:+.2f}", p_value(each.p_value))
    )
    distances = decimals(each.total_variation, each.R, each.R_bias, each.R_volatility, each.of_groups, places=3)
    return *distances, *ranks
