"""The analysis of impact: whom a model selects among candidates who differ in their names alone."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bvf import Analysis, BvfError, Choices, Group, Measurement, Picture, Section, Study, View
from bvf.domain import Asked
from bvf.results import Contribution, common_to_all, number
from bvf.stats import BoolArray, FloatArray
from bvf.tables import counted, in_a_list, named
from bvf_decisions.common import in_common, level_of, rule_of, units_of
from bvf_decisions.ratios import impact_ends
from bvf_decisions.result import Category, ImpactResult, categories_section, models_section, names_section
from bvf_decisions.selection import Selection

FEWEST = 0.02  # a category with a smaller share of the candidates has no ratio: 6 RCNY § 5-301(d)


class Impact(Analysis[ImpactResult]):
    """Selection rates of names and categories, and the ratio of each to that of the most selected category."""

    results = ImpactResult
    figures = named(("impact_ratio",))

    def applies(self, criterion: object) -> bool:
        return isinstance(criterion, Selection)

    def check(self, asked: Asked, choices: Choices, view: View) -> None:
        rule_of(choices, Selection).refuse_unknown(asked.topic, asked.groups)
        if view.rank is not None:
            raise BvfError(f"--rank {view.rank}: names stand in the order of their selection rates")

    def run(self, measurement: Measurement, choices: Choices) -> ImpactResult:
        study = Study.of(measurement, choices)
        rule = rule_of(choices, Selection).for_classes(study.predictions.classes)
        found = _selected(study, rule)
        read, documents = study.predictions, found.p.shape[1]
        categories, intervals = _categories(found)
        ratios = [each.impact_ratio for each in categories if each.impact_ratio is not None]
        fields = {
            "favourable": rule.favourable,
            "rule": f"p({rule.favourable}) {rule.described}",
            "documents": documents,
            "unknown": documents * sum(not set(found.by) <= each.factors.keys() for each in read.groups),
            "selection_rate": round(float(read.group_weights @ found.rates), 15),
            "impact_ratio": min(ratios, default=None),
            "categories": categories,
        }
        of_names = study.sample is None and any(each.low is not None for each in categories)
        of_groups = zip(read.of_each_group(), found.rates.tolist(), strict=True)
        figures = Contribution(
            fields,
            [{**own, "selection_rate": rate} for own, rate in of_groups],
            {"intervals": intervals, **({"estimand": "names"} if of_names else {})},
            tuple(_notes(found, categories)),
            tuple(_warnings(found, f"p({rule.favourable})")),
        )
        return (common_to_all(measurement, read, choices) | figures).built(ImpactResult)

    def rows(self, results: Sequence[ImpactResult], view: View) -> list[Section]:
        return [models_section(results), *map(categories_section, results)]

    def beside(self, results: Sequence[ImpactResult], view: View) -> list[Section]:
        return [names_section(result, view.show) for result in results]

    def overview(self, results: Sequence[ImpactResult], view: View) -> list[Section]:
        return [models_section(results) if len(results) > 1 else categories_section(results[0])]

    def pictures(self, results: Sequence[ImpactResult]) -> Sequence[Picture]:
        from bvf_decisions.pictures import ImpactRatios

        return [ImpactRatios(result) for result in results]


@dataclass(frozen=True, eq=False)
class _Selected:
    """Who is selected in the documents in which every name has an answer."""

    study: Study  # in these documents
    left_out: int  # other documents
    by: tuple[str, ...]  # factors whose levels are categories
    p: FloatArray  # of the favourable class, by candidate, (X, D)
    candidates: FloatArray  # 1 for those who are selected, 0 for others, or a share, (X, D)
    rates: FloatArray  # of names, (X,)


def _selected(study: Study, rule: Selection) -> _Selected:
    common = in_common(study)
    read = common.predictions
    p = read.probabilities[:, :, rule.index]
    candidates = rule.selected(p)
    by = rule.factors or tuple(dict.fromkeys(name for each in read.groups for name in each.factors))
    left_out = study.predictions.probabilities.shape[1] - p.shape[1]
    rates = np.round(candidates @ read.context_weights, 15)
    return _Selected(common, left_out, by, p, candidates, rates)


def _kinds(groups: Sequence[Group], by: Sequence[str]) -> Mapping[str, Mapping[str, BoolArray]]:
    """The mask of the names in each category, by each factor and by all together; without factors, by name."""
    kinds = dict[str, Mapping[str, BoolArray]]()
    for factors in dict.fromkeys([*((name,) for name in by), tuple(by)]):
        levels = [level_of(each, factors) if by else each.name for each in groups]
        masks = {level: np.array(levels) == level for level in dict.fromkeys(levels) if level}
        kinds |= {" & ".join(factors) or "name": masks} if masks else {}
    return kinds


def _categories(found: _Selected) -> tuple[tuple[Category, ...], dict[str, dict[str, float]]]:
    """The categories of all kinds, and the interval of the lowest ratio, whose upper end allows for all pairs."""
    groups, level, categories = found.study.predictions.groups, found.study.choices.level, list[Category]()
    kinds, ends = _kinds(groups, found.by), list[tuple[float, float]]()
    pairs = sum(len(masks) * (len(masks) - 1) for masks in kinds.values())
    for by, masks in kinds.items():
        members = np.array(list(masks.values()))
        sizes, weights = members.sum(axis=1), members * found.study.predictions.group_weights
        shares = weights / weights.sum(axis=1, keepdims=True)
        rates, large = np.round(shares @ found.rates, 15), sizes >= FEWEST * len(groups)
        ratios, low, high = np.full((3, len(rates)), np.nan)
        if large.sum() > 1 and rates[large].any():
            own, units = rates[large], units_of(found.study, found.candidates, shares[large], found.by)
            ratios[large], (low[large], high[large]) = own / own.max(), impact_ends(own, units, level)
            ends.append((low[large].min(), impact_ends(own, units, level, pairs)[1].min()))
        for k, category in enumerate(masks):
            applicants = int(sizes[k]) * found.p.shape[1]
            values = [round(float(rates[k] * applicants), 6), *(number(each[k]) for each in (rates, ratios, low, high))]
            row = (by, category, applicants, *values, not large[k])
            categories.append(Category.model_validate(dict(zip(Category.model_fields, row, strict=True))))
    lowest = np.min(ends or [(np.nan, np.nan)], axis=0).tolist()
    known = {"impact_ratio": dict(zip(("low", "high"), lowest, strict=True))}
    return tuple(categories), {} if np.isnan(lowest).any() else known


def _notes(found: _Selected, categories: Sequence[Category]) -> Iterator[str]:
    if found.left_out:
        yield f"{counted(found.left_out, 'document')} left out, as some name has no answer there"
    if small := [each.category for each in categories if each.below_2_percent]:
        yield f"no impact ratio of {in_a_list(small)}: less than {FEWEST:.0%} of the applicants"


def _warnings(found: _Selected, score: str) -> Iterator[str]:
    if (rate := found.candidates.mean()) in (0.0, 1.0):
        who, ends = "every candidate" if rate else "no candidate", f"from {found.p.min():.3g} to {found.p.max():.3g}"
        yield f"{who} is selected: {score} is {ends}; choose another number, or top=10%"
    if found.study.measurement.answers.sampled:
        yield f"{score} is estimated from samples: candidates near the limit may be on the other side of it"
