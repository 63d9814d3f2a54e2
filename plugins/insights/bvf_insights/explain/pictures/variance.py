"""The picture of variance components, placebo shares (of swaps of words that should not matter) and reliabilities.

A placebo share is due to changes of wording that should not matter.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from bvf.drawing.interactive import APART, DIGITS, SYMBOLS, apart, dots, exponent, in_rows, plain
from bvf.drawing.labels import key_label, legend, name_axis, name_rows
from bvf.drawing.lettering import Lettering, lettering
from bvf.drawing.names import shown_name, whole_name
from bvf.drawing.sentences import caption_of
from bvf.drawing.style import FONT, GREY, INK, MARKERS, OF_FIGURES, PALE, axes_of, plain_axes, rows_of
from bvf.drawing.values import Value, draw_value
from bvf.errors import BvfError
from bvf.interfaces.picture import Columns, Figure, Picture
from bvf.tables.symbols import symbol
from bvf.tables.words import counted
from bvf_insights.explain.result import ALONE, Explanation
from bvf_insights.explain.tables import figure_of_groups

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PARTS = {
    "group": "groups",
    "context": "contexts",
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
class Swap:
    """The shares of variance and volatility due to swaps of words that should not matter, such as *that* for *the*."""

    name: str
    variance: Value | None  # share of the variance over the contexts that have the swap; None: nothing varies
    volatility: Value | None  # share of R^v; None: there is none
    by_chance: float  # the share if a variant were as different as another template


@dataclass(frozen=True)
class Variance(Picture):
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

    def draw(self, ax: "Axes | None" = None, columns: Columns = 1) -> Any:
        """Draw bars for the variance components, and dots with intervals for placebo shares and reliabilities."""
        reliable = [name for name, _ in self.reliabilities]
        blocks = ([name for name, _ in self.parts], [each.name for each in self.swaps], reliable)
        names, starts, heads = list[str](), list[int](), list[tuple[int, str]]()
        for heading, block in zip(HEADINGS, blocks, strict=True):
            if block:
                heads.append((len(names), heading))
                names += ["", *block]
            starts.append(len(names) - len(block))
        rows = rows_of(len(names), ax, PITCH)
        axes: Any = axes_of(ax, columns, rows.height)
        letters = lettering(names)
        plain_axes(axes)
        for place, (_, share) in enumerate(self.parts, starts[0]):
            axes.barh(place, share, height=0.55, color=PALE)
            text = {"textcoords": "offset points", "va": "center", "fontsize": FONT}
            axes.annotate(f"{share:.0%}", (share, place), (3, 0), **text)
        self._swaps(axes, starts[1])
        for place, (_, value) in enumerate(self.reliabilities, starts[2]):
            draw_value(axes, place, value, "o", INK)
        name_rows(axes, rows, names, letters, exponents=True)
        axes.set_xlim(self._least() - EDGE, 1.0 + EDGE)
        for place, heading in heads:
            style = {"va": "center", "fontsize": FONT, "color": GREY}
            axes.text(0.02, place, heading, transform=axes.get_yaxis_transform(), **style)
        name_axis(axes, "share, or reliability" if self.reliabilities else "share", letters)
        legend(axes, letters, _keys(letters) if self.swaps else [], ax)
        return axes

    def interactive(self) -> Figure:
        names, places = list[str](), list[list[int]]()
        blocks = (
            [name for name, _ in self.parts],
            apart([each.name for each in self.swaps]),
            [exponent(plain(name)) for name, _ in self.reliabilities],
        )
        for heading, block in zip(HEADINGS, blocks, strict=True):
            names += [f"<b>{heading}</b>", *block] if block else []
            places.append(list(range(len(names) - len(block), len(names))))
        traces = [self._part_trace(places[0]), *self._swap_traces(places[1])]
        if self.reliabilities:
            look = {"showlegend": False, "marker": {"color": INK, "size": 8}}
            traces.append({**dots([value for _, value in self.reliabilities], places[2]), **look})
        figure = in_rows(traces, names, "share, or reliability", legend=bool(self.swaps))
        figure["layout"]["xaxis"]["range"] = [self._least() - EDGE, 1.0 + EDGE]
        return figure

    def _least(self) -> float:
        return min([0.0, *(value.value if value.low is None else value.low for _, value in self.reliabilities)])

    def _swaps(self, axes: Any, first: int) -> None:
        for place, each in enumerate(self.swaps, first):
            axes.plot([each.by_chance] * 2, [place - 0.36, place + 0.36], color=GREY, linewidth=1.6)
            if each.variance is not None:
                draw_value(axes, place - ASIDE, each.variance, "o", INK)
            if each.volatility is not None:
                draw_value(axes, place + ASIDE, each.volatility, MARKERS[VOLATILITY], OF_FIGURES[VOLATILITY])

    def _part_trace(self, rows: list[int]) -> Figure:
        return {
            "type": "bar",
            "orientation": "h",
            "showlegend": False,
            "x": [round(share, DIGITS) for _, share in self.parts],
            "y": rows,
            "width": 0.55,
            "marker": {"color": PALE},
            "hovertemplate": "%{x:.1%}<extra></extra>",
        }

    def _swap_traces(self, rows: list[int]) -> list[Figure]:
        traces = list[Figure]()
        if rows:
            chances = dots([Value(each.by_chance) for each in self.swaps], rows)
            look = {"symbol": "line-ns", "size": 14, "line": {"color": GREY, "width": 3}}
            traces.append({**chances, "name": "by chance", "marker": look})
        figures = (("variance", "of the variance", -APART), (VOLATILITY, exponent(f"of {symbol(VOLATILITY)}"), APART))
        for field, called, aside in figures:
            pairs = zip(rows, self.swaps, strict=True)
            known = [(row, each.variance if field == "variance" else each.volatility) for row, each in pairs]
            there = [(row, value) for row, value in known if value is not None]
            if there:
                look = {"color": OF_FIGURES.get(field, INK), "size": 8, "symbol": SYMBOLS.get(field, "circle")}
                placed = dots([value for _, value in there], [row + aside for row, _ in there])
                traces.append({**placed, "name": called, "marker": look})
        return traces


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


def _keys(letters: Lettering) -> Sequence[Any]:
    from matplotlib.lines import Line2D

    dot: dict[str, Any] = dict(linestyle="", markersize=3.4)
    return [
        Line2D([], [], marker="o", color=INK, label=key_label(letters, "of the variance"), **dot),
        Line2D([], [], marker=MARKERS[VOLATILITY], color=OF_FIGURES[VOLATILITY], label="of R$^v$", **dot),
        Line2D([], [], color=GREY, marker="|", linestyle="", markersize=6, markeredgewidth=1.6, label="by chance"),
    ]
