"""Leans of a model by the names that a topic gives to people: classes such as female, or groups such as American."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bvf import Criterion, Study
from bvf.stats import FloatArray
from bvf.study import MEAN, ends_in_contexts, lean_of


@dataclass(frozen=True)
class Lean:
    """How far a model leans to a class, with its interval over contexts.

    Args:
        name: Whom the topic means: the class, or one of its groups.
        to: The class.
        is_class: ``name`` is the class; the lean is then the mean over groups.
    """

    name: str
    to: str
    is_class: bool
    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, eq=False)
class TopicLeans:
    """The leans of a model in one topic, by whom they are about."""

    topic: str
    study: Study

    @property
    def why_none(self) -> str:
        """Why the topic has no leans; empty: it has."""
        if not isinstance(self.study.choices.criterion, Criterion):
            return f"{self.topic} is about knowledge, which has no lean"
        if self.study.choices.reference == MEAN:
            return f"{self.topic}: by --reference {MEAN}, the lean to every class is 0 on average"
        return ""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the classes, then of the groups."""
        read = self.study.predictions
        return () if self.why_none else (*read.classes, *read.group_names)

    def to(self, names: Sequence[str]) -> list[Lean]:
        """Return the lean to the class that has one of these names; else those of the group that has, to each class."""
        wanted, read = {name.casefold() for name in names}, self.study.predictions
        if self.why_none:
            return []
        if of_class := [name for name in read.classes if name.casefold() in wanted]:
            return [self._lean(name, name, read.group_weights) for name in of_class]
        of_group = [x for x, name in enumerate(read.group_names) if name.casefold() in wanted]
        one_by_one = np.eye(len(read.groups))
        return [self._lean(read.group_names[x], to, one_by_one[x]) for x in of_group for to in read.classes]

    def _lean(self, name: str, to: str, pull: FloatArray) -> Lean:
        read = self.study.predictions
        values, influence = lean_of(read, to)
        value = float(pull @ values)
        if read.sample is None:
            return Lean(name, to, name == to, value, None, None)
        ends = ends_in_contexts(value, pull @ influence, read.sample, self.study.choices.level)
        return Lean(name, to, name == to, value, *ends)
