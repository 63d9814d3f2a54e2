"""The scatter plot of volatility against bias of groups."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bvf import ResultBase
from bvf.drawing import Axis, Dots, Mark, MarkedPicture, Marks, PointNames, caption_of, colours_of, whole_name
from bvf.results import leading, name_of, risk_only, sentence_on_spearman, sides_decide
from bvf.stats import FloatArray, IntArray, spearman
from bvf.tables import counted

AREA = 12.0
"""Square points of a dot."""
HOVER = "%{text}<br>r^b %{x}, r^v %{y}"
NAMED = 10
"""The most groups whose names are written: those with extreme values."""


@dataclass(frozen=True)
class Scatter(MarkedPicture):
    """The scatter plot of r^v (volatility) against r^b (bias); arrays are in the order of the result's groups."""

    kind: ClassVar[str] = "scatter"
    title: ClassVar[str] = "Volatility against bias of groups"

    model: str
    topic: str
    classes: tuple[str, ...]  # Y
    groups: tuple[str, ...]  # X, in the order of the result
    r_bias: FloatArray  # (X,)
    r_volatility: FloatArray  # (X,)
    leads: IntArray  # index of the class that each group leans to on average, (X,)
    contexts: int
    spearman: float | None = None  # rank correlation of r^v with r^b; None: undefined
    sides_decide: bool = False  # groups are volatile only in so far as they change sides

    def caption(self) -> str:
        return caption_of(
            f"Volatility risk r^v against bias risk r^b of {counted(len(self.groups), 'group')} for "
            f"{whole_name(self.model)}, over {counted(self.contexts, 'context')}.",
            "A dot is a group, its colour the class that it leans to on average.",
            sentence_on_spearman(self.spearman, self.sides_decide),
        )

    def marks(self) -> Marks:
        """A point per group, r^v (vertical) against r^b (horizontal), a rug along each axis, and some names."""
        marks = list[Mark]()
        across, upwards = _limits(self.r_bias), _limits(self.r_volatility)
        for y, (name, colour) in enumerate(zip(self.classes, colours_of(self.classes), strict=True)):
            leading = self.leads == y
            bias, volatility = self.r_bias[leading], self.r_volatility[leading]
            texts = [group for group, leads in zip(self.groups, leading, strict=True) if leads]
            areas = np.full(len(bias), AREA)
            if len(bias):
                marks.append(
                    Dots(bias, volatility, colour, name=name, areas=areas, alpha=0.75, texts=texts, hover=HOVER)
                )
        marks.append(PointNames(self.r_bias, self.r_volatility, self.groups, self._furthest()))
        axes = Axis("bias risk r^b", across), Axis("volatility risk r^v", upwards)
        return Marks(marks, *axes, grid="both", rug=True)

    def _furthest(self) -> list[int]:
        """Indices of groups with extreme values. They are taken in turn: largest r^v, largest r^b, smallest r^b."""
        orders = (np.argsort(-self.r_volatility), np.argsort(-self.r_bias), np.argsort(self.r_bias))
        ways = [place for places in zip(*orders, strict=True) for place in places]
        return list(dict.fromkeys(map(int, ways)))[:NAMED]


def scatter(result: ResultBase) -> Scatter:
    """Return the scatter plot of a risk result."""
    of_risk = risk_only(result)
    groups = of_risk.groups
    r_bias, r_volatility = (np.array([getattr(group, name) for group in groups]) for name in ("r_bias", "r_volatility"))
    return Scatter(
        model=name_of(of_risk),
        topic=of_risk.topic,
        classes=tuple(groups[0].mean_probabilities),
        groups=tuple(group.group for group in groups),
        r_bias=r_bias,
        r_volatility=r_volatility,
        leads=np.array([leading(group) for group in groups], dtype=np.intp),
        contexts=of_risk.number_of_contexts,
        spearman=spearman(r_bias, r_volatility),
        sides_decide=sides_decide(of_risk),
    )


def _limits(figures: Any) -> tuple[float, float]:
    most = float(figures.max()) or 1e-3
    return min(0.0, float(figures.min())) - 0.04 * most, 1.08 * most
