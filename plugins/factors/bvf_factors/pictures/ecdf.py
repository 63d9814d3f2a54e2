"""A picture of distribution functions: the fraction of subgroups whose deviation rate is at most a given rate."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bvf.drawing import INK, Axis, Dash, Line, MarkedPicture, Marks, Rule, caption_of, looks, shown_name
from bvf.stats import FloatArray
from bvf_factors.rates.spread import distance_to

DASHES: tuple[Dash, ...] = ("solid", "dashed", "dashdot", "dotted")


@dataclass(frozen=True)
class Steps:
    """A distribution function, which rises to ``heights`` at ascending ``rates``, (S,), and their distance DM."""

    name: str
    rates: FloatArray
    heights: FloatArray
    distance: float


@dataclass(frozen=True)
class Ecdf(MarkedPicture):
    """The picture of distribution functions of deviation rates, the target rate C, and a marked rate ``line``."""

    kind: ClassVar[str] = ""
    title: ClassVar[str] = "The shares of subgroups by their rates"

    steps: tuple[Steps, ...]
    target: float
    line: float | None

    def caption(self) -> str:
        distances = ", ".join(f"{shown_name(each.name)} {each.distance:.3f}" for each in self.steps)
        return caption_of(
            "The share of subgroups in which the model deviates at most so often.",
            f"Mean distance of their rates from {self.target:g}: {distances}.",
        )

    def marks(self) -> Marks:
        """Distribution functions as steps. The area between a function and the target is DM, its mean distance."""
        marks = [Rule(x=self.target, colour=INK, width=0.7)]
        marks += [] if self.line is None else [Rule(x=self.line, dash="dotted")]
        hover = "%{y:.0%} of subgroups have a rate of at most %{x:.3f}"
        steps = list[Line]()
        for number, (each, (colour, _)) in enumerate(zip(self.steps, looks(len(self.steps)), strict=True)):
            x, y, dash = [1.0, *each.rates[::-1], 0.0], [1.0, *each.heights[::-1], 0.0], DASHES[number % len(DASHES)]
            steps.append(Line(x, y, colour, 1.2, dash, each.name, stepped=True, hover=hover))
        axes = Axis("rate of deviations in a subgroup"), Axis("share of subgroups", (0.0, 1.02))
        return Marks([*steps, *marks], *axes, heights=(2.6, 2.6), grid="both", legend=len(steps) > 1)


def ecdf(rates: Mapping[str, Sequence[float]], target: float = 0.0, line: float | None = None) -> Ecdf:
    """Return the picture of the distribution functions of the rates of subgroups, one per model or table by name."""
    steps = []
    for name, of_subgroups in rates.items():
        ascending = np.sort(np.asarray(of_subgroups, dtype=np.float64))
        heights = np.arange(1, len(ascending) + 1) / len(ascending)
        steps.append(Steps(name, ascending, heights, distance_to(ascending, target)))
    return Ecdf(tuple(steps), target, line)
