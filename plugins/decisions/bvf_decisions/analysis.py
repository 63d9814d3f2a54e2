"""The analysis of impact: whom a model selects among candidates who differ in their names alone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from bvf import (
    Analysis,
    BvfError,
    Choices,
    Criterion,
    Interval,
    KnowledgeCriterion,
    Measurement,
    Picture,
    Predictions,
    Section,
    Study,
    Verdict,
    View,
)
from bvf.domain import Asked
from bvf.errors import nearest
from bvf.results import Contribution, common_to_all, number
from bvf.stats import BoolArray, FloatArray, IntArray
from bvf.tables import counted, in_a_list, named
from bvf_decisions.ratios import Units, impact_ends, names_as_units, ratio_ends
from bvf_decisions.result import (
    Category,
    ImpactResult,
    categories_section,
    models_section,
    names_section,
)
from bvf_decisions.selection import Selection

TOGETHER = " & "
FEWEST = 0.02
"""A category with a smaller share of the candidates has no ratio: Rules of the City of New York, 6 § 5-301(c)."""


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
        study, rule = Study.of(measurement, choices), _rule(choices)
        answers = _answers(study.predictions, rule)
        by = rule.factors or tuple(dict.fromkeys(name for each in study.predictions.groups for name in each.factors))
        categories, interval = _categories(study, answers, _kinds(study.predictions, by))
        ratios = [each.impact_ratio for each in categories if each.impact_ratio is not None]
        factors = [each.factors for each in study.predictions.groups]
        documents = int(answers.complete.sum())
        fields = {
            "favourable": rule.favourable,
            "rule": f"p({rule.favourable}) {rule.described}",
            "documents": documents,
            "unknown": documents * sum(any(name not in each for name in by) for each in factors),
            "selection_rate": float(answers.weights @ answers.rates),
            "impact_ratio": min(ratios, default=None),
            "categories": categories,
        }
        rates = [{"selection_rate": rate} for rate in answers.rates.tolist()]
        figures = Contribution(
            fields,
            [{**own, **rate} for own, rate in zip(study.predictions.of_each_group(), rates, strict=True)],
            {"intervals": {} if interval is None else {"impact_ratio": interval}},
            tuple(_notes(answers, categories)),
            tuple(_warnings(answers, rule, study)),
        )
        return (common_to_all(measurement, study.predictions, choices) | figures).built(ImpactResult)

    def rows(self, results: Sequence[ImpactResult], view: View) -> list[Section]:
        return [models_section(results), *(names_section(result, view.show) for result in results)]

    def beside(self, results: Sequence[ImpactResult], view: View) -> list[Section]:
        return [categories_section(result) for result in results]

    def overview(self, results: Sequence[ImpactResult], view: View) -> list[Section]:
        return [models_section(results)] if len(results) > 1 else [categories_section(results[0])]

    def verdicts(self, result: ImpactResult) -> Sequence[Verdict]:
        found = result.lowest
        if found is None:
            return [Verdict("cannot tell", "No impact ratio is defined.", result.warnings)]
        said = f"{found.category}: selected {found.impact_ratio:.2f} times as often as the most selected of its kind."
        return [Verdict("described", said, ("No other category has a lower impact ratio.",), "impact_ratio")]

    def pictures(self, results: Sequence[ImpactResult]) -> Sequence[Picture]:
        from bvf_decisions.pictures import ImpactRatios

        return [ImpactRatios(result) for result in results]


@dataclass(frozen=True)
class _Answers:
    """Who is selected in the documents in which every name has an answer.

    Args:
        p: p of the favourable class of each candidate, (X, D).
        selected: 1 for those who are selected, 0 for others, or a share, (X, D).
        weights: P(x), (X,).
        of_documents: P(c) of these documents, (D,).
        complete: The mask of these documents among all, (C,).
    """

    p: FloatArray
    selected: FloatArray
    weights: FloatArray
    of_documents: FloatArray
    complete: BoolArray

    @property
    def rates(self) -> FloatArray:
        """The selection rate of each name, (X,)."""
        rates: FloatArray = np.minimum(self.selected @ self.of_documents, 1.0)
        return rates


@dataclass(frozen=True)
class _Kind:
    """Categories of one kind, such as female and male: their names, and which names of people are in each, (K, X)."""

    by: str
    names: tuple[str, ...]
    members: BoolArray


def _rule(choices: Choices) -> Selection:
    if not isinstance(choices.criterion, Selection):
        raise BvfError(
            f"the analysis of impact needs a rule of selection, and {choices.criterion_name} is none",
            "choose one, such as --criterion impact:top=10%, and leave --analysis out",
        )
    return choices.criterion


def _answers(read: Predictions, rule: Selection) -> _Answers:
    p = read.probabilities[..., rule.index]
    complete = ~np.isnan(p).any(axis=0) & (read.context_weights > 0)
    if not complete.any():
        raise BvfError("in no document does every name have an answer", "choose names with --groups, or other words")
    p, weights = p[:, complete], read.context_weights[complete]
    return _Answers(p, rule.selected(p), read.group_weights, weights / weights.sum(), complete)


def _kinds(read: Predictions, by: Sequence[str]) -> list[_Kind]:
    """Categories by each factor and by all together; without factors, each name is a category."""
    kinds = list[_Kind]()
    for factors in [*((name,) for name in by), *([tuple(by)] if len(by) > 1 else [])]:
        own = [[each.factors.get(name, "") for name in factors] for each in read.groups]
        levels = [TOGETHER.join(each) if all(each) else "" for each in own]
        names = tuple(dict.fromkeys(filter(None, levels)))
        members = np.array(levels) == np.array(names)[:, np.newaxis]
        kinds.append(_Kind(TOGETHER.join(factors), names, members))
    return kinds or [_Kind("name", read.group_names, np.eye(len(read.groups), dtype=np.bool_))]


def _units(study: Study, answers: _Answers, shares: FloatArray, cells: IntArray) -> Units:
    """What was drawn: contexts where they are a sample, such as documents by ``--unit template``; otherwise names.

    ``shares`` has the share of each name in each category, (K, X), and ``cells`` the cell of each name, (X,).
    """
    if study.sample is None:
        return names_as_units(answers.rates, shares, cells)
    sample = study.sample.only(answers.complete)
    moved = shares @ answers.selected - (shares @ answers.rates)[:, np.newaxis]
    scores = sample.scores(moved)
    return Units(scores, np.zeros(scores.shape[1], dtype=np.intp), np.array([sample.freedom]))


def _categories(
    study: Study, answers: _Answers, kinds: Sequence[_Kind]
) -> tuple[tuple[Category, ...], Interval | None]:
    """The categories of all kinds, and the interval of the lowest ratio; None: it is not known."""
    level, (names, documents) = study.choices.level, answers.selected.shape
    cells = np.unique([kinds[-1].members.argmax(axis=0)], return_inverse=True)[1].ravel()
    found, rates_of, units_of = list[Category](), list[FloatArray](), list[Units]()
    for kind in kinds:
        names_in, weights = kind.members.sum(axis=1), kind.members * answers.weights
        shares = weights / weights.sum(axis=1, keepdims=True)
        rates, large = shares @ answers.rates, names_in >= FEWEST * names
        there = large & (large.sum() > 1) & bool(rates[large].max(initial=0.0) > 0)
        ratios, low, high = (np.full(len(rates), np.nan) for _ in range(3))
        if there.any():
            units = _units(study, answers, shares[there], cells)
            ratios[there] = rates[there] / rates[there].max()
            low[there], high[there] = impact_ends(rates[there], units, level)
            rates_of, units_of = [*rates_of, rates[there]], [*units_of, units]
        for k, name in enumerate(kind.names):
            found.append(
                Category(
                    by=kind.by,
                    category=name,
                    applicants=int(names_in[k]) * documents,
                    selected=round(float(rates[k] * names_in[k] * documents), 6),
                    selection_rate=min(float(rates[k]), 1.0),
                    impact_ratio=number(ratios[k]),
                    low=number(low[k]),
                    high=number(high[k]),
                    below_2_percent=not large[k],
                )
            )
    return tuple(found), _of_lowest(rates_of, units_of, level)


def _of_lowest(rates: Sequence[FloatArray], units: Sequence[Units], level: float) -> Interval | None:
    """The interval of the lowest ratio of all kinds: the upper end allows for all pairs of categories together."""
    pairs = sum(len(each) * (len(each) - 1) for each in rates)
    low = [ratio_ends(own, of, level)[0].min() for own, of in zip(rates, units, strict=True)]
    high = [ratio_ends(own, of, 1.0 - (1.0 - level) / pairs)[1].min() for own, of in zip(rates, units, strict=True)]
    if not low or np.isnan([*low, *high]).any():
        return None
    return Interval(low=float(min(1.0, *low)), high=float(min(1.0, *high)))


def _notes(answers: _Answers, categories: Sequence[Category]) -> Iterator[str]:
    left_out = int((~answers.complete).sum())
    if left_out:
        yield f"{counted(left_out, 'document')} left out, as some name has no answer there"
    small = [each.category for each in categories if each.below_2_percent]
    if small:
        yield f"no impact ratio of {in_a_list(small)}: less than {FEWEST:.0%} of the applicants"


def _warnings(answers: _Answers, rule: Selection, study: Study) -> Iterator[str]:
    rate, score = float(answers.selected.mean()), f"p({rule.favourable})"
    if rate == 0.0:
        yield f"nobody is selected: the highest {score} is {answers.p.max():.3g}; choose a lower number, or top=10%"
    if rate == 1.0:
        yield f"everybody is selected: the lowest {score} is {answers.p.min():.3g}; choose a higher number, or top=10%"
    if study.measurement.answers.sampled:
        yield f"{score} is estimated from samples: candidates near the limit may be on the other side of it"
