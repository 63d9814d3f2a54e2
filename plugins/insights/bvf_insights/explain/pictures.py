"""Pictures of an explanation: variance components, reliabilities, and what frames change.

A placebo share is due to changes of wording that should not matter.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bvf import BvfError
from bvf.drawing import (
    GREY,
    Axis,
    Dots,
    Mark,
    MarkedPicture,
    Marks,
    RowNames,
    Rule,
    Shares,
    Strokes,
    Value,
    caption_of,
    figure_dots,
    shown_name,
    side_by_side,
    whole_name,
)
from bvf.study import RISK
from bvf.tables import counted, listed, symbol
from bvf_insights.explain.result import ALONE, Explanation, FrameDifference
from bvf_insights.explain.tables import figure_of_groups

PITCH_OF_FRAMES = 0.34
"""Inches per row."""
APART = 0.25
"""Distance between the figures of one row, in rows."""
AXIS = "difference of the figure"
PARTS = {
    "group": "groups",
    "context": "contexts",
    "template": "templates",
    "opening": "openings, also with templates",
    "both": "both together",
    "thought": "thoughts",
    "sampling": "sampled answers",
}
PITCH = 0.19
"""Inches per row."""
EDGE = 0.02
"""Margin of the axis beyond the smallest and the largest possible value."""
ASIDE = 0.2
"""Distance of the two figures of a swap from the middle of its row, in rows."""
HEADINGS = ("What makes predictions vary", "Swaps that should not matter", "Do halves of the contexts agree?")
VOLATILITY = "R_volatility"


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
        return Marks(marks, Axis(AXIS), RowNames([name for name, _ in self.rows], pitch=PITCH_OF_FRAMES))


def frame_effects(explanation: Explanation) -> FrameEffects:
    """Return the picture of what frames change. Refuses other contexts, and a J of neither curvature."""
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


@dataclass(frozen=True)
class Swap:
    """The shares of variance and volatility due to swaps of words that should not matter, such as *that* for *the*."""

    name: str
    variance: Value | None  # share of the variance over the contexts that have the swap; None: nothing varies
    volatility: Value | None  # share of R^v; None: there is none
    by_chance: float  # the share if a variant were as different as another template


@dataclass(frozen=True)
class Variance(MarkedPicture):
    """The picture of variance components, placebo shares (of harmless swaps) and reliabilities, on one scale."""

    kind: ClassVar[str] = "variance"
    title: ClassVar[str] = "What makes predictions vary, and whether other contexts would agree"

    model: str
    topic: str
    contexts: int
    parts: tuple[tuple[str, float], ...]  # shares of the variance by name
    swaps: tuple[Swap, ...]  # all together, then each kind; empty: contexts are not a placebo set
    templates: int  # that have variants
    reliabilities: tuple[tuple[str, Value], ...]  # by figure; empty: too few groups or contexts
    level: float  # of intervals, and the share of splits that bars of reliabilities cover

    def caption(self) -> str:
        parts = ", ".join(f"{name} {share:.0%}" for name, share in self.parts)
        sentences = [
            f"What makes predictions of {whole_name(self.model)} vary ({shown_name(self.topic)}, "
            f"{counted(self.contexts, 'context')}): {parts} of the variance."
        ]
        if self.swaps:
            swaps = "; ".join(f"{shown_name(each.name)} {_share(each.variance)}" for each in self.swaps)
            sentences += [
                f"Share that swaps which should not matter make in {counted(self.templates, 'template')}: {swaps}.",
                "Grey stroke: the share if a variant were as different as another template.",
            ]
        if self.reliabilities:
            figures = ", ".join(f"{shown_name(name)} {value.value:.2f}" for name, value in self.reliabilities)
            sentences.append(f"Split-half reliability of figures of groups: {figures}.")
        bars = [
            *(["intervals with templates drawn again"] if self.swaps else []),
            *([f"the middle {self.level:.0%} of splits"] if self.reliabilities else []),
        ]
        return caption_of(*sentences, f"Bars: {' and '.join(bars)}." if bars else "")

    def marks(self) -> Marks:
        """Bars for the variance components, and dots with intervals for placebo shares and reliabilities."""
        blocks = (self.parts, [(each.name, each) for each in self.swaps], self.reliabilities)
        names, headings, starts = list[str](), list[int](), list[int]()
        for heading, block in zip(HEADINGS, blocks, strict=True):
            if block:
                headings.append(len(names))
                names += [heading, *(name for name, _ in block)]
            starts.append(len(names) - len(block))
        of_parts, of_swaps, reliable = (
            range(start, start + len(block)) for start, block in zip(starts, blocks, strict=True)
        )
        marks = [Shares([share for _, share in self.parts], of_parts), *self._swaps(of_swaps)]
        marks.append(Dots([value for _, value in self.reliabilities], reliable))
        least = min([0.0, *(value.value if value.low is None else value.low for _, value in self.reliabilities)])
        across = Axis("share, or reliability" if self.reliabilities else "share", (least - EDGE, 1.0 + EDGE))
        return Marks(marks, across, RowNames(names, pitch=PITCH, headings=headings))

    def _swaps(self, rows: Sequence[int]) -> Iterator[Mark]:
        chances = np.array([each.by_chance for each in self.swaps])
        for field, called, aside in (("variance", "of the variance", -ASIDE), (VOLATILITY, "of R^v", ASIDE)):
            pairs = zip(rows, self.swaps, strict=True)
            known = [(each.variance if field == "variance" else each.volatility, row + aside) for row, each in pairs]
            there = [(value, row) for value, row in known if value is not None]
            yield figure_dots(
                field, [value for value, _ in there], [row for _, row in there], name=called if rows else ""
            )
        places = np.array(rows, dtype=float)
        yield Strokes(chances, places - 0.36, places + 0.36, GREY, 1.6, name="by chance" if rows else "", pixels=14)


def variance(explanation: Explanation) -> Variance:
    """Return the picture of the variance components, placebo shares and reliabilities of an explanation."""
    if not any(each.share for each in explanation.varying):
        why = "nothing varies" if explanation.varying else "no context has an answer for every group"
        raise BvfError(f"{explanation.model}, {explanation.topic}: no picture of the variance: {why}")
    parts = [each for each in explanation.varying if each.what in ALONE or not explanation.group]
    return Variance(
        model=explanation.model,
        topic=explanation.topic,
        contexts=explanation.contexts,
        parts=tuple((PARTS[each.what], each.share) for each in parts),
        swaps=tuple(
            Swap(
                name=each.swap or "all swaps",
                variance=_value(each.variance, each.variance_low, each.variance_high),
                volatility=_value(each.volatility, each.volatility_low, each.volatility_high),
                by_chance=each.by_chance,
            )
            for each in explanation.placebo
        ),
        templates=max((each.origins for each in explanation.placebo), default=0),
        reliabilities=tuple(
            (figure_of_groups(each.figure), Value(each.reliability, each.low, each.high))
            for each in explanation.reliability
            if each.reliability is not None
        ),
        level=explanation.level,
    )


def _value(value: float | None, low: float | None, high: float | None) -> Value | None:
    return None if value is None else Value(value, low, high)


def _share(value: Value | None) -> str:
    if value is None:
        return "none, as nothing varies"
    return f"{value.value:.0%}" + ("" if value.low is None else f" ({value.low:.0%} to {value.high:.0%})")
