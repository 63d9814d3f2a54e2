"""The classes that groups lean to, in sentences, and the relation of leans to r^v."""

from collections.abc import Sequence

import numpy as np

from bvf import Result
from bvf.results import GroupRisk, Side
from bvf.tables import counted


def leading(group: GroupRisk) -> int:
    """Return the index of the class with the largest ratio of mean probability to p*."""
    mean, p_star = (np.array(list(each.values())) for each in (group.mean_probabilities, group.reference_probabilities))
    return int(np.argmax(mean / p_star))


def sides_decide(result: Result) -> bool:
    """Return whether a group must change class between contexts to be volatile.

    True for two classes and a sublinear J.
    """
    return len(result.groups[0].mean_probabilities) == 2 and result.shared is not None


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
