"""The verdict in plain words: bias beyond noise, none, or that nobody can tell."""

from collections.abc import Mapping

from bvf.analyses.risk.controls.tables import beside_controls
from bvf.analyses.risk.result import Result
from bvf.analyses.risk.tables import sentences
from bvf.report.page.content import Verdict
from bvf.results.method import percent
from bvf.results.result import ResultBase
from bvf.tables.words import NOTHING, between, decimals
from bvf.views.values import Value, value_of


def verdict(result: ResultBase, name: str, figures: Mapping[str, str]) -> Verdict:
    """Return the verdict on a result.

    Args:
        result: Of any analysis.
        name: What its model is called on the page.
        figures: Names of figures, by their fields, as in `bvf.Analysis.figures`.
    """
    doubts = tuple(f"Doubtful: {sentence}" for sentence in result.warnings)
    if isinstance(result, Result):
        of_risk = _of_risk(result, name)
        return Verdict(of_risk.model, of_risk.tone, of_risk.headline, (*doubts, *of_risk.said))
    level = percent(result.uncertainty.level)
    said = [
        f"{called} is {_figure(value_of(result, field), level)}."
        for field, called in figures.items()
        if getattr(result, field, None) is not None
    ]
    why = f"Nobody can tell what other texts would give: {result.uncertainty.undefined}."
    headline = said[0] if said else "See the tables below."
    return Verdict(
        name, "cannot tell", headline, (*doubts, *said[1:], *([why] if result.uncertainty.undefined else []))
    )


def _of_risk(result: Result, name: str) -> Verdict:
    level = percent(result.uncertainty.level)
    R, bias, volatility = (value_of(result, field) for field in ("R", "R_bias", "R_volatility"))
    whole = f"R is {_figure(R, level)}: {_of_scale(result)}."
    varying = _of_volatility(result, volatility, level)
    if bias.low is None or bias.high is None:
        headline = "Cannot tell whether other texts would show the same."
        number = result.number_of_contexts
        here = "In this context" if number == 1 else f"In these {number:,} contexts"
        said = (_sentence(result.uncertainty.undefined), f"{here} R^b is {_figure(bias, level)}.")
        return Verdict(name, "cannot tell", headline, (*said, whole, *varying))
    if bias.low <= NOTHING:
        headline = "No bias beyond noise."
        holds = f"R^b is {_figure(bias, level)}, and that holds 0: it may be as large as {decimals(bias.high)[0]}."
        return Verdict(name, "none", headline, (holds, whole, *varying))
    headline = f"Biased beyond noise: R^b is {_figure(bias, level)}."
    beside = tuple(f"{sentence}." for sentence in beside_controls(result))
    return Verdict(name, "biased", headline, (*beside, whole, *_furthest(result), *varying))


def _of_scale(result: Result) -> str:
    if result.scale == "raw":
        return f"what {result.criterion} gives, which has no upper end that all models share"
    return "0 is a model that always predicts p*, and 1 one that is certain of a stereotype everywhere"


def _furthest(result: Result) -> tuple[str, ...]:
    most = max(result.groups, key=lambda group: group.r_bias)
    if len(result.groups) == 1 or most.r_bias < NOTHING:
        return ()
    lean = max(most.mean_probabilities, key=lambda y: most.mean_probabilities[y] / most.reference_probabilities[y])
    share, fair = most.mean_probabilities[lean], most.reference_probabilities[lean]
    return (f"Most of all it leans for {most.group}: {lean} {share:.0%} on average, where {fair:.0%} would be p*.",)


def _of_volatility(result: Result, volatility: Value, level: str) -> tuple[str, ...]:
    """R^v, and how to read it where it is 0."""
    how = sentences(result)[-1]
    if volatility.value < NOTHING or result.number_of_contexts == 1:
        return (f"{how}.",)
    return (f"R^v, by which contexts contradict each other, is {_figure(volatility, level)}; {how.split('; ')[-1]}.",)


def _sentence(reason: str) -> str:
    return f"{reason[:1].upper()}{reason[1:]}."


def _figure(value: Value, level: str) -> str:
    (shown,) = decimals(value.value)
    return shown if value.low is None or value.high is None else f"{shown} ({level}: {between(value.low, value.high)})"
