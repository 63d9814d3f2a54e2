"""The analysis of risk: bias is the risk of the mean prediction, volatility the rest of the risk."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bvf.analyses.risk.controls.tables import control_sections
from bvf.analyses.risk.exactness import known_roughly, leeway_of, with_error_bounds
from bvf.analyses.risk.leans import sides_of
from bvf.analyses.risk.other_words import among_other_words, other_words_section
from bvf.analyses.risk.overview import overview
from bvf.analyses.risk.parts_of_lean import parts_of_lean
from bvf.analyses.risk.reference_models import reference_rows
from bvf.analyses.risk.result import Result
from bvf.analyses.risk.sampled import Doubt, most_together, sampling_of
from bvf.analyses.risk.tables import group_section, models_section
from bvf.analyses.risk.verdict import verdicts
from bvf.analyses.risk.words import word_lists_of
from bvf.arrays import each_group
from bvf.domain.asked import Asked
from bvf.domain.measurement import Measurement
from bvf.errors import BvfError
from bvf.interfaces.analysis import Choices, Verdict, View
from bvf.interfaces.criterion import Criterion, KnowledgeCriterion
from bvf.interfaces.section import Section
from bvf.results.contribution import NOTHING, Contribution, common_to_all
from bvf.results.intervals import Intervals, intervals_of, within_range
from bvf.results.result import name_of
from bvf.results.sections import side_tables
from bvf.stats.figures.probabilities import SUM_TOLERANCE
from bvf.stats.figures.risk import Parts, Risk, total_risk
from bvf.stats.sampling.samples import ContextSample
from bvf.study.analysis import Analysis
from bvf.study.predictions import Predictions, chosen_groups
from bvf.study.reference import MEAN, PRIOR
from bvf.study.study import (
    CONTEXT_VOLATILITY,
    PARTICULAR,
    RISK,
    SHARED,
    THOUGHT_VOLATILITY,
    VOLATILITY,
    Averages,
    Study,
    criterion_of_risk,
    named_intervals,
    parts_of_risk,
    parts_of_volatility,
)  # fmt: skip
from bvf.study.uncertainty import Interval
from bvf.tables.quantities import named, symbol, symbols

NOT_SUBLINEAR = "the criterion {criterion} is not sublinear, so R <= shared + particular need not hold"


class RiskAnalysis(Analysis[Result]):
    """Splits the risk R into bias R^b and volatility R^v (Eq. 1 to 7).

    Also computes the risk of the lean that all groups share, and that of deviations from it; they do not sum to R.
    """

    results = Result
    figures = named((*RISK, "shared_bias", "particular_bias"))
    compared = (*RISK, CONTEXT_VOLATILITY, THOUGHT_VOLATILITY, "particular_bias")

    def applies(self, criterion: Criterion | KnowledgeCriterion) -> bool:
        return isinstance(criterion, Criterion)

    def check(self, asked: Asked, choices: Choices, view: View) -> None:
        criterion, groups = criterion_of_risk(choices), chosen_groups(asked, choices)
        if choices.distractors:
            raise BvfError(
                f"--distractors {choices.distractors}: {choices.criterion_name} is not a criterion of knowledge",
                "wrong answers are drawn where a topic names true ones, see bvf topics",
            )
        _check_reference(choices, criterion, [asked.group_names[x] for x in groups])
        if view.rank != "particular":
            return
        if not criterion.sublinear:
            raise BvfError(
                f"--rank particular: {NOT_SUBLINEAR.format(criterion=choices.criterion_name)}",
                "use --rank risk, or a sublinear criterion: linf, lk:k, direction:class or tv",
            )
        if len(groups) == 1:
            raise BvfError(
                f'--rank particular: there is one group, "{asked.group_names[groups[0]]}", and nothing to set it apart '
                "from",
                "ask two groups or more, or use --rank risk",
            )

    def run(self, measurement: Measurement, choices: Choices) -> Result:
        study = Study.of(measurement, choices)
        _check_reference(choices, study.criterion, study.predictions.group_names)
        common, figures = common_to_all(measurement, study.predictions, choices), figures_of(study)
        error, (leeway, _) = Doubt(*study.doubt), leeway_of(study)
        sampling, with_other_estimates = sampling_of(study, figures, error)
        intervals = intervals_of(study, self, figures).changed(with_other_estimates)
        intervals = self._widened(intervals, study, figures, error)
        notes_first = error.correction | sampling
        among, ends = among_other_words(study)
        lean, of_lean = parts_of_lean(study)
        intervals = replace(intervals, of_all={**intervals.of_all, **ends}).beside(of_lean)
        figures |= known_roughly(study, figures) | _words_and_references(study) | error.doubt | leeway | among | lean
        return (notes_first | common | figures | intervals.as_contribution()).built(Result)

    def over_all(self, study: Study) -> Mapping[str, Interval]:
        if study.sample is None:
            return {}
        p_x, level = study.predictions.group_weights, study.choices.level
        of_all = dict[str, Interval]()
        for part in self.sampled(study, study.sample):
            of_all |= named_intervals(part.sampled.estimates(p_x, level), part.names)
        return self._widened(Intervals(of_all, ()), study, figures_of(study), Doubt(*study.doubt)).of_all

    def _widened(self, intervals: Intervals, study: Study, figures: Contribution, error: Doubt) -> Intervals:
        """The intervals with the errors of reading and of words left out, clipped to what figures can be."""
        if study.sample is None:
            return error.widened(intervals, figures)
        _, wider = leeway_of(study)
        widened = error.widened(intervals, figures).changed(wider)
        return widened.changed(within_range(study, self, figures, most_together(study)))

    def sampled(self, study: Study, sample: ContextSample) -> Sequence[Averages]:
        if study.criterion.curvature == "neither":
            return []
        sampled = study.sampled_risk(sample)
        return [*with_error_bounds(parts_of_risk(sampled), study, sampled), *parts_of_volatility(sampled)]

    def rows(self, results: Sequence[Result], view: View) -> list[Section]:
        return [models_section(results), *(group_section(result, view) for result in results)]

    def overview(self, results: Sequence[Result], view: View) -> list[Section]:
        return overview(results, view)

    def verdicts(self, result: Result) -> Sequence[Verdict]:
        return verdicts(result)

    def beside(self, results: Sequence[Result], view: View) -> list[Section]:
        controls = [section for study in results if study.controls for section in control_sections(study)]
        level = results[0].uncertainty.level
        asked = [(name_of(each), each.other_words) for each in results if each.other_words]
        others = [other_words_section("groups apart by other words", asked, level)] if asked else []
        by_risk = view.rank == "risk" or any(result.particular_bias is None for result in results)
        figure, called = ("r", symbol("r")) if by_risk else ("particular_bias", symbol("particular_bias"))
        if not by_risk and all(result.default is not None for result in results):
            figure, called = "association", f"association with {next(iter(results[0].words))}"
        title = f"groups side by side: {called}, highest on average first"
        return [
            *(each.lean_section for each in results),
            *controls,
            *others,
            *side_tables(results, figure, title, view.show),
        ]


def _check_reference(choices: Choices, criterion: Criterion, groups: Sequence[str]) -> None:
    p_star = choices.p_star_of
    changes = bool(choices.p_star_in) or choices.reference == PRIOR
    varies = changes or p_star is None or any(np.ptp(p_star[group]) > SUM_TOLERANCE for group in groups)
    if criterion.needs_uniform_reference and varies:
        raise BvfError(
            f"--reference {choices.reference}: the criterion {choices.criterion_name} is for a uniform p* only",
            "leave --reference out, or choose another criterion: tv and linf take any p*",
        )
    if changes and criterion.for_reference(np.full((1, 1, 2), 0.5)) is not criterion:
        raise BvfError(
            f"--reference {choices.reference}: the criterion {choices.criterion_name} depends on p*, which changes "
            "with the context here",
            "choose another criterion: linf, lk:k or direction:class",
        )
    if choices.reference == MEAN and len(groups) == 1:
        raise BvfError(
            f'--reference mean: the mean over one group, "{groups[0]}", is that group itself', "ask two groups or more"
        )


def figures_of(study: Study) -> Contribution:
    """Return R, R^b and R^v, their parts, and r, r^b and r^v of each group."""
    criterion, predictions, risk = study.criterion, study.predictions, study.risk
    parts, notes = risk.parts, list[str]()
    if parts is None:
        sublinear = criterion.sublinear
        why = "there is one group" if sublinear else NOT_SUBLINEAR.format(criterion=study.choices.criterion_name)
        notes.append(f"what groups share and what sets them apart is undefined: {why}")
    if study.choices.reference == PRIOR:
        notes.append(_note_with_uniform(study))
    fields = {
        "scale": study.choices.scale,
        "divisor": risk.divisor,
        "R": risk.R,
        "R_bias": risk.R_bias,
        "R_volatility": risk.R_volatility,
        "spread": float(risk.group_weights @ risk.spread),
        "groups_changing_sides": int(risk.changes_sides.sum()),
        **{name: getattr(parts, name, None) for name in (*SHARED, *PARTICULAR, "particular_divisor")},
    }
    return Contribution(fields, _of_groups(predictions, risk), notes=tuple(notes)) | _parts_of_volatility(study)


def _words_and_references(study: Study) -> Contribution:
    """The role of single words in the risk, the risk of reference models, and the classes that groups lean to."""
    predictions = study.predictions
    weights = (predictions.group_weights, predictions.context_weights)
    references = reference_rows(study.criterion, *weights, predictions.reference, study.choices.scale)
    return Contribution({"word_lists": word_lists_of(study), "references": references, "sides": sides_of(study)})


def _parts_of_volatility(study: Study) -> Contribution:
    """The two parts of R^v, between contexts and of thoughts, and those of r^v; nothing if the model did not think."""
    drawn = study.predictions.random
    if drawn is None or not drawn.one_by_one:
        return NOTHING
    p_x, each = study.predictions.group_weights, each_group(len(study.predictions.groups))
    of_all, of_groups = dict[str, float](), [dict[str, float]() for _ in study.predictions.groups]
    for part in parts_of_volatility(study.in_these_contexts):
        name = part.names[VOLATILITY]
        of_all[name] = float(part.sampled.values(p_x)[VOLATILITY])
        for of_group, value in zip(of_groups, part.sampled.values(each)[VOLATILITY].tolist(), strict=True):
            of_group[name] = value
    return Contribution(of_all, of_groups)


def _note_with_uniform(study: Study) -> str:
    """A note with R, R^b and R^v of the same probabilities, but relative to a uniform p*."""
    figures = total_risk(
        study.predictions.probabilities,
        study.criterion,
        context_weights=study.predictions.context_weights,
        group_weights=study.predictions.group_weights,
        scale=study.choices.scale,
    )
    shown = ", ".join(f"{called} {value:.4f}" for called, value in zip(symbols(*RISK), figures, strict=True))
    return f"with p* uniform, as without --reference prior: {shown}"


def _of_groups(predictions: Predictions, risk: Risk) -> list[dict[str, Any]]:
    return [
        {
            **fields,
            "r": float(risk.r[x]),
            "r_bias": float(risk.r_bias[x]),
            "r_volatility": float(risk.r_volatility[x]),
            "spread": float(risk.spread[x]),
            "changes_sides": bool(risk.changes_sides[x]),
            "other_side": float(risk.other_side[x]) if predictions.random is None else None,
            **_particular(risk.parts, x, predictions.classes),
        }
        for x, fields in enumerate(predictions.of_each_group())
    ]


def _particular(parts: Parts | None, x: int, classes: tuple[str, ...]) -> dict[str, Any]:
    if parts is None:
        return dict.fromkeys((*PARTICULAR, "apart"))
    figures = {name: float(getattr(parts, f"x_{name}")[x]) for name in PARTICULAR}
    return {**figures, "apart": dict(zip(classes, parts.x_apart[x].tolist(), strict=True))}
