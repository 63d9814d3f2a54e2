"""The classes that groups lean to: how many groups per class, how many significantly, and the relation to r^v."""

from collections.abc import Sequence

import numpy as np
from pydantic import Field

from bvf import Predictions, Result
from bvf.domain import Count, Record
from bvf.results import GroupRisk, predictions_of
from bvf.stats import Sampled, holm, itself
from bvf.tables import NOTHING, counted


class Side(Record):
    """A class, and the number of groups that lean to it."""

    name: str = Field(description="Of the class")
    groups: Count = Field(description="How many lean to it, of all that the result has")
    surely: Count | None = Field(
        description="How many of these by p values that Holm's method adjusts for all groups; null: not known"
    )


def leading(group: GroupRisk) -> int:
    """Return the index of the class with the largest ratio of mean probability to p*."""
    mean, p_star = (np.array(list(each.values())) for each in (group.mean_probabilities, group.reference_probabilities))
    return int(np.argmax(mean / p_star))


def sides_decide(result: Result) -> bool:
    """Return whether a group must change class between contexts to be volatile.

    True for two classes and a sublinear J.
    """
    return len(result.groups[0].mean_probabilities) == 2 and result.shared is not None


def sampled_classes(result: Result, predictions: Predictions | None) -> list[Sampled] | None:
    """Return p - (p* - E_c[p*]) per class as `Sampled`, for intervals of leans. None: contexts are not a random sample.

    ``predictions``, p(y | x, c) of the result, are read from its folder if they are not given.
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
    """Count the groups that lean to each class. For two classes, also count those whose lean is significant.

    Pass ``first=sampled_classes(...)[0]``, or None if the contexts are not a sample; then, or with more than two
    classes, ``surely`` is None. Classes to which no group leans are left out.
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


def sentence_on_sides(named: Sequence[tuple[str, Side]], of: int) -> str:
    """Return a sentence on how many of all groups lean to each class; '' if no group leans.

    >>> sentence_on_sides([("male", Side(name="male", groups=3, surely=1))], 4)
    '3 of 4 groups lean to male, 1 surely (by Holm over all groups).'
    """
    if not named:
        return ""
    sides = [
        f"{side.groups} of {counted(of, 'group')} {'leans' if side.groups == 1 else 'lean'} to {name}"
        + ("" if side.surely is None else f", {side.surely} surely")
        for name, side in named
    ]
    by = " (by Holm over all groups)" if named[0][1].surely is not None else ""
    return f"{'; '.join(sides)}{by}."


def sentence_on_spearman(rank: float | None, sides_decide: bool) -> str:
    """Return a sentence on the rank correlation over groups of r^v (volatility) and r^b (bias); '' if undefined.

    >>> sentence_on_spearman(-0.5, sides_decide=True)
    'Rank correlation of r^v with r^b (Spearman) -0.50: a group far from 0 changes sides less.'
    """
    if rank is None:
        return ""
    why = ": a group far from 0 changes sides less" if rank < 0.0 and sides_decide else ""
    return f"Rank correlation of r^v with r^b (Spearman) {rank:+.2f}{why}."
