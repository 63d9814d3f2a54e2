"""How reliable figures of groups are: would other contexts of the same kind put the groups in the same order?"""

from collections.abc import Iterator

import numpy as np

from bvf.analyses.explain.drivers import Judgement
from bvf.analyses.explain.placebo import origins_of
from bvf.analyses.explain.result import FigureReliability
from bvf.arrays import FloatArray, IntArray
from bvf.stats.reliability import FEWEST_CONTEXTS, FEWEST_GROUPS, SPLITS, halves, split_half
from bvf.study.predictions import Predictions


def too_few(predictions: Predictions) -> str:
    """Return why figures of groups have no reliability, one sentence; empty: they have one."""
    groups, contexts = len(predictions.group_names), len(set(_origins(predictions).tolist()))
    if groups >= FEWEST_GROUPS and contexts >= FEWEST_CONTEXTS:
        return ""
    return (
        f"no split-half reliability: it needs {FEWEST_GROUPS} groups and {FEWEST_CONTEXTS} contexts in which all have "
        f"an answer, and here are {groups} and {contexts}"
    )


def reliabilities(
    predictions: Predictions, risks: FloatArray, judged: Judgement, level: float
) -> tuple[FigureReliability, ...]:
    """Return the split-half reliability of r, r^b, r^v and the lean of groups; none where `too_few`.

    Variants of one template, in a placebo set, stay together in one half.
    """
    if too_few(predictions):
        return ()
    origins = _origins(predictions)
    of_origins: FloatArray = np.bincount(origins, predictions.context_weights).astype(np.float64)
    first = halves(of_origins)[:, origins]
    both = [_figures(predictions, risks, judged, half * predictions.context_weights) for half in (first, ~first)]
    rows = list[FigureReliability]()
    for (figure, one), (_, other) in zip(*both, strict=True):
        told = split_half(one, other, level)
        row = FigureReliability(figure=figure, splits=0, of=SPLITS)
        if told is not None:
            fields = {"splits": told.splits, "reliability": told.mean, "low": told.low, "high": told.high}
            row = row.model_copy(update=fields)
        rows.append(row)
    return tuple(rows)


def _origins(predictions: Predictions) -> IntArray:
    """What is split: contexts, or the templates of which they are variants, shape (C,)."""
    origins = origins_of(predictions)
    return np.arange(len(predictions.contexts)) if origins is None else origins


def _figures(
    predictions: Predictions, risks: FloatArray, judged: Judgement, weights: FloatArray
) -> Iterator[tuple[str, FloatArray]]:
    """Figures of each group in each half, shape (S, X); weights of contexts have shape (S, C).

    Of two classes the lean towards the first is enough.
    """
    weights = weights / weights.sum(axis=1, keepdims=True)
    lean = np.einsum("sc,xcy->xsy", weights, predictions.lean, optimize=True)
    r = weights @ risks.T
    r_bias = judged.risk(np.einsum("sc,xcy->xsy", weights, predictions.stereotypes, optimize=True)).T
    yield from (("r", r), ("r_bias", r_bias), ("r_volatility", r - r_bias))
    classes = predictions.classes if len(predictions.classes) > 2 else predictions.classes[:1]
    yield from ((name, lean[..., y].T) for y, name in enumerate(classes))
