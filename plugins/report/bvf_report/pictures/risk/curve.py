"""The picture of J over probabilities, and of r, r^b (bias), r^v (volatility) of a group (Figure 4, PVF paper)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bvf import BvfError, ResultBase, load
from bvf.drawing import (
    GREY,
    INK,
    OF_FIGURES,
    Axis,
    Dots,
    Line,
    Mark,
    MarkedPicture,
    Marks,
    Rule,
    caption_of,
    shown_name,
    whole_name,
)
from bvf.errors import nearest
from bvf.hooks import Plugins
from bvf.results import predictions_of, risk_criterion_of, risk_only
from bvf.stats import FloatArray, criterion_for
from bvf.tables import counted, symbol

PLACES = 201
"""Number of probabilities at which J is computed."""
LONGEST_NAME = 34
"""The most columns of a name in the title of the axis."""
LARGEST = 60.0
"""Area in square points of the dot of the heaviest context."""


@dataclass(frozen=True)
class Curve(MarkedPicture):
    """The picture of J over the probability of the first of two classes, with a point per context for one group."""

    kind: ClassVar[str] = "curve"
    title: ClassVar[str] = "From probabilities to r, r^b and r^v"

    model: str
    criterion: str
    scale: str
    classes: tuple[str, ...]  # two
    group: str
    contexts: tuple[str, ...]  # C
    p: FloatArray  # probability of the first class in each context, (C,)
    risks: FloatArray  # J in each context, (C,)
    weights: FloatArray  # P(c), (C,)
    p_star: float  # of the first class
    at: FloatArray  # probabilities from 0 to 1, (201,)
    J: FloatArray  # J there, (201,)
    r: float
    r_bias: float
    r_volatility: float

    @property
    def mean(self) -> float:
        """E_c[p], the mean probability of the first class."""
        return float(self.weights @ self.p)

    def caption(self) -> str:
        r, bias, volatility = map(symbol, ("r", "r_bias", "r_volatility"))
        return caption_of(
            f"The criterion {self.criterion} ({self.scale} scale) over the probability of "
            f"{shown_name(self.classes[0])}, and {shown_name(self.group)} on it, for {whole_name(self.model)}.",
            f"A dot is one of {counted(len(self.p), 'context')}, as large as its weight.",
            f"{bias} {self.r_bias:.3f} is the risk of the mean probability, {r} {self.r:.3f} the mean of the risks, "
            f"{volatility} {self.r_volatility:.3f} the distance between them. Dotted: the unbiased model.",
        )

    def marks(self) -> Marks:
        """The curve of J, a point on it per context, and r^b (on the curve) and r above the mean probability."""
        mean, bias, volatility = [self.mean], OF_FIGURES["R_bias"], OF_FIGURES["R_volatility"]
        areas, hover = LARGEST * self.weights / self.weights.max(), "%{text}<br>%{x}: %{y}"
        marks: list[Mark] = [
            Rule(x=self.p_star, dash="dotted"),
            Line(self.at, self.J, GREY, 1.0),
            Dots(self.p, self.risks, INK, areas=areas, alpha=0.25, texts=self.contexts, hover=hover),
            Dots(mean, [self.r], OF_FIGURES["R"], name=f"r {self.r:.3f}", size=4.5, hover="%{y}"),
            Dots(mean, [self.r_bias], bias, "D", name=f"r^b {self.r_bias:.3f}", size=4.5, hover="%{y}"),
            Line(mean * 2, [self.r_bias, self.r], volatility, 2.0, name=f"r^v {self.r_volatility:.3f}"),
            Rule(dash="dotted", name="p*"),
        ]
        of_class, group = (shown_name(name, LONGEST_NAME) for name in (self.classes[0], self.group))
        across = Axis(f"probability of {of_class} for {group}", (0.0, 1.0))
        upwards = Axis(f"J ({self.criterion}, {self.scale} scale)", (0.0, None))
        return Marks(marks, across, upwards, heights=(2.7, 3.6), grid="both")


def curve(result: ResultBase, group: str = "", *, plugins: Plugins | None = None) -> Curve:
    """Return the picture of a group of a risk result of two classes, by default of the most volatile (largest r^v).

    Raises:
        BvfError: There are more classes than two, p* changes with the context, or there is no such group.
    """
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
    each = of_risk.groups[x]
    return Curve(
        model=of_risk.model,
        criterion=of_risk.criterion,
        scale=of_risk.scale,
        classes=classes,
        group=each.group,
        contexts=tuple(np.array(read.contexts, dtype=object)[there]),
        p=read.probabilities[x, there, 0],
        risks=J(s)[0] / of_risk.divisor,
        weights=weights,
        p_star=float(p_star[0, 0, 0]),
        at=at,
        J=J(np.stack([at, 1.0 - at], axis=1)[np.newaxis] / p_star - 1.0)[0] / of_risk.divisor,
        r=each.r,
        r_bias=each.r_bias,
        r_volatility=each.r_volatility,
    )
