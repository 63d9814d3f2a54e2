"""Tables of one model over several context sets."""

from bvf.analysing.comparison_rows import p_value
from bvf.analysing.context_comparison import ContextComparison, ContextSetPair
from bvf.analysing.formatting import counted, decimals
from bvf.interfaces.section import Section


def sections(found: ContextComparison) -> list[Section]:
    """Return a table of the sets, and one of every two of them."""
    number = {each.contexts: str(place) for place, each in enumerate(found.sets, 1)}
    sets = [
        (number[each.contexts], each.contexts, f"{each.templates:,}", *decimals(each.R, each.R_bias, each.R_volatility))
        for each in found.sets
    ]
    pairs = [(f"{number[each.first]} - {number[each.second]}", *_pair(each)) for each in found.pairs]
    return [
        Section(
            f"{found.model} over {counted(len(found.sets), 'context set')}: {found.topic}, criterion {found.criterion}",
            ("", "contexts", "templates", "R", "R^b", "R^v"),
            sets,
            names=2,
        ),
        Section(
            "How far the sets are apart, and how far their results",
            ("sets", "distance", "R", "R^b", "R^v", "r of groups", "Kendall", "p"),
            pairs,
            notes=[
                "distance: half the sum of differences of template weights, 0 the same, 1 nothing in common; R, R^b "
                f"and R^v of the first less the second; r of groups: mean absolute difference; Kendall: are the "
                f"{found.groups} groups in the same order by r"
            ],
        ),
    ]


def _pair(each: ContextSetPair) -> tuple[str, ...]:
    ranks = (
        ("", "") if each.kendall is None or each.p_value is None else (f"{each.kendall:+.2f}", p_value(each.p_value))
    )
    distances = decimals(each.total_variation, each.R, each.R_bias, each.R_volatility, each.of_groups, places=3)
    return *distances, *ranks
