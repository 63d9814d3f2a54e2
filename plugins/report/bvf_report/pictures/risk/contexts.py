"""Pictures of predictions in contexts: how far groups lean in each (Figure 11), and how they vary over all."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import ClassVar

import numpy as np

from bvf import BvfError, Predictions, ResultBase
from bvf.drawing import (
    GREY,
    INK,
    MISSING,
    Axis,
    Band,
    ColumnNames,
    Dots,
    Line,
    Mark,
    MarkedPicture,
    Marks,
    Matrix,
    RowNames,
    Strokes,
    caption_of,
    colours_of,
    groups_shown,
    segments,
    shown_name,
    side_by_side,
    whole_name,
)
from bvf.errors import nearest
from bvf.interfaces import Columns
from bvf.results import name_of, predictions_of, risk_only
from bvf.stats import FloatArray, IntArray, mean_over_contexts, mean_over_groups
from bvf.tables import counted, ends
from bvf_report.pictures.risk.leanings import LONGEST_CLASS, shown_places

MOST_COLUMNS = 200
NAMED_COLUMNS = 24
BELOW, NAMES_BELOW = 0.35, 1.5
"""Inches below the cells if columns have no names, and if they have names."""
NAME_OF_COLUMN = 1.7
LOWEST = 2.6
"""Least height of the cells in inches, so that the text of the colour bar has room."""


@dataclass(frozen=True)
class Grid(MarkedPicture):
    """Leans by group and context as a matrix; both are ordered from the first class to the last."""

    kind: ClassVar[str] = "heatmap"
    title: ClassVar[str] = "How far groups lean in each context"
    wide: ClassVar[Columns] = 2
    limited: ClassVar[bool] = True

    model: str
    classes: tuple[str, ...]  # Y
    groups: tuple[str, ...]  # X, in the order of `leanings`
    values: FloatArray  # p - p* of the first of two classes, or of the leading one of more, (X, K); NaN: no answer
    leads: IntArray  # the class furthest above p*, relative to p*, (X, K); -1: no answer
    contexts: tuple[str, ...]  # the text of each column, K; empty for a column of several contexts
    weights: FloatArray  # share of P(C) of each column, (K,)
    in_column: IntArray  # number of contexts in each column, (K,)
    of: int  # number of contexts
    of_groups: int  # number of groups of the result
    missing: int  # prompts without an answer

    @property
    def is_binned(self) -> bool:
        """Whether a column of the picture stands for several contexts."""
        return len(self.in_column) < self.of

    def caption(self) -> str:
        of, order = "the probability of the leading class", "those of one leading class together"
        if len(self.classes) == 2:
            first, last = map(shown_name, self.classes)
            of, order = f"the probability of {first}", f"from {first} to {last}"
        sentences = [
            f"How far {whole_name(self.model)} leans in each context: {of} less that of the unbiased model, "
            f"{counted(len(self.groups), 'group')} by {counted(self.of, 'context')}.",
            f"Contexts stand by the mean lean of groups, {order}.",
        ]
        if len(self.groups) < self.of_groups:
            sentences.append(f"{groups_shown(len(self.groups), self.of_groups)}.")
        if self.is_binned:
            low, high = int(self.in_column.min()), int(self.in_column.max())
            each = f"{low}" if low == high else f"{low} to {high}"
            sentences.append(f"Each of the {len(self.in_column)} columns is the weighted mean of {each} contexts.")
        if self.missing:
            sentences.append(f"{counted(self.missing, 'prompt')} without an answer.")
        return caption_of(*sentences)

    def marks(self) -> Marks:
        """The lean of each group in each context. The hue is the class, and the intensity is the size of the lean."""
        most, two = float(np.nanmax(np.abs(self.values), initial=0.0)) or 1.0, len(self.classes) == 2
        columns = zip(self.contexts, self.in_column, strict=True)
        texts = [text or f"{number} contexts" for text, number in columns]
        first, second = (shown_name(name, LONGEST_CLASS) for name in self.classes[:2])
        title = f"probability of {first}, less p* (below 0: {second})" if two else "p - p*"
        cells = Matrix(
            self.values, (-most, most), title, diverging=True, colours=None if two else self._colours(most),
            missing=MISSING, texts=[texts] * len(self.groups), hover="%{customdata}<br>p - p* %{z}",
        )  # fmt: skip
        binned = f" in {len(self.contexts)} columns" if self.is_binned else ""
        below = f"{self.of} contexts{binned}, by the mean of groups"
        named = 0 if self.is_binned else NAMED_COLUMNS
        across = ColumnNames(self.contexts, NAME_OF_COLUMN, below, named, NAMES_BELOW, LOWEST)
        return Marks([cells, *self._keys(most)], across, RowNames(self.groups, self.of_groups, edges=BELOW), grid="")

    def _keys(self, most: float) -> Iterator[Band]:
        """Yield the entries of the legend: the classes, if there are more than two, and what is missing."""
        if len(self.classes) > 2:
            for y, (name, colour) in enumerate(zip(self.classes, colours_of(self.classes), strict=True)):
                if (self.leads == y).any():
                    yield Band(colour=colour, name=name, alpha=1.0)
            yield Band(colour="white", name=f"white: p*, full: {most:.2f} above", alpha=1.0)
        if self.missing:
            yield Band(colour=MISSING, name="no answer", alpha=1.0)

    def _colours(self, most: float) -> FloatArray:
        """The colour of each cell as RGB, shape (X, K, 3). It is white at p*, and more intense further away from it."""
        full = np.array([rgb_of(colour) for colour in colours_of(self.classes)])[np.maximum(self.leads, 0)]
        depth = np.clip(np.nan_to_num(self.values) / most, 0.0, 1.0)[..., np.newaxis]
        missing = (self.leads < 0)[..., np.newaxis]
        return np.where(missing, np.array(rgb_of(MISSING)), 1.0 - depth * (1.0 - full))


def grid(result: ResultBase, show: int = 0, *, predictions: Predictions | None = None) -> Grid:
    """Return the matrix of ``show`` groups from both ends of their order (0: all groups).

    Contexts are ordered by their mean lean over all groups. If there are more than `MOST_COLUMNS`, neighbours in that
    order share a column, with about the same number in each. Predictions are read if they are not given.
    """
    of_risk = risk_only(result)
    read = predictions or predictions_of(of_risk)
    p_x = np.array([group.weight for group in of_risk.groups])
    order = _order(mean_over_groups(read.lean, read.weights_of_group, p_x))
    bins = np.array_split(order, min(MOST_COLUMNS, len(order)))
    rows = shown_places(of_risk, show)
    lean, p_star, weights = read.lean[rows], read.mean_reference[rows], read.weights_of_group[rows]
    binned = np.stack([_mean(lean[:, in_bin], weights[:, in_bin]) for in_bin in bins], axis=1)
    largest = np.nan_to_num(binned / p_star[:, np.newaxis]).argmax(axis=2)
    leads = np.where(np.isnan(binned).any(axis=2), -1, largest).astype(np.intp)
    chosen = np.zeros_like(leads) if binned.shape[2] == 2 else np.maximum(leads, 0)
    return Grid(
        model=name_of(of_risk),
        classes=read.classes,
        groups=tuple(read.group_names[x] for x in rows),
        values=np.take_along_axis(binned, chosen[..., np.newaxis], axis=2)[..., 0],
        leads=leads,
        contexts=tuple(read.contexts[in_bin[0]] if len(in_bin) == 1 else "" for in_bin in bins),
        weights=np.array([read.context_weights[in_bin].sum() for in_bin in bins]),
        in_column=np.array([len(in_bin) for in_bin in bins], dtype=np.intp),
        of=len(order),
        of_groups=len(read.group_names),
        missing=int(np.isnan(lean).any(axis=2).sum()),
    )


def _order(common: FloatArray) -> IntArray:
    """Indices that order contexts, (C,): by mean lean to the first of two classes, or by leading class and lean."""
    if common.shape[1] == 2:
        return np.argsort(-common[:, 0], kind="stable").astype(np.intp)
    leads = common.argmax(axis=1)
    return np.lexsort((-common.max(axis=1), leads)).astype(np.intp)


def _mean(lean: FloatArray, weights: FloatArray) -> FloatArray:
    """The weighted mean of leans over contexts, (X, Y). It is NaN for a group whose predictions are all missing."""
    total = weights.sum(axis=1, keepdims=True)
    summed = mean_over_contexts(lean, weights)
    mean: FloatArray = np.divide(summed, total, out=np.full_like(summed, np.nan), where=total > 0)
    return mean


def rgb_of(colour: str) -> tuple[float, float, float]:
    """Return red, green and blue from 0 to 1 of a colour such as ``#b35806``.

    >>> rgb_of("#ff0000")
    (1.0, 0.0, 0.0)
    """
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return red / 255, green / 255, blue / 255


QUANTILES = np.array([0.05, 0.25, 0.5, 0.75, 0.95])
EDGES = np.linspace(0.0, 1.0, 41)
"""Of the bins of probabilities."""
PITCH, PITCH_OF_CLASS, TALLEST = 0.21, 0.075, 0.42
"""Inches per group, least inches per class of a group; and half the height of a shape, in rows."""


@dataclass(frozen=True)
class Distributions(MarkedPicture):
    """The distribution of each class probability over contexts, weighted by P(C), by group."""

    kind: ClassVar[str] = "distribution"
    title: ClassVar[str] = "How probabilities vary over contexts"
    limited: ClassVar[bool] = True

    model: str
    classes: tuple[str, ...]  # Y
    groups: tuple[str, ...]  # X, in the order of `leanings` or as they were named
    quantiles: FloatArray  # at 5, 25, 50, 75 and 95 %, (X, Y, 5)
    means: FloatArray  # E_c[p], (X, Y)
    p_star: FloatArray  # p*, (X, Y)
    shares: FloatArray  # of the contexts in each bin, (X, Y, 40); the last axis sums to 1
    contexts: int
    of: int  # number of groups of the result

    def with_groups(self, names: Sequence[str]) -> "Distributions":
        """Return the picture of these groups of it, in their order."""
        places = [_place(name, self.groups) for name in names]
        of_groups = {name: getattr(self, name)[places] for name in ("quantiles", "means", "p_star", "shares")}
        return replace(self, groups=tuple(names), **of_groups)

    def with_ends(self, show: int) -> "Distributions":
        """Return the picture with ``show`` groups from both ends of their order (0: all groups)."""
        return self.with_groups(list(chain(*ends(self.groups, show))))

    def caption(self) -> str:
        two = len(self.classes) == 2
        what = shown_name(self.classes[0]) if two else "each class"
        shape = "The shape is the share of contexts by their weight, the " if two else "The "
        unbiased = "vertical line" if two else "grey stroke"
        return caption_of(
            f"How the probability of {what} varies over {counted(self.contexts, 'context')} by group, for "
            f"{whole_name(self.model)}.",
            f"{shape}thick line is the middle half of contexts by their weight, the thin line the middle nine tenths, "
            f"the dot the mean; the {unbiased} is the unbiased model.",
            f"{groups_shown(len(self.groups), self.of)}.",
        )

    def marks(self) -> Marks:
        """The distribution of class probabilities. Of two classes, only the first is drawn, as a shape as well."""
        two, number = len(self.classes) == 2, len(self.classes)
        marks = list[Mark](self._shapes() if two else [])
        for y, colour in enumerate([INK] if two else colours_of(self.classes)):
            rows = side_by_side(len(self.groups), y, 1 if two else number, 0.8 / number)
            if not two:
                marks.append(Dots(self.p_star[:, y], rows, GREY, "|", size=4.0))
            for first, last, width in ((0, 4, 0.6), (1, 3, 1.6)):
                ends = segments(self.quantiles[:, y, first], self.quantiles[:, y, last], rows)
                marks.append(Line(*ends, colour, width))
            name = "" if two else self.classes[y]
            marks.append(Dots(self.means[:, y], rows, colour, size=2.4, name=name))
        what = shown_name(self.classes[0], LONGEST_CLASS) if two else "each class"
        rows_of = RowNames(self.groups, self.of, pitch=max(PITCH, PITCH_OF_CLASS * number), pixels=30)
        return Marks(marks, Axis(f"probability of {what} over contexts", (0.0, 1.0)), rows_of)

    def _shapes(self) -> Iterator[Mark]:
        """Yield the distribution over contexts as a shape around the middle of each row, and p* as a stroke."""
        middles, rows = (EDGES[:-1] + EDGES[1:]) / 2, np.arange(len(self.groups), dtype=np.float64)
        for x in range(len(rows)):
            heights = TALLEST * self.shares[x, 0] / self.shares[x, 0].max()
            colour = colours_of(self.classes)[0 if self.means[x, 0] >= self.p_star[x, 0] else 1]
            yield Band(middles, x - heights, x + heights, colour, stepped=True)
        yield Strokes(self.p_star[:, 0], rows - 0.5, rows + 0.5, GREY, width=0.8, pixels=30, hover="p* %{x}")


def distributions(
    result: ResultBase, groups: Sequence[str] | None = None, show: int = 0, *, predictions: Predictions | None = None
) -> Distributions:
    """Return the picture of the named groups, or of ``show`` groups from both ends of their order (0: all).

    A q-quantile is the smallest probability such that contexts with at most this probability have q of the weight.
    ``predictions``, p(y | x, c) of the result, are read from its folder if they are not given.
    """
    of_risk = risk_only(result)
    read = predictions or predictions_of(of_risk)
    places = shown_places(of_risk, show) if groups is None else [_place(name, read.group_names) for name in groups]
    p, weights = read.probabilities[places], read.weights_of_group[places]
    shape = (len(places), len(read.classes))
    quantiles, shares = np.empty((*shape, len(QUANTILES))), np.empty((*shape, len(EDGES) - 1))
    for x, y in np.ndindex(shape):
        there = weights[x] > 0
        quantiles[x, y], shares[x, y] = _over_contexts(p[x, there, y], weights[x, there])
    return Distributions(
        model=name_of(of_risk),
        classes=read.classes,
        groups=tuple(read.group_names[x] for x in places),
        quantiles=quantiles,
        means=mean_over_contexts(p, weights),
        p_star=read.mean_reference[places],
        shares=shares,
        contexts=of_risk.number_of_contexts,
        of=len(of_risk.groups),
    )


def _place(name: str, groups: Sequence[str]) -> int:
    if name not in groups:
        raise BvfError(f'the result has no group "{name}"', nearest(name, list(groups)))
    return groups.index(name)


def _over_contexts(p: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The quantiles of probabilities p, and their weight in each bin. The last bin has its upper edge."""
    order, reached = p.argsort(kind="stable"), np.zeros(len(p) + 1)
    p = p[order]
    np.cumsum(weights[order], out=reached[1:])
    quantiles = p[reached[1:].searchsorted(QUANTILES * reached[-1] * (1.0 - 1e-12))]
    before = p.searchsorted(EDGES)
    before[-1] = len(p)
    below = reached[before]
    return quantiles, below[1:] - below[:-1]
