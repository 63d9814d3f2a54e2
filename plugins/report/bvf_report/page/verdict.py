"""Verdicts in plain words, and what would decide open ones.

They are made by the analysis, or else are a sentence per figure.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bvf import Analysis, BvfError, Result, ResultBase, Verdict
from bvf.hooks import Plugins
from bvf.results import (
    Figure,
    Figures,
    PageResult,
    decision_of,
    figure_text,
    of_risk,
    study_of,
    what_would_decide,
)
from bvf.study import MASS_FLOOR, MEAN, MEASURED_FROM, PRIOR, UNIFORM, low_mass
from bvf_report.page.content import ModelVerdict

NOT_JUDGED = (
    "bvf describes these figures and does not judge them: words that mean nothing here give figures above 0, too. "
    "`bvf run --controls` measures some beside the topic, and `bvf gate` judges by a limit of yours. An interval was "
    f"tested for {MEASURED_FROM} drawn contexts and more, and where the compared words have {MASS_FLOOR:.0%} of the "
    "probability or more."
)


P_STAR = {
    UNIFORM: "every class is as probable as any other",
    MEAN: "the mean prediction of the model over all groups",
    PRIOR: "the model's own prediction for neutral subjects in the same context",
}
"""What p* is, by the value of ``--reference``; another value names a table."""


def what_p_star_is(results: Sequence[Result]) -> list[str]:
    """Return a sentence on the predictions that count as unbiased; none without risk results."""
    references = dict.fromkeys(result.reference for result in results)
    meanings = [f"{P_STAR.get(each, 'the shares in the table')} ({each})" for each in references]
    return [f"p* is the prediction that counts as unbiased. Here: {'; '.join(meanings)}."] if meanings else []


def verdict(source: PageResult, analysis: Analysis[Any], plugins: Plugins) -> ModelVerdict:
    """Return the verdicts on a result, preceded by reasons to doubt them."""
    result = source.result
    of_controls = (
        f"control {control.topic}: {warning}"
        for study in of_risk([result])
        for control in study.controls
        for warning in control.warnings
    )
    doubts = tuple(f"Doubtful: {sentence}" for sentence in (*result.warnings, *of_controls))
    found = analysis.verdicts(result) or [_one_by_one(result, analysis.figures)]
    return ModelVerdict(source.name, tuple(_with_what_is_needed(found, source, analysis, plugins)), doubts)


def _with_what_is_needed(
    found: Sequence[Verdict], source: PageResult, analysis: Analysis[Any], plugins: Plugins
) -> Sequence[Verdict]:
    """The verdicts.

    An undecided verdict gets a sentence on the contexts that it needs, if its figure has an interval.
    """
    uncertainty = source.result.uncertainty
    undecided = [each for each in found if each.tone == "cannot tell" and each.figure in uncertainty.intervals]
    if not undecided or low_mass(source.result.candidate_mass, source.result.generation):
        return found
    try:
        figures = Figures(study_of(source.result, plugins, source.measurement), analysis, source.result)
    except BvfError:
        return found
    return [_with_need(each, figures) if each in undecided else each for each in found]


def _with_need(verdict: Verdict, figures: Figures) -> Verdict:
    if verdict.limit is None:
        return verdict
    needed = what_would_decide(decision_of(figures, Figure(verdict.figure), verdict.limit))
    return replace(verdict, said=(*verdict.said[:1], f"To decide: {needed}.", *verdict.said[1:]))


def _one_by_one(result: ResultBase, figures: Mapping[str, str]) -> Verdict:
    values = [
        f"{name} is {figure_text(result, field)}."
        for field, name in figures.items()
        if getattr(result, field, None) is not None
    ]
    undefined = result.uncertainty.why_none
    why = [f"What other texts would give is not known: {undefined}."] if undefined else []
    return Verdict("cannot tell", values[0] if values else "See the tables below.", (*values[1:], *why))
