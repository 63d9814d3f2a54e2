"""The picture of a run beside its control topics: R, and the total variation of groups from their mean."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from bvf.analyses.risk.controls.result import ControlResult
from bvf.analyses.risk.controls.tables import beside_controls, distance_of
from bvf.analyses.risk.result import Result, risk_only
from bvf.arrays import FloatArray
from bvf.drawing.interactive import SYMBOLS, apart, dots, in_rows
from bvf.drawing.labels import legend, name_axis, name_rows
from bvf.drawing.lettering import lettering
from bvf.drawing.names import shown_name, whole_name
from bvf.drawing.sentences import caption_of
from bvf.drawing.style import MARKERS, OF_FIGURES, PALE, axes_of, plain_axes, rows_of
from bvf.drawing.values import Value
from bvf.errors import BvfError
from bvf.interfaces.picture import Columns, Figure, Picture
from bvf.results.names import name_of
from bvf.results.result import ResultBase
from bvf.results.values import value_of
from bvf.tables.words import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PITCH = 0.46
"""Inches per topic, which has a row for each of two figures."""
OFFSETS = {"R": -0.2, "apart": 0.22}
"""Vertical offset of each figure from the middle of its topic, in rows."""
LOOK = {"R": "R", "apart": "particular_bias"}
"""Names under which `bvf.drawing.style` has the colour and marker of each figure."""
STROKE = 0.13
"""Half the height of the stroke that marks the value of a group, in rows."""
TALLER, ASIDE = 20, 0.2
"""In a browser: extra pixels per row, and the offset of its two figures from its middle, in rows."""


@dataclass(frozen=True)
class Beside:
    """A row of the picture: the run's topic or a control topic, its figures by field, and those of each group."""

    name: str
    figures: dict[str, Value]  # R, and how far groups are apart (total variation) where that is defined, by field
    of_groups: dict[str, FloatArray]  # the same per group, (X,) each


@dataclass(frozen=True)
class Controls(Picture):
    """The picture of a run and its control topics."""

    kind: ClassVar[str] = "controls"
    title: ClassVar[str] = "A topic beside its controls"

    model: str
    topics: tuple[Beside, ...]  # the study first
    groups: int
    criterion: str
    scale: str
    level: float
    undefined: dict[str, str]  # why a topic has no interval, by its name
    said: tuple[str, ...]  # how the study compares with each control, in sentences

    def caption(self) -> str:
        study, *others = (shown_name(each.name) for each in self.topics)
        bars = any(value.low is not None for each in self.topics for value in each.figures.values())
        why = "; ".join(f"{shown_name(name)}: {reason}" for name, reason in self.undefined.items())
        return caption_of(
            "R, and how far groups are apart (total variation of their means from the mean over groups), of "
            f"{study} beside {counted(len(others), 'control')}, for {whole_name(self.model)}.",
            f"A dot is the figure, a stroke one of {counted(self.groups, 'group')}.",
            *(whole_name(f"{each}.") for each in self.said),
            f"Bars: intervals of {self.level:.0%}." if bars else "",
            f"No interval for {why}." if why else "",
        )

    def draw(self, ax: "Axes | None" = None, columns: Columns = 1) -> Any:
        """Draw R of each topic, and the total variation of its groups from their mean where defined.

        Each figure is a dot, and each group a stroke.
        """
        rows = rows_of(len(self.topics), ax, PITCH)
        axes: Any = axes_of(ax, columns, rows.height)
        names = [each.name for each in self.topics]
        letters = lettering(names, [self.criterion])
        plain_axes(axes)
        for place, each in enumerate(self.topics):
            for figure, value in each.figures.items():
                at, look = place + OFFSETS[figure], LOOK[figure]
                colour = OF_FIGURES[look]
                strokes: dict[str, Any] = {"color": colour, "alpha": 0.3, "linewidth": 0.7}
                axes.vlines(each.of_groups[figure], at - STROKE, at + STROKE, **strokes)
                if value.low is not None:
                    axes.plot([value.low, value.high], [at, at], color=colour, linewidth=1.4)
                dot: dict[str, Any] = {"markersize": 4.6, "markeredgecolor": "white", "markeredgewidth": 0.6}
                axes.plot(value.value, at, MARKERS[look], color=colour, linestyle="", clip_on=False, **dot)
        axes.axhline(0.5, color=PALE, linewidth=0.7)
        name_rows(axes, rows, names, letters)
        axes.set_xlim(left=min(0.0, axes.get_xlim()[0]))
        name_axis(axes, letters.label(f"R ({self.criterion}, {self.scale} scale); total variation"), letters)
        legend(axes, letters, _keys(), ax)
        return axes

    def interactive(self) -> Figure:
        traces = list[Figure]()
        for figure, look in LOOK.items():
            there = [place for place, each in enumerate(self.topics) if figure in each.figures]
            topics = [self.topics[place] for place in there]
            rows = [place + (ASIDE if figure == "apart" else -ASIDE) for place in there]
            values = [Value(float(value)) for each in topics for value in each.of_groups[figure]]
            at = [row for row, each in zip(rows, topics, strict=True) for _ in each.of_groups[figure]]
            stroke = {"symbol": "line-ns", "size": 12, "line": {"color": OF_FIGURES[look], "width": 1}}
            traces.append({**dots(values, at), "marker": stroke, "opacity": 0.35, "showlegend": False})
            marker = {"color": OF_FIGURES[look], "size": 10, "symbol": SYMBOLS[look]}
            traces.append({**dots([each.figures[figure] for each in topics], rows), "name": figure, "marker": marker})
        drawn = in_rows(traces, apart([each.name for each in self.topics]), "R; total variation", legend=True)
        drawn["layout"]["height"] += TALLER * len(self.topics)
        return drawn


def controls(result: ResultBase) -> Controls:
    """Return the picture of a risk result that has controls."""
    study = risk_only(result)
    if not study.controls:
        raise BvfError(f"{study.folder or study.model}: this run has no controls", "bvf run --controls asks them too")
    if not all(each.groups for each in study.controls):
        raise BvfError(f"{study.folder or study.model}: analysed by an earlier bvf", "bvf analyse DIR does it again")
    why = {study.topic: study.uncertainty.undefined, **{each.topic: each.undefined for each in study.controls}}
    return Controls(
        model=name_of(study),
        topics=(_beside_of(study), *map(_beside_of_control, study.controls)),
        groups=len(study.groups),
        criterion=study.criterion,
        scale=study.scale,
        level=study.uncertainty.level,
        undefined={name: reason for name, reason in why.items() if reason},
        said=tuple(beside_controls(study)),
    )


def _beside_of(study: Result) -> Beside:
    apart, groups = distance_of(study), study.controls[0].groups
    figures, of_groups = {"R": value_of(study, "R")}, {"R": np.array([each.r for each in study.groups])}
    if apart is not None:
        figures["apart"] = Value(apart)
        of_groups["apart"] = np.array([each.apart_in_topic for each in groups], dtype=np.float64)
    return Beside(study.topic, figures, of_groups)


def _beside_of_control(control: ControlResult) -> Beside:
    figures = {"R": Value(control.R, *control.intervals.get("R", ()))}
    of_groups = {"R": np.array([each.r for each in control.groups])}
    if control.apart is not None:
        figures["apart"] = Value(control.apart, *control.intervals.get("apart", ()))
        of_groups["apart"] = np.array([each.apart for each in control.groups], dtype=np.float64)
    return Beside(control.topic, figures, of_groups)


def _keys() -> list[Any]:
    from matplotlib.lines import Line2D

    dot: dict[str, Any] = {"linestyle": "", "markersize": 4.6}
    dots = [
        Line2D([], [], marker=MARKERS[look], color=OF_FIGURES[look], label=name, **dot) for name, look in LOOK.items()
    ]
    return [*dots, Line2D([], [], marker="|", color=OF_FIGURES["R"], alpha=0.5, linestyle="", label="a group")]
