"""Compares runs in two languages by concept: groups that mean the same occupation, such as nurse and enfermera."""

from collections.abc import Sequence
from dataclasses import replace
from math import hypot
from os import PathLike
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
from pydantic import Field

from bvf import AnalysisConfig, BvfError, Measurement, Section, Study, load
from bvf.domain import Finite, Level, Record
from bvf.hooks import Plugins
from bvf.results import LEAN, Figure, Figures, FoundRuns, OrderAgreement, in_title
from bvf.stats import RankAgreement
from bvf.study import prepared, warnings_of
from bvf.tables import Column, Finding, between, decimals, p_value, percent, some_of, symbol, table, warned

if TYPE_CHECKING:
    import pandas as pd

MEANT = "numbers: the lean of a concept less the mean lean of all concepts; Kendall: 1 for the same order in both"
LIMITS = (
    "each language asks in its own sentences and words, and grammar asks another thing in each: compare which concepts "
    "are set apart, and take no difference of R for one of bias"
)


class LanguageRisk(Record):
    """R of the run in one language, in the concepts that both ask about, each with the same weight."""

    language: str
    topic: str
    model: str
    to: str = Field(description="The class of the leans")
    R: Finite
    low: Finite | None
    high: Finite | None


class ConceptLean(Record):
    """How far two languages set a concept apart: its lean to a class, E_c[p / p* - 1], less the mean over concepts."""

    concept: str
    groups: tuple[str, str] = Field(description="By language; several count with their mean")
    leans: tuple[Finite, Finite] = Field(description="By language")
    difference: Finite = Field(description="Of the first language less the second")
    low: Finite | None = Field(description="Lower end of its interval; null: contexts of a language are no sample")
    high: Finite | None


class LanguageComparison(Finding):
    """Runs in two languages in the concepts that both ask about."""

    tables: ClassVar[str] = "bvf_insights.languages:sections"
    row_fields: ClassVar[tuple[str, ...]] = ("leans", "risks")
    schema_: Literal["bvf.languages/1"] = Field("bvf.languages/1", alias="schema")
    criterion: str
    scale: str
    reference: str
    level: Level
    warnings: tuple[str, ...] = Field((), description="What makes figures doubtful, each begins with the language")
    risks: tuple[LanguageRisk, LanguageRisk]
    order: OrderAgreement | None = Field(description="By lean; null: a language does not set the concepts apart")
    leans: tuple[ConceptLean, ...] = Field(description="The largest difference first")

    def to_frame(self) -> "pd.DataFrame":
        """Return a data frame with a row per concept; groups and leans of *en* are in ``groups_en`` and ``lean_en``."""
        import pandas as pd

        names = [f"{name}_{each.language}" for name in ("groups", "lean") for each in self.risks]
        both = [dict(zip(names, (*each.groups, *each.leans), strict=True)) for each in self.leans]
        rows = [
            {**each.model_dump(exclude={"groups", "leans"}), **its} for each, its in zip(self.leans, both, strict=True)
        ]
        return pd.DataFrame(rows)


def compare_languages(
    runs: Sequence[PathLike[str] | str | Measurement],
    config: AnalysisConfig,
    plugins: Plugins | None = None,
    preferred: Sequence[str] = (),
) -> LanguageComparison:
    """Compare two runs in two languages, in the concepts that both ask about.

    Leans are to the first class that has one name in both; if no name is shared, to the first class of each.

    Raises:
        BvfError: There are not two languages, they share too few concepts, or their classes do not correspond.
    """
    available, found = plugins or load(), FoundRuns.among(runs)
    config = found.choices_in_common(config, available)
    measured = found.measurements(words=bool(config.words))
    languages = [each.record.asked.language for each in measured]
    if len(languages) != 2 or len(set(languages)) != 2:
        raise BvfError(f"--by language: the runs are in {', '.join(languages)}", "name two runs in two languages")
    named = [_concepts(each, available) for each in measured]
    shared = [concept for concept in named[0] if concept in named[1]]
    if len(shared) < RankAgreement.FEWEST:
        both, fewest = " and ".join(each.run_name for each in measured), RankAgreement.FEWEST
        message = f"{both} share {len(shared)} concepts; {fewest} are needed"
        raise BvfError(message, 'ask about more groups, or write [factors] in a topic: nurse = { concept = "nurse" }')
    chosen = [prepared(config, each.record.asked, available, preferred=preferred) for each in measured]
    answered = [{*Study.of(each, its).predictions.group_names} for each, (_, its) in zip(measured, chosen, strict=True)]
    shared = [name for name in shared if all(its & {*of[name]} for its, of in zip(answered, named, strict=True))]
    sides = list[Figures]()
    for measurement, groups, (analysis, choices) in zip(measured, named, chosen, strict=True):
        weight_of = {name: 1.0 / len(groups[concept]) for concept in shared for name in groups[concept]}
        sides.append(Figures(Study.of(measurement, replace(choices, weight_of=weight_of)), analysis))
    risks = [_risk(*each) for each in zip(sides, _classes(sides), strict=True)]
    leans = _leans(sides, named, shared, [each.to for each in risks])
    return LanguageComparison(
        criterion=choices.criterion_name,
        scale=choices.scale,
        reference=choices.reference,
        level=choices.level,
        warnings=tuple(f"{each.record.asked.language}: {why}" for each in measured for why in warnings_of(each)),
        risks=(risks[0], risks[1]),
        order=_order(leans, risks, choices.level),
        leans=tuple(leans),
    )


def _concepts(measurement: Measurement, plugins: Plugins) -> dict[str, list[str]]:
    """The groups of each concept: a group's is its factor ``concept``, or else what the language says."""
    listed = plugins.languages.make(measurement.record.asked.language).concepts()
    of_group, found = {name: concept for concept, names in listed.items() for name in names}, dict[str, list[str]]()
    for group in measurement.record.asked.groups:
        if concept := group.factors.get("concept", of_group.get(group.name, "")):
            found.setdefault(concept, []).append(group.name)
    return found


def _classes(sides: Sequence[Figures]) -> tuple[str, str]:
    first, second = (side.study.predictions.classes for side in sides)
    if named := [name for name in first if name in second]:
        return named[0], named[0]
    if len(first) != len(second):
        message = f"no class of {', '.join(first)} is one of {', '.join(second)}"
        raise BvfError(message, "compare topics of the same classes")
    return first[0], second[0]


def _risk(side: Figures, to: str) -> LanguageRisk:
    asked, (low, high) = side.asked, side.ends(Figure("R")) or (None, None)
    names = {"language": asked.language, "topic": asked.topic, "model": side.study.measurement.record.model.name}
    return LanguageRisk(**names, to=to, R=side.value(Figure("R")), low=low, high=high)


def _leans(
    sides: Sequence[Figures], named: Sequence[dict[str, list[str]]], shared: Sequence[str], classes: Sequence[str]
) -> list[ConceptLean]:
    """How far both languages set each concept apart, the largest difference first."""
    of_sides, found = [side.study.lean(to) for side, to in zip(sides, classes, strict=True)], []
    for concept in shared:
        leans, ends = list[float](), list[tuple[float, float]]()
        for side, groups, (values, influence) in zip(sides, named, of_sides, strict=True):
            read = side.study.predictions
            of_concept = np.isin(read.group_names, groups[concept]) * read.group_weights
            pull = of_concept / of_concept.sum() - read.group_weights
            leans.append(float(pull @ values))
            if read.sample is not None:
                level = side.study.choices.level
                ends.append(read.sample.ends(leans[-1], pull @ influence, level))
        (one, other), low, high = leans, None, None
        if len(ends) == 2:  # of two independent estimates: Zou and Donner 2008
            low = one - other - hypot(one - ends[0][0], ends[1][1] - other)
            high = one - other + hypot(ends[0][1] - one, other - ends[1][0])
        names = tuple(", ".join(groups[concept]) for groups in named)
        row = {"concept": concept, "groups": names, "leans": leans, "difference": one - other, "low": low, "high": high}
        found.append(ConceptLean.model_validate(row))
    return sorted(found, key=lambda each: -abs(each.difference))


def _order(leans: Sequence[ConceptLean], risks: Sequence[LanguageRisk], level: float) -> OrderAgreement | None:
    one, other = np.round([each.leans for each in leans], RankAgreement.DECIMALS).T
    if not np.ptp(one) or not np.ptp(other):
        return None
    found, (first, second) = RankAgreement.of(one, other, level), (each.language for each in risks)
    said = {"kendall": found.kendall, "low": found.low, "high": found.high, "p_value": found.p_value, "level": level}
    return OrderAgreement(first=first, second=second, figure=f"{LEAN} {risks[0].to}", **said)


def sections(found: LanguageComparison, show: int = 8) -> list[Section]:
    """Return a table of the ``show`` concepts that differ most (0: all), below R and whether both orders agree."""
    columns: tuple[Column[ConceptLean], ...] = (
        Column("concept", lambda each: each.concept),
        Column(found.risks[0].language, lambda each: decimals(each.leans[0], places=3)[0]),
        Column(found.risks[1].language, lambda each: decimals(each.leans[1], places=3)[0]),
        Column("difference", lambda each: decimals(each.difference, places=3)[0]),
        Column(f"{percent(found.level)} interval", lambda each: between(each.low, each.high, 3), optional=True),
        Column("groups", lambda each: "; ".join(each.groups), spare=True),
    )
    shown, order = found.leans[: show or None], found.order
    both = " and ".join(f"{each.to} ({each.language})" for each in found.risks)
    said = [
        f"{symbol('R')} of {each.language} ({each.topic}, {each.model}) {_ends(each.R, each)}" for each in found.risks
    ]
    agree = order and f"Kendall {_ends(order.kendall, order)}, p {p_value(order.p_value)}"
    said.append(agree or "a language does not set the concepts apart")
    title = f"Concepts that differ most: {LEAN} {both}, {in_title(found)}{some_of(len(shown), len(found.leans))}"
    notes, warnings = [MEANT, LIMITS], warned(found.warnings)
    return [table(title, columns, shown, subtitle=said, notes=notes, warnings=warnings)]


def _ends(value: float, each: LanguageRisk | OrderAgreement) -> str:
    return f"{value:.2f} ({between(each.low, each.high, 2) or 'no interval'})"
