"""The pictures of explanations, context sets, ways of asking and regressions, and their kinds.

The kinds are for ``bvf plot``, and functions of `bvf.plot`, which adds ``ax`` and ``columns`` to the parameters of
``of``. A placebo share is due to changes of wording that should not matter.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bvf import BvfError, CaptionedPicture, Picture, PictureKind, PlotRequest
from bvf.drawing import (
    FIRST,
    GREY,
    INK,
    Axis,
    Band,
    Beside,
    ColumnNames,
    Dash,
    Dots,
    Line,
    Mark,
    MarkedPicture,
    Marks,
    Matrix,
    PointNames,
    RowNames,
    Rule,
    Shares,
    Strokes,
    Value,
    caption_of,
    figure_dots,
    looks,
    shown_name,
    side_by_side,
    whole_name,
)
from bvf.stats import FloatArray
from bvf.study import RISK
from bvf.tables import between, correlation, counted, listed, percent, symbol
from bvf_insights.asking import AskingComparison, compare_asking
from bvf_insights.contexts import ContextComparison, compare_contexts, sentences_on_orders
from bvf_insights.explain.analysis import explain_risk
from bvf_insights.explain.result import ALONE, Explanation, FrameDifference, PlaceboShare
from bvf_insights.explain.tables import figure_of_groups
from bvf_insights.regress.analysis import regress
from bvf_insights.regress.config import RegressConfig
from bvf_insights.regress.result import Regression, Regressions, figure_called, unit_of
from bvf_insights.stats.weighted_line import weighted_line

BELOW = 0.9
"""Inches below the cells, for names."""


@dataclass(frozen=True)
class Asking(MarkedPicture):
    """The picture of correlations of ways of asking, two by two, over the groups that both have."""

    kind: ClassVar[str] = "asking"
    title: ClassVar[str] = "Correlations of ways of asking"

    compared: AskingComparison

    def caption(self) -> str:
        known = [each for each in self.compared.agreements if each.correlation is not None]
        last = max(known, key=lambda each: each.correlation or 0.0, default=None)
        most, topic, to = "", shown_name(self.compared.topic), shown_name(self.compared.to)
        if last is not None:
            ends, both = between(last.low, last.high, 2), f"{shown_name(last.first)} and {shown_name(last.second)}"
            interval = f"({percent(self.compared.level)}: {ends}), {counted(last.groups, 'group')}"
            most = f"{both} agree most: {correlation(last.correlation)} {interval}."
        return caption_of(
            f"Pearson's correlations over groups of {topic}: how each way of asking ties them to {to}. White: too few "
            "groups in both.",
            most,
        )

    def marks(self) -> Marks:
        """A matrix of correlations; a browser says the interval."""
        names = [each.name for each in self.compared.ways]
        values = np.full((len(names), len(names)), np.nan)
        texts = [[""] * len(names) for _ in names]
        for each in self.compared.agreements:
            one, other = names.index(each.first), names.index(each.second)
            for i, j in ((one, other), (other, one)):
                values[i, j] = np.nan if each.correlation is None else each.correlation
                texts[i][j] = f"({between(each.low, each.high, 2)}), {each.groups} groups"
        cells = Matrix(values, (-1.0, 1.0), "r", diverging=True, digits="+.2f", texts=texts, hover="%{z} %{customdata}")
        across = ColumnNames(names, BELOW, slant=30)
        return Marks([cells], across, RowNames(names, pitch=0.3, edges=BELOW + 0.2), grid="")


MODELS_NAMED = 8
"""The most models that a caption names."""
PITCH_OF_SETS, EDGES = 0.24, 0.6
"""Inches per set, and above and below the rows."""
LINES: tuple[Dash, ...] = ("solid", "dashed", "dotted")
"""Line styles of the first eight models, of the next eight, and so on."""


@dataclass(frozen=True)
class OverContexts(MarkedPicture):
    """The picture of R (of one model also R^b and R^v) over context sets, and of distances between the sets."""

    kind: ClassVar[str] = "contexts"
    title: ClassVar[str] = "R of models over context sets"

    compared: ContextComparison

    def figure(self, field: str) -> FloatArray:
        """Return a figure of each model (M) in each set (S), shape (S, M)."""
        values = np.array([getattr(each, field) for each in self.compared.sets])
        return values.reshape(-1, len(self.compared.models))

    def caption(self) -> str:
        compared, models = self.compared, self.compared.models
        apart = [pair.total_variation for pair in compared.pairs]
        several = len(models) > 1
        who = counted(len(models), "model") if several else whole_name(models[0])
        values = zip(models, self.figure("R").T, strict=True)
        R = [f"{whole_name(name)} {of_model.min():.3f} to {of_model.max():.3f}" for name, of_model in values]
        sentences = [
            f"{symbol(RISK[0]) if several else listed(*RISK)} of {who} over "
            f"{counted(len(compared.contexts), 'context set')} of {shown_name(compared.topic)}, "
            f"{counted(compared.groups, 'group')}.",
            f"R: {', '.join(R[:MODELS_NAMED])}.",
            "Beside each set stands its distance from the first: 0 the same, 1 no template in common; any two are "
            f"{min(apart):.2f} to {max(apart):.2f} apart.",
        ]
        kendalls = [pair.kendall for pair in compared.pairs if pair.kendall is not None]
        if kendalls:
            low, high = min(kendalls), max(kendalls)
            sentences.append(f"Kendall's correlation of r of groups between two sets is {low:+.2f} to {high:+.2f}.")
        orders = (f"{each[0].upper()}{each[1:]}." for each in sentences_on_orders(compared))
        return caption_of(*sentences, *orders)

    def marks(self) -> Marks:
        """R of each model over the context sets, and distances from the first set. One model also gets R^b and R^v."""
        compared, sets, marks = self.compared, self.compared.contexts, list[Mark]()
        places, one = range(len(sets)), len(compared.models) == 1
        if one:
            for field in RISK:
                wide = {"size": 5.4, "alpha": 0.45} if field == "R" else {}  # R^b lies on it
                marks.append(figure_dots(field, self.figure(field)[:, 0], places, joined=0.6, **wide))
        else:
            of_each = looks(len(compared.models))
            of_models = zip(compared.models, of_each, self.figure("R").T, strict=True)
            for m, (name, (colour, marker), values) in enumerate(of_models):
                dash = LINES[m // len({shape for _, shape in of_each}) % len(LINES)]
                marks.append(Dots(values, places, colour, marker, name, 3.6, joined=0.8, dash=dash))
        apart = {pair.second: pair.total_variation for pair in compared.pairs if pair.first == sets[0]}
        marks.append(Beside([(s, f"{apart.get(name, 0.0):.2f}") for s, name in enumerate(sets)], "distance"))
        title = f"{'risk' if one else 'R'} ({compared.criterion}, {compared.scale} scale)"
        return Marks(marks, Axis(title, from_zero=one), RowNames(sets, pitch=PITCH_OF_SETS, edges=EDGES))


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


STEPS = 60
"""Number of points at which the regression line and its band are computed."""
NAMED = 12
"""The most groups whose names are written: those with the largest influence on the slope."""
AREA, SMALLEST_AREA, LARGEST_AREA = 14.0, 5.0, 320.0
"""Dot areas in square points: for a group of mean weight, the smallest, and the largest."""

LONGEST = 60
"""The most columns of the title of an axis."""


@dataclass(frozen=True)
class RegressionLine(MarkedPicture):
    """The picture of one of several regressions: groups as points, the regression line, and its confidence band."""

    kind: ClassVar[str] = "regression"
    title: ClassVar[str] = "A figure of groups against a social factor"

    regressions: Regressions
    regression: Regression

    @property
    def unit(self) -> str:
        """The unit to which the slope refers; empty: none."""
        unit = unit_of(self.regressions.factor_of(self.regression))
        return "" if unit == "1" else unit

    def caption(self) -> str:
        of_all, fitted, per = self.regressions, self.regression, f" per {self.unit}" if self.unit else ""
        factor = of_all.factor_of(fitted)
        label, year = shown_name(factor.label), f" ({factor.year})" if factor.year else ""
        areas = "" if of_all.weights == "uniform" else f", as large as its weight ({shown_name(of_all.weights)})"
        decided = {"rises": "it rises", "falls": "it falls", "cannot tell": "it may rise or fall"}[fitted.decision]
        return caption_of(
            f"The {shown_name(figure_called(fitted.figure))} of {counted(len(fitted.groups), 'group')} of "
            f"{shown_name(of_all.topic)} against {label}{year}, for {whole_name(fitted.model)}. A point is a "
            f"group{areas}.",
            f"Slope{per} {fitted.slope:.4g} ({percent(of_all.level)} for other groups of the kind: {fitted.low:.4g} to "
            f"{fitted.high:.4g}): {decided}; "
            f"unweighted {fitted.unweighted:.4g}.",
            f"The weights are worth {fitted.effective:.1f} equal ones." if areas else "",
            f"Band: intervals of {percent(of_all.level)} of the line, by HC2.",
        )

    def marks(self) -> Marks:
        """A point per group, the regression line and its confidence band. Larger points have larger weights."""
        groups, factor = self.regression.groups, self.regressions.factor_of(self.regression)
        x, y, weights = (np.array([getattr(group, field) for group in groups]) for field in ("x", "y", "weight"))
        moved = np.array([abs(group.without - self.regression.slope) for group in groups])
        fitted, at = weighted_line(x, y, weights), np.linspace(x.min(), x.max(), STEPS)
        line, reach = fitted.at(at), fitted.reach_at(at, self.regressions.level)
        areas = np.clip(AREA * weights * len(weights), SMALLEST_AREA, LARGEST_AREA)
        names = [group.group for group in groups]
        texts = [f"{name}, weight {share:.2%}" for name, share in zip(names, weights, strict=True)]
        named = np.argsort(-moved, kind="stable")[:NAMED].tolist()  # those first that move the slope most
        marks: list[Mark] = [
            Band(at, line - reach, line + reach, GREY, 0.18),
            Line(at, line, INK, 1.2),
            Dots(x, y, FIRST, areas=areas, alpha=0.55, texts=texts, hover="%{text}<br>%{x}, %{y}"),
            PointNames(x, y, names, named, np.sqrt(areas / np.pi)),
        ]
        spread = np.concatenate([y, [line.min(), line.max()]])
        margin = 0.08 * float(np.ptp(spread) or 1.0)
        ends = float(spread.min()) - margin, float(spread.max()) + margin
        upwards = Axis(shown_name(figure_called(self.regression.figure), LONGEST), ends)
        label = f"{factor.label} ({factor.year})" if factor.year else factor.label
        across = shown_name(f"{label}, {self.unit}" if self.unit else label, LONGEST)
        return Marks(marks, Axis(across), upwards, grid="both")


class OfExplanation(PictureKind):
    """A picture of what ``bvf explain`` finds of one run."""

    def of_runs(self, request: PlotRequest) -> CaptionedPicture:
        result = request.result()
        return request.captioned(self.of(explain_risk(result, show=1, plugins=request.plugins)), [result])


class VarianceKind(OfExplanation):
    """Variance components of the predictions p(y | x, c), placebo shares, and split-half reliabilities.

    A placebo share is the fraction of variance or volatility that is due to harmless swaps of words.
    """

    picture = Variance
    of = staticmethod(variance)


class FramesKind(OfExplanation):
    """How R, R^b (bias) and R^v (volatility) differ between levels of frames, such as two years."""

    picture = FrameEffects
    of = staticmethod(frame_effects)


class ContextsKind(PictureKind):
    """The risk R of models over context sets, and the distance of each set from the first (Table 4)."""

    picture = OverContexts
    of = staticmethod(OverContexts)

    def of_runs(self, request: PlotRequest) -> CaptionedPicture:
        compared = compare_contexts(request.sources, request.config, plugins=request.plugins)
        return request.captioned_comparison(self.of(compared))


class AskingKind(PictureKind):
    """Correlations over groups of ways of asking: runs, benchmarks and statistics, each with each."""

    picture = Asking
    of = staticmethod(Asking)
    of_files = True

    def of_runs(self, request: PlotRequest) -> CaptionedPicture:
        compared = compare_asking(request.sources, request.config, plugins=request.plugins)
        return request.captioned_comparison(self.of(compared), {"": compared.warnings})


class RegressionKind(PictureKind):
    """A figure of groups, such as r, on a social factor, and the regression line (Figures 9 and 12 to 15)."""

    picture = RegressionLine

    def __init__(self, config: RegressConfig) -> None:
        self._config = config

    def of(self, regressions: Regressions, *, number: int = 0) -> Picture:
        if not 0 <= number < len(regressions.regressions):
            raise BvfError(f"there is no regression {number}", f"there are {len(regressions.regressions)}, from 0")
        return RegressionLine(regressions, regressions.regressions[number])

    def of_runs(self, request: PlotRequest) -> CaptionedPicture:
        result = request.result()
        regressions = regress([result], self._config, plugins=request.plugins)
        if len(regressions.regressions) > 1:
            raise BvfError(
                f"{len(regressions.regressions)} regressions, and this figure shows one",
                "give one --against and one --of",
            )
        return request.captioned(self.of(regressions), [result])
