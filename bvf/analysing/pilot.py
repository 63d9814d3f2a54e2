"""A finished run as a basis for decisions: its figures by name, their intervals, and what contexts add to each."""

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from bvf.analysing.basis import basis_of
from bvf.analysing.choices import prepared
from bvf.analysing.config import AnalysisConfig, checked_analysis
from bvf.analysing.kept import RESULT, read_result
from bvf.analysing.result import Interval, KnowledgeResult, Result, ResultBase
from bvf.analysing.risk import reference_of
from bvf.analysing.risk_intervals import parts_of_risk
from bvf.analysing.run import analyse
from bvf.analysing.sampling import Part, context_sample
from bvf.arrays import FloatArray
from bvf.domain.measurement import Measurement
from bvf.errors import BvfError, nearest
from bvf.files.parsing import is_file
from bvf.hooks.loader import Plugins
from bvf.interfaces.analysis import Choices
from bvf.interfaces.criterion import Criterion
from bvf.measuring.folder import read_measurement
from bvf.stats.planning import Need, interval_reach
from bvf.stats.risk_intervals import SampledRisk, sampled_risk
from bvf.stats.samples import ContextSample

AS_CHOSEN = ("criterion", "reference", "group_weights", "margin")
FIGURE = re.compile(r"(\w+)(?:\[(.+)\])?")


@dataclass(frozen=True)
class Figure:
    """A number that a result has.

    Args:
        field: Its name, as in ``result.json``.
        group: Of this group; empty: of the result.
    """

    field: str
    group: str = ""

    def __str__(self) -> str:
        return f"{self.field}[{self.group}]" if self.group else self.field

    @classmethod
    def named(cls, text: str) -> "Figure":
        """Return what ``R`` or ``r_bias[nurse]`` names.

        Raises:
            BvfError: It is no such name.
        """
        found = FIGURE.fullmatch(text.strip())
        if found is None:
            raise BvfError(f'"{text}" names no figure', "write R, R_bias or r_bias[nurse]")
        return cls(found[1], found[2] or "")


@dataclass(frozen=True)
class Pilot:
    """A run and its figures, analysed again; nothing is stored.

    Args:
        measurement: What was asked and answered.
        config: How it is analysed.
        choices: The same with every name looked up.
        result: With intervals where there are any.
        sample: What the contexts are a sample of; None where there is no interval, and for knowledge.
        risk: What contexts add to the figures; likewise.
    """

    measurement: Measurement
    config: AnalysisConfig
    choices: Choices
    result: Any
    sample: ContextSample | None
    risk: SampledRisk | None

    def value(self, figure: Figure) -> float:
        """Return a figure.

        Raises:
            BvfError: The result has no such figure, or it is undefined there.
        """
        found = self._holder(figure)
        names = [name for name, value in found if isinstance(value, float | None) and name != "weight"]
        if figure.field not in names:
            raise BvfError(f'the result has no figure "{figure}"', nearest(figure.field, names))
        value = getattr(found, figure.field)
        if value is None:
            raise BvfError(f"{figure} is undefined for this result", "its notes say why: see bvf show")
        return float(value)

    def interval(self, figure: Figure) -> Interval | None:
        """Return the interval of a figure; None where it has none."""
        holder = self._holder(figure)
        intervals = holder.intervals if figure.group else holder.uncertainty.intervals
        found: Interval | None = intervals.get(figure.field)
        return found

    def influence(self, figure: Figure) -> FloatArray | None:
        """Return how an occurrence of each context moves a figure, shape (C,); None where nobody knows."""
        if self.risk is None:
            return None
        names = [group.group for group in self.result.groups]
        return influence_of(self.risk, figure, names)

    def need(self, figure: Figure, limit: float) -> Need | None:
        """Return what it takes that a limit is outside the interval of a figure that stays as it is; None: not known.

        Raises:
            BvfError: As `value`.
        """
        interval, influence = self.interval(figure), self.influence(figure)
        if interval is None or influence is None or self.sample is None:
            return None
        value = self.value(figure)
        return need_to_decide(self.sample, influence, (interval.low, value, interval.high), limit, self.choices.level)

    def _holder(self, figure: Figure) -> Any:
        if not figure.group:
            return self.result
        groups = {group.group: group for group in self.result.groups}
        if figure.group not in groups:
            raise BvfError(f'the result has no group "{figure.group}"', nearest(figure.group, list(groups)))
        return groups[figure.group]


def pilot(folder: Path | str, config: AnalysisConfig | None, plugins: Plugins) -> Pilot:
    """Return a finished run with the figures that `bvf show` prints, or with those of other choices.

    Args:
        folder: Of the run.
        config: Choices in the place of those of the newest result in the folder.
        plugins: Where criteria and analyses are looked up.

    Raises:
        BvfError: There is no finished run, or the choices do not fit it.
    """
    measurement = read_measurement(folder)
    given = config.model_dump(exclude_unset=True) if config else {}
    newest = read_result(folder, plugins) if is_file(Path(folder) / RESULT) else None
    chosen = checked_analysis({**(_choices_of(newest, measurement) if newest else {}), **given}, str(folder))
    if chosen.words:
        measurement = read_measurement(folder, words=True)
    result = analyse(replace(measurement, folder=None), chosen, plugins=plugins)
    _, choices = prepared(chosen, measurement.record.asked, plugins)
    if result.uncertainty.undefined or not isinstance(result, Result):
        return Pilot(measurement, chosen, choices, result, None, None)
    sample = context_sample(measurement, choices)
    return Pilot(measurement, chosen, choices, result, sample, _sampled(measurement, choices, sample))


def influence_of(risk: SampledRisk, figure: Figure, groups: list[str]) -> FloatArray | None:
    """Return how an occurrence of each context moves a figure, shape (C,); None where the risk has no such figure.

    Args:
        risk: What contexts add.
        figure: Of all groups together, or of one of them.
        groups: X, their names.
    """
    found = part_of(risk, figure)
    if found is None:
        return None
    part, place = found
    influence: FloatArray = weights_for(risk, figure, groups) @ part.sampled.influences[place]
    return influence


def part_of(risk: SampledRisk, figure: Figure) -> tuple[Part, int] | None:
    """Return the part of a risk that a figure is of, and its place: total, mean, rest."""
    for part in parts_of_risk(risk):
        names = part.of_group if figure.group else part.names
        if names is not None and figure.field in names:
            return part, names.index(figure.field)
    return None


def weights_for(risk: SampledRisk, figure: Figure, groups: list[str]) -> FloatArray:
    """Return what each group counts for a figure, shape (X,)."""
    return np.eye(len(groups))[groups.index(figure.group)] if figure.group else risk.group_weights


def need_to_decide(
    sample: ContextSample, influence: FloatArray, interval: tuple[float, float, float], limit: float, level: float
) -> Need:
    """Return what it takes that a limit is outside an interval, if the figure stays as it is.

    Args:
        sample: The contexts.
        influence: Of each context on the figure, shape (C,).
        interval: Its lower end, the figure, its upper end.
        limit: That is to be told from the figure.
        level: Of the interval.
    """
    low, value, high = interval
    above, below = high - value, value - low
    towards = above if value < limit or low <= 0.0 < above else below  # an end at 0 was cut
    return interval_reach(sample, influence, towards, level).needed(abs(value - limit))


def _choices_of(result: ResultBase, measurement: Measurement) -> dict[str, Any]:
    """The choices that a result was made by."""
    chosen: dict[str, Any] = {name: getattr(result, name) for name in AS_CHOSEN}
    asked = {attribute.name: set(attribute.words) for attribute in measurement.record.asked.attributes}
    if {name: set(words) for name, words in result.words.items()} != asked:
        chosen["words"] = result.words
    if isinstance(result, Result):
        chosen["scale"] = result.scale
    if isinstance(result, KnowledgeResult):
        chosen |= {"distractors": result.distractors, "seed": result.seed}
    if result.uncertainty.unit:
        chosen["unit"] = result.uncertainty.unit
    return {**chosen, "level": result.uncertainty.level}


def _sampled(measurement: Measurement, choices: Choices, sample: ContextSample) -> SampledRisk | None:
    if not isinstance(choices.criterion, Criterion):
        return None
    basis = basis_of(measurement, choices)
    return sampled_risk(
        basis.probabilities,
        choices.criterion,
        sample,
        group_weights=basis.group_weights,
        reference=reference_of(basis),
        scale=choices.scale,
    )
