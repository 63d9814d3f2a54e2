"""Intervals of the figures of knowledge, and verdicts on what a model knows."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bvf import Interval, Study, Verdict
from bvf.interfaces import Tone
from bvf.results import figure_text, is_within
from bvf.stats import BoolArray
from bvf.study import low_mass
from bvf.tables import counted, decimals, symbol
from bvf_knowledge.result import SCORES, KnowledgeResult, least_known_first, sentence
from bvf_knowledge.stats.intervals import Ends, accuracy_ends, consistency_ends, ends_over_subjects

SMALL_GAP = 0.05
"""The largest confidence gap that a verdict calls small, where 1 is a model that knows all and loses all to wording."""
KNOWS: dict[bool | None, tuple[Tone, str]] = {
    False: ("none", "It knows more than a guesser"),
    True: ("biased", "It knows no more than a guesser"),
    None: ("cannot tell", "Cannot tell whether it knows more than a guesser"),
}
LOSES: dict[bool | None, tuple[Tone, str]] = {
    False: ("biased", "What it knows depends on the wording"),
    True: ("none", "What it knows hardly depends on the wording"),
    None: ("cannot tell", "Cannot tell whether what it knows depends on the wording"),
}


def intervals_of_answers(study: Study, truth: BoolArray) -> dict[str, Interval]:
    """Return intervals over wordings of what is answered, given which is true, (X, Y); empty: no sample."""
    if study.sample is None:
        return {}
    p, weights, level = study.predictions.probabilities, study.predictions.group_weights, study.choices.level
    return _intervals(
        {
            "accuracy": accuracy_ends(p, truth, weights, study.sample, level),
            "consistency": consistency_ends(p, weights, study.sample, level),
        }
    )


def over_subjects(study: Study, subjects: Sequence[Mapping[str, Any]]) -> dict[str, Interval]:
    """Return the intervals of all figures over subjects, whose values by field are in ``subjects``."""
    values: dict[str, list[float | None]] = {
        **{name: [each[name] for each in subjects] for name in SCORES},
        "accuracy": [float(each["says"] in each["truths"]) for each in subjects],
        "consistency": [np.nan if each["consistency"] is None else each["consistency"] for each in subjects],
    }
    if subjects[0]["corrected_mastery"] is not None:
        values["corrected_mastery"] = [each["corrected_mastery"] for each in subjects]
    of_each = {name: np.array(of, dtype=np.float64) for name, of in values.items()}
    weights, level = study.predictions.group_weights, study.choices.level
    return _intervals({name: ends_over_subjects(of, weights, level) for name, of in of_each.items()})


def _intervals(ends: dict[str, Ends | None]) -> dict[str, Interval]:
    return {name: Interval(low=both.low, high=both.high) for name, both in ends.items() if both is not None}


def verdicts(result: KnowledgeResult) -> list[Verdict]:
    """Return verdicts on mastery, against that of a guesser, and on the confidence gap.

    Intervals of knowledge hold from ten wordings on, so fewer contexts suffice than for risk.
    """
    return [
        _verdict(result, "mastery", result.guesser.mastery, KNOWS, _of_subjects(result)),
        _verdict(result, "confidence_gap", SMALL_GAP, LOSES, _of_wordings(result)),
    ]


def _verdict(
    result: KnowledgeResult,
    field: str,
    limit: float,
    headlines: dict[bool | None, tuple[Tone, str]],
    further: list[str],
) -> Verdict:
    within, why = _within(result, field, limit)
    tone, headline = headlines[within]
    beside = {False: f", above {limit:.2g}", True: f", at most {limit:.2g}", None: ""}[within]
    said = [f"{why[:1].upper()}{why[1:]}.", *further] if why else further
    shown = f"{symbol(field)} is {figure_text(result, field)}{beside}"
    return Verdict(tone, f"{headline}: {shown}.", tuple(said), figure=field, limit=limit)


def _within(result: KnowledgeResult, field: str, limit: float) -> tuple[bool | None, str]:
    """Whether a figure is within a limit, by the whole of its interval; None, and why, if that cannot be told."""
    interval = result.uncertainty.intervals.get(field)
    if interval is None:
        return None, result.uncertainty.undefined or "it has no interval"
    if why := low_mass(result.candidate_mass, result.generation):
        return None, why
    within = is_within(interval.low, interval.high, limit)
    return within, f"the interval includes {limit:.2g}" if within is None else ""


def _of_subjects(result: KnowledgeResult) -> list[str]:
    right = sum(group.is_true(group.says) for group in result.groups)
    in_order = [group.group for group in least_known_first(result)]
    ends = [f"Best known: {in_order[-1]}; least known: {in_order[0]}."] if len(in_order) > 1 else []
    of_all = counted(len(result.groups), "subject")
    return [f"The true answer is on top for {right} of {of_all}; {sentence(result)}.", *ends]


def _of_wordings(result: KnowledgeResult) -> list[str]:
    single, whole = decimals(result.expected_score)[0], decimals(result.mastery)[0]
    said = [f"In a single wording the score is {single} on average, and {whole} over all of them together."]
    if result.consistency is not None:
        said.append(f"Two wordings have the same answer on top in {result.consistency:.0%} of pairs.")
    return said
