"""The analysis of pairs: of two people in one text, who is meant, and what is due to the place in the text."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from bvf import Analysis, BvfError, Choices, Criterion, Measurement, Picture, Section, Study, View
from bvf.domain import Asked
from bvf.results import Contribution, common_to_all, number
from bvf.stats import FloatArray, holm
from bvf.tables import named
from bvf_decisions.pairs.found import alone_in, found_in, refuse_alone
from bvf_decisions.pairs.result import PairsResult, models_section, pairs_section, people_section
from bvf_decisions.pairs.scores import Estimate, correlated


class Paired(Criterion):
    """J of linf, for the analysis of two people in one text; ``alone`` is the folder of a run about each alone."""

    sublinear: ClassVar[bool] = True

    def __init__(self, alone: str = "") -> None:
        self.alone = alone

    def risk(self, s: FloatArray, /) -> FloatArray:
        return np.asarray(np.maximum(s, 0.0).max(axis=-1))


class Pairs(Analysis[PairsResult]):
    """Log odds of each group over its partners, the effect of the place, and the same log odds of each alone."""

    results = PairsResult
    figures = named(("place_effect",))

    def applies(self, criterion: object) -> bool:
        return isinstance(criterion, Paired)

    def check(self, asked: Asked, choices: Choices, view: View) -> None:
        refuse_alone([each for each in asked.groups if each.name in (choices.groups or asked.group_names)])
        if view.rank is not None:
            raise BvfError(f"--rank {view.rank}: groups stand in the order of their scores")

    def run(self, measurement: Measurement, choices: Choices) -> PairsResult:
        study, level = Study.of(measurement, choices), choices.level
        found = found_in(study)
        folder = choices.criterion.alone if isinstance(choices.criterion, Paired) else ""
        alone, design, odds = alone_in(folder, found) if folder else None, found.design, found.odds
        score, place = odds.through(design.score), found.place()
        r, *ends = correlated(score, alone.score, level) if alone else (np.nan,) * 3
        intervals = {"place_effect": [float(each[0]) for each in place.ends(level)], "correlation": ends}
        of_people = _scored(score, alone.score if alone else None, level, tested=True)
        of_pairs = _scored(odds.through(design.over), alone.of_pairs if alone else None, level)
        in_place = ((each @ odds.values).tolist() for each in (design.first, design.second))
        fields = {
            "question": "who" if found.who else "class",
            "of": found.of,
            "place_effect": float(place.values[0]),
            "alone": alone.described if alone else "",
            "correlation": number(r),
            "people": [
                {"group": name, "first": first, "second": second, **rest}
                for name, first, second, rest in zip(found.names, *in_place, of_people, strict=True)
            ],
            "pairs": [
                {"group": found.names[g], "other": found.names[h], **rest}
                for (g, h), rest in zip(design.pairs, of_pairs, strict=True)
            ],
        }
        known = {name: {"low": low, "high": high} for name, (low, high) in intervals.items() if np.isfinite(low + high)}
        figures = Contribution(fields, (), {"intervals": known}, found.notes, alone.warnings if alone else ())
        of_groups = Contribution(of_groups=study.predictions.of_each_group())
        return (common_to_all(measurement, study.predictions, choices) | figures | of_groups).built(PairsResult)

    def rows(self, results: Sequence[PairsResult], view: View) -> list[Section]:
        return [models_section(results), *(people_section(each) for each in results)]

    def beside(self, results: Sequence[PairsResult], view: View) -> list[Section]:
        return [pairs_section(each, view.show) for each in results]

    def overview(self, results: Sequence[PairsResult], view: View) -> list[Section]:
        return [models_section(results) if len(results) > 1 else people_section(results[0], view.show)]

    def pictures(self, results: Sequence[PairsResult]) -> Sequence[Picture]:
        from bvf_decisions.pictures import TwoPeople

        return [TwoPeople(result) for result in results]


def _scored(
    score: Estimate, alone: Estimate | None, level: float, *, tested: bool = False
) -> list[Mapping[str, float | None]]:
    """The fields of scores, of those of each alone, and of their differences, which Holm's rule holds together."""
    columns = dict[str, FloatArray]()
    apart = score.minus(alone) if alone else None
    for name, each in (("score", score), ("alone", alone), ("difference", apart)):
        if each is not None:
            ends = ("low", "high") if name == "score" else (f"{name}_low", f"{name}_high")
            columns |= {name: each.values, **dict(zip(ends, each.ends(level), strict=True))}
    if apart is not None and tested and np.isfinite(columns["difference_low"]).all():
        columns["p_value"] = holm(apart.p_values())
    return [dict(zip(columns, map(number, row), strict=True)) for row in zip(*columns.values(), strict=True)]
