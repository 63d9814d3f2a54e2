"""The interface of an analysis of stored probabilities, such as risk or knowledge."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from pydantic import BaseModel

from bvf.domain.asked import Asked
from bvf.domain.measurement import Measurement
from bvf.interfaces.analysis import Choices, Verdict, View
from bvf.interfaces.criterion import Criterion, KnowledgeCriterion
from bvf.interfaces.picture import Picture
from bvf.interfaces.section import Section
from bvf.stats.sampling.samples import ContextSample
from bvf.study.study import Averages, Study
from bvf.study.uncertainty import Interval
from bvf.tables.markup import Finding

A = TypeVar("A", bound=BaseModel)


class Analysis(ABC, Generic[A]):
    """One way to analyse stored probabilities. Implement `applies`, `run` and `rows`.

    Attributes:
        results: The class of its results, a pydantic model with a ``schema``.
        figures: The column name of each figure in the first table, by its field; the ends of its interval
            are in the row below.
        compared: Fields of the figures whose differences `bvf compare` tests; empty: all that `sampled` names.
    """

    results: ClassVar[type[Any]]
    figures: ClassVar[Mapping[str, str]] = {}
    compared: ClassVar[Sequence[str]] = ()

    @abstractmethod
    def applies(self, criterion: Criterion | KnowledgeCriterion) -> bool:
        """Whether this analysis is used for a criterion when the user names no analysis."""

    def check(self, asked: Asked, choices: Choices, view: View) -> None:
        """Refuse choices (criterion, p*, ...) with which a measurement could not be analysed, before a model is loaded.

        Raises:
            BvfError: The choices do not fit each other or the questions.
        """

    @abstractmethod
    def run(self, measurement: Measurement, choices: Choices) -> A:
        """Compute the result, without times and paths in it: equal measurements and choices give equal results.

        Raises:
            BvfError: The result is undefined for these probabilities.
        """

    @abstractmethod
    def rows(self, results: Sequence[A], view: View) -> list[Section]:
        """Return a table of all results, followed by one table per result. All have the same topic and criterion."""

    def overview(self, results: Sequence[A], view: View) -> list[Section]:
        """Return the tables that are printed without ``--details``, about 20 lines. If empty, `rows` are printed."""
        return []

    def beside(self, results: Sequence[A], view: View) -> list[Section]:
        """Return tables that compare results side by side. They are shown below the table of all results."""
        return []

    def sampled(self, study: "Study", sample: "ContextSample") -> "Sequence[Averages]":
        """Return the figures that get intervals. Figures of the result come first.

        `bvf compare`, ``gate`` and ``plan`` use these figures too. ``study`` has stored probabilities and the choices
        of the analysis; its ``average`` makes such a figure of its contexts as a ``sample``.
        """
        return ()

    def over_all(self, study: "Study") -> "Mapping[str, Interval] | None":
        """Return the intervals of figures over all groups, by field, as in the result; None: it must be computed.

        A run with ``--precision`` reads that of the first figure in each round, and needs nothing else.
        """
        return None

    def by_chance(self, study: "Study") -> Mapping[str, float]:
        """Return the figures of a model that knows nothing, by field: an anchor in tables of `bvf compare`.

        Figures that are left out have no such value.
        """
        return {}

    def explained(self, result: A, study: "Study") -> "Finding | None":
        """Return what drives the figures of a result, for ``bvf explain``; None: this analysis explains nothing.

        The ``tables`` of a finding name a function of it and of the number of rows to show (0: all); its ``to_frame``
        is what ``--format csv`` prints. ``study`` is what the result was computed from.
        """
        return None

    def pictures(self, results: Sequence[A]) -> Sequence[Picture]:
        """Return pictures of results. A report draws those of a single result, ``bvf plot --kind`` also of several.

        Raises:
            BvfError: There is nothing to draw; the message says why.
        """
        return ()

    def pictures_of_topics(self, results: Sequence[A]) -> Sequence[Picture]:
        """Return pictures in which results of several topics stand together. All were analysed by the same choices.

        ``bvf plot --kind`` draws them, and a report of several results shows them above those of a single result.

        Raises:
            BvfError: There is nothing to draw; the message says why.
        """
        return ()

    def verdicts(self, result: A) -> Sequence[Verdict]:
        """Return verdicts on a result in plain words, for a report. If empty, a report has a sentence per figure."""
        return ()
