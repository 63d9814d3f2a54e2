"""The picture of how far each group leans in each context (Figure 11 of the paper)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bvf import BvfError, Predictions, ResultBase
from bvf.drawing import (
    MISSING,
    Band,
    ColumnNames,
    MarkedPicture,
    Marks,
    Matrix,
    RowNames,
    caption_of,
    colours_of,
    groups_shown,
    shown_name,
    whole_name,
)
from bvf.interfaces import Columns
from bvf.results import name_of, predictions_of, risk_only
from bvf.stats import FloatArray, IntArray, mean_over_contexts, mean_over_groups
from bvf.tables import counted
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


def grid(
    result: ResultBase, columns: int = MOST_COLUMNS, show: int = 0, *, predictions: Predictions | None = None
) -> Grid:
    """Return the matrix of ``show`` groups from both ends of their order (0: all groups).

    Contexts are ordered by their mean lean over all groups. If there are more contexts than ``columns``, neighbours
    in that order share a column, with about the same number in each. Predictions are read if they are not given.
    """
    if columns < 1:
        raise BvfError(f"{columns} columns", "ask for one or more")
    of_risk = risk_only(result)
    read = predictions or predictions_of(of_risk)
    p_x = np.array([group.weight for group in of_risk.groups])
    order = _order(mean_over_groups(read.lean, read.weights_of_group, p_x))
    bins = np.array_split(order, min(columns, len(order)))
    rows = shown_places(of_risk, None, show)
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
