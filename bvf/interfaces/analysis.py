"""The interface of an analysis of stored probabilities, such as risk or knowledge."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeVar, get_args

from pydantic import BaseModel

from bvf.arrays import FloatArray
from bvf.domain.measurement import Asked, Measurement
from bvf.domain.scale import Scale
from bvf.interfaces.criterion import Criterion, KnowledgeCriterion
from bvf.interfaces.picture import Picture
from bvf.interfaces.reader import ChosenReader
from bvf.interfaces.section import Section as Section

if TYPE_CHECKING:
    from bvf.results.result import Finding
    from bvf.stats.sampling.samples import ContextSample
    from bvf.study.averages import Averages
    from bvf.study.study import Study
    from bvf.study.uncertainty import Interval

A = TypeVar("A", bound=BaseModel)
Rank = Literal["risk", "particular"]
Tone = Literal["biased", "none", "cannot tell"]
RANKS: tuple[Rank, ...] = get_args(Rank)
GROUPS_SHOWN = 8
"""How many groups tables of comparisons and regressions show."""


@dataclass(frozen=True)
class Choices:
    """The choices of an analysis. Every name that the user gave is replaced by the object or table that it names.

    Args:
        criterion_name: The value of ``--criterion``.
        criterion: J.
        scale: ``unit`` or ``raw``.
        reference: The value of ``--reference``.
        p_star_of: p*(y | x) by group, shape (Y,) each, for the levels of the margin if there is one; the mean over
            contexts if p* depends on them; None: p* comes from the model's own predictions, which are not read yet.
        group_weights: The value of ``--group-weights``.
        weight_of: P(x) by group, 0 or more; they need not sum to 1.
        distractors: Wrong answers per subject; 0: all.
        seed: Seed of everything that is drawn at random.
        words: Words included in the analysis, by class; for a class that is missing here, all its words.
        unit: Sampling unit of intervals: ``document``, ``occurrence`` or ``template``; empty: the best unit known.
        level: Confidence level of the intervals, such as 0.95.
        margin: For crossed classes: the factor whose levels are analysed as classes; empty: all classes.
        notes: Remarks on the names that were looked up, one sentence each.
        p_star_in: p*(y | x, c) by group, then by template, shape (Y,) each; empty: p* is the same in all contexts.
        groups: Names of the groups that are analysed; empty: all groups that were measured.
        reader: What reads the texts that the model wrote; None: there are none.
    """

    criterion_name: str
    criterion: Criterion | KnowledgeCriterion
    scale: Scale
    reference: str
    p_star_of: Mapping[str, FloatArray] | None
    group_weights: str
    weight_of: Mapping[str, float]
    distractors: int = 0
    seed: int = 0
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unit: Literal["", "document", "occurrence", "template"] = ""
    level: float = 0.95
    margin: str = ""
    notes: tuple[str, ...] = ()
    p_star_in: Mapping[str, Mapping[str, FloatArray]] = field(default_factory=dict)
    groups: tuple[str, ...] = ()
    reader: ChosenReader | None = None


@dataclass(frozen=True)
class View:
    """How a result is shown: the order of groups in tables, their number, and whether all details are shown.

    Args:
        rank: ``risk``: by r; ``particular``: by the risk particular to a group; None: the latter if it is defined.
        show: How many groups, half of them from each end of that order; 0: all.
        details: Show everything that is known instead of an overview.
    """

    rank: Rank | None = None
    show: int = 6
    details: bool = False


@dataclass(frozen=True)
class Verdict:
    """A verdict on a figure in plain words.

    Args:
        tone: ``biased``: the figure is above what is negligible, or otherwise a reason to look; ``none``: it is not;
            ``cannot tell``.
        headline: The verdict in a sentence.
        said: Further sentences.
        figure: The field of the figure in the result; empty: the verdict is on no single figure.
        limit: The largest value that is negligible. If the verdict is ``cannot tell``, a report adds how many contexts
            would decide it. None: there is no limit.
    """

    tone: Tone
    headline: str
    said: tuple[str, ...] = ()
    figure: str = ""
    limit: float | None = None


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
