"""The picture of the densities over groups of r^b (bias) and r^v (volatility), by model (Figures 10 and 16)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bvf import ResultBase
from bvf.drawing import (
    GREY,
    INK,
    OF_FIGURES,
    Axis,
    Band,
    Line,
    Mark,
    MarkedPicture,
    Marks,
    RowNames,
    Strokes,
    caption_of,
    shown_name,
    whole_name,
)
from bvf.results import names_of, refuse_mixed, risk_only
from bvf.stats import FloatArray
from bvf.tables import counted, symbol

PLACES = 200
"""Number of places at which a density is computed."""
TAIL = 3.0
"""A density is computed as far beyond the numbers as so many bandwidths."""
NORMAL_IQR = 1.34
"""The interquartile range of a normal distribution, in standard deviations."""
FIGURES = {"r_bias": OF_FIGURES["R_bias"], "r_volatility": OF_FIGURES["R_volatility"]}
"""The figures of groups, and their colours: those of the figures of models."""
PITCH, EDGES = 0.7, 0.5
"""Inches per model, and outside the rows."""
HIGH, STROKE = 0.38, 0.05
"""Height of a shape and of the strokes below it, in rows."""
BEYOND = 1.08
"""The axis ends at the largest risk times this."""
PIXELS = 110
"""Height of a model in a browser."""


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


@dataclass(frozen=True)
class Spread:
    """The values of one figure (r^b or r^v) for the groups of a model, and the weights of these groups."""

    groups: tuple[str, ...]  # X
    values: FloatArray  # (X,)
    weights: FloatArray  # P(x), (X,)

    @property
    def mean_and_deviation(self) -> tuple[float, float]:
        """The mean and the standard deviation over groups, weighted by P(X)."""
        return mean_and_deviation(self.values, self.weights)


@dataclass(frozen=True)
class Densities(MarkedPicture):
    """The picture of densities over groups of r^b (bias) and r^v (volatility), for each of several models."""

    kind: ClassVar[str] = "density"
    title: ClassVar[str] = "How risks of groups are spread"

    topic: str
    criterion: str
    scale: str
    models: tuple[tuple[str, dict[str, Spread]], ...]  # name, and its figures by field

    def caption(self) -> str:
        numbers = sorted({len(each.values) for _, spreads in self.models for each in spreads.values()})
        groups = " to ".join(str(number) for number in dict.fromkeys((numbers[0], numbers[-1])))
        bias, volatility = map(symbol, FIGURES)
        return caption_of(
            f"Bias risk {bias} and volatility risk {volatility} of {groups} groups of {shown_name(self.topic)}, by the "
            f"criterion {self.criterion} on the {self.scale} scale, for {counted(len(self.models), 'model')}.",
            "A stroke is a group; a shape is their density by weight, each as high as its row. "
            f"Dashed: the normal distribution with the mean and the standard deviation of {bias}, as the paper has it.",
            *(f"{whole_name(name)}: {', '.join(self._numbers(spreads))}." for name, spreads in self.models),
        )

    def marks(self) -> Marks:
        """A row per model: the density of r^b above that of r^v, and a stroke below them for each group."""
        marks = list[Mark](Band(colour=colour, alpha=0.35, name=symbol(field)) for field, colour in FIGURES.items())
        most = BEYOND * (max(float(each.values.max()) for _, of in self.models for each in of.values()) or 1.0)
        for spread, field, foot in self._shapes():
            colour, shape = FIGURES[field], density(spread.values, spread.weights)
            marks.append(Line([0.0, most], [foot, foot], GREY, 0.4))
            marks.append(Strokes(spread.values, foot, foot + STROKE, colour, 0.5, 0.7, pixels=6, texts=spread.groups,
                                 hover="%{text}: %{x}"))  # fmt: skip
            if shape is not None:
                at, scale = shape[0], HIGH / shape[1].max()
                feet, tops = np.full(len(at), foot), foot - scale * shape[1]
                marks += [Band(at, tops, feet, colour, 0.35), Line(at, tops, colour, 0.8)]
                if field == "r_bias":
                    curve = normal(at, *spread.mean_and_deviation)
                    marks.append(Line(at, foot - scale * curve, INK, 0.7, "dashed"))
        marks.append(Line(colour=INK, width=0.7, dash="dashed", name="normal"))
        title = f"risk of a group ({self.criterion}, {self.scale} scale)"
        rows = RowNames([name for name, _ in self.models], pitch=PITCH, edges=EDGES, pixels=PIXELS)
        return Marks(marks, Axis(title, (0.0, most)), rows)

    def _shapes(self) -> Iterator[tuple[Spread, str, float]]:
        """Yield the figure, its field name and the vertical position of each density."""
        for place, (_, spreads) in enumerate(self.models):
            for number, field in enumerate(FIGURES):
                yield spreads[field], field, place - 0.05 + number * (HIGH + 2 * STROKE)

    @staticmethod
    def _numbers(spreads: dict[str, Spread]) -> Iterator[str]:
        for field, spread in spreads.items():
            mean, deviation = spread.mean_and_deviation
            yield f"{symbol(field)} {mean:.3f} (standard deviation {deviation:.3f})"


def densities(results: Sequence[ResultBase]) -> Densities:
    """Return the picture of risk results of one topic, criterion and scale.

    Raises:
        BvfError: The results differ in the questions (such as the topic), or in the criterion or scale.
    """
    of_risk = [risk_only(result) for result in results]
    refuse_mixed(of_risk, "draw them one by one")
    return Densities(
        topic=of_risk[0].topic,
        criterion=of_risk[0].criterion,
        scale=of_risk[0].scale,
        models=tuple(
            (
                name,
                {
                    field: Spread(
                        tuple(group.group for group in each.groups),
                        np.array([getattr(group, field) for group in each.groups]),
                        np.array([group.weight for group in each.groups]),
                    )
                    for field in FIGURES
                },
            )
            for name, each in zip(names_of(of_risk), of_risk, strict=True)
        ),
    )
