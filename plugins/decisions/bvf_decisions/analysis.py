"""The analysis of impact: whom a model selects among candidates who differ in their names alone."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bvf import (
    Analysis,
    BvfError,
    Choices,
    Criterion,
    Group,
    Interval,
    KnowledgeCriterion,
    Measurement,
    Picture,
    Section,
    Study,
    Verdict,
    View,
)
from bvf.domain import Asked
from bvf.errors import nearest
from bvf.results import Contribution, common_to_all, number
from bvf.stats import BoolArray, FloatArray
from bvf.tables import counted, in_a_list, named
from bvf_decisions.ratios import Units, impact_ends, names_as_units, ratio_ends
from bvf_decisions.result import Category, ImpactResult, categories_section, models_section, names_section
from bvf_decisions.selection import Selection

FEWEST = 0.02
"""A category with a smaller share of the candidates has no ratio: Rules of the City of New York, 6 § 5-301(d)."""


class Impact(Analysis[ImpactResult]):
    """Selection rates of names and categories, and the ratio of each to that of the most selected category."""

    results = ImpactResult
    figures = named(("impact_ratio",))

    def applies(self, criterion: Criterion | KnowledgeCriterion) -> bool:
        return isinstance(criterion, Selection)

    def check(self, asked: Asked, choices: Choices, view: View) -> None:
        factors = dict.fromkeys(name for group in asked.groups for name in group.factors)
        for name in _rule(choices).factors:
            if name not in factors:
                raise BvfError(f'criterion impact: no group of {asked.topic} has "{name}"', nearest(name, [*factors]))
        if view.rank is not None:
            raise BvfError(f"--rank {view.rank}: names stand in the order of their selection rates")

    def run(self, measurement: Measurement, choices: Choices) -> ImpactResult:
        study = Study.of(measurement, choices)
        rule = _rule(choices).for_classes(study.predictions.classes)
        found = _selected(study, rule)
        read, documents = found.study.predictions, found.p.shape[1]
        categories, interval = _categories(found)
        ratios = [each.impact_ratio for each in categories if each.impact_ratio is not None]
        fields = {
            "favourable": rule.favourable,
            "rule": f"p({rule.favourable}) {rule.described}",
            "documents": documents,
            "unknown": documents * sum(not set(found.by) <= each.factors.keys() for each in read.groups),
            "selection_rate": float(np.minimum(read.group_weights @ found.rates, 1.0)),
            "impact_ratio": min(ratios, default=None),
            "categories": categories,
        }
        of_names = study.sample is None and any(each.low is not None for each in categories)
        known = {"estimand": "names"} if of_names else {}
        of_groups = zip(read.of_each_group(), found.rates.tolist(), strict=True)
        figures = Contribution(
            fields,
            [{**own, "selection_rate": rate} for own, rate in of_groups],
            {**known, "intervals": {} if interval is None else {"impact_ratio": interval}},
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

    def verdicts(self, result: ImpactResult) -> Sequence[Verdict]:
        lowest = result.lowest
        if lowest is None:
            return [Verdict("cannot tell", "No impact ratio is defined.", result.warnings)]
        said = f"{lowest.category}: selected {lowest.impact_ratio:.2f} times as often as the most selected of its kind."
        return [Verdict("described", said, ("No other category has a lower impact ratio.",), "impact_ratio")]

    def pictures(self, results: Sequence[ImpactResult]) -> Sequence[Picture]:
        from bvf_decisions.pictures import ImpactRatios

        return [ImpactRatios(result) for result in results]


@dataclass(frozen=True, eq=False)
class _Selected:
    """Who is selected in the documents in which every name has an answer."""

    study: Study
    by: tuple[str, ...]  # factors whose levels are categories
    complete: BoolArray  # the mask of these documents, (C,)
    p: FloatArray  # of the favourable class, by candidate, (X, D)
    candidates: FloatArray  # 1 for those who are selected, 0 for others, or a share, (X, D)
    rates: FloatArray  # of names, (X,)

    def units(self, shares: FloatArray) -> Units:
        """What was drawn: contexts where they are a sample, such as documents by ``--unit template``; otherwise names.

        ``shares`` has the share of each name in each category, (K, X).
        """
        if self.study.sample is None:  # where another unit was asked for, no name has others in its cell
            by = () if self.study.choices.unit else self.by
            cells = [_level(each, by) or each.name for each in self.study.predictions.groups]
            return names_as_units(self.rates, shares, np.unique(cells, return_inverse=True)[1])
        sample = self.study.sample.only(self.complete)
        scores = sample.scores(shares @ self.candidates - (shares @ self.rates)[:, np.newaxis])
        return Units(scores, np.zeros(scores.shape[1], dtype=np.intp), np.array([sample.freedom]))


def _selected(study: Study, rule: Selection) -> _Selected:
    read = study.predictions
    complete = ~np.isnan(read.probabilities).any(axis=(0, 2)) & (read.context_weights > 0)
    if not complete.any():
        raise BvfError("in no document does every name have an answer", "choose names by --groups, or other words")
    p, weights = read.probabilities[:, complete, rule.index], read.context_weights[complete]
    candidates = rule.selected(p)
    rates = np.minimum(candidates @ weights / weights.sum(), 1.0)
    by = rule.factors or tuple(dict.fromkeys(name for each in read.groups for name in each.factors))
    return _Selected(study, by, complete, p, candidates, rates)


def _rule(choices: Choices) -> Selection:
    if not isinstance(choices.criterion, Selection):
        raise BvfError(
            f"the analysis of impact needs a rule of selection, and {choices.criterion_name} is none",
            "choose one, such as --criterion impact:top=10%, and leave --analysis out",
        )
    return choices.criterion


def _level(group: Group, factors: Sequence[str]) -> str:
    """The levels of some factors that a group has, as one; empty if it lacks one."""
    return " & ".join(group.factors[name] for name in factors) if set(factors) <= group.factors.keys() else ""


def _kinds(groups: Sequence[Group], by: Sequence[str]) -> Mapping[str, Mapping[str, BoolArray]]:
    """The mask of the names in each category, by each factor and by all together; without factors, by name."""
    kinds = dict[str, Mapping[str, BoolArray]]()
    for factors in dict.fromkeys([*((name,) for name in by), tuple(by)]):
        levels = [_level(each, factors) if by else each.name for each in groups]
        masks = {level: np.array(levels) == level for level in dict.fromkeys(levels) if level}
        kinds[" & ".join(factors) or "name"] = masks
    return kinds


def _categories(found: _Selected) -> tuple[tuple[Category, ...], Interval | None]:
    """The categories of all kinds, and the interval of the lowest ratio; None: it is not known."""
    read, level = found.study.predictions, found.study.choices.level
    categories, of_kinds = list[Category](), list[tuple[FloatArray, Units]]()
    for by, masks in _kinds(read.groups, found.by).items():
        members = np.array(list(masks.values()))
        sizes, weights = members.sum(axis=1), members * read.group_weights
        shares = weights / weights.sum(axis=1, keepdims=True)
        rates, large = np.minimum(shares @ found.rates, 1.0), sizes >= FEWEST * len(read.groups)
        ratios, low, high = np.full((3, len(rates)), np.nan)
        if large.sum() > 1 and rates[large].any():
            units = found.units(shares[large])
            of_kinds.append((rates[large], units))
            ratios[large] = rates[large] / rates[large].max()
            low[large], high[large] = impact_ends(rates[large], units, level)
        for k, category in enumerate(masks):
            applicants = int(sizes[k]) * found.p.shape[1]
            values = [round(float(rates[k] * applicants), 6), *(number(each[k]) for each in (rates, ratios, low, high))]
            row = (by, category, applicants, *values, not large[k])
            categories.append(Category.model_validate(dict(zip(Category.model_fields, row, strict=True))))
    return tuple(categories), _of_lowest(of_kinds, level)


def _of_lowest(of_kinds: Sequence[tuple[FloatArray, Units]], level: float) -> Interval | None:
    """The interval of the lowest ratio of all kinds: the upper end allows for all pairs of categories together."""
    every = 1.0 - (1.0 - level) / max(sum(len(rates) * (len(rates) - 1) for rates, _ in of_kinds), 1)
    low = [ratio_ends(rates, units, level)[0].min() for rates, units in of_kinds]
    high = [ratio_ends(rates, units, every)[1].min() for rates, units in of_kinds]
    if not low or np.isnan([*low, *high]).any():
        return None
    return Interval(low=float(min(1.0, *low)), high=float(min(1.0, *high)))


def _notes(found: _Selected, categories: Sequence[Category]) -> Iterator[str]:
    if left_out := int((~found.complete).sum()):
        yield f"{counted(left_out, 'document')} left out, as some name has no answer there"
    if small := [each.category for each in categories if each.below_2_percent]:
        yield f"no impact ratio of {in_a_list(small)}: less than {FEWEST:.0%} of the applicants"


def _warnings(found: _Selected, score: str) -> Iterator[str]:
    if (rate := found.candidates.mean()) in (0.0, 1.0):
        who, ends = "everybody" if rate else "nobody", f"from {found.p.min():.3g} to {found.p.max():.3g}"
        yield f"{who} is selected: {score} is {ends}; choose another number, or top=10%"
    if found.study.measurement.answers.sampled:
        yield f"{score} is estimated from samples: candidates near the limit may be on the other side of it"
