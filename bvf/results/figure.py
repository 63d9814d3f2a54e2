"""A finished run as a basis for decisions: its figures by name, their intervals, and what contexts add to each."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import numpy as np
from pydantic import BaseModel

from bvf.arrays import FloatArray
from bvf.domain.measurement import Asked, Measurement
from bvf.errors import BvfError, nearest
from bvf.hooks.loader import Plugins
from bvf.interfaces.analysis import Choices
from bvf.interfaces.criterion import Criterion
from bvf.measuring.folder import read_measurement
from bvf.results.computed import computed
from bvf.results.result import GroupResult, ResultBase
from bvf.stats.planning import Need, interval_reach
from bvf.stats.rare import WithOneMore
from bvf.stats.risk_intervals import SampledRisk
from bvf.stats.samples import ContextSample
from bvf.study.basis import basis_of
from bvf.study.choices import prepared
from bvf.study.config import AnalysisConfig
from bvf.study.decomposing import sampled_risk_of
from bvf.study.parts import Part, parts_of_risk
from bvf.study.sample import context_sample
from bvf.study.uncertainty import Interval

VOLATILITY = 2
"""Index of the rest of a risk, in the order: total, risk of the mean, rest."""
NOT_MEASURED = ("divisor", "chance")
"""Numbers of a result that do not depend on the model."""
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
        """Return the figure that ``R`` or ``r_bias[nurse]`` names.

        Raises:
            BvfError: It is no such name.
        """
        match = FIGURE.fullmatch(text.strip())
        if match is None:
            raise BvfError(f'"{text}" names no figure', "write R, R_bias or r_bias[nurse]")
        return cls(match[1], match[2] or "")


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
        holder = self._holder(figure)
        names = measured_in(holder)
        if figure.field not in names:
            raise BvfError(f'the result has no figure "{figure}"', nearest(figure.field, names))
        value = getattr(holder, figure.field)
        if value is None:
            raise BvfError(f"{figure} is undefined for this result", "its notes say why: see bvf show")
        return float(value)

    @property
    def asked(self) -> Asked:
        """The questions."""
        return self.measurement.record.asked

    @property
    def undefined(self) -> str:
        """Why no figure has an interval; empty: some have one."""
        why: str = self.result.uncertainty.undefined
        return why

    def ends(self, figure: Figure) -> tuple[float, float] | None:
        """Return the ends of the interval of a figure; None where it has none."""
        interval = self.interval(figure)
        return None if interval is None else (interval.low, interval.high)

    def interval(self, figure: Figure) -> Interval | None:
        """Return the interval of a figure; None where it has none."""
        holder = self._holder(figure)
        intervals = holder.intervals if figure.group else holder.uncertainty.intervals
        interval: Interval | None = intervals.get(figure.field)
        return interval

    def influence(self, figure: Figure) -> FloatArray | None:
        """Return how an occurrence of each context moves a figure, shape (C,); None where nobody knows."""
        if self.risk is None:
            return None
        names = [group.group for group in self.result.groups]
        return influence_of(self.risk, figure, names)

    def rare(self, figure: Figure) -> WithOneMore | None:
        """Return what rare contexts may do to a figure of volatility; None for other figures."""
        part_and_place = None if self.risk is None else part_of(self.risk, figure)
        if self.risk is None or part_and_place is None or part_and_place[1] != VOLATILITY:
            return None
        return part_and_place[0].sampled.rare(
            weights_for(self.risk, figure, [group.group for group in self.result.groups])
        )

    def need(self, figure: Figure, limit: float) -> Need | None:
        """Return how many contexts it takes until a limit is outside the interval, if the figure stays; None: unknown.

        Raises:
            BvfError: As `value`.
        """
        interval, influence = self.interval(figure), self.influence(figure)
        if interval is None or influence is None or self.sample is None:
            return None
        value = self.value(figure)
        ends = (interval.low, value, interval.high)
        return need_to_decide(self.sample, influence, ends, limit, self.choices.level, self.rare(figure))

    def _holder(self, figure: Figure) -> Any:
        if not figure.group:
            return self.result
        groups = {group.group: group for group in self.result.groups}
        if figure.group not in groups:
            raise BvfError(f'the result has no group "{figure.group}"', nearest(figure.group, list(groups)))
        return groups[figure.group]


def pilot(folder: Path | str, config: AnalysisConfig, plugins: Plugins, preferred: Sequence[str] = ()) -> Pilot:
    """Return a finished run with its figures; results that lie in the folder change nothing.

    Args:
        folder: Of the run.
        config: How it is analysed.
        plugins: Where criteria and analyses are looked up.
        preferred: Plugins whose criterion is used where the user names none.

    Raises:
        BvfError: There is no finished run, or the choices do not fit it.
    """
    measurement = read_measurement(folder, words=bool(config.words))
    analysis, choices = prepared(config, measurement.record.asked, plugins, preferred=preferred)
    result = computed(analysis, measurement, choices)
    if result.uncertainty.undefined or not isinstance(choices.criterion, Criterion):
        return Pilot(measurement, config, choices, result, None, None)
    sample = context_sample(measurement, choices)
    risk = sampled_risk_of(basis_of(measurement, choices), choices, sample)
    return Pilot(measurement, config, choices, result, sample, risk)


def measured_in(holder: BaseModel) -> list[str]:
    """Return the names of the figures of the model in a result, or in a group of it: those that may have a limit."""
    common = GroupResult if isinstance(holder, GroupResult) else ResultBase
    return [
        name
        for name, field in type(holder).model_fields.items()
        if float in (field.annotation, *get_args(field.annotation))
        and name not in common.model_fields
        and name not in NOT_MEASURED
    ]


def capped(contexts: int | None, asked: Asked) -> int | None:
    """Return a number of contexts to be drawn, at most the number of all contexts."""
    return None if contexts is None else min(contexts, len(asked.templates))


def influence_of(risk: SampledRisk, figure: Figure, groups: list[str]) -> FloatArray | None:
    """Return how an occurrence of each context moves a figure, shape (C,); None where the risk has no such figure.

    Args:
        risk: What contexts add.
        figure: Of all groups together, or of one of them.
        groups: X, their names.
    """
    part_and_place = part_of(risk, figure)
    if part_and_place is None:
        return None
    part, place = part_and_place
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
    """Return the weight of each group in a figure, shape (X,)."""
    return np.eye(len(groups))[groups.index(figure.group)] if figure.group else risk.group_weights


def need_to_decide(
    sample: ContextSample,
    influence: FloatArray,
    interval: tuple[float, float, float],
    limit: float,
    level: float,
    rare: WithOneMore | None = None,
) -> Need:
    """Return how many contexts it takes until a limit is outside an interval, if the figure stays as it is.

    Args:
        sample: The contexts.
        influence: Of each context on the figure, shape (C,).
        interval: Its lower end, the figure, its upper end.
        limit: The limit that is to be told apart from the figure.
        level: Of the interval.
        rare: What rare contexts may do to it, where its upper end knows of them.
    """
    low, value, high = interval
    above, below = high - value, value - low
    towards = above if value < limit or low <= 0.0 < above else below  # the end was cut off at 0
    return interval_reach(sample, influence, towards, level, rare).needed(abs(value - limit))
