"""The picture of pairs of runs that differ in one label only, such as before and after tuning (Figures 6 and 8)."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from bvf.analyses.compare.labels import by_size
from bvf.analyses.compare.result import Comparison, Decision, TopicComparison
from bvf.drawing.interactive import apart, beside, dots, in_rows, look_of, plain
from bvf.drawing.labels import legend, name_axis, name_rows, text_style
from bvf.drawing.lettering import Lettering, lettering
from bvf.drawing.names import shown_name, whole_name
from bvf.drawing.sentences import caption_of
from bvf.drawing.style import GREY, SMALL, axes_of, colour_of, marker_of, plain_axes, rows_of
from bvf.drawing.values import Value
from bvf.interfaces.picture import Columns, Figure, Picture
from bvf.tables.symbols import drawn_symbol, listed, symbol
from bvf.tables.words import counted
from bvf_report.pictures.compare.compared import values_of
from bvf_report.pictures.compare.trend import Trend, trend

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PITCH, EDGES = 0.36, 0.45
"""Inches per pair, and outside the rows."""
WIDEST_END = 2.4
"""Inches: the largest width of a value of the label in the legend."""
APART = 0.27
"""Distance between the figures of one pair, in rows."""


@dataclass(frozen=True)
class Pair:
    """Two runs that differ in one label only: by field, a figure's two values, and the decision on them."""

    first: str
    second: str
    values: dict[str, tuple[Value, Value]]  # by field: of the first and of the second run
    decisions: dict[str, Decision]  # of the second run, by field; empty: differences have no interval


@dataclass(frozen=True)
class Pairs(Picture):
    """The picture of pairs of runs of one topic: in each pair, a label has its first value, and then its second."""

    title: ClassVar[str] = "Runs that differ in a label alone"

    topic: str
    label: str
    ends: tuple[str, str]  # the first and the second value of the label
    pairs: tuple[Pair, ...]
    unmatched: tuple[str, ...]  # runs without a partner, which are not drawn
    contexts: int
    undefined: str  # why differences have no interval; empty: they have one

    @property
    def fields(self) -> list[str]:
        """The fields of the figures that are drawn, such as ``R_bias``."""
        return list(self.pairs[0].values)

    @property
    def _named_ends(self) -> list[str]:
        return [f"{self.label}={end}" for end in self.ends]

    def caption(self) -> str:
        first, second = map(shown_name, self.ends)
        decisions = "On the right: whether the difference is significant (Holm over the whole comparison)."
        return caption_of(
            f"{listed(*self.fields)} of {counted(len(self.pairs), 'pair')} of runs that differ in "
            f"{shown_name(self.label)} alone, from {first} (hollow) to {second} (filled), in the "
            f"{counted(self.contexts, 'context')} of {shown_name(self.topic)} that all were asked.",
            *(f"{whole_name(each.first)} to {whole_name(each.second)}: {self._moves(each)}." for each in self.pairs),
            f"Without a partner: {', '.join(map(whole_name, self.unmatched))}." if self.unmatched else "",
            f"No tests: {self.undefined}." if self.undefined else decisions,
        )

    def draw(self, ax: "Axes | None" = None, columns: Columns = 1) -> Any:
        """Draw a row per pair of runs.

        Each figure is a line from the run with the first value of the label to the other.
        """
        rows = rows_of(len(self.pairs), ax, PITCH, EDGES)
        axes: Any = axes_of(ax, columns, rows.height)
        names = [each.second for each in self.pairs]
        letters = lettering(names, self._named_ends)
        plain_axes(axes)
        for place, each in enumerate(self.pairs):
            for number, (field, (before, after)) in enumerate(each.values.items()):
                row = place + APART * (number - (len(each.values) - 1) / 2)
                dot: dict[str, Any] = dict(color=colour_of(field), marker=marker_of(field), markersize=3.6)
                axes.plot([before.value, after.value], [row, row], color=colour_of(field), linewidth=1.0, alpha=0.7)
                axes.plot(before.value, row, markerfacecolor="white", clip_on=False, **dot)
                axes.plot(after.value, row, clip_on=False, **dot)
                word = each.decisions.get(field, "")
                axes.text(1.02, row, word, transform=axes.get_yaxis_transform(), va="center",
                          **text_style(letters, SMALL))  # fmt: skip
        name_rows(axes, rows, names, letters)
        axes.set_xlim(left=min(0.0, axes.get_xlim()[0]))
        name_axis(axes, "risk", letters)
        legend(axes, letters, self._keys(letters), ax)
        return axes

    def interactive(self) -> Figure:
        traces = []
        for number, field in enumerate(self.fields):
            rows = beside(len(self.pairs), number, len(self.fields))
            before, after = (dots([each.values[field][end] for each in self.pairs], rows) for end in (0, 1))
            look = {**look_of(field), "legendgroup": field}
            x = [end for ends in zip(before["x"], after["x"], strict=True) for end in (*ends, None)]
            y = [end for row in rows for end in (row, row, None)]
            line = {"mode": "lines", "line": {"color": colour_of(field), "width": 1}, "hoverinfo": "skip"}
            traces.append({"type": "scatter", "x": x, "y": y, **line, "legendgroup": field, "showlegend": False})
            hollow = {"marker": {**look["marker"], "symbol": f"{look['marker']['symbol']}-open"}, "showlegend": False}
            for end, trace in ((0, {**before, **look, **hollow}), (1, {**after, **look})):
                hover = f"{plain(self._named_ends[end])}: %{{x}}<extra></extra>"
                traces.append({**trace, "hovertemplate": hover})
        return in_rows(traces, apart([each.second for each in self.pairs]), "risk", legend=True)

    def _moves(self, pair: Pair) -> str:
        return ", ".join(
            " ".join(filter(None, [
                f"{symbol(field)} {before.value:.3f} to {after.value:.3f}",
                f"({pair.decisions[field]})" if pair.decisions.get(field) else "",
            ]))
            for field, (before, after) in pair.values.items()
        )  # fmt: skip

    def _keys(self, letters: Lettering) -> list[Any]:
        from matplotlib.lines import Line2D

        dot: dict[str, Any] = dict(linestyle="", markersize=3.6)
        figures = [
            Line2D([], [], marker=marker_of(field), color=colour_of(field), label=drawn_symbol(field), **dot)
            for field in self.fields
        ]
        ends = [
            Line2D([], [], marker="o", color=GREY, markerfacecolor=face, label=letters.label(name, WIDEST_END), **dot)
            for name, face in zip(self._named_ends, ("white", GREY), strict=True)
        ]
        return [*figures, *ends]


def by_label(compared: Comparison, by: str = "") -> tuple[Trend | Pairs, ...]:
    """Return one picture per topic: pairs of runs, or a trend if the label has more than two values.

    Two models of two sizes differ in more than their size, so they have a trend.
    ``by`` is a label or ``parameters``; empty: the label of the comparison.
    """
    paired = not by or by == compared.by
    return tuple(
        _pairs(topic, compared.by)
        if paired and topic.matched and not by_size(topic.models, compared.by)
        else trend(topic, by or compared.by, compared.level)
        for topic in compared.topics
    )


def _pairs(topic: TopicComparison, label: str) -> Pairs:
    first, second = topic.matched_values
    models = {model.name: model for model in topic.models}
    found = dict.fromkeys((each.second, each.first) for each in topic.matched)
    decisions = {(each.second, each.first, each.figure): each.decision for each in topic.matched}
    fields = topic.models[0].in_trends
    return Pairs(
        topic=topic.topic,
        label=label,
        ends=(first, second),
        pairs=tuple(
            Pair(
                *names,
                {field: (values_of(models[names[0]])[field], values_of(models[names[1]])[field]) for field in fields},
                {field: decisions[*names, field] for field in fields if decisions[*names, field]},
            )
            for names in found
        ),
        unmatched=topic.unmatched,
        contexts=topic.number_of_contexts,
        undefined=topic.undefined,
    )
