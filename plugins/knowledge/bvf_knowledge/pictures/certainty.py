"""The picture of how the probability of the true answer varies over wordings, subject by subject."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar

from bvf.drawing.interactive import DIGITS, apart, in_rows
from bvf.drawing.labels import name_axis, name_rows
from bvf.drawing.lettering import lettering
from bvf.drawing.names import shown_name, whole_name
from bvf.drawing.sentences import caption_of, groups_shown
from bvf.drawing.style import GREY, INK, axes_of, plain_axes, rows_of, rule_between_ends
from bvf.interfaces.picture import Columns, Figure, Picture
from bvf.results.names import name_of
from bvf.results.result import ResultBase
from bvf.stats.figures.quantiles import weighted_quantile
from bvf.tables.words import counted, ends
from bvf_knowledge.pictures.truths import Truths, truths_of
from bvf_knowledge.result import knowledge_only

if TYPE_CHECKING:
    from matplotlib.axes import Axes

QUANTILES = (0.05, 0.25, 0.75, 0.95)
TRUE = "probability of the true answer"
WIDTHS = ((0, 3, 0.7), (1, 2, 2.4))
"""The lines of a row: the quantiles at its ends, and its width in points."""


@dataclass(frozen=True)
class Spread:
    """A row of the picture: mean and quantiles of the probability of the true answer over wordings."""

    name: str
    mean: float
    quantiles: tuple[float, ...]  # at 5, 25, 75 and 95 %


@dataclass(frozen=True)
class Certainty(Picture):
    """The picture of the distribution over wordings of the probability of the true answer, best known on top."""

    kind: ClassVar[str] = "certainty"
    title: ClassVar[str] = "How certain the true answer is over wordings"
    limited: ClassVar[bool] = True

    model: str
    topic: str
    subjects: tuple[Spread, ...]  # in order
    chance: float  # probability of the true answer to a guesser
    wordings: int
    show: int = 0  # number of subjects from both ends of their order; 0: all

    def with_ends(self, show: int) -> "Certainty":
        return replace(self, show=show)

    @property
    def rows(self) -> tuple[Spread, ...]:
        """The subjects that are drawn."""
        return tuple(chain(*ends(self.subjects, self.show)))

    def caption(self) -> str:
        widest = max(self.subjects, key=lambda each: each.quantiles[-1] - each.quantiles[0])
        low, *_, high = widest.quantiles
        return caption_of(
            f"How the probability of the true answer varies over the wordings of {shown_name(self.topic)}, for "
            f"{whole_name(self.model)}.",
            f"{groups_shown(len(self.rows), len(self.subjects), 'subject')}, {counted(self.wordings, 'wording')}, best "
            "known on top.",
            "Dot: mean; thick line: the middle half of the wordings by their weight; thin line: the middle 90%.",
            f"Widest: {shown_name(widest.name)}, {low:.2f} to {high:.2f}.",
            f"Dashed: a guesser, {self.chance:.2f}.",
        )

    def draw(self, ax: "Axes | None" = None, columns: Columns = 1) -> Any:
        """Draw a dot and two lines per subject, and a dashed line for a guesser."""
        drawn = self.rows
        rows = rows_of(len(drawn), ax)
        axes: Any = axes_of(ax, columns, rows.height)
        letters = lettering([each.name for each in drawn])
        plain_axes(axes)
        axes.axvline(self.chance, color=GREY, linewidth=0.8, linestyle=(0, (3, 3)))
        for place, each in enumerate(drawn):
            for first, last, width in WIDTHS:
                line = {"color": INK, "linewidth": width, "solid_capstyle": "butt", "clip_on": False}
                axes.plot([each.quantiles[first], each.quantiles[last]], [place, place], **line)
            axes.plot(each.mean, place, "o", color=INK, markersize=3.2, clip_on=False)
        name_rows(axes, rows, [each.name for each in drawn], letters)
        rule_between_ends(axes, len(drawn), len(self.subjects))
        axes.set_xlim(0.0, 1.0)
        name_axis(axes, TRUE, letters)
        return axes

    def interactive(self) -> Figure:
        drawn = self.rows
        lines = [_lines(drawn, first, last, width) for first, last, width in WIDTHS]
        dots = {
            "type": "scatter",
            "mode": "markers",
            "x": [round(each.mean, DIGITS) for each in drawn],
            "y": list(range(len(drawn))),
            "marker": {"color": INK, "size": 7},
            "hovertemplate": "%{x}<extra></extra>",
        }
        figure = in_rows([*lines, dots], apart([each.name for each in drawn]), TRUE)
        figure["layout"]["xaxis"]["range"] = [0, 1]
        dashed = {"color": GREY, "width": 1, "dash": "dash"}
        at = {"x0": self.chance, "x1": self.chance, "yref": "paper", "y0": 0, "y1": 1}
        figure["layout"]["shapes"] = [{"type": "line", "line": dashed, **at}]
        return figure


def certainty(result: ResultBase, truths: Truths | None = None) -> Certainty:
    """Return the picture of all subjects of a result of knowledge; ``truths`` are read if they are not given."""
    of_knowledge = knowledge_only(result)
    read = truths or truths_of(of_knowledge)
    spreads = []
    for name, mean, p, weights in zip(read.subjects, read.of_subjects, read.p, read.weights, strict=True):
        there = weights > 0
        quantiles = tuple(weighted_quantile(p[there], weights[there], level * (1.0 - 1e-12)) for level in QUANTILES)
        spreads.append(Spread(name, float(mean), quantiles))
    return Certainty(
        model=name_of(of_knowledge),
        topic=of_knowledge.topic,
        subjects=tuple(spreads),
        chance=of_knowledge.chance,
        wordings=of_knowledge.number_of_contexts,
    )


def _lines(subjects: Sequence[Spread], first: int, last: int, width: float) -> Figure:
    """A plotly trace with a line per subject, between two of its quantiles."""
    x: list[float | None] = []
    y: list[float | None] = []
    for place, each in enumerate(subjects):
        x += [round(each.quantiles[first], DIGITS), round(each.quantiles[last], DIGITS), None]
        y += [place, place, None]
    line = {"color": INK, "width": width * 2.0}
    return {"type": "scatter", "mode": "lines", "x": x, "y": y, "line": line, "hoverinfo": "skip"}
