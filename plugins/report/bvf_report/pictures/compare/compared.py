"""The picture of compared models: figures and possible ranks in their common contexts."""

from dataclasses import dataclass
from typing import ClassVar

from bvf import Comparison
from bvf.drawing import (
    Beside,
    MarkedPicture,
    Marks,
    Value,
    caption_of,
    figures_of,
    model_marks,
    shown_name,
    what_bars_are,
    whole_name,
)
from bvf.results import ComparedModel, TopicComparison, with_interval
from bvf.tables import counted, in_a_list, symbols


@dataclass(frozen=True)
class Ranked:
    """A model: its figures by field (such as ``R``), and for each figure the lowest and the highest possible rank."""

    name: str
    values: dict[str, Value]  # by field
    ranks: dict[str, tuple[int, int]]  # first and last possible rank, by field; empty: no intervals


@dataclass(frozen=True)
class Compared(MarkedPicture):
    """The picture of the compared models of one topic."""

    kind: ClassVar[str] = "compare"
    title: ClassVar[str] = "Models in the same contexts"

    topic: str
    models: tuple[Ranked, ...]  # the one with the highest first figure first
    contexts: int
    groups: int
    level: float  # of intervals and ranks
    undefined: str  # why there are no intervals; empty: there are some
    called: str = "model"  # or format: they are formats of a run

    @property
    def first_figure(self) -> str:
        """The field of the figure by which models are ordered."""
        return next(iter(self.models[0].values))

    def caption(self) -> str:
        field, names = self.first_figure, symbols(*figures_of(self.models[0].values))
        called, contexts = names[0], counted(self.contexts, "context")
        first = ", ".join(f"{whole_name(each.name)} {each.values[field].value:.3f}" for each in self.models)
        ranked = any(each.ranks for each in self.models)
        ranks = f"At the right the ranks that a {self.called} may have by {called}." if ranked else ""
        return caption_of(
            f"{in_a_list(names)} of {counted(len(self.models), self.called)} in the "
            f"{contexts} and "
            f"{counted(self.groups, 'group')} of {shown_name(self.topic)} that all were asked.",
            f"{called}: {first}.",
            ranks,
            what_bars_are(None if self.undefined else self.level, self.undefined),
        )

    def marks(self) -> Marks:
        """Figures of models, and their possible ranks by the first figure (R). The highest model is on top."""
        ranks = [(place, each.ranks.get(self.first_figure)) for place, each in enumerate(self.models)]
        known = [
            (place, f"{ends[0]}" if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}") for place, ends in ranks if ends
        ]
        named = [(each.name, each.values) for each in self.models]
        return model_marks(named, "risk in the contexts that all share", [Beside(known, "rank")])


def comparison(compared: Comparison) -> tuple[Compared, ...]:
    """Return a picture for each topic of a comparison."""
    return tuple(_compared(topic, compared.level) for topic in compared.topics)


def _compared(topic: TopicComparison, level: float) -> Compared:
    models = sorted(topic.models, key=lambda model: -model.first_figure)
    return Compared(
        topic=topic.topic,
        models=tuple(Ranked(model.name, values_of(model), model.ranks) for model in models),
        contexts=topic.number_of_contexts,
        groups=len(topic.groups),
        level=level,
        undefined=topic.undefined,
        called=topic.called,
    )


def values_of(model: ComparedModel) -> dict[str, Value]:
    """Return the figures of a model and their intervals, by field."""
    return {figure: with_interval(value, model.intervals.get(figure)) for figure, value in model.figures.items()}
