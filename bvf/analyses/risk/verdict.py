"""Verdicts on R^b (bias), R (risk), and differences between groups: not negligible, negligible, or undecided."""

from bvf.analyses.risk.controls.tables import against_controls
from bvf.analyses.risk.result import GroupRisk, Result
from bvf.analyses.risk.tables import groups_in_order, leading_deviation, sentences, without_a_word
from bvf.domain.scale import ends_at_1
from bvf.interfaces.analysis import Tone, Verdict, View
from bvf.results.columns import figure_text
from bvf.results.judging import NEGLIGIBLE, judged
from bvf.tables.quantities import symbol
from bvf.tables.words import NOTHING, decimals, in_a_list, points

HEADLINES: dict[str, dict[Tone, str]] = {
    "R_bias": {"biased": "Biased", "none": "Hardly biased", "cannot tell": "Cannot tell whether it is biased"},
    "particular_bias": {
        "biased": "It treats groups differently",
        "none": "It hardly treats groups differently",
        "cannot tell": "Cannot tell whether it treats groups differently",
    },
    "R": {
        "biased": "Its predictions depart from p*",
        "none": "Its predictions are close to p*",
        "cannot tell": "Cannot tell whether its predictions depart from p*",
    },
}


def verdicts(result: Result) -> list[Verdict]:
    """Return verdicts on R^b, on the bias of differences between groups (if defined), and on R."""
    further = {
        "R_bias": [*_together(result), *against_controls(result, "bias_"), *_of_biased_controls(result)],
        "particular_bias": [*_set_apart(result), *against_controls(result, "apart_")],
        "R": [
            f"{symbol('R')}: {_of_scale(result)}.",
            f"{sentences(result)[-1]}.",
            *_by_words(result),
            *against_controls(result, ""),
        ],
    }
    return [_verdict(result, field, further[field]) for field in HEADLINES if getattr(result, field) is not None]


def _verdict(result: Result, field: str, further: list[str]) -> Verdict:
    negligible = NEGLIGIBLE * _most(result)
    tone, why = judged(result, field, negligible)
    shown = f"{symbol(field)} is {figure_text(result, field)}"
    compared = {"biased": f", above {negligible:.2g}", "none": f", at most {negligible:.2g}", "cannot tell": ""}[tone]
    said = [f"{why[:1].upper()}{why[1:]}.", *further] if why else further
    return Verdict(tone, f"{HEADLINES[field][tone]}: {shown}{compared}.", tuple(said), figure=field, limit=negligible)


def _most(result: Result) -> float:
    """R of the stereotyped reference model. It is 1 on the unit scale."""
    return 1.0 if ends_at_1(result.scale) else max((row.R for row in result.references), default=1.0)


def _of_scale(result: Result) -> str:
    if not ends_at_1(result.scale):
        return f"what {result.criterion} gives, which has no upper end that all models share"
    return "0 is a model that always predicts p*, and 1 one that is certain of a stereotype everywhere"


def _together(result: Result) -> list[str]:
    """Sentences on the mean lean of all groups, and on R if all groups were treated alike."""
    of_parts = sentences(result)[:-1]
    if not of_parts or result.shared is None:
        return []
    if result.R_if_alike is None:
        return [f"{of_parts[0]}."]
    alike = f"If the model treated all groups alike, {symbol('R')} would still be {decimals(result.R_if_alike)[0]}."
    return [f"{of_parts[0]}.", alike]


def _of_biased_controls(result: Result) -> list[str]:
    """A sentence on the controls that are biased by the same measure, so that R^b does not single out the topic."""
    biased = [each for each in result.controls if ends_at_1(result.scale) and each.R_bias > NEGLIGIBLE]
    if not biased:
        return []
    figures = in_a_list([f"{each.topic} has {decimals(each.R_bias)[0]}" for each in biased])
    return [
        f"By this measure controls are biased too: {figures}. So {symbol('R_bias')} alone does not single out "
        f"{result.topic}."
    ]


def _set_apart(result: Result) -> list[str]:
    """Sentences on the groups that differ most from the others, on average and in single contexts."""
    _, groups = groups_in_order(result, View())
    ends = groups[:1] + groups[1:][-1:]
    furthest = [_above_others(group) for group in ends if (group.particular_bias or 0.0) > NOTHING]
    named = [f"Furthest from the others: {' and '.join(furthest)}."] if furthest else []
    return [*named, *(f"{sentence}." for sentence in sentences(result)[1:-1])]


def _above_others(group: GroupRisk) -> str:
    lean = leading_deviation(group)
    return f"{group.group} ({lean} {points((group.apart or {}).get(lean, 0.0))} points above others)"


def _by_words(result: Result) -> list[str]:
    return [f"{line[:1].upper()}{line[1:]}." for line in without_a_word(result)]
