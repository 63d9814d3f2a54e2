"""Which models differ by each figure, as a sentence."""

from collections.abc import Iterable
from itertools import combinations

from bvf.analysing.comparison import TopicComparison

FEW = 4
"""The most models of which every pair is named; for more, ranks are told."""


def summary(topic: TopicComparison, figure: str) -> str:
    """Return which models are above which by a figure, and which are tied; by their places in the topic, from 1.

    Args:
        topic: With differences that are decided.
        figure: Its field.
    """
    place = {model.name: number for number, model in enumerate(topic.models, 1)}
    above: dict[int, set[int]] = {number: set() for number in place.values()}
    for each in topic.differences:
        if each.figure == figure and each.decision in ("higher", "lower"):
            pair = (place[each.first], place[each.second])
            high, low = pair if each.decision == "higher" else pair[::-1]
            above[high].add(low)
    if not any(above.values()):
        return f"{_listed(place.values())} tied" if len(place) <= FEW else f"all {len(place)} tied"
    return _of_pairs(above) if len(place) <= FEW else _of_ranks(topic, figure)


def _of_pairs(above: dict[int, set[int]]) -> str:
    """Such as: 1 above 2 and 3; 2 and 3 tied."""
    higher: dict[tuple[int, ...], list[int]] = {}
    for number in sorted(above, key=lambda number: -len(above[number])):
        if above[number]:
            higher.setdefault(tuple(sorted(above[number])), []).append(number)
    said = [f"{_listed(numbers)} above {_listed(lower)}" for lower, numbers in higher.items()]
    return "; ".join([*said, *(f"{_listed(numbers)} tied" for numbers in _tied(above))])


def _tied(above: dict[int, set[int]]) -> list[tuple[int, ...]]:
    """The largest groups of models that are all tied with each other."""
    groups = list[tuple[int, ...]]()
    for size in range(len(above), 1, -1):
        for group in combinations(above, size):
            alike = all(b not in above[a] and a not in above[b] for a, b in combinations(group, 2))
            if alike and not any(set(group) <= set(larger) for larger in groups):
                groups.append(group)
    return groups


def _of_ranks(topic: TopicComparison, figure: str) -> str:
    """Such as: rank 1: 4; 2-5: 1, 2, 3 and 5."""
    by_ranks: dict[tuple[int, int], list[int]] = {}
    for number, model in enumerate(topic.models, 1):
        by_ranks.setdefault(model.ranks[figure], []).append(number)
    said = [f"{spanned(*ranks)}: {_listed(numbers)}" for ranks, numbers in sorted(by_ranks.items())]
    return f"rank {'; '.join(said)}"


def spanned(first: int, last: int) -> str:
    """Return ranks from the first to the last.

    >>> spanned(1, 1), spanned(2, 5)
    ('1', '2-5')
    """
    return f"{first}" if first == last else f"{first}-{last}"


def _listed(numbers: Iterable[int]) -> str:
    *others, last = map(str, numbers)
    return f"{', '.join(others)} and {last}" if others else last
