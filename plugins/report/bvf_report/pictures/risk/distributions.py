"""Pictures of distributions over contexts, and of densities over groups of r^b and r^v (Figures 10 and 16)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, product
from typing import ClassVar

import numpy as np

from bvf import BvfError, Predictions, Result, ResultBase
from bvf.drawing import (
    GREY,
    INK,
    OF_FIGURES,
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
from bvf.results import name_of, names_of, predictions_of, refuse_mixed, risk_only
from bvf.stats import FloatArray, mean_over_contexts
from bvf.tables import counted, ends, symbol
from bvf_report.pictures.risk.leanings import LONGEST_CLASS, shown_places

QUANTILES = np.array([0.05, 0.25, 0.5, 0.75, 0.95])
BINS = 40
PITCH, PITCH_OF_CLASS, TALLEST = 0.21, 0.075, 0.42
"""Inches per group, least inches per class of a group; and half the height of a shape, in rows."""
PLACES = 200
"""Number of places at which a density is computed."""
TAIL = 3.0
"""A density is computed as far beyond the numbers as so many bandwidths."""
NORMAL_IQR = 1.34
"""The interquartile range of a normal distribution, in standard deviations."""
FIGURES = {"r_bias": OF_FIGURES["R_bias"], "r_volatility": OF_FIGURES["R_volatility"]}
"""The figures of groups, and their colours: those of the figures of models."""
PITCH_OF_MODEL, EDGES = 0.7, 0.5
"""Inches per model, and outside the rows."""
HIGH, STROKE = 0.38, 0.05
"""Height of a shape and of the strokes below it, in rows."""
BEYOND = 1.08
"""The axis ends at the largest risk times this."""
PIXELS = 110
"""Height of a model in a browser."""


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


def mean_and_deviation(values: FloatArray, weights: FloatArray) -> tuple[float, float]:
    """Return two numbers: the weighted mean and the weighted standard deviation of ``values``."""
    mean = float(np.average(values, weights=weights))
    return mean, float(np.sqrt(np.average((values - mean) ** 2, weights=weights)))


def density(values: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray] | None:
    """Return a grid of points and the kernel density of numbers >= 0 there; None if all numbers are equal.

    Kernels are Gaussian and reflected at 0. The bandwidth is Silverman's, for Kish's effective number of values.
    """
    _, deviation = mean_and_deviation(values, weights)
    if np.ptp(values) == 0.0 or deviation == 0.0:
        return None
    quarter, three_quarters = np.quantile(values, [0.25, 0.75])
    spread = min(deviation, (three_quarters - quarter) / NORMAL_IQR or deviation)
    share = weights / weights.sum()
    bandwidth = 0.9 * spread * float((share**2).sum()) ** 0.2
    at = np.linspace(max(0.0, values.min() - TAIL * bandwidth), values.max() + TAIL * bandwidth, PLACES)
    kernels = (normal(at[:, np.newaxis], sign * values, bandwidth) @ share for sign in (1.0, -1.0))
    return at, sum(kernels, np.zeros(PLACES))


def normal(at: FloatArray, mean: float | FloatArray, deviation: float) -> FloatArray:
    """Return the density of a normal distribution at the points ``at``."""
    curve: FloatArray = np.exp(-0.5 * ((at - mean) / deviation) ** 2) / (deviation * np.sqrt(2.0 * np.pi))
    return curve


def spread_of(result: Result, field: str) -> tuple[FloatArray, FloatArray]:
    """Return a figure (r^b or r^v) of all groups of a result, and their weights P(x), (X,) each."""
    values, weights = ([getattr(group, name) for group in result.groups] for name in (field, "weight"))
    return np.array(values), np.array(weights)


@dataclass(frozen=True)
class Densities(MarkedPicture):
    """The picture of densities over groups of r^b (bias) and r^v (volatility), for each of several models."""

    kind: ClassVar[str] = "density"
    title: ClassVar[str] = "How risks of groups are spread"

    results: tuple[Result, ...]

    def caption(self) -> str:
        first, numbers = self.results[0], sorted({len(each.groups) for each in self.results})
        groups = " to ".join(str(number) for number in dict.fromkeys((numbers[0], numbers[-1])))
        bias, volatility = map(symbol, FIGURES)
        named = zip(names_of(self.results), self.results, strict=True)
        return caption_of(
            f"Bias risk {bias} and volatility risk {volatility} of {groups} groups of {shown_name(first.topic)}, by "
            f"the criterion {first.criterion} on the {first.scale} scale, for {counted(len(self.results), 'model')}.",
            "A stroke is a group; a shape is their density by weight, each as high as its row. "
            f"Dashed: the normal distribution with the mean and the standard deviation of {bias}, as the paper has it.",
            *(f"{whole_name(name)}: {', '.join(self._numbers(each))}." for name, each in named),
        )

    def marks(self) -> Marks:
        """A row per model: the density of r^b above that of r^v, and a stroke below them for each group."""
        marks = list[Mark](Band(colour=colour, alpha=0.35, name=symbol(field)) for field, colour in FIGURES.items())
        spreads = {(x, field): spread_of(each, field) for x, each in enumerate(self.results) for field in FIGURES}
        most = BEYOND * (max(float(values.max()) for values, _ in spreads.values()) or 1.0)
        for (place, result), (number, field) in product(enumerate(self.results), enumerate(FIGURES)):
            (values, weights), colour = spreads[place, field], FIGURES[field]
            foot, shape = place - 0.05 + number * (HIGH + 2 * STROKE), density(values, weights)
            marks.append(Line([0.0, most], [foot, foot], GREY, 0.4))
            names = [group.group for group in result.groups]
            marks.append(Strokes(values, foot, foot + STROKE, colour, 0.5, 0.7, pixels=6, texts=names,
                                 hover="%{text}: %{x}"))  # fmt: skip
            if shape is not None:
                at, scale = shape[0], HIGH / shape[1].max()
                feet, tops = np.full(len(at), foot), foot - scale * shape[1]
                marks += [Band(at, tops, feet, colour, 0.35), Line(at, tops, colour, 0.8)]
                if field == "r_bias":
                    curve = normal(at, *mean_and_deviation(values, weights))
                    marks.append(Line(at, foot - scale * curve, INK, 0.7, "dashed"))
        marks.append(Line(colour=INK, width=0.7, dash="dashed", name="normal"))
        title = f"risk of a group ({self.results[0].criterion}, {self.results[0].scale} scale)"
        rows = RowNames(names_of(self.results), pitch=PITCH_OF_MODEL, edges=EDGES, pixels=PIXELS)
        return Marks(marks, Axis(title, (0.0, most)), rows)

    @staticmethod
    def _numbers(result: Result) -> Iterator[str]:
        for field in FIGURES:
            mean, deviation = mean_and_deviation(*spread_of(result, field))
            yield f"{symbol(field)} {mean:.3f} (standard deviation {deviation:.3f})"


def densities(results: Sequence[ResultBase]) -> Densities:
    """Return the picture of risk results. Refuses results that differ in questions (the topic), criterion or scale."""
    of_risk = [risk_only(result) for result in results]
    refuse_mixed(of_risk, "draw them one by one")
    return Densities(tuple(of_risk))
