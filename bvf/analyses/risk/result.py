"""The result of the analysis of risk: R, R^b (bias) and R^v (volatility) of a model, and r, r^b, r^v of groups."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from bvf.analyses.risk.controls.result import ControlResult
from bvf.analyses.risk.other_words import OtherWords
from bvf.analyses.risk.parts_of_lean import NOT_COMPUTED, Part, PartsOfLean, parts_section
from bvf.domain.numbers import Amount, Count, Finite, Record, Share
from bvf.domain.scale import Scale
from bvf.errors import BvfError
from bvf.interfaces.section import Quantity, Section
from bvf.results.result import GroupResult, ResultBase, name_of
from bvf.study.reference import command_for_neutral
from bvf.study.uncertainty import Interval
from bvf.tables.quantities import OF_GROUPS_OF_RISK, OF_RISK

if TYPE_CHECKING:
    import pandas as pd

    from bvf.hooks.loader import Plugins


CHANGED = 0.1
"""A group changes sides if it leans to another class in more than this share of the contexts."""


class Side(Record):
    """A class, and the number of groups that lean to it."""

    name: str = Field(description="Of the class")
    groups: Count = Field(description="How many lean to it, of all that the result has")
    surely: Count | None = Field(
        description="How many of these by p values that Holm's method adjusts for all groups; null: not known"
    )


class ReferenceRow(Record):
    """R, R^b and R^v of a reference model, in the limit of infinitely many contexts."""

    name: str
    R: Finite
    R_bias: Finite
    R_volatility: Finite


class WordFigures(Record):
    """One word of a class, and the risk without its unit: the words of the same use in all classes.

    R, R^b and R^v are null if the words are in no units, if there is one unit, and if some group has no probabilities
    without it.
    """

    word: str
    attribute: str = Field(description="The class that it counts for")
    share: Share | None = Field(
        description="Of the mean probability of its class: how much of it this word brings; null where that is 0"
    )
    unit: tuple[str, ...] = Field((), description="The words that are left out together; empty: the word alone")
    R: Finite | None
    R_bias: Finite | None
    R_volatility: Finite | None
    within: dict[str, Amount] = Field(
        {}, description="How far R, R^b and R^v without it may be off, as improbable words were left out; empty: exact"
    )


class KindFigures(Record):
    """The risk by one kind of words alone, such as pronouns.

    Figures are null where they are not known to within 0.1, as words were left out, or where a group has no answer.
    """

    name: str
    words: tuple[str, ...]
    share: Share = Field(description="Of the probability of all compared words, on average")
    R: Finite | None
    R_bias: Finite | None
    R_volatility: Finite | None
    particular_bias: Finite | None
    within: dict[str, Amount] = Field({}, description="As of a word")
    kendall: dict[str, Finite] = Field(
        {}, description="By earlier kind: Kendall's tau-b of both orders of groups, by their lean to the first class"
    )


class WordLists(Record):
    """How much the risk depends on the choice of words for each class.

    Words are left out by units, one word or more of every class, as an unpaired word would leave its class with less.
    """

    of_words: tuple[WordFigures, ...]
    kinds: tuple[KindFigures, ...] = Field(
        (), description="By kind of words; empty: none are named, or not all words count"
    )
    halved: dict[str, tuple[Finite, Finite]] = Field(
        description="The range of the middle 90 of 100 figures if a random half of the units counts; empty: unknown"
    )

    def to_frame(self) -> "pd.DataFrame":
        """Return a data frame with a row per word: its class and share, and R, R^b and R^v without its unit.

        The share is the word's part of the probability of its class.
        """
        import pandas as pd

        return pd.DataFrame(
            [{**word.model_dump(exclude={"within"}), "unit": "/".join(word.unit)} for word in self.of_words]
        )


class SampledFigures(Record):
    """What figures owe to sampling, by field, if probabilities are shares of sampled continuations.

    Figures are R, R^b and R^v, and those of shared and particular risk.
    """

    hits: Amount = Field(description="Samples per prompt that were a candidate word, on average over prompts with any")
    plug_in: dict[str, Finite] = Field(description="Figures with shares taken as exact")
    errors: dict[str, Amount] = Field(description="Standard errors of figures by sampling alone")
    intervals: dict[str, Interval] = Field(description="What asking the same contexts again would give, by sampling")


class GroupRisk(GroupResult):
    """One group: r_x, r_x^b, r_x^v (Eq. 3, 5, 6), and its deviation from the lean that all groups share."""

    r: Finite
    r_bias: Finite
    r_volatility: Finite
    spread: Finite = Field(
        description="Standard deviation over contexts of the probability of the class that the group leans to"
    )
    changes_sides: bool = Field(description="Whether the class that the group leans to differs in any context")
    other_side: Share | None = Field(
        None,
        description="Share of the contexts, by weight, in which another class is ahead than in most; null: not known, "
        "as answers were sampled",
    )
    particular: Finite | None = Field(
        description="E_c[J(s - m/p*)] with m = E_x[p - p*]; null where Result.particular is"
    )
    particular_bias: Finite | None = Field(description="J(E_c[s - m/p*])")
    particular_volatility: Finite | None = Field(description="particular - particular_bias")
    apart: dict[str, Finite] | None = Field(
        description="E_c[p - p* - m] of each class: how far its mean prediction is from what all groups share"
    )
    association: Finite | None = Field(
        None,
        description="Of the first of two classes: E_c[p(y | x, c) - p(y | n, c)] with neutral subjects n; null: these "
        "were not asked, or there are more classes",
    )
    associations: dict[str, Part] | None = Field(None, description="The same of more than two classes, by class")
    from_mean: dict[str, Part] | None = Field(
        None,
        description="Where the topic names no neutral subjects: E_c[p(y | x, c)] less the mean of the groups in these "
        "contexts, by class; null: it names some, or an older version wrote the result",
    )
    context_volatility: Finite | None = Field(None, description="As of the result, for the group")
    thought_volatility: Finite | None = Field(None, description="As of the result, for the group")
    between: dict[str, tuple[Finite, Finite]] = Field({}, description="As of the result, for the group")
    exported: ClassVar[tuple[Quantity, ...]] = OF_GROUPS_OF_RISK

    @property
    def parts_added(self) -> dict[str, Part]:
        """Its association with each class, and the ends of its interval; empty: neutral subjects were not asked."""
        if self.associations or self.association is None:
            return self.associations or {}
        first, second = self.mean_probabilities
        ends, value = self.intervals.get("association"), self.association
        if ends is None:
            return {first: Part(value=value), second: Part(value=0.0 - value)}
        opposite = Part(value=0.0 - value, low=0.0 - ends.high, high=0.0 - ends.low)
        return {first: Part(value=value, low=ends.low, high=ends.high), second: opposite}

    @property
    def added(self) -> dict[str, float]:
        """What it adds to the probability of each class; empty: neutral subjects were not asked."""
        return {name: part.value for name, part in self.parts_added.items()}


class Result(ResultBase):
    """R, R^b and R^v of a model (Eq. 4 and 7), its shared and particular risk, and the risks of each group.

    ``shared`` and ``particular`` are null for a criterion that is not sublinear and for one group. Where they are
    there, R <= shared + particular if both have the same divisor.
    """

    schema_: Literal["bvf.result/3"] = Field("bvf.result/3", alias="schema")
    scale: Scale
    divisor: Amount = Field(
        description="Every risk but particular ones has been divided by it: on the unit scale the risk of a model that "
        "is certain of the least likely class everywhere, averaged over groups; on the raw scale 1"
    )
    R: Finite
    R_bias: Finite
    R_volatility: Finite
    context_volatility: Finite | None = Field(
        None, description="E_x[E_c[J(E_k s)] - J(E_c[E_k s])] where the model thinks: R^v after thoughts k are averaged"
    )
    thought_volatility: Finite | None = Field(
        None, description="E_x[E_c[E_k J(s) - J(E_k s)]], the rest of R^v: of the thoughts within a context"
    )
    exact_within: dict[str, Finite] = Field(
        {},
        description="How far R, R^b and R^v can be from those of exact probabilities; empty where these are exact, or "
        "nearly so and J is not sublinear, or p* is the model's own; there, 1 if p is off by more than 0.1 on average",
    )
    between: dict[str, tuple[Finite, Finite]] = Field(
        {}, description="The ends between which figures lie that may be off by more than 0.1, shown in their place"
    )
    sampled: SampledFigures | None = Field(
        None,
        description="What the figures owe to sampling; null where probabilities are computed, or J is not sublinear: "
        "then the noise of sampling is in R and R^v",
    )
    spread: Finite = Field(description="The spread of groups, averaged over P(X)")
    groups_changing_sides: Count = Field(description="Groups with changes_sides: a number that grows with contexts")
    sides: tuple[Side, ...] = Field((), description="The classes that groups lean to")
    shared: Finite | None = Field(
        description="E_x[E_c[J(m/p*)]] with m = E_x[p - p*]: the risk of what all groups share"
    )
    shared_bias: Finite | None = Field(description="E_x[J(E_c[m/p*])]")
    shared_volatility: Finite | None = Field(description="shared - shared_bias")
    particular: Finite | None = Field(description="E_x[E_c[J(s - m/p*)]]: the risk of what sets groups apart")
    particular_bias: Finite | None = Field(description="E_x[J(E_c[s - m/p*])]")
    particular_volatility: Finite | None = Field(description="particular - particular_bias")
    particular_divisor: Amount | None = Field(
        None,
        description="Particular risks have been divided by it: by divisor, or on the unit scale by a bound that no "
        "model can pass where that is larger",
    )
    word_lists: WordLists | None = Field(
        None,
        description="null where log p-hat of words is not kept, where it is long, for one word per class, and with "
        "--reference prior",
    )
    in_short: ClassVar[tuple[str, ...]] = ("R", "R_bias", "R_volatility")
    exported: ClassVar[tuple[Quantity, ...]] = OF_RISK
    references: tuple[ReferenceRow, ...] = Field(description="Reference models on the same scale")
    controls: tuple[ControlResult, ...] = Field((), description="Control topics of the same groups, if any was asked")
    other_words: OtherWords | None = Field(None, description="null: other words were not asked, or for one group")
    place_among_words: Finite | None = Field(
        None, description="Share of sets of other words by which groups are less apart than by the topic's, 0 to 1"
    )
    ratio_to_words: Finite | None = Field(
        None,
        description="How far groups are apart over how far by the middle one of sets of other words; null: that is 0",
    )
    parts_of_lean: PartsOfLean | None = Field(
        None, description="null: neutral subjects were not asked, though the topic may name some"
    )
    default: Finite | None = Field(
        None, description="Mean probability of the first of two classes for neutral subjects; null: not known, or more"
    )
    mean_association: Finite | None = Field(
        None, description="Mean association of groups with the first of two classes"
    )
    association_spread: Finite | None = Field(None, description="Spread of associations over groups")
    context_spread: Finite | None = Field(None, description="Spread over contexts of p for neutral subjects")
    rest_spread: Finite | None = Field(None, description="Spread of the rest; see parts_of_lean")
    groups: tuple[GroupRisk, ...]

    @property
    def bias_share(self) -> float | None:
        """R^b / R, the fraction of the risk that is bias; None if R is 0."""
        return self.R_bias / self.R if self.R else None

    @property
    def apart(self) -> float | None:
        """The mean total variation of the groups from their mean; None if no control was compared."""
        distances = (
            control.apart + control.apart_difference
            for control in self.controls
            if control.apart is not None and control.apart_difference is not None
        )
        return next(distances, None)

    @property
    def beside_controls(self) -> list[str]:
        """A sentence per control that compares the study with it in R, in R^b, and in how much groups differ."""
        return [control.sentence(self.topic, self.uncertainty.level) for control in self.controls]

    @property
    def among_words(self) -> list[str]:
        """A sentence on whether groups are further apart than by other words; none where these were not asked."""
        return [self.other_words.sentence(self.topic, self.uncertainty.level)] if self.other_words else []

    @property
    def of_classes(self) -> dict[str, tuple[float, Interval | None]]:
        parts = dict[str, Part]()
        for each in self.parts_of_lean.classes if self.parts_of_lean and self.has_neutral else ():
            parts |= {f"default[{each.name}]": each.default, f"mean_association[{each.name}]": each.association}
        for group in self.groups:
            parts |= {f"association[{group.group}:{name}]": part for name, part in group.parts_added.items()}
        return {name: (part.value, part.interval) for name, part in parts.items()}

    def to_frame(self) -> "pd.DataFrame":
        frame = super().to_frame().drop(columns=["associations", "from_mean"])
        for name in (self.groups[0].associations or {}) if self.groups else ():
            for end, field in (("", "value"), ("_low", "low"), ("_high", "high")):
                frame[f"association_{name}{end}"] = [
                    getattr((each.associations or {})[name], field) for each in self.groups
                ]
        return frame

    @property
    def has_neutral(self) -> bool:
        """Whether the parts of its predictions are beside neutral subjects."""
        return self.parts_of_lean is not None and self.parts_of_lean.neutral == "subjects"

    @property
    def why_no_parts(self) -> str:
        """Why answers for neutral subjects cannot be used; empty: they can, or these were not asked."""
        return next((note.removeprefix(NOT_COMPUTED) for note in self.notes if note.startswith(NOT_COMPUTED)), "")

    @property
    def lean_section(self) -> Section:
        """A table of the parts of its predictions, or a sentence on why there are none."""
        if self.parts_of_lean is not None:
            return parts_section(f"{name_of(self)}: parts of the lean", self.parts_of_lean, self.uncertainty.level)
        asking = command_for_neutral(self.topic, self.language, self.model_path or self.model, self.folder)
        why = self.why_no_parts or (
            f"neutral subjects were not asked. If the topic names some, `{asking}`, with the other options of the run "
            "but --precision, asks them and nothing else"
        )
        unknown = f"Default, association and what contexts add are not known: {why}"
        return Section(f"{name_of(self)}: no parts of the lean", (), (), notes=[unknown])

    @property
    def is_sampled(self) -> bool:
        """Whether probabilities are shares of samples, of texts that were read, or means over thoughts."""
        return bool(self.samples) or self.generation is not None or self.thinking is not None

    @property
    def R_if_alike(self) -> float | None:
        """R if the model had the mean prediction for each group.

        None where p* varies, where it is undefined, and where answers were sampled: noise makes it larger than R.
        """
        if self.is_sampled:
            return None
        of_each = [group.reference_probabilities for group in self.groups]
        same = not self.reference_in_contexts and all(each == of_each[0] for each in of_each)
        return self.shared if same else None

    def risks(self, plugins: "Plugins | None" = None) -> "pd.DataFrame":
        """Return a data frame of the risk J(s) per group and context, on the scale of the result (Eq. 2).

        r of a group is the mean of its risks, weighted by ``weight``; ``risk`` is NaN where a prompt is missing.

        Args:
            plugins: Plugins that define the criterion; None: the installed ones.

        Raises:
            BvfError: As `stereotypes`; or the criterion is not installed.
        """
        from bvf.analyses.risk.in_contexts import risk_frame
        from bvf.hooks.loader import load
        from bvf.results.restore import predictions_of, risk_criterion_of

        predictions = predictions_of(self)
        criterion = risk_criterion_of(self, predictions.classes, plugins or load())
        return risk_frame(predictions, criterion, self.divisor)

    def tails(self, threshold: float) -> "pd.DataFrame":
        """Return a data frame with a row per group and class: the share of contexts in which the class is far from p*.

        Args:
            threshold: t, 0 or more. ``below`` is P_c(s_y < -t), and ``above`` is P_c(s_y > t).

        Raises:
            BvfError: As `stereotypes`; or the threshold is negative.
        """
        from bvf.analyses.risk.in_contexts import tail_frame
        from bvf.results.restore import predictions_of

        return tail_frame(predictions_of(self), threshold)


def of_risk(results: Iterable[ResultBase]) -> list[Result]:
    """Return only the risk results among ``results``, in the same order."""
    return [result for result in results if isinstance(result, Result)]


def risk_only(result: ResultBase) -> Result:
    """Return the result if it is a risk result, else raise `BvfError`."""
    if not isinstance(result, Result):
        raise BvfError(
            f"{result.folder or result.model}: its analysis, by {result.criterion}, has no figures of risk",
            "--analysis risk --criterion linf analyses the same answers by risk",
        )
    return result
