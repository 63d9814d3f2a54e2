"""The picture of what frames change: R, R^b and R^v in one level of a frame less those in another."""

from dataclasses import dataclass
from typing import ClassVar

from bvf import BvfError
from bvf.drawing import (
    Axis,
    Mark,
    MarkedPicture,
    Marks,
    RowNames,
    Rule,
    Value,
    caption_of,
    figure_dots,
    shown_name,
    side_by_side,
    whole_name,
)
from bvf.study import RISK
from bvf.tables import counted, listed, symbol
from bvf_insights.explain.result import Explanation, FrameDifference

PITCH = 0.34
"""Inches per row."""
APART = 0.25
"""Distance between the figures of one row, in rows."""
AXIS = "difference of the figure"


@dataclass(frozen=True)
class FrameEffects(MarkedPicture):
    """The picture of differences between levels of frames, each in the same templates."""

    kind: ClassVar[str] = "frames"
    title: ClassVar[str] = "What words around a context change"

    model: str
    topic: str
    templates: int
    rows: tuple[tuple[str, dict[str, Value]], ...]  # name of each pair of levels; differences by field
    decisions: dict[tuple[str, str], str]  # by name of the row and field; empty: too few templates
    level: float  # of the intervals

    def caption(self) -> str:
        apart = [
            f"{symbol(field)} of {shown_name(name)} ({decision})"
            for (name, field), decision in self.decisions.items()
            if decision != "tied"
        ]
        sentences = [
            f"{listed(*RISK)} of {whole_name(self.model)} ({shown_name(self.topic)}) in contexts with one level of a "
            f"frame less those with another, in the same {counted(self.templates, 'template')}."
        ]
        if not self.decisions:
            return caption_of(*sentences, "No intervals: there are too few templates of about equal weight.")
        found = f"Significant by p adjusted with Holm: {'; '.join(apart) or 'none'}."
        return caption_of(*sentences, found, f"Bars: {self.level:.0%} intervals, for other templates.")

    def marks(self) -> Marks:
        """A row per pair of levels, with a dot and an interval per figure, and a line at 0."""
        marks = list[Mark]([Rule(x=0.0)])
        for number, field in enumerate(RISK):
            rows = side_by_side(len(self.rows), number, len(RISK), APART)
            known = [(values[field], row) for (_, values), row in zip(self.rows, rows, strict=True) if field in values]
            marks.append(figure_dots(field, *zip(*known, strict=True)))
        return Marks(marks, Axis(AXIS), RowNames([name for name, _ in self.rows], pitch=PITCH))


def frame_effects(explanation: Explanation) -> FrameEffects:
    """Return the picture of what frames change in an explanation.

    Raises:
        BvfError: The contexts are not templates in frames, or J is neither convex nor concave.
    """
    differences = [each for each in explanation.frames if each.figure in RISK]
    about = f"{explanation.model}, {explanation.topic}: no picture of frames"
    if not explanation.frames:
        message = f"{about}: the contexts are not templates in frames"
        raise BvfError(message, "make such contexts with bvf contexts frame")
    if not differences:
        raise BvfError(f"{about}: the criterion {explanation.criterion} is neither convex nor concave")
    by_row: dict[str, dict[str, FrameDifference]] = {}
    for each in differences:
        by_row.setdefault(f"{each.frame}: {each.second} less {each.first}", {})[each.figure] = each
    return FrameEffects(
        model=explanation.model,
        topic=explanation.topic,
        templates=max(each.templates for each in differences),
        rows=tuple(
            (name, {field: Value(each.difference, each.low, each.high) for field, each in row.items()})
            for name, row in by_row.items()
        ),
        decisions={
            (name, field): each.decision
            for name, row in by_row.items()
            for field, each in row.items()
            if each.decision is not None
        },
        level=explanation.level,
    )
