"""How far each group leans in each context (Figure 11 of the paper)."""

from dataclasses import dataclass

import numpy as np

from bvf.analyses.risk.result import risk_only
from bvf.arrays import FloatArray, IntArray
from bvf.errors import BvfError
from bvf.results.again import Distribution, distribution_of
from bvf.results.result import ResultBase
from bvf.stats.probabilities import mean_over_contexts
from bvf.stats.risk import mean_over_groups
from bvf.views.leanings import shown_places

MOST_COLUMNS = 200


@dataclass(frozen=True)
class Grid:
    """Groups by contexts, both from the first class to the last.

    Args:
        model: The model that leans.
        topic: Of the groups.
        classes: Y.
        groups: X, in the order of `bvf.views.leanings.leanings`.
        values: p - p* in probability, shape (X, K): of the first class where there are two; of the class that leads
            there, where there are more. NaN where nothing was answered.
        leads: Index of the class that is furthest above p*, relative to p*, shape (X, K); -1 where there is no answer.
        contexts: The text of each column, length K; empty for a column that stands for several contexts.
        weights: The share of P(C) that each column has, shape (K,).
        in_column: How many contexts each column stands for, shape (K,): it shows their weighted mean.
        of: How many contexts there are.
        of_groups: How many groups the result has.
        missing: How many of the prompts that are shown were not answered.
    """

    model: str
    topic: str
    classes: tuple[str, ...]
    groups: tuple[str, ...]
    values: FloatArray
    leads: IntArray
    contexts: tuple[str, ...]
    weights: FloatArray
    in_column: IntArray
    of: int
    of_groups: int
    missing: int

    @property
    def is_binned(self) -> bool:
        """Whether some column stands for several contexts."""
        return len(self.in_column) < self.of


def grid(
    result: ResultBase, columns: int = MOST_COLUMNS, show: int = 0, *, predictions: Distribution | None = None
) -> Grid:
    """Return how far each group leans in each context.

    Contexts stand in the order of their mean lean over all groups. If they are more than ``columns``, neighbours in
    that order share a column, and columns have about the same number of contexts.

    Args:
        result: Of risk.
        columns: K at most, 1 or more.
        show: How many groups, half of them from each end; 0: all.
        predictions: The predictions of the result, where they have been read; None: they are read.

    Raises:
        BvfError: It is no result of risk, its predictions cannot be read, or there is to be no column.
    """
    if columns < 1:
        raise BvfError(f"{columns} columns", "ask for one or more")
    of_risk = risk_only(result)
    read = predictions or distribution_of(of_risk)
    p_x = np.array([group.weight for group in of_risk.groups])
    order = _order(mean_over_groups(read.lean, read.weights_of_group, p_x))
    bins = np.array_split(order, min(columns, len(order)))
    rows = shown_places(of_risk, None, show)
    lean, p_star, weights = read.lean[rows], read.mean_p_star[rows], read.weights_of_group[rows]
    binned = np.stack([_mean(lean[:, in_bin], weights[:, in_bin]) for in_bin in bins], axis=1)
    leads = _leads(binned, p_star)
    chosen = np.zeros_like(leads) if binned.shape[2] == 2 else np.maximum(leads, 0)
    return Grid(
        model=of_risk.model,
        topic=of_risk.topic,
        classes=read.classes,
        groups=tuple(read.groups[x] for x in rows),
        values=np.take_along_axis(binned, chosen[..., np.newaxis], axis=2)[..., 0],
        leads=leads,
        contexts=tuple(read.contexts[in_bin[0]] if len(in_bin) == 1 else "" for in_bin in bins),
        weights=np.array([read.weights[in_bin].sum() for in_bin in bins]),
        in_column=np.array([len(in_bin) for in_bin in bins], dtype=np.intp),
        of=len(order),
        of_groups=len(read.groups),
        missing=int(np.isnan(lean).any(axis=2).sum()),
    )


def _order(common: FloatArray) -> IntArray:
    """Contexts by the mean lean of groups, shape (C,): towards the first of two classes; or by the leading class."""
    if common.shape[1] == 2:
        return np.argsort(-common[:, 0], kind="stable").astype(np.intp)
    leads = common.argmax(axis=1)
    order: IntArray = np.lexsort((-common.max(axis=1), leads)).astype(np.intp)
    return order


def _mean(lean: FloatArray, weights: FloatArray) -> FloatArray:
    """Weighted mean over some contexts, shape (X, Y); NaN for a group without an answer in all of them."""
    total = weights.sum(axis=1, keepdims=True)
    summed = mean_over_contexts(lean, weights)
    mean: FloatArray = np.divide(summed, total, out=np.full_like(summed, np.nan), where=total > 0)
    return mean


def _leads(lean: FloatArray, p_star: FloatArray) -> IntArray:
    there = ~np.isnan(lean).any(axis=2)
    largest = np.nan_to_num(lean / p_star[:, np.newaxis]).argmax(axis=2)
    leads: IntArray = np.where(there, largest, -1).astype(np.intp)
    return leads
