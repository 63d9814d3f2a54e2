"""What an analysis found: the file ``result.json``, the value of `bvf.run`, what reports draw."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr

from bvf.analysing.control import ControlResult
from bvf.analysing.reference_figures import KnowledgeRow as KnowledgeRow
from bvf.analysing.reference_figures import ReferenceRow as ReferenceRow
from bvf.domain.measurement import WORDING_MEANS, CandidateMass, Wording
from bvf.errors import BvfError

if TYPE_CHECKING:
    import pandas as pd

    from bvf.analysing.probabilities import Probabilities
    from bvf.hooks.loader import Plugins

NO_COLUMNS = {"mean_probabilities", "reference_probabilities", "apart", "factors", "intervals"}
"""Fields of a group that are several columns of a frame, or none."""


def number(value: float) -> float | None:
    """Return a figure as JSON has it, which has no NaN."""
    return None if np.isnan(value) else float(value)


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class Interval(_Frozen):
    """An interval of a figure."""

    low: float
    high: float
    cross_fit: float | None = Field(
        None,
        description="The estimate that errs to the other side than the figure; null for a mean, which is unbiased",
    )


class Uncertainty(_Frozen):
    """What the figures hold for, and how certain they are.

    The figures are those of these contexts. Intervals are of their source: what other texts of its kind would give.
    """

    estimand: Literal["set", "source", "templates"] = Field(
        description="What intervals are of: set: nothing but these contexts; source: the texts that they were drawn "
        "from; templates: other templates of the kind"
    )
    undefined: str = Field("", description="Why there is no interval; empty: there is")
    unit: Literal["", "document", "occurrence", "template"] = Field("", description="What was drawn independently")
    units: float | None = Field(None, description="How many of them; Kish's effective number for templates")
    level: float
    draws: int | None = Field(None, description="Contexts that were drawn from the set; null: all were asked")
    occurrences: float | None = Field(None, description="Matches in the whole source; null: not known")
    documents: int | None = Field(None, description="Documents of the source with a match; null: not known")
    share: float | None = Field(None, description="Share of the matches that the set covers; null: not known")
    unseen_mass: float | None = Field(
        None, description="Good-Turing: share of such texts whose template is not in the set; null: not known"
    )
    intervals: dict[str, Interval] = Field({}, description="By the name of the field")
    leaving_one_out: dict[str, tuple[float, float]] = Field(
        {}, description="Smallest and largest figure when each template is left out"
    )
    as_templates: dict[str, Interval] = Field(
        {}, description="Intervals if the templates themselves were the sample: how much depends on their choice"
    )


class WordFigures(_Frozen):
    """One word, and the risk if it did not count.

    R, R^b and R^v are null for the only word of a class, and where some group has no answer without it.
    """

    word: str
    attribute: str = Field(description="The class that it counts for")
    share: float | None = Field(
        description="Of the mean probability of its class: how much of it this word brings; null where that is 0"
    )
    R: float | None
    R_bias: float | None
    R_volatility: float | None


class WordLists(_Frozen):
    """How much depends on the choice of words for each class."""

    of_words: tuple[WordFigures, ...]
    halved: dict[str, tuple[float, float]] = Field(
        description="The range of the middle 90 of 100 figures if a random half of the words of each class counts"
    )

    def to_frame(self) -> "pd.DataFrame":
        """Return a row per word, with its class, its share, and R, R^b and R^v without it."""
        import pandas as pd

        return pd.DataFrame([word.model_dump() for word in self.of_words])


class SampledFigures(_Frozen):
    """Where probabilities are shares of sampled answers: R and R^v are cross-fitted, without the noise of sampling."""

    hits: float = Field(description="Samples per prompt that were a candidate word, on average over prompts with any")
    plug_in: dict[str, float] = Field(description="R and R^v with shares taken as exact: too large by that noise")
    errors: dict[str, float] = Field(description="Standard errors of R, R^b and R^v by sampling alone")
    intervals: dict[str, Interval] = Field(description="What asking the same contexts again would give, by sampling")


class GroupResult(_Frozen):
    """What every result says of a group: English gloss, factors, weight P(x), E_c[p(y | x, c)], and p*(y | x)."""

    group: str
    gloss: str = ""
    factors: dict[str, str] = {}
    weight: float
    mean_probabilities: dict[str, float]
    reference_probabilities: dict[str, float]
    intervals: dict[str, Interval] = Field({}, description="By the name of the field; empty where there are none")


class GroupRisk(GroupResult):
    """One group: r_x, r_x^b, r_x^v (Eq. 3, 5, 6), and how far it is from what all groups have in common."""

    r: float
    r_bias: float
    r_volatility: float
    spread: float = Field(
        description="Standard deviation over contexts of the probability of the class that the group leans to"
    )
    changes_sides: bool = Field(description="Whether the class that the group leans to changes with the context")
    particular: float | None = Field(
        description="E_c[J(s - m/p*)] with m = E_x[p - p*]; null where Result.particular is"
    )
    particular_bias: float | None = Field(description="J(E_c[s - m/p*])")
    particular_volatility: float | None = Field(description="particular - particular_bias")
    apart: dict[str, float] | None = Field(
        description="E_c[p - p* - m] of each class: how far its mean prediction is from what all groups share"
    )


class GroupKnowledge(GroupResult):
    """One subject: its true answer, and the scores of it (Appendix E.1).

    ``says`` is the answer that is most probable under E_c[p]; None where two share that place.
    """

    truth: str
    says: str | None
    mastery: float
    expected_score: float
    confidence_gap: float
    consistency: float | None


class ResultBase(_Frozen):
    """What every result says, whatever the analysis."""

    measurement: str = Field(description="Digest of the identity of the measurement that was analysed")
    model: str = Field(description="Its short name")
    model_path: str = Field("", description="What --model said")
    revision: str = Field("", description="Branch, tag or commit of its files, where one was named")
    labels: dict[str, str] = Field({}, description="Labels of the run, from --label")
    backend: str
    wording: Wording = Field("bare", description=WORDING_MEANS)
    system: str = Field("", description="What the system's turn of the chat said")
    user: str = Field("", description="What the user's turn said where contexts begin the assistant's answer")
    topic: str
    margin: str = Field("", description="The factor of crossed classes that was analysed; empty: all classes")
    language: str
    criterion: str
    reference: str
    reference_in_contexts: bool = Field(
        False, description="p* changes with the context; reference_probabilities of groups are its mean over contexts"
    )
    group_weights: str = Field(description="What --group-weights said")
    words: dict[str, tuple[str, ...]] = Field(description="The words that count for each class that was asked for")
    contexts: str
    number_of_contexts: int
    effective_contexts: float = Field(description="1 / sum of the squared context weights")
    prompts: int
    missing: int = Field(description="Prompts that could not be scored; they count for nothing.")
    word_boundary: bool = Field(False, description="A word counts only where it ends: no 'he' in 'heir'")
    tolerance: float = Field(0.0, description="What --tolerance allowed; 0: every word was asked")
    deviation_bound: float = Field(0.0, description="No class probability is further than this from the exact one")
    samples: int = Field(
        0, description="From how many continuations per prompt probabilities are estimated; 0: they are computed"
    )
    candidate_mass: CandidateMass
    uncertainty: Uncertainty
    warnings: tuple[str, ...] = Field(description="What makes the figures doubtful, one sentence each")
    notes: tuple[str, ...] = Field(description="What was left out or chosen, one sentence each")
    groups: tuple[GroupResult, ...]
    in_short: ClassVar[tuple[str, ...]] = ()
    """Figures that are shown where a result is shown in one line."""
    _folder: Path | None = PrivateAttr(default=None)

    def __repr_args__(self) -> Iterator[tuple[str, object]]:
        from bvf.analysing.names import in_one_line

        return in_one_line(self, self.in_short)

    @property
    def folder(self) -> Path | None:
        """Where the result lies, with its probabilities; None if it was never stored."""
        return self._folder

    def probabilities(self) -> "Probabilities":
        """Return p(y | x, c) as an array of shape (X, C, Y) with the names of its groups, contexts and classes.

        Groups that are not in the result are left out.

        Raises:
            BvfError: As `stereotypes`.
        """
        from bvf.analysing.distribution import distribution_of
        from bvf.analysing.probabilities import Probabilities

        read = distribution_of(self)
        group_weights = np.array([group.weight for group in self.groups])
        return Probabilities(read.p, read.groups, read.contexts, read.classes, read.weights, group_weights)

    def stereotypes(self) -> "pd.DataFrame":
        """Return the distribution: a row per group, context and class, with p(y | x, c) and s = p / p* - 1 (Eq. 1).

        Groups that are not in the result are left out.

        Raises:
            BvfError: The result was not stored, its folder is gone, or not all of its own probabilities are there.
        """
        from bvf.analysing.frames import stereotype_frame

        return stereotype_frame(self)

    def intervals(self) -> "pd.DataFrame":
        """Return a row per figure that has an interval: of the result, where ``group`` is empty, then of each group.

        Columns: ``group``, ``figure`` (the name of the field), ``value``, ``low``, ``high``, ``cross_fit`` (NaN for a
        mean). What they are intervals of, by which unit, and why there are none, is in ``uncertainty``.
        """
        from bvf.analysing.frames import interval_frame

        return interval_frame(self)

    def _repr_html_(self) -> str | None:
        """What a notebook shows: the tables of ``bvf show``; None where the analysis is not installed."""
        from bvf.analysing.tables import notebook_html

        return notebook_html([self])

    def to_frame(self) -> "pd.DataFrame":
        """Return a row per group.

        The mean probabilities are columns ``p_CLASS``; the signed leans E_c[p] - p* are columns ``lean_CLASS``; the
        levels of factors are columns ``factor_NAME``; ends of intervals are columns ``FIGURE_low`` and ``FIGURE_high``.
        """
        import pandas as pd

        rows = []
        for group in self.groups:
            row = group.model_dump(exclude=NO_COLUMNS)
            mean, p_star = group.mean_probabilities, group.reference_probabilities
            means = {f"p_{name}": p for name, p in mean.items()}
            leans = {f"lean_{name}": p - p_star[name] for name, p in mean.items()}
            factors = {f"factor_{name}": level for name, level in group.factors.items()}
            intervals = group.intervals.items()
            ends = {f"{name}_{end}": getattr(each, end) for name, each in intervals for end in ("low", "high")}
            rows.append({**row, **factors, **means, **leans, **ends})
        return pd.DataFrame(rows)


class Result(ResultBase):
    """R, R^b and R^v of a model (Eq. 4 and 7), what groups share and what sets them apart, and the same of each group.

    ``shared`` and ``particular`` are null for a criterion that is not sublinear and for one group. Where they are
    there, R <= shared + particular.
    """

    schema_: Literal["bvf.result/3"] = Field("bvf.result/3", alias="schema")
    scale: Literal["unit", "raw"]
    divisor: float = Field(
        description="Every risk has been divided by it: on the unit scale the risk of a model that is certain of the "
        "least likely class everywhere, averaged over groups; on the raw scale 1"
    )
    R: float
    R_bias: float
    R_volatility: float
    exact_within: dict[str, float] = Field(
        {},
        description="How far R, R^b and R^v can be from those of exact probabilities; empty where these are exact, or "
        "where nothing can be said: J is not sublinear, or p* is the model's own",
    )
    sampled: SampledFigures | None = Field(
        None,
        description="What the figures owe to sampling; null where probabilities are computed, or J is not sublinear: "
        "then the noise of sampling is in R and R^v",
    )
    spread: float = Field(description="The spread of groups, averaged over P(X)")
    groups_changing_sides: int
    shared: float | None = Field(
        description="E_x[E_c[J(m/p*)]] with m = E_x[p - p*]: the risk of what all groups share"
    )
    shared_bias: float | None = Field(description="E_x[J(E_c[m/p*])]")
    shared_volatility: float | None = Field(description="shared - shared_bias")
    particular: float | None = Field(description="E_x[E_c[J(s - m/p*)]]: the risk of what sets groups apart")
    particular_bias: float | None = Field(description="E_x[J(E_c[s - m/p*])]")
    particular_volatility: float | None = Field(description="particular - particular_bias")
    word_lists: WordLists | None = Field(
        None,
        description="null where log p-hat of words is not kept, where it is long, for one word per class, and with "
        "--reference prior",
    )
    in_short: ClassVar[tuple[str, ...]] = ("R", "R_bias", "R_volatility")
    references: tuple[ReferenceRow, ...] = Field(description="Reference models on the same scale")
    controls: tuple[ControlResult, ...] = Field((), description="Control topics of the same groups, if any was asked")
    groups: tuple[GroupRisk, ...]

    @property
    def bias_share(self) -> float | None:
        """R^b / R: how much of the risk is what the model believes on average; None where R is 0."""
        return self.R_bias / self.R if self.R else None

    def risks(self, plugins: "Plugins | None" = None) -> "pd.DataFrame":
        """Return the risk in every context: a row per group and context, with J(s) on the scale of the result (Eq. 2).

        r of a group is the mean of its risks, weighted by ``weight``; ``risk`` is NaN where a prompt is missing.

        Args:
            plugins: Where the criterion is looked up; what is installed if None.

        Raises:
            BvfError: As `stereotypes`; or the criterion is not installed.
        """
        from bvf.analysing.frames import risk_frame

        return risk_frame(self, plugins)

    def tails(self, threshold: float) -> "pd.DataFrame":
        """Return in what share of contexts a class is far from p*: a row per group and class.

        Args:
            threshold: t, 0 or more. ``below`` is P_c(s_y < -t), and ``above`` is P_c(s_y > t).

        Raises:
            BvfError: As `stereotypes`; or the threshold is negative.
        """
        from bvf.analysing.frames import tail_frame

        return tail_frame(self, threshold)


class KnowledgeResult(ResultBase):
    """Mastery, expected score and confidence gap of a model (Appendix E.1), and of each subject.

    All figures are weighted by P(X).
    """

    schema_: Literal["bvf.knowledge/3"] = Field("bvf.knowledge/3", alias="schema")
    mastery: float
    expected_score: float
    confidence_gap: float
    accuracy: float = Field(description="Share of subjects whose true answer is the most probable one under E_c[p]")
    consistency: float | None = Field(
        description="Share of the pairs of contexts with the same answer on top, right or wrong; null for one context"
    )
    seed: int = Field(0, description="Of the draw of distractors")
    distractors: int = Field(0, description="Wrong answers that a subject chooses among; 0: all answers of the topic")
    chance: float = Field(description="Accuracy of an answer drawn at random from those that a subject chooses among")
    most_frequent_answer: str | None = Field(
        description="The answer that the model gives for most subjects; null if it gives none"
    )
    subjects_with_it: int = Field(description="Number of subjects for which the model gives that answer")
    in_short: ClassVar[tuple[str, ...]] = ("mastery", "confidence_gap", "accuracy")
    references: tuple[KnowledgeRow, ...] = Field(description="Reference models on the same scale")
    groups: tuple[GroupKnowledge, ...]


AnyResult = Result | KnowledgeResult


def risk_only(result: ResultBase) -> Result:
    """Return a result of risk.

    Raises:
        BvfError: It is one of another analysis.
    """
    if not isinstance(result, Result):
        raise BvfError(
            f"{result.folder or result.model}: {result.criterion} is no criterion of risk",
            "bvf analyse DIR --criterion linf analyses the same answers by risk",
        )
    return result
