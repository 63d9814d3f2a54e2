"""The split-half reliability of figures of groups: would other contexts put the groups in the same order?"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from bvf import Predictions
from bvf.stats import FloatArray, IntArray
from bvf_insights.explain.drivers import Judgement
from bvf_insights.explain.frames import frames_of
from bvf_insights.explain.placebo import origins_of
from bvf_insights.explain.result import FigureReliability
from bvf_insights.stats.reliability import FEWEST_CONTEXTS, FEWEST_GROUPS, SPLITS, halves, split_half


def too_few(predictions: Predictions) -> str:
    """Return why the reliability of figures of groups cannot be computed; empty if it can."""
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
    """Return the split-half reliability of r, r^b, r^v and the lean of groups; empty if `too_few` has a reason.

    All variants of a template, and all of its frames, are in the same half. No prediction may be missing;
    ``risks`` has the shape (X, C), and ``level`` is the share of the splits between the ends of a range.
    """
    if too_few(predictions):
        return ()
    origins = _origins(predictions)
    of_origins: FloatArray = np.bincount(origins, predictions.context_weights).astype(np.float64)
    first = halves(of_origins)[:, origins]
    both = [_figures(predictions, risks, judged, half * predictions.context_weights) for half in (first, ~first)]
    rows = list[FigureReliability]()
    for (figure, one), (_, other) in zip(*both, strict=True):
        fields: dict[str, Any] = {"splits": 0}
        if (found := split_half(one, other, level)) is not None:
            fields = {"splits": found.splits, "reliability": found.mean, "low": found.low, "high": found.high}
        rows.append(FigureReliability(figure=figure, of=SPLITS, **fields))
    return tuple(rows)


def _origins(predictions: Predictions) -> IntArray:
    """The index of the template that each context is a variant of, or that it has in a frame, (C,).

    Without variants and frames, it is the context's own index.
    """
    if frames := frames_of(predictions):
        return frames.origins
    origins = origins_of(predictions)
    return np.arange(len(predictions.contexts)) if origins is None else origins


def _figures(
    predictions: Predictions, risks: FloatArray, judged: Judgement, weights: FloatArray
) -> Iterator[tuple[str, FloatArray]]:
    """Yield names and values, (S, X), of group figures in one half of each of S splits.

    ``weights``, (S, C), are P(C) in that half.
    """
    weights = weights / weights.sum(axis=1, keepdims=True)
    lean = np.einsum("sc,xcy->xsy", weights, predictions.lean, optimize=True)
    r = weights @ risks.T
    r_bias = judged.risk(np.einsum("sc,xcy->xsy", weights, predictions.stereotypes, optimize=True)).T
    yield from (("r", r), ("r_bias", r_bias), ("r_volatility", r - r_bias))
    classes = predictions.classes if len(predictions.classes) > 2 else predictions.classes[:1]
    yield from ((name, lean[..., y].T) for y, name in enumerate(classes))
