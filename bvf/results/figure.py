"""Figures (numbers in results, such as R) by name, their intervals, and the influence of contexts on them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import NoneType
from typing import Any, Self

import numpy as np
from pydantic import BaseModel, ValidationError

from bvf.arrays import FloatArray
from bvf.domain.asked import Asked
from bvf.domain.measurement import Measurement
from bvf.domain.numbers import types_in
from bvf.drawing.marks import Value
from bvf.errors import BvfError, nearest
from bvf.hooks.loader import Plugins
from bvf.interfaces.analysis import Choices
from bvf.measuring.folder import read_measurement
from bvf.results.restore import choices_of
from bvf.results.result import GroupResult, ResultBase
from bvf.results.store import analysis_of
from bvf.results.unknown import refuse_missing
from bvf.results.which import chosen_in
from bvf.stats.comparing.planning import Need, need_to_decide
from bvf.stats.sampling.samples import ContextSample, WithOneMore
from bvf.study.analysis import Analysis
from bvf.study.choices import prepared
from bvf.study.config import AnalysisConfig
from bvf.study.study import BIAS, VOLATILITY, Averages, Study
from bvf.study.uncertainty import Interval, Uncertainty, uncertainty_of

NOT_MEASURED = ("divisor", "particular_divisor", "chance")
"""Numbers of a result that do not depend on the model."""
FIGURE = re.compile(r"(\w+)(?:\[(.+)\])?")
ROUNDING = 1e-9
"""An end of an interval that exceeds a limit by less than this counts as within it."""


@dataclass(frozen=True)
class Figure:
    """The name of a number in ``result.json``: a field of the result, or of one of its groups."""

    field: str
    group: str = ""  # or a class, or both: nurse:male

    def __str__(self) -> str:
        return f"{self.field}[{self.group}]" if self.group else self.field

    @classmethod
    def named(cls, text: str) -> "Figure":
        """Parse the name of a figure: ``R``, ``r_bias[nurse]``, ``default[male]`` or ``association[nurse:male]``.

        Raises:
            BvfError: The text is not the name of a figure.
        """
        match = FIGURE.fullmatch(text.strip())
        if match is None:
            raise BvfError(f'"{text}" names no figure', "write R, R_bias or r_bias[nurse]")
        return cls(match[1], match[2] or "")


def computed(analysis: Analysis[Any], measurement: Measurement, choices: Choices) -> Any:
    """Compute the result of an analysis of a measurement, including intervals. The result is not stored.

    Raises:
        BvfError: The analysis is undefined for these probabilities, or a figure is infinite or NaN (not valid in JSON).
    """
    try:
        with np.errstate(invalid="ignore", over="ignore"):
            return analysis.run(measurement, choices)
    except ValidationError as error:
        first = error.errors()[0]
        if first["type"] != "finite_number":
            raise
        figure = ".".join(map(str, first["loc"]))
        raise BvfError(
            f"the criterion {choices.criterion_name} gives {first['input']} as {figure}",
            "choose another criterion; what is scored is kept",
        ) from error


@dataclass(frozen=True, eq=False)
class Figures:
    """Figures (numbers such as R) of an analysis, their intervals, and the influence of contexts on them."""

    study: Study
    analysis: Analysis[Any]
    stored: ResultBase | None = None
    """The result of this analysis of this study, if it has been computed before."""

    @classmethod
    def of_run(
        cls, folder: Path | str, config: AnalysisConfig, plugins: Plugins, preferred: Sequence[str] = ()
    ) -> Self:
        """Return the figures of the finished run in a folder, computed from its stored probabilities.

        Choices of analysis that ``config`` lacks are those of the run; if it has none, p* and weights are the stored
        ones. If it names no criterion, one that the ``preferred`` plugins offer is used.

        Raises:
            BvfError: There is no finished run, or the choices of the analysis do not fit it.
        """
        chosen = chosen_in(folder, config, plugins)
        measurement = read_measurement(folder, words=bool(chosen.config.words))
        asked = measurement.record.asked
        if chosen.stored is not None:
            refuse_missing(chosen.stored, plugins)
            study = Study.of(measurement, choices_of(chosen.stored, asked, plugins))
            return cls(study, analysis_of(chosen.stored, plugins))
        analysis, choices = prepared(chosen.config, asked, plugins, preferred=preferred)
        return cls(Study.of(measurement, choices), analysis)

    @cached_property
    def result(self) -> Any:
        """The result of the analysis.

        Raises:
            BvfError: The analysis is undefined for the probabilities of the study.
        """
        return self.stored or computed(self.analysis, self.study.measurement, self.study.choices)

    @property
    def asked(self) -> Asked:
        """The questions of the measurement: groups, contexts, classes and words."""
        return self.study.measurement.record.asked

    @property
    def uncertainty(self) -> Uncertainty:
        """Population, sampling unit and sample size of the contexts, without intervals."""
        return uncertainty_of(self.study.measurement, self.study.choices)

    @property
    def sample(self) -> ContextSample | None:
        """The contexts as a random sample of their source; None if they are not, so that no figure has an interval."""
        return self.study.sample if self.averages else None

    @property
    def undefined(self) -> str:
        """Why the contexts are not a random sample, so that there are no intervals; empty if they are."""
        return self.study.undefined

    @cached_property
    def averages(self) -> Sequence[Averages]:
        """The figures that have intervals, as averages over contexts; empty if contexts are not a random sample."""
        return () if self.study.sample is None else self.analysis.sampled(self.study, self.study.sample)

    def averaged(self, *, of_group: bool = False) -> list[str]:
        """Return the names of figures that are averages over contexts. They are of the result, or of its groups.

        If the analysis declares no averages, return all figures that have a value.
        """
        averages = self._in_these_contexts
        if not averages:
            holder = self.result.groups[0] if of_group else self.result
            return [name for name in measured_in(holder) if getattr(holder, name) is not None]
        names = (each.of_group if of_group else each.names for each in averages)
        return [name for each in names if each is not None for name in each if name]

    def value_of_average(self, figure: Figure) -> float:
        """Return the same number as `value`, but faster for an average over contexts: no other figure is computed."""
        found = _average_of(self._in_these_contexts, figure)
        if found is None:
            return self.value(figure)
        average, place = found
        return float(average.sampled.values(self.weights(figure))[place])

    @cached_property
    def _in_these_contexts(self) -> Sequence[Averages]:
        """The figures that are averages over contexts.

        Unlike `averages`, it does not require contexts to be a random sample.
        """
        weights = self.study.predictions.context_weights
        return self.averages or self.analysis.sampled(self.study, ContextSample(weights, "template"))

    def value(self, figure: Figure) -> float:
        """Return the value of a figure in the result.

        Raises:
            BvfError: The result has no such figure, or its value is undefined.
        """
        if of_class := self._of_class(figure):
            return of_class[0]
        holder = self._holder(figure)
        names = measured_in(holder)
        if figure.field not in names:
            raise BvfError(f'the result has no figure "{figure}"', nearest(figure.field, names))
        value = getattr(holder, figure.field)
        if value is None:
            start = f"{figure}[" if not figure.group else f"{str(figure)[:-1]}:"
            named = next((name for name in self._of_classes if name.startswith(start)), "")
            hint = f"name a class: {named}" if named else "its notes say why: see bvf show"
            raise BvfError(f"{figure} is undefined for this result", hint)
        return float(value)

    def ends(self, figure: Figure) -> tuple[float, float] | None:
        """Return the lower and the upper end of the interval of a figure; None if it has no interval."""
        interval = self.interval(figure)
        return None if interval is None else (interval.low, interval.high)

    def interval(self, figure: Figure) -> Interval | None:
        """Return the interval of a figure; None if it has no interval."""
        if of_class := self._of_class(figure):
            return of_class[1]
        holder = self._holder(figure)
        intervals = holder.intervals if figure.group else holder.uncertainty.intervals
        interval: Interval | None = intervals.get(figure.field)
        return interval

    def average(self, figure: Figure) -> tuple[Averages, int] | None:
        """Return the `Averages` of a figure, and its index there (2: volatility); None if it has none."""
        return _average_of(self.averages, figure)

    def excess(self, figure: Figure) -> float:
        """Return by how much noise of sampled answers may have raised a figure, whatever the number of contexts."""
        found = self.average(figure)
        if found is None or found[1] == BIAS:
            return 0.0
        return float(found[0].sampled.excess(self.weights(figure)))

    def weights(self, figure: Figure) -> FloatArray:
        """Return the weight of each group in a figure, shape (X,). In a figure of one group, other groups have 0."""
        predictions = self.study.predictions
        if not figure.group:
            return predictions.group_weights
        weights = np.zeros(len(predictions.groups))
        weights[predictions.group_names.index(figure.group)] = 1.0
        return weights

    def influence(self, figure: Figure) -> FloatArray | None:
        """Return the influence of an occurrence of each context on a figure, (C,); None without an interval."""
        found = self.average(figure)
        if found is None:
            return None
        average, place = found
        return self.weights(figure) @ average.sampled.influences[place]

    def rare(self, figure: Figure) -> WithOneMore | None:
        """Return a volatility figure with a rare context added (`WithOneMore`); None for other figures."""
        found = self.average(figure)
        if found is None or found[1] != VOLATILITY:
            return None
        return found[0].sampled.rare(self.weights(figure))

    def need(self, figure: Figure, limit: float) -> Need | None:
        """Return how many contexts make the interval exclude ``limit``, for the same figure; None if unknown."""
        interval, influence = self.interval(figure), self.influence(figure)
        if interval is None or influence is None or self.sample is None:
            return None
        value = self.value(figure)
        middle = value if interval.cross_fit is None else (value + interval.cross_fit) / 2.0
        noise = self.excess(figure) / 2.0  # no number of contexts shows where in the middle the figure is
        ends = (interval.low, min(max(limit, middle - noise), middle + noise), interval.high)
        return need_to_decide(self.sample, influence, ends, limit, self.study.choices.level, self.rare(figure))

    @cached_property
    def _of_classes(self) -> Mapping[str, tuple[float, Interval | None]]:
        of_classes: Mapping[str, tuple[float, Interval | None]] = self.result.of_classes
        return of_classes

    def _of_class(self, figure: Figure) -> tuple[float, Interval | None] | None:
        """The value and the interval of a figure of one class; None: the figure is of all classes."""
        names = [name for name in self._of_classes if name.startswith(f"{figure.field}[")]
        if not (figure.group and names) or str(figure) in names:
            return self._of_classes.get(str(figure))
        groups = {str(Figure(figure.field, each.group)): each for each in self.result.groups}
        of_groups = {name: getattr(each, figure.field) for name, each in groups.items() if hasattr(each, figure.field)}
        if str(figure) in of_groups:
            return None
        names += [name for name, value in of_groups.items() if value is not None]
        raise BvfError(f'the result has no figure "{figure}"', nearest(str(figure), names))

    def _holder(self, figure: Figure) -> Any:
        if not figure.group:
            return self.result
        groups = {group.group: group for group in self.result.groups}
        if figure.group not in groups:
            raise BvfError(f'the result has no group "{figure.group}"', nearest(figure.group, list(groups)))
        return groups[figure.group]


def measured_in(holder: BaseModel) -> list[str]:
    """Return the names of a result's (or group's) numeric fields that depend on the model."""
    common = GroupResult if isinstance(holder, GroupResult) else ResultBase
    return [
        name
        for name, field in type(holder).model_fields.items()
        if float in (kinds := types_in(field.annotation)) and kinds <= {float, NoneType}
        if name not in common.model_fields and name not in NOT_MEASURED
    ]


def _average_of(averages: Sequence[Averages], figure: Figure) -> tuple[Averages, int] | None:
    for each in averages:
        names = each.of_group if figure.group else each.names
        if names is not None and figure.field in names:
            return each, names.index(figure.field)
    return None


def is_within(low: float, high: float, limit: float) -> bool | None:
    """Return whether the whole interval is at most ``limit``; None if it contains the limit.

    >>> is_within(0.01, 0.04, 0.05), is_within(0.06, 0.2, 0.05), is_within(0.01, 0.2, 0.05)
    (True, False, None)
    """
    if high <= limit + ROUNDING:
        return True
    return False if low > limit + ROUNDING else None


def value_of(holder: ResultBase | GroupResult, name: str) -> Value:
    """Return a numeric field of a result or group, and its interval if any, as a `Value`."""
    intervals = holder.uncertainty.intervals if isinstance(holder, ResultBase) else holder.intervals
    value, interval = float(getattr(holder, name)), intervals.get(name)
    return Value(value) if interval is None else Value(value, interval.low, interval.high)
