"""To which class groups lean, and for how many of them that is certain."""

from collections.abc import Sequence

import numpy as np
from pydantic import Field

from bvf.analyses.risk.result import GroupRisk, Result
from bvf.domain.record import Record
from bvf.results.again import Distribution, distribution_of
from bvf.stats.adjusting import holm
from bvf.stats.intervals import Judged, Sampled
from bvf.tables.words import NOTHING, counted


class Side(Record):
    """How many groups lean to a class."""

    name: str = Field(description="Of the class")
    groups: int = Field(description="How many lean to it, of all that the result has")
    surely: int | None = Field(
        description="How many of these by p values that Holm's method adjusts for all groups; null: nobody can tell"
    )


def leading(group: GroupRisk) -> int:
    """Return the index of the class whose mean probability exceeds p* most, relative to p*."""
    mean, p_star = (np.array(list(each.values())) for each in (group.mean_probabilities, group.reference_probabilities))
    return int(np.argmax(mean / p_star))


def sides_decide(result: Result) -> bool:
    """Return whether groups are volatile only in so far as they change sides: two classes, and a sublinear J."""
    return len(result.groups[0].mean_probabilities) == 2 and result.shared is not None


def sampled_classes(result: Result, predictions: Distribution | None) -> list[Sampled] | None:
    """Return each class's probability as contexts add to it, without the changes of p*; None: they are no sample.

    Args:
        result: Whose probabilities.
        predictions: Its predictions, where they have been read; None: they are read.
    """
    if not result.uncertainty.intervals:
        return None
    read = predictions or distribution_of(result)
    if read.sample is None:
        return None
    each = _itself(len(read.groups))
    p = read.p - (read.p_star - read.mean_p_star[:, np.newaxis])
    return [Sampled(p[..., y : y + 1], each, read.sample) for y in range(len(read.classes))]


def sides_of(result: Result, first: Sampled | None) -> tuple[Side, ...]:
    """Return the classes that groups lean to, with how many do.

    For more than two classes it is not said which leans are certain: a class may lead by chance alone.

    Args:
        result: Whose groups.
        first: The probability of the first class, of `sampled_classes`; None: contexts are no sample.
    """
    classes, groups = tuple(result.groups[0].mean_probabilities), result.groups
    lean = np.array([[p - g.reference_probabilities[name] for name, p in g.mean_probabilities.items()] for g in groups])
    led = lean.argmax(axis=1) if len(classes) == 2 else np.array([leading(group) for group in groups])
    leans = np.abs(lean).max(axis=1) >= NOTHING
    sure = None
    if first is not None and len(classes) == 2:
        p_values = first.sample.p_values(lean[:, 0], first.influences[0])
        sure = holm(p_values) < 1.0 - result.uncertainty.level
    return tuple(
        Side(name=name, groups=int(leaning.sum()), surely=None if sure is None else int((leaning & sure).sum()))
        for y, name in enumerate(classes)
        if (leaning := leans & (led == y)).any()
    )


def told_sides(named: Sequence[tuple[str, Side]], of: int) -> str:
    """Return how many groups lean where, as a sentence; nothing where none leans.

    Args:
        named: What each class is called, with how many groups lean to it.
        of: How many groups there are.

    >>> told_sides([("male", Side(name="male", groups=3, surely=1))], 4)
    '3 of 4 groups lean to male, 1 surely (by Holm over all groups).'
    """
    if not named:
        return ""
    told = [
        f"{side.groups} of {counted(of, 'group')} {'leans' if side.groups == 1 else 'lean'} to {name}"
        + ("" if side.surely is None else f", {side.surely} surely")
        for name, side in named
    ]
    by = " (by Holm over all groups)" if named[0][1].surely is not None else ""
    return f"{'; '.join(told)}{by}."


def _itself(groups: int) -> Judged:
    """J(v) = v of a probability: its mean over contexts is that of J."""
    return Judged(
        value=lambda v: v[..., 0],
        gradient=lambda v: np.ones_like(v),
        in_contexts=lambda v: v[..., 0],
        extremes=np.broadcast_to([[0.0], [1.0]], (groups, 2, 1)),
    )
