"""The table of a result's intervals, and the sentences that say what they are of."""

from collections.abc import Mapping

from bvf.analysing.formatting import adding_up, between, decimals
from bvf.analysing.result import Interval, ResultBase, Uncertainty
from bvf.interfaces.analysis import Section

LEGEND = (
    "cross-fit: a second estimate, which errs to the other side than the figure does\n"
    "where a model is near p*. The interval reaches beyond both."
)
SUMS = (("R", "R_bias", "R_volatility"), ("mastery", "expected_score", "confidence_gap"))
"""Totals, and the two figures that add up to them."""
UNITS = {"document": "documents", "occurrence": "occurrences", "template": "templates of equal weight"}


def interval_section(result: ResultBase, figures: Mapping[str, str]) -> Section | None:
    """Return a row per figure with its interval and its cross-fit estimate; None where there is no interval.

    Args:
        result: Of any analysis.
        figures: What figures are called, by their fields, as `bvf.Analysis.figures` has it.
    """
    found = result.uncertainty.intervals
    rows = [
        (called, *_estimates(result, name, each))
        for name, called in figures.items()
        if (each := found.get(name)) is not None
    ]
    if not rows:
        return None
    title = f"How sure: intervals of {result.uncertainty.level:.0%}"
    said = [_what_of(result.uncertainty)]
    return Section(title, ("", "figure", "interval", "cross-fit"), rows, said=said, notes=[LEGEND])


def sensitivity(result: ResultBase, figures: Mapping[str, str]) -> list[str]:
    """Return what hangs on the choice of templates, in lines, and why there is no interval where there is none."""
    uncertainty = result.uncertainty
    why = [f"no interval for other texts: {uncertainty.undefined}"] if uncertainty.undefined else []
    ranges = [
        f"{called} {between(*uncertainty.leaving_one_out[name])}"
        for name, called in figures.items()
        if name in uncertainty.leaving_one_out
    ]
    if ranges:
        why.append(f"without any one of these contexts: {', '.join(ranges)}")
    others = [
        f"{called} {between(each.low, each.high)}"
        for name, called in figures.items()
        if (each := uncertainty.as_templates.get(name)) is not None
    ]
    if others and uncertainty.estimand != "templates":
        why.append(f"with other templates of the kind, perhaps: {', '.join(others)}")
    return why


def _estimates(result: ResultBase, name: str, interval: Interval) -> tuple[str, str, str]:
    """The figure as it is printed in the other tables, where the digits of sums add up; its interval, its cross-fit."""
    (figure,) = shown = decimals(getattr(result, name))
    (cross_fit,) = decimals(interval.cross_fit)
    for total, first, second in SUMS:
        if name == first:
            figure = adding_up(getattr(result, total), getattr(result, second))[1]
    return figure, between(interval.low, interval.high), figure if (cross_fit,) == shown else cross_fit


def _what_of(uncertainty: Uncertainty) -> str:
    """What the intervals are of."""
    if uncertainty.estimand == "templates":
        return f"for other templates of the kind, of which these are a sample as good as {uncertainty.units:.1f}"
    mined = f"{uncertainty.occurrences:,.0f} occurrences"
    if uncertainty.documents is not None:
        mined += f" in {uncertainty.documents:,} documents"
    drawn = f"{uncertainty.draws:,} contexts drawn from " if uncertainty.draws is not None else ""
    unseen = ""
    if uncertainty.unseen_mass is not None:
        unseen = f"; {uncertainty.unseen_mass:.0%} of such texts have a context that is not among them"
    return f"for texts such as those mined: {drawn}{mined}{unseen}"
