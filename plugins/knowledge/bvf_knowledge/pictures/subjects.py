"""The picture of the subjects of a relation: the mastery of each, and how much of it wordings leave open."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar

from bvf.drawing.interactive import apart, dots, in_rows, plain
from bvf.drawing.labels import legend, name_axis, name_rows, text_style
from bvf.drawing.lettering import lettering
from bvf.drawing.names import shown_name, whole_name
from bvf.drawing.sentences import caption_of, groups_shown, what_bars_are
from bvf.drawing.style import FIRST, GREY, INK, axes_of, plain_axes, rows_of, rule_between_ends
from bvf.drawing.values import Value
from bvf.interfaces.picture import Columns, Figure, Picture
from bvf.results.names import name_of
from bvf.results.result import ResultBase
from bvf.results.values import level_of, value_of
from bvf.tables.words import counted, ends
from bvf_knowledge.result import GroupKnowledge, knowledge_only

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAMED = 3
"""How many subjects of the widest and of the narrowest intervals a caption names."""
CORRECTED = "no favourites"
SAYS = 0.8
"""Largest width in inches of a wrong answer beside its row."""


@dataclass(frozen=True)
class Subject:
    """A row of the picture: a subject, the answer that is most probable on average, and the mastery of the true one."""

    name: str
    truth: str
    says: str | None  # None: a tie
    mastery: Value
    corrected: Value | None = None  # mastery without a preference for some answers; None: it is undefined

    @property
    def right(self) -> bool:
        """Whether the true answer is the most probable one."""
        return self.says == self.truth


@dataclass(frozen=True)
class Subjects(Picture):
    """The picture of the mastery of each subject in a row, with its interval over wordings, best known first."""

    kind: ClassVar[str] = "subjects"
    title: ClassVar[str] = "How well subjects are known"
    limited: ClassVar[bool] = True

    model: str
    topic: str
    subjects: tuple[Subject, ...]  # in order
    guesser: float  # mastery of a guesser
    wordings: int
    level: float | None  # of the intervals; None: there are none
    undefined: str  # why there are no intervals
    show: int = 0  # number of subjects from both ends of their order; 0: all

    @property
    def rows(self) -> tuple[Subject, ...]:
        """The subjects that are drawn."""
        return tuple(chain(*ends(self.subjects, self.show)))

    def with_ends(self, show: int) -> "Subjects":
        return replace(self, show=show)

    def caption(self) -> str:
        known, right = self.subjects, sum(each.right for each in self.subjects)
        best, worst = (f"{shown_name(each.name)} ({each.mastery.value:.2f})" for each in (known[0], known[-1]))
        return caption_of(
            f"How well {whole_name(self.model)} knows the subjects of {shown_name(self.topic)}: mastery, the score of "
            "the true answer under the mean prediction over wordings.",
            f"{groups_shown(len(self.rows), len(known), 'subject')}, {counted(self.wordings, 'wording')}. From {best} "
            f"to {worst}.",
            f"The true answer is on top for {right} of {counted(len(known), 'subject')}.",
            *self._widest_and_most_certain(),
            "" if right == len(known) else "Hollow: another answer is on top; it stands at the right.",
            "Ticks: mastery without a preference for some answers." if self._corrected() else "",
            f"Dashed: a guesser, {self.guesser:.2f}.",
            what_bars_are(self.level, self.undefined),
        )

    def draw(self, ax: "Axes | None" = None, columns: Columns = 1) -> Any:
        """Draw the mastery of each subject. A hollow dot has the wrong answer that the model gives beside it."""
        rows = rows_of(len(self.rows), ax)
        axes: Any = axes_of(ax, columns, rows.height)
        letters = lettering([each.name for each in self.rows], [each.says or "" for each in self.rows])
        plain_axes(axes)
        axes.axvline(self.guesser, color=GREY, linewidth=0.8, linestyle=(0, (3, 3)))
        beside = {"transform": axes.get_yaxis_transform(), "va": "center_baseline", "color": FIRST}
        for place, each in enumerate(self.rows):
            colour, mastery = _colour(each), each.mastery
            if mastery.low is not None:
                axes.plot([mastery.low, mastery.high], [place, place], color=colour, linewidth=1.1, alpha=0.6)
            face = colour if each.right else "white"
            dot = {"color": colour, "markerfacecolor": face, "markersize": 3.2, "markeredgewidth": 0.9}
            axes.plot(mastery.value, place, "o", clip_on=False, **dot)
            if each.corrected is not None:
                axes.plot(each.corrected.value, place, "|", color=GREY, markersize=5.0, clip_on=False)
            if place in rows.places and not each.right:
                says = letters.label(each.says or "a tie", SAYS, rows.font)
                axes.text(1.02, place, says, **beside, **text_style(letters, rows.font))
        name_rows(axes, rows, [each.name for each in self.rows], letters)
        rule_between_ends(axes, len(self.rows), len(self.subjects))
        left, right = axes.get_xlim()
        axes.set_xlim(min(0.0, left), min(right, 1.0))
        name_axis(axes, "mastery", letters)
        legend(axes, letters, self._keys(), ax)
        return axes

    def interactive(self) -> Figure:
        traces = []
        for right, called in ((True, "right on average"), (False, "another answer")):
            places = [place for place, each in enumerate(self.rows) if each.right == right]
            if places:
                shown = [self.rows[place] for place in places]
                marker = {"color": _colour(shown[0]), "size": 8, "symbol": "circle" if right else "circle-open"}
                says = [f"{plain(each.truth)}; says {plain(each.says or 'a tie')}" for each in shown]
                of_all = dots([each.mastery for each in shown], places)
                look = {"text": says, "hovertemplate": "%{text}<br>%{x}<extra></extra>", "marker": marker}
                traces.append({**of_all, **look, "name": called})
        if ticked := self._corrected():
            of_all = dots([value for _, value in ticked], [place for place, _ in ticked])
            marker = {"color": GREY, "size": 9, "symbol": "line-ns-open"}
            traces.append({**of_all, "marker": marker, "name": CORRECTED, "hovertemplate": "%{x}<extra></extra>"})
        figure = in_rows(traces, apart([each.name for each in self.rows]), "mastery", legend=True)
        figure["layout"]["xaxis"]["rangemode"] = "tozero"
        dashed = {"color": GREY, "width": 1, "dash": "dash"}
        at = {"x0": self.guesser, "x1": self.guesser, "yref": "paper", "y0": 0, "y1": 1}
        figure["layout"]["shapes"] = [{"type": "line", "line": dashed, **at}]
        return figure

    def _widest_and_most_certain(self) -> list[str]:
        """Sentences on the subjects whose intervals are widest and narrowest; none if there are no intervals."""
        bounded = sorted((each for each in self.subjects if each.mastery.low is not None), key=_width, reverse=True)
        if len(bounded) < 2 * NAMED:
            return []
        return [f"Widest: {_ends(bounded[:NAMED])}.", f"Most certain: {_ends(bounded[: -NAMED - 1 : -1])}."]

    def _keys(self) -> list[Any]:
        from matplotlib.lines import Line2D

        dot: dict[str, Any] = dict(linestyle="", marker="o", markersize=3.2)
        keys = [
            Line2D([], [], color=INK, label="right on average", **dot),
            Line2D([], [], color=FIRST, markerfacecolor="white", label="another answer", **dot),
            Line2D([], [], color=GREY, linestyle="", marker="|", markersize=5.0, label=CORRECTED),
            Line2D([], [], color=GREY, linewidth=0.8, linestyle=(0, (3, 3)), label="a guesser"),
        ]
        drawn = (*self._answers(), bool(self._corrected()), True)
        return [key for key, there in zip(keys, drawn, strict=True) if there]

    def _corrected(self) -> list[tuple[int, Value]]:
        """The rows with a corrected mastery: place and value."""
        return [(place, each.corrected) for place, each in enumerate(self.rows) if each.corrected is not None]

    def _answers(self) -> tuple[bool, bool]:
        """Whether there are rows with the true answer on top, and rows with another one."""
        return any(each.right for each in self.rows), not all(each.right for each in self.rows)


def subjects(result: ResultBase) -> Subjects:
    """Return the picture of all subjects of a result of knowledge, best known first."""
    of_knowledge = knowledge_only(result)
    return Subjects(
        model=name_of(of_knowledge),
        topic=of_knowledge.topic,
        subjects=tuple(map(_subject, sorted(of_knowledge.groups, key=lambda group: -group.mastery))),
        guesser=of_knowledge.guesser.mastery,
        wordings=of_knowledge.number_of_contexts,
        level=level_of(of_knowledge),
        undefined=of_knowledge.uncertainty.undefined,
    )


def _subject(group: GroupKnowledge) -> Subject:
    name = f"{group.group} {group.gloss}".strip()
    corrected = None if group.corrected_mastery is None else value_of(group, "corrected_mastery")
    return Subject(name, group.truth, group.says, value_of(group, "mastery"), corrected)


def _colour(subject: Subject) -> str:
    return INK if subject.right else FIRST


def _width(subject: Subject) -> float:
    low, high = subject.mastery.low, subject.mastery.high
    return 0.0 if low is None or high is None else high - low


def _ends(several: Sequence[Subject]) -> str:
    return ", ".join(f"{shown_name(each.name)} ({each.mastery.low:.2f} to {each.mastery.high:.2f})" for each in several)
