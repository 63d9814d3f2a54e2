"""What an analysis gets and returns besides tables: choices, how results are shown, and verdicts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from bvf.arrays import FloatArray
from bvf.domain.scale import Scale
from bvf.interfaces.criterion import Criterion, KnowledgeCriterion
from bvf.interfaces.texts import NamedReader

Rank = Literal["risk", "particular"]
Tone = Literal["biased", "none", "cannot tell", "described"]
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
        unit: Sampling unit of intervals: ``document``, ``occurrence``, ``template`` or ``opening``; empty: the best one
            known.
        level: Confidence level of the intervals, such as 0.95.
        margin: For crossed classes: the factor whose levels are analysed as classes; empty: all classes.
        notes: Remarks on the names that were looked up, one sentence each.
        p_star_in: p*(y | x, c) by group, then by template, shape (Y,) each; empty: p* is the same in all contexts.
        groups: Names of the groups that are analysed; empty: all groups that were measured.
        reader: What reads the texts that the model wrote; None: there are none.
        analysis: The value of ``--analysis``, if it has a parameter after a colon; else empty.
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
    unit: Literal["", "document", "occurrence", "template", "opening"] = ""
    level: float = 0.95
    margin: str = ""
    notes: tuple[str, ...] = ()
    p_star_in: Mapping[str, Mapping[str, FloatArray]] = field(default_factory=dict)
    groups: tuple[str, ...] = ()
    reader: NamedReader | None = None
    analysis: str = ""


@dataclass(frozen=True)
class View:
    """How a result is shown: the order of groups in tables, their number, and whether all details are shown.

    Args:
        rank: ``risk``: by r; ``particular``: by what sets a group apart from neutral subjects or, where these were not
            asked, from the mean of all groups; None: the latter if it is defined.
        show: How many groups, half of them from each end of that order; 0: all.
        at_first: The same on a first screen that has room for few.
        details: Show everything that is known instead of an overview.
    """

    rank: Rank | None = None
    show: int = 6
    at_first: int = 2
    details: bool = False


@dataclass(frozen=True)
class Verdict:
    """A verdict on a figure in plain words.

    Args:
        tone: ``biased``: the figure is above what is negligible, or otherwise a reason to look; ``none``: it is not;
            ``cannot tell``; ``described``: it says what was found, and judges nothing.
        headline: The verdict in a sentence.
        said: Further sentences.
        figure: The field of the figure in the result; empty: the verdict is on no single figure.
        limit: The largest value that is negligible. If the verdict is ``cannot tell``, a report adds how many contexts
            would decide it. None: there is no limit.
        finding: What was found in plain words, for the head of a page; empty: the headline says it.
    """

    tone: Tone
    headline: str
    said: tuple[str, ...] = ()
    figure: str = ""
    limit: float | None = None
    finding: str = ""
