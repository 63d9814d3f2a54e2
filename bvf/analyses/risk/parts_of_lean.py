"""What a model says of neutral subjects, what a group adds, what a context says, and the rest of its predictions."""

from collections.abc import Sequence

import numpy as np
from pydantic import Field

from bvf.arrays import FloatArray
from bvf.domain.numbers import Amount, Count, Finite
from bvf.domain.record import Record
from bvf.errors import BvfError
from bvf.interfaces.section import Section
from bvf.results.contribution import NOTHING, Contribution
from bvf.results.intervals import Intervals
from bvf.results.method import percent
from bvf.stats.figures.probabilities import mean_probabilities, normalised_context_weights
from bvf.stats.sampling.lean_parts import Estimated, LeanParts
from bvf.stats.sampling.reading_error import corrected
from bvf.study.reference import neutral_answers, were_asked
from bvf.study.study import Study
from bvf.study.uncertainty import Interval
from bvf.tables.columns import Column, table
from bvf.tables.words import decimals, in_a_list

OF_NEUTRAL = (
    *("parts_of_lean", "default", "mean_association", "association_spread", "context_spread", "rest_spread"),
    *("association", "associations"),
)
"""The fields of a result and of its groups that are null where neutral subjects were not asked."""
LEGEND = (
    "In points of probability. In each group and context, p = default + what the context adds for neutral subjects + "
    "association of the group + rest. Spreads are standard deviations, and do not add up."
)


class Part(Record):
    """A figure on the scale of probabilities, 0 to 1, and the ends of its interval over contexts."""

    value: Finite
    low: Finite | None = Field(None, description="null: contexts are no sample")
    high: Finite | None = Field(None, description="null: contexts are no sample")

    @property
    def interval(self) -> Interval | None:
        """Its interval; None: contexts are no sample."""
        return None if self.low is None or self.high is None else Interval(low=self.low, high=self.high)


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


def parts_of_lean(study: Study) -> tuple[Contribution, Intervals]:
    """Return the parts of a study's predictions, and the intervals of its figures and of each group's.

    Nothing is returned if neutral subjects were not asked; a note says why answers for them cannot be read.
    """
    none = Intervals({}, [{} for _ in study.predictions.groups])
    if not were_asked(study.measurement):
        return NOTHING, none
    try:
        return _parts(study)
    except BvfError as error:
        return Contribution(notes=(f"parts of the lean not computed: {error.message}",)), none


def _parts(study: Study) -> tuple[Contribution, Intervals]:
    predictions, level = study.predictions, study.choices.level
    answers = neutral_answers(study.measurement, study.choices.words, study.choices.reader)
    error, noisy = answers.confusion, predictions.random is not None
    n, each = (values if error is None else corrected(values, error.matrix) for values in (answers.mean, answers.each))
    parts = LeanParts(
        probabilities=predictions.unclipped,
        neutral=predictions.margin.of(n),
        group_weights=predictions.group_weights,
        context_weights=predictions.context_weights,
        sample=None if error else study.sample,
        noisy=noisy,
    )
    within = _off_by(study, answers.bounds)
    exact = None if noisy else parts
    of_classes = (parts.default, parts.of_groups, parts.association)
    levels = [_each(parts.estimate(each, level), within) for each in of_classes]
    (groups,) = _each(parts.spread_of_groups(level), within) if parts.sample or not noisy else (None,)
    contexts, rest = (
        (_each(exact.spread_of_contexts(level), within)[0], _each(exact.spread_of_rest(level), within)[0])
        if exact
        else (None, None)
    )
    found = PartsOfLean(
        subjects={
            subject: dict(zip(predictions.classes, of_subject, strict=True))
            for subject, of_subject in zip(
                answers.subjects, _means(predictions.margin.of(each), predictions.context_weights), strict=True
            )
        },
        number_of_contexts=int((~np.isnan(parts.neutral).any(axis=1)).sum()),
        classes=tuple(
            PartsOfClass(name=name, default=m, groups=mean, association=a)
            for name, m, mean, a in zip(predictions.classes, *levels, strict=True)
        ),
        groups=groups,
        contexts=contexts,
        rest=rest,
        explained=exact.explained if exact else None,
        slope=exact.slope if exact else None,
        within=within,
    )
    return _as_fields(found, _by_group(parts, level, within))


def _as_fields(found: PartsOfLean, by_group: Sequence[Sequence[Part]]) -> tuple[Contribution, Intervals]:
    """The figures as fields of a result and of its groups: the first of two classes tells all of both."""
    two, first = len(found.classes) == 2, found.classes[0]
    of_two = (first.default, first.association) if two else (None, None)
    named = dict(zip(OF_NEUTRAL[1:6], (*of_two, found.groups, found.contexts, found.rest), strict=True))
    values = {name: None if part is None else part.value for name, part in named.items()}
    of_all = {name: part.interval for name, part in named.items() if part is not None}
    names = [each.name for each in found.classes]
    of_groups = [
        {"association": row[0].value} if two else {"associations": dict(zip(names, row, strict=True))}
        for row in by_group
    ]
    ends = [{"association": row[0].interval} if two and row[0].interval else {} for row in by_group]
    return (
        Contribution({"parts_of_lean": found, **values}, of_groups),
        Intervals({name: each for name, each in of_all.items() if each is not None}, ends),
    )


def _by_group(parts: LeanParts, level: float, within: float) -> list[list[Part]]:
    estimated = parts.estimate(parts.associations, level)
    flat = _each(estimated, within)
    classes = parts.neutral.shape[1]
    return [flat[start : start + classes] for start in range(0, len(flat), classes)]


def _each(estimated: Estimated, within: float) -> list[Part]:
    """Each of the estimates as a part, its interval wider by an error bound on both sides."""
    value, ends = np.atleast_1d(estimated.value).ravel(), estimated.ends
    if ends is None:
        return [Part(value=each) for each in value.tolist()]
    low, high = (np.atleast_1d(end).ravel() for end in ends)
    rows = zip(value.tolist(), (low - within).tolist(), (high + within).tolist(), strict=True)
    return [Part(value=each, low=least, high=most) for each, least, most in rows]


def _means(p: FloatArray, context_weights: FloatArray) -> list[list[float | None]]:
    """E_c[p] of each neutral subject, in the contexts where it has an answer."""
    means = list[list[float | None]]()
    for of_subject in p[:, np.newaxis]:
        known = not np.isnan(of_subject).any(axis=2).all()
        means.append(mean_probabilities(of_subject, context_weights)[0].tolist() if known else [None] * p.shape[2])
    return means


def _off_by(study: Study, of_neutral: FloatArray) -> float:
    """The largest error of a figure, as words were left out: a standard deviation moves by no more than this."""
    predictions = study.predictions
    weights = normalised_context_weights(predictions.context_weights, predictions.probabilities)
    of_groups = np.sqrt((np.nan_to_num(predictions.bounds) ** 2 * weights).sum(axis=1)).max()
    neutral = np.sqrt((np.nan_to_num(of_neutral) ** 2 @ predictions.context_weights).max())
    return float(min(1.0, predictions.margin.most_classes * (of_groups + neutral)))


def parts_section(title: str, parts: PartsOfLean, level: float) -> Section:
    """Return a table of the parts of one model's predictions."""
    shown = parts.classes[:1] if len(parts.classes) == 2 else parts.classes
    rows = list[tuple[str, Part]]()
    for each in shown:
        rows.append((f"{each.name}: default (neutral subjects)", each.default))
        rows.append((f"{each.name}: mean of the groups", each.groups))
        rows.append((f"{each.name}: mean association (difference of both)", each.association))
    spreads = {"groups (association)": parts.groups, "contexts (neutral subjects)": parts.contexts}
    rows += [(f"spread between {what}", each) for what, each in spreads.items() if each is not None]
    rows += [("spread of the rest", parts.rest)] if parts.rest is not None else []
    columns: list[Column[tuple[str, Part]]] = [
        Column("part", lambda row: row[0]),
        Column("points", lambda row: _points(row[1].value)),
        Column(
            f"interval of {percent(level)}",
            lambda row: "" if row[1].low is None else f"{_points(row[1].low)} to {_points(row[1].high)}",
            optional=True,
        ),
    ]
    return table(title, columns, rows, subtitle=[LEGEND], notes=_notes(parts))


def _notes(parts: PartsOfLean) -> list[str]:
    first = parts.classes[0].name
    notes = [
        f"Neutral subjects ({first}): "
        f"{in_a_list([f'{name} {_points(of[first])}' for name, of in parts.subjects.items()])}"
    ]
    if parts.explained is not None and parts.slope is not None:
        notes.append(
            f"Within groups, what the context adds for neutral subjects explains {parts.explained:.0%} of the "
            f"variance; where their p is 1 point higher, that of groups is {parts.slope:.2f} points higher"
        )
    elif parts.contexts is None:
        notes.append("No spread between contexts, and none of the rest: the noise of sampled answers would be in both")
    return notes


def _points(value: float | None) -> str:
    return decimals(None if value is None else 100.0 * value, places=1)[0]
