"""What makes predictions vary, how much is due to swaps that should not matter, and whether other contexts agree."""

from collections.abc import Iterator
from dataclasses import dataclass

from bvf.analyses.explain.result import Explanation, FigureReliability, PlaceboShare
from bvf.analyses.explain.tables import OF_GROUPS
from bvf.errors import BvfError
from bvf.views.values import Value

PARTS = {"group": "groups", "context": "contexts", "both": "both together"}
ALL_SWAPS = "all swaps"


@dataclass(frozen=True)
class Swap:
    """How much variance a swap causes that should not matter.

    Args:
        name: Of the swap.
        variance: Its share of the variance over the contexts that have it; None: nothing varies.
        volatility: Its share of R^v; likewise.
        by_chance: What the shares would be if a variant were as different as another template.
    """

    name: str
    variance: Value | None
    volatility: Value | None
    by_chance: float


@dataclass(frozen=True)
class Variance:
    """Shares of the variance of predictions, and reliabilities; all between 0 and 1, reliabilities from -1.

    Args:
        model: Whose predictions they are.
        topic: Of the groups.
        contexts: How many there are.
        parts: Shares of the variance that are due to groups, to contexts, and to both together, by name.
        swaps: All together, and kind by kind; none where contexts are no placebo set.
        templates: How many templates have such variants.
        reliabilities: Of figures of groups, by name; none for too few groups or contexts.
        level: Of intervals, and the share of the splits that bars of reliabilities hold.
    """

    model: str
    topic: str
    contexts: int
    parts: tuple[tuple[str, float], ...]
    swaps: tuple[Swap, ...]
    templates: int
    reliabilities: tuple[tuple[str, Value], ...]
    level: float


def variance(explanation: Explanation) -> Variance:
    """Return what a picture of an explanation shows.

    Args:
        explanation: What `bvf.explain` returned.

    Raises:
        BvfError: No context has an answer for every group, or nothing varies.
    """
    if not any(each.share for each in explanation.varying):
        why = "nothing varies" if explanation.varying else "no context has an answer for every group"
        raise BvfError(f"{explanation.model}, {explanation.topic}: no picture of the variance: {why}")
    about = (
        explanation.varying
        if not explanation.group
        else [each for each in explanation.varying if each.what == "context"]
    )
    return Variance(
        model=explanation.model,
        topic=explanation.topic,
        contexts=explanation.contexts,
        parts=tuple((PARTS[each.what], each.share) for each in about),
        swaps=tuple(map(_swap, explanation.placebo)),
        templates=max((each.origins for each in explanation.placebo), default=0),
        reliabilities=tuple(_reliabilities(explanation.reliability)),
        level=explanation.level,
    )


def _swap(each: PlaceboShare) -> Swap:
    return Swap(
        name=each.swap or ALL_SWAPS,
        variance=_value(each.variance, each.variance_low, each.variance_high),
        volatility=_value(each.volatility, each.volatility_low, each.volatility_high),
        by_chance=each.by_chance,
    )


def _reliabilities(reliabilities: tuple[FigureReliability, ...]) -> Iterator[tuple[str, Value]]:
    """The reliabilities of figures in which groups differ."""
    for each in reliabilities:
        value = _value(each.reliability, each.low, each.high)
        if value is not None:
            yield OF_GROUPS.get(each.figure, f"lean to {each.figure}"), value


def _value(value: float | None, low: float | None, high: float | None) -> Value | None:
    return None if value is None else Value(value, low, high)
