"""The picture of the lean of each group: its class and its size."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import ClassVar

import numpy as np

from bvf import BvfError, Predictions, Result, ResultBase
from bvf.drawing import (
    GREY,
    INK,
    Axis,
    Dots,
    Mark,
    MarkedPicture,
    Marks,
    RowNames,
    Rule,
    Value,
    caption_of,
    colours_of,
    groups_shown,
    shown_name,
    what_bars_are,
    whole_name,
)
from bvf.errors import nearest
from bvf.results import GroupRisk, name_of, predictions_of, risk_only
from bvf.stats import FloatArray, Sampled, each_group
from bvf.tables import counted, ends
from bvf_report.pictures.risk.sides import leading, sentence_on_sides

LONGEST_CLASS = 20
"""The most columns of the name of a class in the title of an axis."""
FIELD_OF_RANK = {"risk": "r", "bias": "r_bias", "volatility": "r_volatility", "particular": "particular_bias"}


@dataclass(frozen=True)
class Leaning:
    """A row of the picture: a group, its lean E_c[p] - p*, and its association."""

    group: GroupRisk
    lean: tuple[Value, ...]  # E_c[p] - p* of each class, Y; of two classes the second is minus the first

    @property
    def leads(self) -> int:
        """Index of the class furthest above p*, relative to p*."""
        return leading(self.group)

    @property
    def added(self) -> tuple[Value, ...]:
        """Its association with each class, Y; empty: neutral subjects were not asked."""
        return tuple(Value(part.value, part.low, part.high) for part in self.group.parts_added.values())

    @property
    def to(self) -> int:
        """Index of the class that sets the group apart: of two, the one that it adds to; of more, where it adds most.

        It is `leads` where neutral subjects were not asked.
        """
        if not self.added:
            return self.leads
        values = [each.value if len(self.added) == 2 else abs(each.value) for each in self.added]
        return values.index(max(values))

    @property
    def apart(self) -> Value:
        """Its association with that class, or else its lean."""
        return (self.added or self.lean)[self.to]


@dataclass(frozen=True)
class Leanings(MarkedPicture):
    """The picture of what each group adds to neutral subjects: to which class, how far, and how it leans from p*.

    Where neutral subjects were not asked, it is that of the lean E_c[p] - p* alone.
    """

    kind: ClassVar[str] = "lean"
    title: ClassVar[str] = "How far groups lean"
    limited: ClassVar[bool] = True

    result: Result
    groups: tuple[Leaning, ...]  # in order

    @property
    def classes(self) -> tuple[str, ...]:
        """The names of the classes, Y."""
        return tuple(self.result.groups[0].mean_probabilities)

    def with_ends(self, show: int) -> "Leanings":
        """Return the picture with ``show`` groups from both ends of their order (0: all groups)."""
        return replace(self, groups=tuple(chain(*ends(self.groups, show))))

    @property
    def added(self) -> bool:
        """Whether associations are drawn."""
        return any(each.added for each in self.groups)

    def caption(self) -> str:
        result, all_groups, (first, *others) = self.result, len(self.result.groups), map(shown_name, self.classes)
        model = whole_name(name_of(result))
        of = "less that of neutral subjects in the same contexts" if self.added else "less that of the unbiased model"
        if len(others) == 1:
            what = f"mean probability of {first} {of}; right of 0 {first}, left of it {others[0]}"
            sentences = [f"How far {model} leans by group: {what}."]
        else:
            where = "class in which that is farthest from 0" if self.added else "class that it leans to"
            what = f"{len(self.classes)} classes: mean probability of the {where}, {of}"
            sentences = [f"How far {model} leans by group, and to which of {what}."]
        ends = f" From {self._lean(self.groups[0])} to {self._lean(self.groups[-1])}." if self.groups else ""
        contexts = counted(result.number_of_contexts, "context")
        sentences.append(f"{groups_shown(len(self.groups), all_groups)}, {contexts}.{ends}")
        sentences.append("Grey strokes: less that of the unbiased model, p*." if self.added else "")
        sentences.append(sentence_on_sides([(shown_name(side.name), side) for side in result.sides], all_groups))
        bars = what_bars_are(result.uncertainty.level_of_intervals, result.uncertainty.undefined)
        return caption_of(*sentences, bars)

    def marks(self) -> Marks:
        """What each group adds. The side of 0 (two classes) or the colour (more classes) shows the class."""
        two, marks = len(self.classes) == 2, list[Mark]([Rule(x=0.0, colour=INK, width=0.7)])
        if self.added:
            leans = [each.lean[0 if two else each.to].value for each in self.groups]
            marks.append(Dots(leans, range(len(leans)), GREY, "|", name="less p*", size=4.0))
        for y, (name, colour) in enumerate(zip(self.classes, colours_of(self.classes), strict=True)):
            places = [place for place, each in enumerate(self.groups) if each.to == y]
            drawn = [self.groups[place].added or self.groups[place].lean for place in places]
            if places:
                marks.append(Dots([values[0 if two else y] for values in drawn], places, colour, name=name, size=3.2))
        what = shown_name(self.classes[0], LONGEST_CLASS) if two else "the class"
        names = [f"{each.group.group} {each.group.gloss}".strip() for each in self.groups]
        less = "neutral subjects" if self.added else "p*"
        return Marks(marks, Axis(f"mean probability of {what}, less {less}"), RowNames(names, len(self.result.groups)))

    def _lean(self, each: Leaning) -> str:
        where = "below" if each.apart.value < 0 else "above"
        beside = f"{abs(each.apart.value):.2f} {where} {'neutral subjects' if each.added else 'p*'}"
        return f"{shown_name(each.group.group)} ({shown_name(self.classes[each.to])} {beside})"


def leanings(
    result: ResultBase, rank: str | None = None, show: int = 0, *, predictions: Predictions | None = None
) -> Leanings:
    """Return the picture of ``show`` groups from both ends of their order (0: all groups).

    ``rank`` is ``lean`` (from the first class to the last, by what groups add), or ``risk``, ``bias``, ``volatility``
    or ``particular`` (largest first). Predictions are read if they are not given.
    """
    of_risk = risk_only(result)
    sampled = (predictions or predictions_of(of_risk)).sampled_leans if of_risk.uncertainty.intervals else None
    intervals = None if sampled is None else _intervals(of_risk, sampled)
    rows = ((of_risk.groups[x], None if intervals is None else intervals[:, x]) for x in ordered(of_risk, rank))
    return Leanings(of_risk, tuple(_leaning(*row) for row in rows)).with_ends(show)


def ordered(result: Result, rank: str | None = None) -> Sequence[int]:
    """Return the indices of all groups in the order ``rank`` (see `leanings`)."""
    if rank is None or rank == "lean":
        return sorted(range(len(result.groups)), key=lambda x: _side(result.groups[x]))
    if rank not in FIELD_OF_RANK:
        raise BvfError(f'there is no order "{rank}" of groups', nearest(rank, ["lean", *FIELD_OF_RANK]))
    figures = [getattr(group, FIELD_OF_RANK[rank]) for group in result.groups]
    if None in figures:
        raise BvfError(f"what sets groups apart is undefined for {result.criterion}", "choose another order: risk")
    return sorted(range(len(figures)), key=lambda x: -figures[x])


def shown_places(result: Result, show: int) -> list[int]:
    """Return the indices of ``show`` groups from both ends of their order by lean (0: all groups)."""
    return list(chain(*ends(ordered(result), show)))


def _side(group: GroupRisk) -> tuple[float, float]:
    """Sort key of a group.

    Of two classes, it is the association with the first (where that is not known, the lean), largest first; else the
    class that sets it apart, and how far.
    """
    each = _leaning(group, None)
    values = each.added or each.lean
    return (0.0, -values[0].value) if len(values) == 2 else (float(each.to), -each.apart.value)


def _leaning(group: GroupRisk, intervals: FloatArray | None) -> Leaning:
    p_star = group.reference_probabilities
    ends_of = [(None, None)] * len(p_star) if intervals is None else [(float(a), float(b)) for a, b in intervals]
    lean = tuple(
        Value(p - p_star[name], *ends)
        for (name, p), ends in zip(group.mean_probabilities.items(), ends_of, strict=True)
    )
    return Leaning(group, lean)


def _intervals(result: Result, sampled: Sequence[Sampled]) -> FloatArray:
    """Ends of the intervals of the leans E_c[p] - p* of classes and groups, shape (Y, X, 2)."""
    weights, level = each_group(len(result.groups)), result.uncertainty.level
    totals = [each.estimate_of_total(weights, level) for each in sampled]
    p_star = np.array([list(group.reference_probabilities.values()) for group in result.groups]).T
    of_p = np.stack([np.stack([each.low, each.high], axis=-1) for each in totals])
    intervals: FloatArray = of_p - p_star[..., np.newaxis]
    return intervals
