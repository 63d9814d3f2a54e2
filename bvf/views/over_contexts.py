"""R of models over context sets, beside how far the sets are apart (Table 4 of the paper)."""

from dataclasses import dataclass

import numpy as np

from bvf.analyses.contexts.result import ContextComparison
from bvf.analyses.contexts.tables import told_orders
from bvf.arrays import FloatArray

FIGURES = ("R", "R_bias", "R_volatility")


@dataclass(frozen=True)
class OverContexts:
    """Models in context sets.

    Args:
        topic: Of the groups.
        criterion: J.
        scale: ``unit`` or ``raw``.
        groups: How many groups there are.
        models: Names, length M.
        sets: Names, length S.
        templates: How many each set has.
        figures: R, R^b and R^v by field, shape (S, M) each.
        distances: Total variation of every two sets, 0 to 1, shape (S, S).
        kendall: Smallest and largest rank correlation of r of groups between two sets; None: there is none.
        orders: Sentences about the order of models.
    """

    topic: str
    criterion: str
    scale: str
    groups: int
    models: tuple[str, ...]
    sets: tuple[str, ...]
    templates: tuple[int, ...]
    figures: dict[str, FloatArray]
    distances: FloatArray
    kendall: tuple[float, float] | None
    orders: tuple[str, ...]


def over_contexts(compared: ContextComparison) -> OverContexts:
    """Return what a picture of a comparison over context sets shows."""
    sets, models = compared.contexts, compared.models
    place = {name: s for s, name in enumerate(sets)}
    distances = np.zeros((len(sets), len(sets)))
    for pair in compared.pairs:
        i, j = place[pair.first], place[pair.second]
        distances[i, j] = distances[j, i] = pair.total_variation
    kendalls = [pair.kendall for pair in compared.pairs if pair.kendall is not None]
    shape = (len(sets), len(models))
    return OverContexts(
        topic=compared.topic,
        criterion=compared.criterion,
        scale=compared.scale,
        groups=compared.groups,
        models=models,
        sets=sets,
        templates=tuple(each.templates for each in compared.sets[:: len(models)]),
        figures={name: np.array([getattr(each, name) for each in compared.sets]).reshape(shape) for name in FIGURES},
        distances=distances,
        kendall=(min(kendalls), max(kendalls)) if kendalls else None,
        orders=tuple(told_orders(compared)),
    )
