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
from bvf.tables import counted, listed, percent, symbol
from bvf_insights.explain.result import ALONE, Explanation, FrameDifference, PlaceboShare
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

    explanation: Explanation

    @property
    def rows(self) -> dict[str, dict[str, FrameDifference]]:
        """The differences of R, R^b and R^v by field, by the name of their pair of levels."""
        rows: dict[str, dict[str, FrameDifference]] = {}
        for each in self.explanation.frames:
            if each.figure in RISK:
                rows.setdefault(f"{each.frame}: {each.second} less {each.first}", {})[each.figure] = each
        return rows

    def caption(self) -> str:
        found, every = self.explanation, [(name, each) for name, row in self.rows.items() for each in row.values()]
        apart = [
            f"{symbol(each.figure)} of {shown_name(name)} ({each.decision})"
            for name, each in every
            if each.decision not in (None, "tied")
        ]
        templates = counted(max(each.templates for _, each in every), "template")
        sentences = [
            f"{listed(*RISK)} of {whole_name(found.model)} ({shown_name(found.topic)}) in contexts with one level of a "
            f"frame less those with another, in the same {templates}."
        ]
        if all(each.decision is None for _, each in every):
            return caption_of(*sentences, "No intervals: there are too few templates of about equal weight.")
        significant = f"Significant by p adjusted with Holm: {'; '.join(apart) or 'none'}."
        return caption_of(*sentences, significant, f"Bars: {percent(found.level)} intervals, for other templates.")

    def marks(self) -> Marks:
        """A row per pair of levels, with a dot and an interval per figure, and a line at 0."""
        marks, by_name = list[Mark]([Rule(x=0.0)]), self.rows
        for number, field in enumerate(RISK):
            rows = side_by_side(len(by_name), number, len(RISK), APART)
            known = [(each[field], row) for each, row in zip(by_name.values(), rows, strict=True) if field in each]
            values = [Value(each.difference, each.low, each.high) for each, _ in known]
            marks.append(figure_dots(field, values, [row for _, row in known]))
        return Marks(marks, Axis(AXIS), RowNames(list(by_name), pitch=PITCH_OF_FRAMES))


def frame_effects(explanation: Explanation) -> FrameEffects:
    """Return the picture of what frames change. Refuses other contexts, and a J of neither curvature."""
    about = f"{explanation.model}, {explanation.topic}: no picture of frames"
    if not explanation.frames:
        message = f"{about}: the contexts are not templates in frames"
        raise BvfError(message, "make such contexts with bvf contexts frame")
    if not any(each.figure in RISK for each in explanation.frames):
        raise BvfError(f"{about}: the criterion {explanation.criterion} is neither convex nor concave")
    return FrameEffects(explanation)


@dataclass(frozen=True)
class Variance(MarkedPicture):
    """The picture of variance components, placebo shares (of harmless swaps) and reliabilities, on one scale."""

    kind: ClassVar[str] = "variance"
    title: ClassVar[str] = "What makes predictions vary, and whether other contexts would agree"

    explanation: Explanation

    @property
    def parts(self) -> list[tuple[str, float]]:
        """The shares of the variance by name."""
        alone = bool(self.explanation.group)
        return [(PARTS[each.what], each.share) for each in self.explanation.varying if each.what in ALONE or not alone]

    @property
    def swaps(self) -> list[tuple[str, PlaceboShare]]:
        """The placebo shares by name: of all swaps together, then of each kind; empty without a placebo set."""
        return [(each.swap or "all swaps", each) for each in self.explanation.placebo]

    @property
    def reliabilities(self) -> list[tuple[str, Value]]:
        """The reliabilities by the name of the figure; empty for too few groups or contexts."""
        return [
            (figure_of_groups(each.figure), Value(each.reliability, each.low, each.high))
            for each in self.explanation.reliability
            if each.reliability is not None
        ]

    def caption(self) -> str:
        found, parts = self.explanation, ", ".join(f"{name} {share:.0%}" for name, share in self.parts)
        sentences = [
            f"What makes predictions of {whole_name(found.model)} vary ({shown_name(found.topic)}, "
            f"{counted(found.contexts, 'context')}): {parts} of the variance."
        ]
        if self.swaps:
            swaps = "; ".join(f"{shown_name(name)} {_share(each)}" for name, each in self.swaps)
            templates = counted(max(each.origins for each in found.placebo), "template")
            sentences += [
                f"Share that swaps which should not matter make in {templates}: {swaps}.",
                "Grey stroke: the share if a variant were as different as another template.",
            ]
        if self.reliabilities:
            figures = ", ".join(f"{shown_name(name)} {value.value:.2f}" for name, value in self.reliabilities)
            sentences.append(f"Split-half reliability of figures of groups: {figures}.")
        bars = [
            *(["intervals with templates drawn again"] if self.swaps else []),
            *([f"the middle {percent(found.level)} of splits"] if self.reliabilities else []),
        ]
        return caption_of(*sentences, f"Bars: {' and '.join(bars)}." if bars else "")

    def marks(self) -> Marks:
        """Bars for the variance components, and dots with intervals for placebo shares and reliabilities."""
        blocks: tuple[Sequence[tuple[str, object]], ...] = (self.parts, self.swaps, self.reliabilities)
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
        shares = self.explanation.placebo
        for field, called, aside in (("variance", "of the variance", -ASIDE), ("volatility", "of R^v", ASIDE)):
            there = [
                (Value(value, getattr(each, f"{field}_low"), getattr(each, f"{field}_high")), row + aside)
                for row, each in zip(rows, shares, strict=True)
                if (value := getattr(each, field)) is not None
            ]
            look = VOLATILITY if field == "volatility" else field
            values, at = [value for value, _ in there], [row for _, row in there]
            yield figure_dots(look, values, at, name=called if rows else "")
        chances, places = np.array([each.by_chance for each in shares]), np.array(rows, dtype=float)
        yield Strokes(chances, places - 0.36, places + 0.36, GREY, 1.6, name="by chance" if rows else "", pixels=14)


def variance(explanation: Explanation) -> Variance:
    """Return the picture of the variance components, placebo shares and reliabilities of an explanation."""
    if not any(each.share for each in explanation.varying):
        why = "nothing varies" if explanation.varying else "no context has an answer for every group"
        raise BvfError(f"{explanation.model}, {explanation.topic}: no picture of the variance: {why}")
    return Variance(explanation)


def _share(each: PlaceboShare) -> str:
    if each.variance is None:
        return "none, as nothing varies"
    ends = "" if each.variance_low is None else f" ({each.variance_low:.0%} to {each.variance_high:.0%})"
    return f"{each.variance:.0%}{ends}"
