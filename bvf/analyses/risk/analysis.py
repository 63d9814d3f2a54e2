"""The analysis of risk: what a model believes on average, and how much its contexts contradict each other."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bvf.analyses.risk.controls.tables import control_sections
from bvf.analyses.risk.exactness import with_leeway
from bvf.analyses.risk.reference_models import reference_rows
from bvf.analyses.risk.result import GroupRisk, Result
from bvf.analyses.risk.sampled import without_noise
from bvf.analyses.risk.tables import group_section, models_section
from bvf.analyses.risk.words import word_lists_of
from bvf.arrays import FloatArray
from bvf.domain.measurement import Asked, Measurement
from bvf.errors import BvfError
from bvf.interfaces.analysis import Analysis, Choices, Section, View
from bvf.interfaces.criterion import Criterion, KnowledgeCriterion
from bvf.results.intervals import with_intervals
from bvf.results.shown import side_by_side
from bvf.stats.probabilities import SUM_TOLERANCE
from bvf.stats.risk import Parts, Risk, total_risk
from bvf.stats.samples import ContextSample
from bvf.study.basis import Basis, basis_of, chosen_groups, common_fields
from bvf.study.decomposing import criterion_of_risk, reference_of, risk_of, sampled_risk_of
from bvf.study.parts import Part, parts_of_risk
from bvf.study.reference import MEAN, PRIOR

FIGURES = {
    "R": "R",
    "R_bias": "R^b",
    "R_volatility": "R^v",
    "shared": "shared",
    "particular": "particular",
    "particular_bias": "its R^b",
}


class RiskAnalysis(Analysis[Result]):
    """Splits the discrimination risk R into bias and volatility (Eq. 1 to 7), and into what groups share and do not."""

    results = Result
    figures = FIGURES

    def applies(self, criterion: Criterion | KnowledgeCriterion) -> bool:
        return isinstance(criterion, Criterion)

    def check(self, asked: Asked, choices: Choices, view: View) -> None:
        criterion, groups = criterion_of_risk(choices), chosen_groups(asked, choices)
        if choices.distractors:
            raise BvfError(
                f"--distractors {choices.distractors}: {choices.criterion_name} is no criterion of knowledge",
                "wrong answers are drawn where a topic names true ones, see bvf topics",
            )
        _check_reference(choices, criterion, [asked.group_names[x] for x in groups])
        if view.rank != "particular":
            return
        if not criterion.sublinear:
            raise BvfError(
                f"--rank particular: the criterion {choices.criterion_name} is not sublinear, so R <= shared + "
                "particular need not hold",
                "use --rank risk, or a sublinear criterion: linf, lk:k, direction:class or tv",
            )
        if len(groups) == 1:
            raise BvfError(
                f'--rank particular: there is one group, "{asked.group_names[groups[0]]}", and nothing to set it apart '
                "from",
                "ask two groups or more, or use --rank risk",
            )

    def run(self, measurement: Measurement, choices: Choices) -> Result:
        criterion, basis = criterion_of_risk(choices), basis_of(measurement, choices)
        _check_reference(choices, criterion, [group.name for group in basis.groups])
        reference, risk = reference_of(basis), risk_of(basis, choices)
        common = common_fields(measurement, basis, choices)
        parts = risk.parts if measurement.hits is None else None
        if measurement.hits is None and risk.parts is None:
            why = _undefined(choices, criterion)
            common["notes"] += (f"what groups share and what sets them apart is undefined: {why}",)
        if choices.reference == PRIOR:
            common["notes"] += (_uniform_note(basis, choices),)
        result = Result(
            **common,
            scale=choices.scale,
            divisor=risk.divisor,
            R=risk.R,
            R_bias=risk.R_bias,
            R_volatility=risk.R_volatility,
            spread=float(risk.group_weights @ risk.spread),
            groups_changing_sides=int(risk.changes_sides.sum()),
            **_parts(parts),
            word_lists=word_lists_of(measurement, basis, choices) if measurement.hits is None else None,
            references=reference_rows(criterion, basis.group_weights, basis.context_weights, reference, choices.scale),
            groups=_groups(basis, reference, replace(risk, parts=parts)),
        )
        result = result_with_intervals(result, measurement, basis, choices)
        return with_leeway(without_noise(result, measurement, basis, choices), measurement, basis, choices)

    def rows(self, results: Sequence[Result], view: View) -> list[Section]:
        return [models_section(results), *(group_section(result, view) for result in results)]

    def beside(self, results: Sequence[Result], view: View) -> list[Section]:
        controls = [section for study in results if study.controls for section in control_sections(study)]
        by_risk = view.rank == "risk" or any(result.particular is None for result in results)
        figure = "r" if by_risk else "particular"
        title = f"groups side by side: {figure}, highest on average first"
        return [*controls, *side_by_side(results, figure, title, view.show)]


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
            f'--reference mean: the mean over one group, "{groups[0]}", is that group itself',
            "ask two groups or more",
        )


def _uniform_note(basis: Basis, choices: Choices) -> str:
    """R, R^b and R^v of the same answers under the p* that stands where no other is chosen."""
    R, R_bias, R_volatility = total_risk(
        basis.probabilities,
        criterion_of_risk(choices),
        context_weights=basis.context_weights,
        group_weights=basis.group_weights,
        scale=choices.scale,
    )
    return f"with p* uniform, as without --reference prior: R {R:.4f}, R^b {R_bias:.4f}, R^v {R_volatility:.4f}"


def _undefined(choices: Choices, criterion: Criterion) -> str:
    if not criterion.sublinear:
        return f"the criterion {choices.criterion_name} is not sublinear, so R <= shared + particular need not hold"
    return "there is one group"


def _parts(parts: Parts | None) -> dict[str, float | None]:
    names = (
        *("shared", "shared_bias", "shared_volatility"),
        *("particular", "particular_bias", "particular_volatility"),
    )
    return {name: None if parts is None else getattr(parts, name) for name in names}


def _groups(basis: Basis, reference: FloatArray, risk: Risk) -> tuple[GroupRisk, ...]:
    return tuple(
        GroupRisk(
            r=float(risk.r[x]),
            r_bias=float(risk.r_bias[x]),
            r_volatility=float(risk.r_volatility[x]),
            spread=float(risk.spread[x]),
            changes_sides=bool(risk.changes_sides[x]),
            **_particular(risk.parts, x, basis.classes),
            **fields,
        )
        for x, fields in enumerate(basis.of_each_group(reference))
    )


def _particular(parts: Parts | None, x: int, classes: tuple[str, ...]) -> dict[str, Any]:
    names = ("particular", "particular_bias", "particular_volatility")
    if parts is None:
        return dict.fromkeys((*names, "apart"))
    figures = {name: float(getattr(parts, f"x_{name}")[x]) for name in names}
    return {**figures, "apart": dict(zip(classes, parts.x_apart[x].tolist(), strict=True))}


def result_with_intervals(result: Result, measurement: Measurement, basis: Basis, choices: Choices) -> Result:
    """Return the result with the intervals of its figures, and with what depends on the choice of contexts.

    Args:
        result: Without them.
        measurement: What it rests on.
        basis: What of it counts.
        choices: J, the scale, the unit, the level.
    """
    if criterion_of_risk(choices).curvature == "neither":
        return result

    def parts_of(sample: ContextSample) -> list[Part]:
        return parts_of_risk(sampled_risk_of(basis, choices, sample))

    return with_intervals(result, measurement, choices, basis.group_weights, parts_of)
