"""Base classes of the results of analyses, which are stored as ``result.json``, and their methods and names."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
from pydantic import Field, PrivateAttr

from bvf.domain.asked import Asked, number_of_contexts
from bvf.domain.generation import Generation, TextsRead, Thinking, ThoughtsRead
from bvf.domain.groups import Selection
from bvf.domain.measurement import DATE_MEANS, VARIABLES_MEAN, WORDING_MEANS, CandidateMass, Wording
from bvf.domain.numbers import Amount, Count, Level, Record, Share
from bvf.domain.scale import USUAL
from bvf.errors import BvfError
from bvf.hooks.provider import imported
from bvf.interfaces.section import Quantity
from bvf.study.config import Given
from bvf.study.names import always_named, distinct_names, facts_of
from bvf.study.reference import UNIFORM, first_of
from bvf.study.uncertainty import Interval, Uncertainty
from bvf.tables.markup import Finding
from bvf.tables.words import counted, percent

if TYPE_CHECKING:
    import pandas as pd

    from bvf.study.predictions import Predictions, Probabilities

PLACES = 4
"""Decimals of figures in the one-line form of a result."""
NO_COLUMNS = {"mean_probabilities", "reference_probabilities", "apart", "factors", "intervals", "between", "truths"}
"""Fields of a group that become several columns of a data frame, or none."""


def number(value: float) -> float | None:
    """Return a number as JSON can store it. NaN and infinity become None."""
    return float(value) if np.isfinite(value) else None


class GroupResult(Record):
    """The fields of a group in every result: English gloss, factors, weight P(x), E_c[p(y | x, c)], and p*(y | x)."""

    group: str
    gloss: str = ""
    factors: dict[str, str] = Field({})
    weight: Amount
    mean_probabilities: dict[str, Share] = Field(description="By class; without answers that were not asked")
    reference_probabilities: dict[str, Share]
    intervals: dict[str, Interval] = Field({}, description="By the name of the field; empty where there are none")
    exported: ClassVar[tuple[Quantity, ...]] = ()
    """Figures of a group in tables for papers; empty: all its numbers."""
    described_by: ClassVar[tuple[str, ...]] = ()
    """Text fields of a group in these tables; empty: the class that is most probable on average."""

    OF_CLASSES: ClassVar[str] = "mean probability of each class over contexts"
    """What the columns of `class_titles` have."""

    @property
    def class_titles(self) -> dict[str, str]:
        """Titles of columns of mean probabilities, by class; none for two classes, as one is 1 - the other."""
        classes = self.mean_probabilities
        return {name: f"p {name}" for name in classes} if len(classes) > 2 else {}


class ResultBase(Finding):
    """The fields that the results of all analyses have."""

    measurement: str = Field(description="Digest of the identity of the measurement that was analysed")
    model: str = Field(description="Its short name")
    model_path: str = Field("", description="What --model said")
    revision: str = Field("", description="Branch, tag or commit of its files, where one was named")
    labels: dict[str, str] = Field({}, description="Labels of the run, from --label")
    backend: str
    wording: Wording = Field("bare", description=WORDING_MEANS)
    system: str = Field("", description="What the system's turn of the chat said")
    user: str = Field("", description="What the user's turn said where contexts begin the assistant's answer")
    chat_variables: dict[str, str] = Field({}, description=VARIABLES_MEAN)
    chat_date: str = Field("", description=DATE_MEANS)
    topic: str
    selection: Selection | None = Field(None, description="How groups were selected; null: all groups of the topic")
    margin: str = Field("", description="The factor of crossed classes that was analysed; empty: all classes")
    language: str
    criterion: str
    analysis: str = Field("", description="What --analysis said, if it has a parameter after a colon; else empty")
    reference: str
    reference_in_contexts: bool = Field(
        False, description="p* changes with the context; reference_probabilities of groups are its mean over contexts"
    )
    group_weights: str = Field(description="What --group-weights said")
    words: dict[str, tuple[str, ...]] = Field(description="The words that count for each class that was asked for")
    contexts: str
    example: str = Field("", description="One of the prompts; empty in results of before")
    number_of_contexts: Count
    effective_contexts: Amount = Field(description="1 / sum of the squared context weights")
    prompts: Count
    missing: Count = Field(description="Prompts that could not be scored; they count for nothing.")
    word_boundary: bool = Field(False, description="A word counts only where it ends: no 'he' in 'heir'")
    tolerance: Share = Field(0.0, description="What --tolerance allowed; 0: every word was asked")
    deviation_bound: Amount = Field(0.0, description="No class probability is further than this from the exact one")
    samples: Count = Field(
        0, description="From how many continuations or texts per prompt p is estimated; 0: it is computed"
    )
    generation: Generation | None = Field(None, description="How texts were generated; null: none were")
    reader: str = Field("", description="What read a class from the texts; empty: there are none")
    texts: TextsRead | None = Field(None, description="How many texts could be read; null: there are none")
    thinking: Thinking | None = Field(None, description="How the model thought before it answered; null: it did not")
    thoughts: ThoughtsRead | None = Field(None, description="What its thoughts did; null: there are none")
    candidate_mass: CandidateMass
    uncertainty: Uncertainty
    warnings: tuple[str, ...] = Field(description="What makes the figures doubtful, one sentence each")
    notes: tuple[str, ...] = Field(description="What was left out or chosen, one sentence each")
    groups: tuple[GroupResult, ...]
    tables: ClassVar[str] = "bvf.results.sections:sections_of"
    in_short: ClassVar[tuple[str, ...]] = ()
    """The figures in the one-line form of a result."""
    exported: ClassVar[tuple[Quantity, ...]] = ()
    """Figures in tables for papers and in records of Every Eval Ever; empty: all its numbers."""
    metric_kind: ClassVar[str] = "risk"
    """The kind of metric that records of Every Eval Ever state for these figures."""
    _folder: Path | None = PrivateAttr(default=None)
    _shown_as: str = PrivateAttr(default="")
    _kept_as: str = PrivateAttr(default="")
    _differs: Mapping[str, Any] = PrivateAttr(default_factory=dict)
    _given: Given = PrivateAttr(default=Given())

    def __repr_args__(self) -> Iterator[tuple[str, object]]:
        for name in ("model", "topic", "language", "criterion", "contexts", *self.in_short):
            value = getattr(self, name)
            yield name, round(value, PLACES) if isinstance(value, float) else value
        yield "groups", len(self.groups)
        yield "folder", str(self.folder or "")

    @property
    def folder(self) -> Path | None:
        """The folder with the probabilities of the result; None if they were never stored."""
        return self._folder

    def __fspath__(self) -> str:
        """Return the folder: a result stands for its run, as in ``bvf.compare([first, second])``.

        Raises:
            BvfError: The result was not stored, or is not of the run's own choices, which its folder stands for.
        """
        if self._folder is None:
            raise BvfError("this result was not stored, so it stands for no run", "bvf.run(out=FOLDER) stores it")
        if self._kept_as or self._differs:
            named = ", ".join(self._differs) or f'kept as "{self._kept_as}"'
            raise BvfError(
                f"this result is not the run's own in {self._folder} ({named})", "give the folder, and the choices"
            )
        return str(self._folder)

    def reader_again(self, asked: "Asked") -> str:
        """Return the value of ``--reader`` by which this result is computed again; see `AnswerKind.reader_of`."""
        from bvf.measuring.kind import kind_called

        return kind_called(asked.reading).reader_of(self)

    @property
    def contexts_in_words(self) -> str:
        """The number of contexts as text: ``11``, or ``30 drawn``."""
        return number_of_contexts(self.number_of_contexts, self.uncertainty.draws)

    def groups_in_words(self, things: str = "group") -> str:
        """Return the number of groups as text: ``2 of 120 groups (chosen)``.

        The text says how they were selected, if so, and how many were left out, as p* has no value for them.
        """
        selection, number = self.selection, len(self.groups)
        asked = max(self.prompts // self.number_of_contexts, number)
        left = f"{asked - number} left out" if asked > number else ""
        if selection is None:
            return f"{counted(number, things)}{f' ({left})' if left else ''}"
        how = f"{asked} {selection.how}, {left}" if left else selection.how
        return f"{number} of {counted(selection.of, things)} ({how}{selection.with_own})"

    def method_fields(self, asked: "Asked") -> dict[str, Any]:
        """Return the fields of `Method`. ``asked`` are the questions of its measurement, with all words."""
        words = {attribute.name: set(attribute.words) for attribute in asked.attributes}
        all_count = {name: set(listed) for name, listed in self.words.items()} == words
        return {
            **{name: getattr(self, name) for name in Method.model_fields if hasattr(self, name)},
            "groups": () if self.selection == asked.selection else tuple(group.group for group in self.groups),
            "words": {} if all_count else self.words,
            "unit": self.uncertainty.unit,
            "level": self.uncertainty.level,
        }

    @property
    def kept_as(self) -> str:
        """The name under which this analysis is stored in the folder; '' for the run's own, or if not stored."""
        return self._kept_as

    @property
    def differs(self) -> Mapping[str, Any]:
        """The choices of this analysis that differ from those of the run's own analysis, by option."""
        return self._differs

    def probabilities(self) -> "Probabilities":
        """Return p(y | x, c), shape (X, C, Y), as an array that knows the names of groups, contexts and classes.

        Groups that are not in the result are left out.

        Raises:
            BvfError: As `stereotypes`.
        """
        from bvf.study.predictions import Probabilities

        read = self._read_again()
        axes = read.group_names, read.contexts, read.classes
        return Probabilities(read.probabilities, *axes, read.context_weights, read.group_weights)

    def stereotypes(self) -> "pd.DataFrame":
        """Return a data frame with a row per group, context and class: p(y | x, c) and s = p / p* - 1 (Eq. 1).

        After openings it has a column for them and one for the template alone. Groups that are not in the result are
        left out.

        Raises:
            BvfError: The result was not stored, or its folder is gone, incomplete, or holds another measurement.
        """
        import pandas as pd

        read = self._read_again()
        s = read.stereotypes
        frames = [
            pd.DataFrame(
                {
                    "group": group,
                    "context": read.contexts,
                    **read.parts_of_contexts,
                    "weight": read.context_weights,
                    "attribute": name,
                    "probability": read.probabilities[x, :, y],
                    "stereotype": s[x, :, y],
                }
            )
            for x, group in enumerate(read.group_names)
            for y, name in enumerate(read.classes)
        ]
        return pd.concat(frames, ignore_index=True)

    @property
    def of_classes(self) -> Mapping[str, tuple[float, Interval | None]]:
        """Figures of one class with their intervals, by names such as ``default[male]``; empty if there are none."""
        return {}

    def _read_again(self) -> "Predictions":
        """The predictions that the result was computed from, read from its folder."""
        predictions: Predictions = imported("bvf.results.restore:predictions_of")(self)
        return predictions

    def intervals(self) -> "pd.DataFrame":
        """Return a data frame with a row per interval.

        Those of the result (``group`` is empty) come first, then those of groups.

        Columns: ``group``, ``figure`` (the name of the field), ``value``, ``low``, ``high``, ``cross_fit`` (NaN for a
        mean). The field ``uncertainty`` has the population and the sampling unit, or why there are no intervals.
        """
        import pandas as pd

        holders: list[tuple[str, Record, Mapping[str, Interval]]] = [("", self, self.uncertainty.intervals)]
        holders += [(each.group, each, each.intervals) for each in self.groups]
        rows = [
            (group, name, getattr(holder, name), *(np.nan if end is None else end for end in dict(each).values()))
            for group, holder, intervals in holders
            for name, each in intervals.items()
        ]
        return pd.DataFrame(rows, columns=["group", "figure", "value", "low", "high", "cross_fit"])

    def to_frame(self) -> "pd.DataFrame":
        """Return a data frame with a row per group and a column per field.

        The mean probabilities are columns ``p_CLASS``; the signed leans E_c[p] - p* are columns ``lean_CLASS``; the
        levels of factors are columns ``factor_NAME``; ends of intervals are columns ``FIGURE_low`` and ``FIGURE_high``;
        of a figure that is known between ends alone, these are columns ``FIGURE_least`` and ``FIGURE_most``.
        """
        import pandas as pd

        unknown, rows = {each.field for each in self.groups[0].exported if each.is_unknown(self.groups)}, []
        classes = dict.fromkeys(name for group in self.groups for name in group.mean_probabilities)
        for group in self.groups:
            row = group.model_dump(exclude=NO_COLUMNS | unknown)
            for name, (least, most) in getattr(group, "between", {}).items():
                row |= {name: None, f"{name}_least": least, f"{name}_most": most}
            mean, p_star = group.mean_probabilities, group.reference_probabilities
            means = {f"p_{name}": mean.get(name) for name in classes}
            leans = {f"lean_{name}": mean[name] - p_star[name] if name in mean else None for name in classes}
            factors = {f"factor_{name}": level for name, level in group.factors.items()}
            intervals = group.intervals.items()
            ends = {f"{name}_{end}": getattr(each, end) for name, each in intervals for end in ("low", "high")}
            rows.append({**row, **factors, **means, **leans, **ends})
        return pd.DataFrame(rows)


class Method(Record):
    """The choices of an analysis."""

    analysis: str = Field("", description="What --analysis said, if it has a parameter after a colon; else empty")
    criterion: str
    scale: str = Field("", description="unit or raw; empty: the figures are none of risk")
    reference: str
    group_weights: str
    groups: tuple[str, ...] = Field((), description="The groups that --groups named; empty: all that were asked")
    margin: str = Field("", description="The factor of crossed classes; empty: all classes")
    words: dict[str, tuple[str, ...]] = Field({}, description="The words that count; empty: all that were asked")
    reader: str = Field("", description="What read the texts; empty: there are none")
    distractors: Count = Field(0, description="Wrong answers that a subject chooses among; 0: all")
    seed: Count = Field(0, description="Of the draw of distractors")
    unit: str = Field("", description="What was drawn: document, occurrence, template; empty: there is no interval")
    level: Level = Field(description="Of the intervals")

    @property
    def described(self) -> str:
        """All choices of the analysis as one line of text."""
        parts = [f"analysis {self.analysis}"] if self.analysis else []
        parts += [f"criterion {self.criterion}"] if self.criterion else []
        parts += [f"scale {self.scale}"] if self.scale else []
        parts += [f"reference {self.reference}", f"group weights {self.group_weights}"] if self.criterion else []
        parts += [f"groups {first_of(self.groups)}"] if self.groups else []
        parts += [f"margin {self.margin}"] if self.margin else []
        parts += [f"words {first_of([word for words in self.words.values() for word in words])}"] if self.words else []
        parts += [f"reader {self.reader}"] if self.reader else []
        parts += [f"{self.distractors} distractors of seed {self.seed}"] if self.distractors else []
        return ", ".join(
            [*parts, f"{percent(self.level)} by {self.unit}" if self.unit else "no intervals for other texts"]
        )


def in_title(of: Any, *, with_scale: bool = False) -> str:
    """Return criterion, scale and p* of a result or comparison for a title, and an analysis that has a parameter.

    A default scale or p* is left out.

    Args:
        of: Something with ``criterion``, ``scale`` and ``reference``; the latter two are empty if not known.
        with_scale: Name the scale anyway.
    """
    analysis = f"analysis {of.analysis}, " if getattr(of, "analysis", "") else ""
    scale = f", {of.scale} scale" if of.scale and (with_scale or of.scale != USUAL) else ""
    p_star = "" if of.reference in ("", UNIFORM) else f", p* {of.reference}"
    return f"{analysis}criterion {of.criterion}{scale}{p_star}"


R = TypeVar("R", bound=ResultBase)


def name_of(result: ResultBase) -> str:
    """Return the display name of the model.

    It includes the wording of its prompts, such as ``chat``, unless contexts were bare.

    A result that `with_distinct_names` returned keeps the distinct name that it got there.
    """
    return result._shown_as or distinct_names([result.model], [()], always=[_always(result)])[0]


def names_of(results: Sequence[ResultBase]) -> tuple[str, ...]:
    """Return a distinct name for each result in a table.

    A name is that of the model in `with_distinct_names`; topic, contexts and folder are appended as far as names are
    equal.
    """
    names = [name_of(result) for result in with_distinct_names(results)]
    for others in ([result.topic for result in results], [Path(result.contexts).stem for result in results]):
        if len(set(zip(names, others, strict=True))) > len(set(names)):
            names = [f"{name}, {other}" for name, other in zip(names, others, strict=True)]
    times = Counter(names)
    return tuple(
        name if times[name] == 1 else f"{name}, {_where(each)}" for name, each in zip(names, results, strict=True)
    )


def named_warnings(results: Sequence[ResultBase]) -> tuple[str, ...]:
    """Return the warnings of results, each prefixed by the name of its result."""
    named = zip(names_of(results), results, strict=True)
    return tuple(f"{name}: {warning}" for name, result in named for warning in result.warnings)


def with_distinct_names(results: Sequence[R]) -> list[R]:
    """Return copies of results with distinct model names. Names are distinct for one topic, language and context set.

    Unless contexts were bare, the wording is appended in any case.
    """
    within = [(result.topic, result.language, result.contexts) for result in results]
    always = ["" if result._shown_as else _always(result) for result in results]
    facts = facts_of(
        results,
        [each.labels for each in results],
        [each.model_path for each in results],
        [each.contexts_in_words for each in results],
        [_where(each) for each in results],
        [each.generation or each.thinking for each in results],
    )
    names = distinct_names([result.model for result in results], facts, within, always=always)
    return [_named(result, name) for result, name in zip(results, names, strict=True)]


def _always(result: ResultBase) -> str:
    return always_named(result.wording, result.generation or result.thinking)


def _named(result: R, name: str) -> R:
    copy = result.model_copy(update={"model": name})
    copy._shown_as = name
    return copy


def _where(result: ResultBase) -> str:
    return str(result.folder or result.measurement)
