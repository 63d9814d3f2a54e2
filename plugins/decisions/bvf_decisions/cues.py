"""The analysis of cues: the same people, mentioned by a label, a name or a pronoun, in the same contexts."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from os import PathLike
from typing import Any, ClassVar, Unpack

import numpy as np

from bvf import Analysis, AnalysisConfig, BvfError, Choices, Group, Measurement, Picture, Section, Study, View, load
from bvf.domain import Asked, settings_of
from bvf.results import Contribution, common_to_all, number
from bvf.stats import BoolArray, FloatArray, holm
from bvf.study import AnalysisKeywords, chosen_groups
from bvf.tables import counted, in_a_list, named
from bvf_decisions.common import in_common, result_by, rule_of, units_of
from bvf_decisions.cue_result import Contrast, CueResult, cues_section, differences_section, models_section
from bvf_decisions.ratios import Units, difference_ends, largest_ends
from bvf_decisions.selection import Rule


class CueRule(Rule):
    """The factor of groups that says by which cue each is known, and the factor whose levels are compared.

    J(s) is the largest positive part of the stereotype s = p / p* - 1 over classes, as for ``linf``.

    ``rule`` has ``cue=FACTOR`` (without it, the factor *cue*), ``by=FACTOR`` (without it, the first other factor) and
    ``class=NAME`` (without it, the first of the topic), joined by commas.
    """

    name: ClassVar[str] = "cues"
    part: ClassVar[re.Pattern[str]] = re.compile(r"|cue=(?P<cue>.+)|class=(?P<of>.+)|by=(?P<by>[^+]+)")
    parts: ClassVar[str] = "write by=FACTOR, cue=FACTOR and class=NAME, joined by commas"
    example: ClassVar[str] = "cues:by=sex"

    def __init__(self, rule: str = "") -> None:
        super().__init__(rule)
        self.cue = self.said.get("cue", "cue")

    def risk(self, s: FloatArray, /) -> FloatArray:
        return np.asarray(np.maximum(s, 0.0).max(axis=-1))


class Cues(Analysis[CueResult]):
    """By each cue, how much the levels of a factor differ in p of a class, and whether cues differ in that."""

    results = CueResult
    figures = named(("contrast", "cue_difference"))

    def applies(self, criterion: object) -> bool:
        return isinstance(criterion, CueRule)

    def check(self, asked: Asked, choices: Choices, view: View) -> None:
        _cells(asked.topic, [asked.groups[x] for x in chosen_groups(asked, choices)], rule_of(choices, CueRule))
        if view.rank is not None:
            raise BvfError(f"--rank {view.rank}: cues stand in the order of the topic")

    def run(self, measurement: Measurement, choices: Choices) -> CueResult:
        study = Study.of(measurement, choices)
        rule, common = rule_of(choices, CueRule).for_classes(study.predictions.classes), in_common(study)
        read, contexts = study.predictions, common.predictions.probabilities.shape[1]
        cells = _cells(read.asked.topic, read.groups, rule)
        fields, intervals = _compared(common, cells, rule)
        fields |= {
            "favourable": rule.favourable,
            "cue": rule.cue,
            "by": cells.by,
            "levels": cells.levels,
            "paired_contexts": contexts,
            "unknown": int((~cells.members.any(axis=(0, 1))).sum()),
        }
        of_names = study.sample is None and any(each["low"] is not None for each in fields["contrasts"])
        uncertainty = {"intervals": intervals, **({"estimand": "names"} if of_names else {})}
        left_out = len(read.context_weights) - contexts
        notes = (f"{counted(left_out, 'context')} left out, as some group has no answer there",) if left_out else ()
        figures = Contribution(fields, read.of_each_group(), uncertainty, notes)
        return (common_to_all(measurement, read, choices) | figures).built(CueResult)

    def rows(self, results: Sequence[CueResult], view: View) -> list[Section]:
        return [models_section(results), *map(cues_section, results)]

    def beside(self, results: Sequence[CueResult], view: View) -> list[Section]:
        return [*map(differences_section, results)]

    def overview(self, results: Sequence[CueResult], view: View) -> list[Section]:
        first = models_section(results) if len(results) > 1 else cues_section(results[0])
        return [first, *self.beside(results, view)]

    def pictures(self, results: Sequence[CueResult]) -> Sequence[Picture]:
        from bvf_decisions.pictures import CueContrasts

        return [CueContrasts(result) for result in results]


def cues(run: PathLike[str] | str, rule: str = "", **choices: Unpack[AnalysisKeywords]) -> CueResult:
    """Return how much of a difference in p of a class each cue brings, such as a first name or a pronoun.

    ``run`` is a folder; ``rule`` has ``by=FACTOR``, ``cue=FACTOR`` and ``class=NAME``, joined by commas (empty: as in
    the run, or the first of each); ``choices`` are fields of `bvf.AnalysisConfig`.
    """
    config = settings_of(AnalysisConfig, None, choices, "cues")
    result: CueResult = result_by(run, config, "cues", rule, load())
    return result


@dataclass(frozen=True, eq=False)
class _Cells:
    """The groups with each cue at each level of the factor whose levels are compared."""

    by: str
    cues: tuple[str, ...]
    levels: tuple[str, ...]
    members: BoolArray  # (K, L, X)

    def shares(self, group_weights: FloatArray) -> FloatArray:
        """Return the share of each group in each cell, (K, L, X)."""
        weights = self.members * group_weights
        return np.asarray(weights / weights.sum(axis=-1, keepdims=True))


def _cells(topic: str, groups: Sequence[Group], rule: CueRule) -> _Cells:
    """The cells of these groups. It refuses those that cannot be compared."""
    known = rule.refuse_unknown(topic, groups)
    others = rule.factors or tuple(name for name in known if name != rule.cue)
    if rule.cue not in known or not others:
        message = f'criterion cues: groups of {topic} need the factor "{rule.cue}" and another one'
        example = f'write [factors] in the topic: "she" = {{ {rule.cue} = "pronoun", sex = "female" }}'
        raise BvfError(f"{message}; they have {in_a_list(known or ('none',))}", f"{example}; or name it: cue=FACTOR")
    by = others[0]
    both = [(each.factors.get(rule.cue, ""), each.factors.get(by, "")) for each in groups]
    cues, levels = (tuple(dict.fromkeys(each[place] for each in both if all(each))) for place in (0, 1))
    for what, found in ((rule.cue, cues), (by, levels)):
        if len(found) < 2:
            message = f'criterion cues: groups of {topic} have one level of "{what}", {in_a_list(found or ("none",))}'
            raise BvfError(message, "cues are compared by two levels of each factor or more: name further groups")
    members = np.array([[[each == (cue, level) for each in both] for level in levels] for cue in cues])
    for k, place in np.argwhere(~members.any(axis=-1)).tolist():
        message = f'criterion cues: no group of {topic} has {rule.cue} "{cues[k]}" and {by} "{levels[place]}"'
        raise BvfError(message, "add such a group, or leave the cue or the level out: --groups names the others")
    return _Cells(by, cues, levels, members)


def _compared(common: Study, cells: _Cells, rule: CueRule) -> tuple[dict[str, Any], dict[str, dict[str, float]]]:
    """The fields that are figures: contrasts of cues, their differences, and one of each; and intervals of these."""
    read, level = common.predictions, common.choices.level
    shares = cells.shares(read.group_weights)
    contrasts, places = shares[:, :1] - shares[:, 1:], list(combinations(range(len(cells.cues)), 2))
    of_pairs = np.array([contrasts[k] - contrasts[j] for k, j in places])
    pairs = [(cells.cues[k], cells.cues[j]) for k, j in places]

    def estimated(weights: FloatArray) -> tuple[FloatArray, Units]:
        p, flat = (read.unclipped + read.apart)[..., rule.index], weights.reshape(-1, weights.shape[-1])
        return np.round(flat @ (p @ read.context_weights), 15), units_of(common, p, flat, (rule.cue, cells.by))

    mean, of_mean = estimated(contrasts.mean(axis=(0, 1)))
    differences, drawn = estimated(of_pairs)
    low, high, _ = difference_ends(mean, of_mean, level)
    ends = {"contrast": (low.item(), high.item()), "cue_difference": largest_ends(differences, drawn, level)}
    rows = _rows([(cue, "") for cue in cells.cues], cells.levels, *estimated(contrasts), level)
    fields = {
        "contrast": mean.item(),
        "cue_difference": float(np.abs(differences).max()),
        "contrasts": [row | more for row, more in zip(rows, _means(common, shares), strict=True)],
        "differences": _rows(pairs, cells.levels, differences, drawn, level),
    }
    return fields, {name: {"low": low, "high": high} for name, (low, high) in ends.items() if low <= high}


def _rows(
    names: Sequence[tuple[str, str]], levels: Sequence[str], values: FloatArray, units: Units, level: float
) -> list[dict[str, Any]]:
    """The fields of contrasts of these cues, or of these pairs, at each further level."""
    low, high, p = difference_ends(values, units, level)
    adjusted, known = np.full_like(p, np.nan), ~np.isnan(p)
    adjusted[known] = holm(p[known])
    rows = zip(product(names, levels[1:]), zip(values, low, high, p, adjusted, strict=True), strict=True)
    return [
        dict(zip(Contrast.model_fields, (*cues, levels[0], second, *map(number, each)), strict=False))
        for (cues, second), each in rows
    ]


def _means(common: Study, shares: FloatArray) -> Iterator[dict[str, Any]]:
    """The mean p of both levels and the risk of each contrast of a cue."""
    read = common.predictions
    p = shares @ np.einsum("xcy,c->xy", read.unclipped, read.context_weights)
    weights = (shares > 0).any(axis=1) * read.group_weights
    risks = common.in_these_contexts.risk.values(weights / weights.sum(axis=1, keepdims=True))[0]
    for (first, *others), R in zip(p.tolist(), risks.tolist(), strict=True):
        for second in others:
            both = {"p_first": first, "p_second": second}
            yield {"R": R, **{name: dict(zip(read.classes, each, strict=True)) for name, each in both.items()}}
