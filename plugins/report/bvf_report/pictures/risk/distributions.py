"""The picture of the distributions of class probabilities over contexts, by group."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import ClassVar

import numpy as np

from bvf import BvfError, Predictions, ResultBase
from bvf.drawing import (
    GREY,
    INK,
    Axis,
    Band,
    Dots,
    Line,
    Mark,
    MarkedPicture,
    Marks,
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
from bvf.results import name_of, predictions_of, risk_only
from bvf.stats import FloatArray, mean_over_contexts
from bvf.tables import counted, ends
from bvf_report.pictures.risk.leanings import LONGEST_CLASS, shown_places

QUANTILES = np.array([0.05, 0.25, 0.5, 0.75, 0.95])
BINS = 40
PITCH, PITCH_OF_CLASS, TALLEST = 0.21, 0.075, 0.42
"""Inches per group, least inches per class of a group; and half the height of a shape, in rows."""


@dataclass(frozen=True)
class Distributions(MarkedPicture):
    """The picture of the distribution of each class probability over contexts, by group.

    Contexts have the weights P(C).
    """

    kind: ClassVar[str] = "distribution"
    title: ClassVar[str] = "How probabilities vary over contexts"
    limited: ClassVar[bool] = True

    model: str
    topic: str
    classes: tuple[str, ...]  # Y
    groups: tuple[str, ...]  # X, in the order of `leanings` or as they were named
    quantiles: FloatArray  # at 5, 25, 50, 75 and 95 %, (X, Y, 5)
    means: FloatArray  # E_c[p], (X, Y)
    p_star: FloatArray  # p*, (X, Y)
    shares: FloatArray  # of the contexts in each bin, (X, Y, 40); the last axis sums to 1
    edges: FloatArray  # of the bins, from 0 to 1, (41,)
    contexts: int
    of: int  # number of groups of the result

    def with_groups(self, names: Sequence[str]) -> "Distributions":
        """Return the picture of these groups of it, in their order."""
        places = [_place(name, self.groups) for name in names]
        return replace(
            self,
            groups=tuple(names),
            quantiles=self.quantiles[places],
            means=self.means[places],
            p_star=self.p_star[places],
            shares=self.shares[places],
        )

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
        middles, rows = (self.edges[:-1] + self.edges[1:]) / 2, np.arange(len(self.groups), dtype=np.float64)
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
    if groups is None:
        places = shown_places(of_risk, None, show)
    else:
        places = [_place(name, read.group_names) for name in groups]
    p, weights = read.probabilities[places], read.weights_of_group[places]
    edges = np.linspace(0.0, 1.0, BINS + 1)
    shape = (len(places), len(read.classes))
    quantiles, shares = np.empty((*shape, len(QUANTILES))), np.empty((*shape, BINS))
    for x, y in np.ndindex(shape):
        there = weights[x] > 0
        quantiles[x, y], shares[x, y] = _over_contexts(p[x, there, y], weights[x, there], edges)
    return Distributions(
        model=name_of(of_risk),
        topic=of_risk.topic,
        classes=read.classes,
        groups=tuple(read.group_names[x] for x in places),
        quantiles=quantiles,
        means=mean_over_contexts(p, weights),
        p_star=read.mean_reference[places],
        shares=shares,
        edges=edges,
        contexts=of_risk.number_of_contexts,
        of=len(of_risk.groups),
    )


def _place(name: str, groups: Sequence[str]) -> int:
    if name not in groups:
        raise BvfError(f'the result has no group "{name}"', nearest(name, list(groups)))
    return groups.index(name)


def _over_contexts(p: FloatArray, weights: FloatArray, edges: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The quantiles of probabilities p, and their weight in each bin. The last bin has its upper edge."""
    order, reached = p.argsort(kind="stable"), np.zeros(len(p) + 1)
    p = p[order]
    np.cumsum(weights[order], out=reached[1:])
    quantiles = p[reached[1:].searchsorted(QUANTILES * reached[-1] * (1.0 - 1e-12))]
    before = p.searchsorted(edges)
    before[-1] = len(p)
    below = reached[before]
    return quantiles, below[1:] - below[:-1]
