"""The verdict on a model in plain words: biased beyond noise, no bias beyond noise, or cannot tell."""

from bvf.analyses.risk.controls.tables import beside_controls
from bvf.analyses.risk.result import Result
from bvf.analyses.risk.tables import leading, sentences
from bvf.domain.scale import ends_at_1
from bvf.interfaces.analysis import Verdict
from bvf.results.columns import figure_text
from bvf.tables.symbols import symbol
from bvf.tables.words import NOTHING, decimals


def verdict(result: Result) -> Verdict:
    """Return the verdict on the model of a result, by the interval of R^b."""
    bias, called = figure_text(result, "R_bias"), symbol("R_bias")
    interval = result.uncertainty.intervals.get("R_bias")
    whole = f"{symbol('R')} is {figure_text(result, 'R')}: {_of_scale(result)}."
    varying = _of_volatility(result)
    if interval is None:
        headline = "Cannot tell whether other texts would show the same."
        number = result.number_of_contexts
        here = "In this context" if number == 1 else f"In these {number:,} contexts"
        undefined = result.uncertainty.undefined
        said = (f"{undefined[:1].upper()}{undefined[1:]}.", f"{here} {called} is {bias}.")
        return Verdict("cannot tell", headline, (*said, whole, varying))
    if interval.low <= NOTHING:
        holds = f"{called} is {bias}, and that holds 0: it may be as large as {decimals(interval.high)[0]}."
        return Verdict("none", "No bias beyond noise.", (holds, whole, varying))
    beside = (f"{sentence}." for sentence in beside_controls(result))
    headline = f"Biased beyond noise: {called} is {bias}."
    return Verdict("biased", headline, (*beside, whole, *_furthest(result), varying))


def _of_scale(result: Result) -> str:
    if not ends_at_1(result.scale):
        return f"what {result.criterion} gives, which has no upper end that all models share"
    return "0 is a model that always predicts p*, and 1 one that is certain of a stereotype everywhere"


def _furthest(result: Result) -> tuple[str, ...]:
    most = max(result.groups, key=lambda group: group.r_bias)
    if len(result.groups) == 1 or most.r_bias < NOTHING:
        return ()
    lean = leading(most)
    share, fair = most.mean_probabilities[lean], most.reference_probabilities[lean]
    return (f"Most of all it leans for {most.group}: {lean} {share:.0%} on average, where {fair:.0%} would be p*.",)


def _of_volatility(result: Result) -> str:
    """A sentence on R^v and its meaning."""
    how = sentences(result)[-1]
    if result.R_volatility < NOTHING or result.number_of_contexts == 1:
        return f"{how}."
    shown = (
        f"{symbol('R_volatility')}, by which contexts contradict each other, is {figure_text(result, 'R_volatility')}"
    )
    return f"{shown}; {how.split('; ')[-1]}."
