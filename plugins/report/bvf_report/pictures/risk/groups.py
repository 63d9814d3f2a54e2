"""Pictures of groups: volatility against bias, J over probabilities (Figure 4, PVF paper), densities of risks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, ClassVar

import numpy as np

from bvf import BvfError, Result, ResultBase, load
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
    PointNames,
    RowNames,
    Rule,
    Strokes,
    caption_of,
    colour_of,
    colours_of,
    shown_name,
    whole_name,
)
from bvf.errors import nearest
from bvf.hooks import Plugins
from bvf.results import GroupRisk, name_of, names_of, predictions_of, refuse_mixed, risk_criterion_of, risk_only
from bvf.stats import FloatArray, criterion_for, spearman
from bvf.tables import counted, symbol
from bvf_report.pictures.risk.sides import leading, sentence_on_spearman, sides_decide

AREA = 12.0
"""Square points of a dot."""
HOVER = "%{text}<br>r^b %{x}, r^v %{y}"
NAMED = 10
"""The most groups whose names are written: those with extreme values."""
PLACES = 201
"""Number of probabilities at which J is computed."""
LONGEST_NAME = 34
"""The most columns of a name in the title of the axis."""
LARGEST = 60.0
"""Area in square points of the dot of the heaviest context."""
PLACES_OF_DENSITY = 200
"""Number of places at which a density is computed."""
TAIL = 3.0
"""A density is computed as far beyond the numbers as so many bandwidths."""
NORMAL_IQR = 1.34
"""The interquartile range of a normal distribution, in standard deviations."""
FIGURES = {"r_bias": colour_of("R_bias"), "r_volatility": colour_of("R_volatility")}
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
class Scatter(MarkedPicture):
    """The scatter plot of r^v (volatility) against r^b (bias) of the groups of a result."""

    kind: ClassVar[str] = "scatter"
    title: ClassVar[str] = "Volatility against bias of groups"

    result: Result

    @property
    def risks(self) -> tuple[FloatArray, FloatArray]:
        """r^b and r^v of each group, (X,)."""
        groups = self.result.groups
        return np.array([each.r_bias for each in groups]), np.array([each.r_volatility for each in groups])

    def caption(self) -> str:
        return caption_of(
            f"Volatility risk r^v against bias risk r^b of {counted(len(self.result.groups), 'group')} for "
            f"{whole_name(name_of(self.result))}, over {counted(self.result.number_of_contexts, 'context')}.",
            "A dot is a group, its colour the class that it leans to on average.",
            sentence_on_spearman(spearman(*self.risks), sides_decide(self.result)),
        )

    def marks(self) -> Marks:
        """A point per group, r^v (vertical) against r^b (horizontal), a rug along each axis, and some names."""
        marks, groups, (bias, volatility) = list[Mark](), self.result.groups, self.risks
        leads, classes = np.array([leading(group) for group in groups]), list(groups[0].mean_probabilities)
        names = [group.group for group in groups]
        for y, (name, colour) in enumerate(zip(classes, colours_of(classes), strict=True)):
            there = np.flatnonzero(leads == y)
            areas, texts = np.full(len(there), AREA), [names[x] for x in there]
            if len(there):
                of_class = bias[there], volatility[there], colour
                marks.append(Dots(*of_class, name=name, areas=areas, alpha=0.75, texts=texts, hover=HOVER))
        orders = (np.argsort(-volatility), np.argsort(-bias), np.argsort(bias))  # groups with extreme values, in turn
        furthest = dict.fromkeys(int(place) for places in zip(*orders, strict=True) for place in places)
        marks.append(PointNames(bias, volatility, names, list(furthest)[:NAMED]))
        axes = Axis("bias risk r^b", _limits(bias)), Axis("volatility risk r^v", _limits(volatility))
        return Marks(marks, *axes, grid="both", rug=True)


def scatter(result: ResultBase) -> Scatter:
    """Return the scatter plot of a risk result."""
    return Scatter(risk_only(result))


def _limits(figures: Any) -> tuple[float, float]:
    most = float(figures.max()) or 1e-3
    return min(0.0, float(figures.min())) - 0.04 * most, 1.08 * most


@dataclass(frozen=True)
class Curve(MarkedPicture):
    """The picture of J over the probability of the first of two classes, with a point per context for one group."""

    kind: ClassVar[str] = "curve"
    title: ClassVar[str] = "From probabilities to r, r^b and r^v"

    result: Result
    group: GroupRisk
    contexts: tuple[str, ...]  # C
    p: FloatArray  # probability of the first class in each context, (C,)
    risks: FloatArray  # J in each context, (C,)
    weights: FloatArray  # P(c), (C,)
    p_star: float  # of the first class
    at: FloatArray  # probabilities from 0 to 1, (201,)
    J: FloatArray  # J there, (201,)

    @property
    def mean(self) -> float:
        """E_c[p], the mean probability of the first class."""
        return float(self.weights @ self.p)

    def caption(self) -> str:
        (r, bias, volatility), group = map(symbol, ("r", "r_bias", "r_volatility")), self.group
        return caption_of(
            f"The criterion {self.result.criterion} ({self.result.scale} scale) over the probability of "
            f"{shown_name(next(iter(group.mean_probabilities)))}, and {shown_name(group.group)} on it, for "
            f"{whole_name(self.result.model)}.",
            f"A dot is one of {counted(len(self.p), 'context')}, as large as its weight.",
            f"{bias} {group.r_bias:.3f} is the risk of the mean probability, {r} {group.r:.3f} the mean of the risks, "
            f"{volatility} {group.r_volatility:.3f} the distance between them. Dotted: the unbiased model.",
        )

    def marks(self) -> Marks:
        """The curve of J, a point on it per context, and r^b (on the curve) and r above the mean probability."""
        mean, bias, volatility, of = [self.mean], colour_of("R_bias"), colour_of("R_volatility"), self.group
        areas, hover = LARGEST * self.weights / self.weights.max(), "%{text}<br>%{x}: %{y}"
        marks: list[Mark] = [
            Rule(x=self.p_star, dash="dotted"),
            Line(self.at, self.J, GREY, 1.0),
            Dots(self.p, self.risks, INK, areas=areas, alpha=0.25, texts=self.contexts, hover=hover),
            Dots(mean, [of.r], colour_of("R"), name=f"r {of.r:.3f}", size=4.5, hover="%{y}"),
            Dots(mean, [of.r_bias], bias, "D", name=f"r^b {of.r_bias:.3f}", size=4.5, hover="%{y}"),
            Line(mean * 2, [of.r_bias, of.r], volatility, 2.0, name=f"r^v {of.r_volatility:.3f}"),
            Rule(dash="dotted", name="p*"),
        ]
        of_class, group = (shown_name(name, LONGEST_NAME) for name in (next(iter(of.mean_probabilities)), of.group))
        across = Axis(f"probability of {of_class} for {group}", (0.0, 1.0))
        upwards = Axis(f"J ({self.result.criterion}, {self.result.scale} scale)", (0.0, None))
        return Marks(marks, across, upwards, heights=(2.7, 3.6), grid="both")


def curve(result: ResultBase, group: str = "", *, plugins: Plugins | None = None) -> Curve:
    """Return the picture of a group, by default of the largest r^v. Refuses three classes, and p* by context."""
    of_risk = risk_only(result)
    classes = tuple(of_risk.groups[0].mean_probabilities)
    where = str(of_risk.folder or of_risk.model)
    if len(classes) > 2:
        raise BvfError(f"{where}: {len(classes)} classes, and J is a curve for two", "draw a topic of two classes")
    if of_risk.reference_in_contexts:
        raise BvfError(f"{where}: p* changes with the context, and so does the curve", "choose another --reference")
    names = [each.group for each in of_risk.groups]
    if group and group not in names:
        raise BvfError(f'the result has no group "{group}"', nearest(group, names))
    x = names.index(group) if group else int(np.argmax([each.r_volatility for each in of_risk.groups]))
    read = predictions_of(of_risk)
    there = read.weights_of_group[x] > 0
    p_star, s = read.reference[x : x + 1], read.stereotypes[x : x + 1, there]
    weights = read.weights_of_group[x, there]
    judged = criterion_for(risk_criterion_of(of_risk, classes, plugins or load()), p_star)
    J = judged.towards((weights @ s[0])[np.newaxis, np.newaxis])
    at = np.linspace(0.0, 1.0, PLACES)
    return Curve(
        result=of_risk,
        group=of_risk.groups[x],
        contexts=tuple(np.array(read.contexts, dtype=object)[there]),
        p=read.probabilities[x, there, 0],
        risks=J(s)[0] / of_risk.divisor,
        weights=weights,
        p_star=float(p_star[0, 0, 0]),
        at=at,
        J=J(np.stack([at, 1.0 - at], axis=1)[np.newaxis] / p_star - 1.0)[0] / of_risk.divisor,
    )


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
    at = np.linspace(max(0.0, values.min() - TAIL * bandwidth), values.max() + TAIL * bandwidth, PLACES_OF_DENSITY)
    kernels = (normal(at[:, np.newaxis], sign * values, bandwidth) @ share for sign in (1.0, -1.0))
    return at, sum(kernels, np.zeros(PLACES_OF_DENSITY))


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


def densities(results: ResultBase | Sequence[ResultBase]) -> Densities:
    """Return the picture of risk results. Refuses results that differ in questions (the topic), criterion or scale."""
    of_risk = [risk_only(result) for result in ([results] if isinstance(results, ResultBase) else results)]
    refuse_mixed(of_risk, "draw them one by one")
    return Densities(tuple(of_risk))
