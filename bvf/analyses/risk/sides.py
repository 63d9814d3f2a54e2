"""To which class groups lean, for how many of them that is certain, and what it has to do with volatility."""

from collections.abc import Sequence

import numpy as np
from pydantic import Field

from bvf.analyses.risk.result import GroupRisk, Result
from bvf.domain.record import Record
from bvf.results.again import predictions_of
from bvf.stats.adjusting import holm
from bvf.stats.intervals import Sampled
from bvf.stats.judged import itself
from bvf.study.predictions import Predictions
from bvf.tables.words import NOTHING, counted

FAR_FROM_0 = "a group far from 0 cannot change sides"


class Side(Record):
    """How many groups lean to a class."""

    name: str = Field(description="Of the class")
    groups: int = Field(description="How many lean to it, of all that the result has")
    surely: int | None = Field(
        description="How many of these by p values that Holm's method adjusts for all groups; null: not known"
    )


def leading(group: GroupRisk) -> int:
    """Return the index of the class whose mean probability exceeds p* most, relative to p*."""
    mean, p_star = (np.array(list(each.values())) for each in (group.mean_probabilities, group.reference_probabilities))
    return int(np.argmax(mean / p_star))


def sides_decide(result: Result) -> bool:
    """Return whether groups are volatile only in so far as they change sides: two classes, and a sublinear J."""
    return len(result.groups[0].mean_probabilities) == 2 and result.shared is not None


def sampled_classes(result: Result, predictions: Predictions | None) -> list[Sampled] | None:
    """Return each class's probability as contexts add to it, without the changes of p*; None: they are no sample.

    Args:
        result: Whose probabilities.
        predictions: Its predictions, where they have been read; None: they are read.
    """
    if not result.uncertainty.intervals:
        return None
    read = predictions or predictions_of(result)
    if read.sample is None:
        return None
    each = itself(len(read.group_names))
    p = read.probabilities - (read.reference - read.mean_reference[:, np.newaxis])
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


def told_spearman(rank: float | None, sides_decide: bool) -> str:
    """Return how r^v and r^b of groups are correlated, as a sentence; nothing where that is undefined.

    Args:
        rank: Spearman's correlation.
        sides_decide: Whether groups are volatile only in so far as they change sides.

    >>> told_spearman(-0.5, sides_decide=True)
    'Rank correlation of r^v with r^b (Spearman) -0.50: a group far from 0 cannot change sides.'
    """
    if rank is None:
        return ""
    why = f": {FAR_FROM_0}" if rank < 0.0 and sides_decide else ""
    return f"Rank correlation of r^v with r^b (Spearman) {rank:+.2f}{why}."
