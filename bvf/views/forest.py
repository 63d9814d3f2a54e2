"""The coefficients of levels with their intervals."""

from dataclasses import dataclass
from typing import Literal

from bvf.errors import BvfError
from bvf.factors.importance import Importance, LevelEffect
from bvf.factors.run import FactorsResult
from bvf.views.values import Value

Side = Literal["more", "less", "neither"]


@dataclass(frozen=True)
class Effect:
    """A level of a factor.

    Args:
        term: The factor.
        level: Its level.
        reference: The level that it is compared with.
        value: Log odds ratio, or difference of means for a linear regression.
        side: Whether the model deviates more or less at it, by the p value adjusted for all levels.
    """

    term: str
    level: str
    reference: str
    value: Value
    side: Side


@dataclass(frozen=True)
class Forest:
    """Levels, the largest coefficient first.

    Args:
        title: Title of the table.
        method: The regression.
        effects: Those furthest from 0.
        of: How many levels there are.
        rows: How many prompts there are.
        level: Of the intervals.
    """

    title: str
    method: str
    effects: tuple[Effect, ...]
    of: int
    rows: int
    level: float


def forest(importance: Importance, show: int = 24) -> Forest:
    """Return the levels furthest from 0.

    Args:
        importance: What a regression found.
        show: How many; 0: all.
    """
    furthest = sorted(importance.effects, key=lambda each: -abs(each.coefficient))[: show or None]
    effects = sorted(furthest, key=lambda each: -each.coefficient)
    return Forest(
        title=importance.title,
        method=importance.method,
        effects=tuple(_effect(each, importance.level) for each in effects),
        of=len(importance.effects),
        rows=importance.rows,
        level=importance.level,
    )


def forest_of(analysis: FactorsResult, show: int = 24) -> Forest:
    """Return the levels furthest from 0 in an analysis.

    Args:
        analysis: An analysis.
        show: How many; 0: all.

    Raises:
        BvfError: It has no regression; says why.
    """
    if analysis.importance is None:
        raise BvfError(f"{analysis.title}: no regression: {analysis.importance_refused}")
    return forest(analysis.importance, show)


def _effect(each: LevelEffect, level: float) -> Effect:
    clear = each.adjusted_p is not None and each.adjusted_p < 1.0 - level
    side: Side = "neither" if not clear else "more" if each.coefficient > 0 else "less"
    return Effect(each.term, each.level, each.reference, Value(each.coefficient, each.low, each.high), side)
