"""What a model says of neutral subjects, what a group adds, what a context says, and the rest of its predictions."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
from pydantic import Field

from bvf.arrays import FloatArray
from bvf.domain.numbers import Amount, Count, Finite, Record
from bvf.errors import BvfError
from bvf.interfaces.section import Section
from bvf.results.contribution import NOTHING, Contribution
from bvf.results.intervals import Intervals
from bvf.results.result import number
from bvf.stats.figures.probabilities import mean_probabilities
from bvf.stats.sampling.lean_parts import LeanParts, mean_of_groups
from bvf.study.reference import NeutralAnswers, neutral_answers, were_asked
from bvf.study.study import Study
from bvf.study.uncertainty import Interval
from bvf.tables.columns import Column, table
from bvf.tables.words import decimals, in_a_list, percent, points

OF_NEUTRAL = (
    *("parts_of_lean", "default", "mean_association", "association_spread", "context_spread", "rest_spread"),
    *("association", "associations", "from_mean"),
)
"""The fields of a result and of its groups that are null where neutral subjects were not asked."""
NOT_COMPUTED = "parts of the lean not computed: "
"""How a note begins that says why answers for neutral subjects, which were asked, cannot be used."""
ROUNDED = 6
"""Decimals of an association; without it one of -1e-17 would be printed as -0.0."""
LEGEND = (
    "In points of probability. In each group and context, p = default + what the context adds for neutral subjects + "
    "association of the group + rest. Spreads are standard deviations, and do not add up."
)


LEGEND_OF_GROUPS = (
    "In points of probability. In each group and context, p = mean of the groups + what the context adds for all + "
    "what the group adds + rest. Spreads are standard deviations, and do not add up."
)
NO_NEUTRAL = (
    "This topic has no neutral subjects: what contexts add is the mean of the groups in each, less that of all "
    "contexts."
)


class Part(Record):
    """A figure on the scale of probabilities, 0 to 1, and the ends of its interval over contexts."""

    value: Finite
    low: Finite | None = Field(None, description="null: contexts are no sample")
    high: Finite | None = Field(None, description="null: contexts are no sample")

    @classmethod
    def of(cls, value: float, ends: Interval | None = None) -> "Part":
        """Return the part of a value and, if it has one, its interval."""
        return cls(value=value, low=ends.low if ends else None, high=ends.high if ends else None)

    @property
    def interval(self) -> Interval | None:
        """Its interval; None if it has none."""
        return None if self.low is None or self.high is None else Interval(low=self.low, high=self.high)

    def widened(self, times: float) -> "Part":
        """Return the figure, of -1 to 1, with an interval that reaches so many times as far to both sides."""
        if self.low is None or self.high is None:
            return self
        low, high = (self.value + times * (end - self.value) for end in (self.low, self.high))
        return Part(value=self.value, low=max(low, -1.0), high=min(high, 1.0))

    def ends(self, text: Callable[[float], str]) -> str:
        """Return the interval, each end as ``text`` writes it; empty if there is none."""
        return "" if self.low is None or self.high is None else f"{text(self.low)} to {text(self.high)}"


class PartsOfClass(Record):
    """The levels of one class: of neutral subjects, of groups, and what lies between them."""

    name: str
    default: Part = Field(description="Mean probability for neutral subjects")
    groups: Part = Field(description="Mean probability over groups")
    association: Part = Field(description="Mean association of groups: their mean less the default, paired by context")


class PartsOfLean(Record):
    """The parts of p(y | x, c): the default, what a context adds, what a group adds, and the rest.

    Spreads are standard deviations, of more than two classes the root mean square over them. Over contexts that are a
    sample they are those of its source: the noise that is due to the sample is taken out.
    """

    neutral: Literal["subjects", "groups"] = Field(
        "subjects",
        description="What stands for n: neutral subjects or, if the topic names none, the mean of groups in a context",
    )
    subjects: dict[str, dict[str, Finite | None]] = Field(
        description="Mean probability of each class, by neutral subject; null: it has no answer"
    )
    number_of_contexts: Count = Field(description="Contexts with an answer for a neutral subject")
    classes: tuple[PartsOfClass, ...]
    groups: Part | None = Field(
        description="Spread over groups of associations; null: answers were sampled, and contexts are no sample"
    )
    contexts: Part | None = Field(
        description="Spread over contexts of what they add for neutral subjects; null: answers were sampled, and their "
        "noise is in it"
    )
    rest: Part | None = Field(description="Spread of the rest over groups and contexts; null as of contexts")
    explained: Finite | None = Field(
        description="Share of the variance within groups that goes with what contexts add for neutral subjects, point "
        "by point; below 0 where that is further from p than the mean is; null as of contexts, or nothing varies"
    )
    slope: Finite | None = Field(
        description="Slope of p within groups on p of neutral subjects: 1 where groups follow the context as these do"
    )
    within: Amount = Field(description="No figure is further than this from that of exact probabilities")

    def of_class(self, name: str) -> PartsOfClass:
        """Return the levels of a class."""
        return next(each for each in self.classes if each.name == name)


def parts_of_lean(study: Study) -> tuple[Contribution, Intervals]:
    """Return the parts of a study's predictions, and the intervals of its figures and of each group's.

    Nothing is returned if neutral subjects were not asked; a note says why answers for them cannot be read.
    """
    none = Intervals({}, [{} for _ in study.predictions.groups])
    try:
        if were_asked(study.measurement):
            answers = neutral_answers(study.measurement, study.choices.words, study.choices.reader)
            return _as_fields(*_parts(study, answers))
        if not study.measurement.record.asked.no_neutral or len(study.predictions.groups) == 1:
            return NOTHING, none
        return _as_fields(*_parts(study, None))
    except BvfError as error:
        return Contribution(notes=(f"{NOT_COMPUTED}{error.message}",)), none


def _parts(study: Study, answers: NeutralAnswers | None) -> tuple[PartsOfLean, list[list[Part]]]:
    """The parts over all groups, and the associations of each group by class.

    Without ``answers`` the mean of the groups that have an answer in a context stands for neutral subjects there.
    """
    read, noisy, subjects = study.predictions, study.predictions.random is not None, tuple[str, ...]()
    apart = read.apart
    if answers is None:
        mean = mean_of_groups(read.unclipped, read.group_weights)
        each, bounds = read.unclipped[:0], read.bounds
        apart = apart - mean_of_groups(apart, read.group_weights)
    else:
        each, mean = map(read.margin.of, (answers.each, answers.mean))
        subjects, bounds = answers.subjects, answers.bounds
    found = LeanParts(
        probabilities=read.unclipped,
        neutral=mean,
        group_weights=read.group_weights,
        context_weights=read.context_weights,
        sample=None if read.basis.is_corrected else study.sample,
        noisy=noisy,
        level=study.choices.level,
        apart=apart,
    )
    within = _off_by(study, bounds)
    levels = [_each(part, within) for part in (found.default, found.groups)]
    of_classes = zip(*levels, _each(found.association, within, -1.0), strict=True)
    parts = PartsOfLean(
        neutral="groups" if answers is None else "subjects",
        subjects={
            name: dict(zip(read.classes, _mean(p[np.newaxis], read.context_weights), strict=True))
            for name, p in zip(subjects, each, strict=True)
        },
        number_of_contexts=int((~np.isnan(mean).any(axis=1)).sum()),
        classes=tuple(
            PartsOfClass(name=name, default=default, groups=groups, association=association)
            for name, (default, groups, association) in zip(read.classes, of_classes, strict=True)
        ),
        groups=None if noisy and found.sample is None else _each(found.spread_of_groups, within)[0],
        contexts=None if noisy else _each(found.spread_of_contexts, within)[0],
        rest=None if noisy else _each(found.spread_of_rest, within)[0],
        explained=None if noisy else found.explained,
        slope=None if noisy or answers is None else found.slope,
        within=within,
    )
    return parts, [_each(of_group, within, -1.0) for of_group in found.associations.transpose(1, 0, 2)]


def _as_fields(found: PartsOfLean, by_group: Sequence[Sequence[Part]]) -> tuple[Contribution, Intervals]:
    """The figures as fields of a result and of its groups: the first of two classes tells all of both."""
    two, first = len(found.classes) == 2 and found.neutral == "subjects", found.classes[0]
    parts = (*((first.default, first.association) if two else (None, None)), found.groups, found.contexts, found.rest)
    of_all = {name: part for name, part in zip(OF_NEUTRAL[1:6], parts, strict=True) if part is not None}
    classes = [each.name for each in found.classes]
    several = "associations" if found.neutral == "subjects" else "from_mean"
    of_groups: list[dict[str, Any]] = [
        {"association": row[0].value} if two else {several: dict(zip(classes, row, strict=True))} for row in by_group
    ]
    ends = [_intervals({"association": row[0]} if two else {}) for row in by_group]
    values = {name: part.value for name, part in of_all.items()}
    return Contribution({"parts_of_lean": found, **values}, of_groups), Intervals(_intervals(of_all), ends)


def _intervals(parts: Mapping[str, Part]) -> dict[str, Interval]:
    return {name: found for name, each in parts.items() if (found := each.interval) is not None}


def _each(estimated: FloatArray, within: float, least: float = 0.0) -> list[Part]:
    """Parts from figures of ``least`` to 1 and the ends of their intervals, shape (3, ...), wider by an error bound."""
    value, low, high = estimated.reshape(3, -1)
    low, high = np.maximum(low - within, np.minimum(value, least)), np.minimum(high + within, np.maximum(value, 1.0))
    rows = zip(*(each.tolist() for each in (value, low, high)), strict=True)
    return [Part(value=value, low=number(low), high=number(high)) for value, low, high in rows]


def _mean(p: FloatArray, context_weights: FloatArray) -> list[float | None]:
    """E_c[p] of one neutral subject, in the contexts where it has an answer."""
    if np.isnan(p).any(axis=2).all():
        return [None] * p.shape[2]
    return [*mean_probabilities(p, context_weights)[0].tolist()]


def _off_by(study: Study, of_neutral: FloatArray) -> float:
    """The largest error of a figure, as words were left out: a standard deviation moves by no more than this."""
    read = study.predictions
    both = (read.bounds, of_neutral)
    largest = sum(float(np.sqrt((np.nan_to_num(each) ** 2 @ read.context_weights).max())) for each in both)
    return min(1.0, read.margin.most_classes * largest)


def parts_section(title: str, parts: PartsOfLean, level: float) -> Section:
    """Return a table of the parts of one model's predictions."""
    rows = list[tuple[str, Part, Callable[[float | None], str]]]()
    beside_groups = parts.neutral == "groups"
    for each in parts.classes[: 1 if len(parts.classes) == 2 else None]:
        default = (f"{each.name}: default (neutral subjects)", each.default, _points)
        added = (f"{each.name}: mean association (groups less default)", each.association, _signed)
        of_groups = (f"{each.name}: mean of the groups", each.groups, _points)
        rows += [of_groups] if beside_groups else [default, of_groups, added]
    spreads = {"between groups": parts.groups, "between contexts": parts.contexts, "of the rest": parts.rest}
    rows += [(f"spread {where}", each, _points) for where, each in spreads.items() if each is not None]
    columns: list[Column[tuple[str, Part, Callable[[float | None], str]]]] = [
        Column("part", lambda row: row[0]),
        Column("points", lambda row: row[2](row[1].value)),
        Column(f"interval of {percent(level)}", lambda row: row[1].ends(row[2]), optional=True),
    ]
    first = parts.classes[0].name
    of_subjects = [f"{name} {_points(of_class[first])}" for name, of_class in parts.subjects.items()]
    notes = [NO_NEUTRAL if beside_groups else f"Neutral subjects ({first}): {in_a_list(of_subjects)}"]
    if parts.explained is not None and parts.slope is not None:
        notes.append(
            "Within groups, what the context adds for neutral subjects explains "
            f"{'none' if parts.explained < 0.0 else f'{parts.explained:.0%}'} of the "
            f"variance; where their p is 1 point higher, that of groups is {parts.slope:.2f} points higher"
        )
    elif parts.contexts is None:
        notes.append("No spread between contexts, and none of the rest: the noise of sampled answers would be in both")
    return table(title, columns, rows, subtitle=[LEGEND_OF_GROUPS if beside_groups else LEGEND], notes=notes)


def parts_beside(title: str, rows: Sequence[tuple[str, PartsOfLean]], level: float) -> Section:
    """Return a table with a row per model: its levels, where there are two classes, and its spreads."""
    beside_groups = all(parts.neutral == "groups" for _, parts in rows)
    two, first = len(rows[0][1].classes) == 2 and not beside_groups, rows[0][1].classes[0].name

    def column(name: str, part: Callable[[PartsOfLean], Part | None], of_two: bool = False) -> Column[Any]:
        text = _signed if name == "association" else _points
        shown = (lambda row: "") if of_two and not two else lambda row: text(getattr(part(row[1]), "value", None))
        return Column(name, shown, optional=True)

    columns: list[Column[tuple[str, PartsOfLean]]] = [
        Column("model", lambda row: row[0]),
        column("default", lambda parts: parts.classes[0].default, of_two=True),
        column("groups", lambda parts: parts.classes[0].groups, of_two=True),
        column("association", lambda parts: parts.classes[0].association, of_two=True),
        Column(percent(level), lambda row: row[1].classes[0].association.ends(_signed) if two else "", optional=True),
        column("sd groups", lambda parts: parts.groups),
        column("sd contexts", lambda parts: parts.contexts),
        column("sd rest", lambda parts: parts.rest),
    ]
    levels = [f"default, groups and association are of {first}"] if two else []
    notes = [*([NO_NEUTRAL] if beside_groups else levels), "sd: spread of groups, contexts and the rest"]
    return table(title, columns, rows, subtitle=[LEGEND_OF_GROUPS if beside_groups else LEGEND], notes=notes)


def _signed(value: float | None) -> str:
    return "" if value is None else points(round(value, ROUNDED) + 0.0)


def _points(value: float | None) -> str:
    return decimals(None if value is None else 100.0 * value, places=1)[0]
