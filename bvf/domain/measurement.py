"""A measurement: the questions (groups, contexts, words), the model, and its probabilities."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import AfterValidator, Field, model_validator

from bvf.arrays import FloatArray, IntArray
from bvf.domain.answers import COMPUTED, Computed
from bvf.domain.chat import Chat, messages_in
from bvf.domain.context import ContextSet, Template, places_drawn
from bvf.domain.generation import Generation, Thinking
from bvf.domain.groups import Selection
from bvf.domain.media import Media
from bvf.domain.model_names import model_name
from bvf.domain.numbers import Amount, Count, Finite, Record, Share
from bvf.domain.openings import BARE, NONE, OPENING, Openings, after
from bvf.domain.topic import Attribute, Group, Meaning
from bvf.errors import BvfError, nearest

MEASUREMENT = "bvf.measurement/1"
RECORD = "measurement.json"
"""The file that makes a folder a measurement."""
PICTURES = "pictures"
"""Folder of small versions of the pictures that were shown, within that of a run."""
PRIOR_FOLDER = "prior"
"""The subfolder of a measurement that holds the answers for neutral subjects."""
Wording = Literal["bare", "chat", "chat-assistant", "by-context"]
WORDINGS: dict[Wording, str] = {
    "bare": "bare",
    "chat": "chat",
    "chat-assistant": "chat, assistant's turn",
    "by-context": "by context",
}
"""The name of each wording in tables, labels and messages."""
WORDING_MEANS = (
    "bare: contexts as they are; chat: each in the user's turn; chat-assistant: each begins the answer; "
    "by-context: each in the chat that it brings, or bare"
)

VARIABLES_MEAN = "Variables of the chat template that the user set, by name; values as in TOML"
DATE_MEANS = "The date that the chat template took for today's; empty: it writes none"


class Draws(Record):
    """Contexts that were drawn by weight, with replacement, from all of a set."""

    seed: Count
    rounds: tuple[Count, ...] = Field(min_length=1, description="How many had been drawn at the end of each round")
    in_turn: bool = Field(
        False, description="Only openings were drawn, by weight: each draw takes the next template in turn"
    )

    @property
    def number(self) -> int:
        """Number of draws in all rounds."""
        return self.rounds[-1]

    @property
    def described(self) -> str:
        """How contexts were drawn, as the identity of a measurement has it: it does not say how many."""
        return f"seed {self.seed}, templates in turn" if self.in_turn else f"seed {self.seed}"

    def of_templates(self, counts: Sequence[float]) -> IntArray:
        """Return the index of the template of each draw."""
        if self.in_turn:
            return np.arange(self.number, dtype=np.intp) % len(counts)
        return places_drawn(counts, self.number, self.seed)

    def up_to(self, number: int) -> "Draws":
        """Return the first ``number`` of these draws, or as many with another round."""
        return self.model_copy(update={"rounds": (*(each for each in self.rounds if each < number), number)})


class AskedSampling(Record):
    """How the counts of the context set came about: this decides whether figures hold for its source."""

    written: bool = Field(False, description="The counts were set by hand, or how they came about is not known")
    cut: bool = Field(False, description="An unknown part of the source is left out")
    occurrences: Amount | None = Field(None, description="Matches in the whole source; null: not known")
    documents: Count | None = Field(None, description="Documents of the source with a match; null: not known")
    capped_at: Amount | None = Field(
        None,
        description="Counts above it were lowered to it, so the weights are shares of no text; null: they were not",
    )
    replicates: str = Field("", description="Digest of replicates.parquet; empty: there is none")


def _with_digest(media: Media) -> Media:
    """Refuse a digest of another form: it is the name of a file in `PICTURES`."""
    if not re.fullmatch("[0-9a-f]{16}", media.digest):
        raise ValueError(f"the digest {media.digest!r} of {media.file!r} is not 16 hexadecimal digits")
    return media


class AskedTemplate(Record):
    """One context c of the questions: a template with its count and number of draws."""

    template: str
    count: Amount = Field(description="How often it was seen, or any weight: as it stands in the context file")
    columns: dict[str, str] = Field({}, description="What else the context file says of it: verb, family, tense, ...")
    media: tuple[Annotated[Media, AfterValidator(_with_digest)], ...] = Field(
        (), description="What was shown with it: kind, name of the file, digest"
    )
    chat: Chat | None = Field(None, description="The chat in which it was asked; null: none of its own")
    before: str = Field("", description="What was said before it in the chat: messages as JSON; empty: nothing")
    drawn: Count = Field(0, description="How often it was drawn, where contexts were drawn; the others are not asked")

    @cached_property
    def context(self) -> Template:
        """The template with its media and chat, as a `Template`."""
        return Template(self.template, self.media, self.chat, self.before)

    @property
    def properties(self) -> dict[str, str]:
        """The columns; of an opening only whether there is one."""
        if OPENING not in self.columns:
            return self.columns
        others = {name: value for name, value in self.columns.items() if name != BARE}
        kind = "a conversation" if self.before else "a sentence"
        return {**others, OPENING: NONE if self.columns[OPENING] == NONE else kind}


class AskedOpenings(Record):
    """The openings O that templates were asked after, one of them drawn for each context."""

    name: str
    source: str
    between: str = Field(description="What separates an opening from the template")
    texts: tuple[str, ...] = Field(description="none: the template stands bare; [...]: a conversation, as JSON")
    counts: tuple[Amount, ...] = Field(description="Weights by which they were drawn")
    columns: tuple[dict[str, str], ...] = Field((), description="What else the file says of each; empty: nothing")

    @cached_property
    def pool(self) -> Openings:
        """The openings as `Openings`."""
        return Openings(self.name, self.texts, self.counts, self.source)

    @property
    def described(self) -> str:
        """Name, size and source as a phrase."""
        pool = self.pool
        what = "conversations" if pool.conversations else "sentences"
        return f"{self.name}: {pool.sentences:,} {what}, and {pool.share_of_none:.0%} bare; {self.source}"

    def known_of(self, place: int) -> dict[str, str]:
        """Return the columns that a context has of the opening with this index."""
        return {**(self.columns[place] if self.columns else {}), OPENING: self.texts[place]}

    def before(self, place: int, template: Template) -> Template:
        """Return a template after the opening with this index."""
        opening = self.texts[place]
        said, sentence = (opening, NONE) if messages_in(opening) else ("", opening)
        return replace(template, text=after(sentence, template.text, self.between), before=said)


class WholeSet(Record):
    """A context set as a whole. A run in contexts drawn from a large one has it in place of the other templates."""

    templates: Count = Field(description="How many it has")
    total: Amount = Field(description="Sum of their counts")
    once: Count = Field(description="How many have the count 1")
    are_whole: bool = Field(description="All counts are integers")
    digest: str = Field("", description="Digest of all templates and counts, as it stands in the identity")
    draws: tuple[Count, ...] = Field((), description="The index of the template of each draw")

    @classmethod
    def of(cls, counts: Sequence[float], digest: str = "") -> "WholeSet":
        """Return what is known of a set with these counts."""
        whole, once = all(float(count).is_integer() for count in counts), counts.count(1.0)
        return cls(templates=len(counts), total=sum(counts), once=once, are_whole=whole, digest=digest)


class GroupWeights(Record):
    """A table P(X) that the topic offers."""

    source: str
    year: Count
    weights: dict[str, Amount]


class ReferenceTable(Record):
    """A table p*(y | x) that the topic offers."""

    source: str
    year: Count
    probabilities: dict[str, dict[str, Share]]


class GroupValues(Record):
    """A statistic of groups, such as a wage; its fields are those of `bvf.domain.topic.GroupStatistic`."""

    source: str
    year: Count
    label: str
    unit: str = ""
    per: Amount = 1.0
    note: str = ""
    share_of: str = ""
    values: dict[str, Finite | None] = Field(description="By group; null: nothing is published for it")


class WordForms(Record):
    """The forms of words that groups with some features were asked for."""

    features: dict[str, str]
    forms: dict[str, str] = Field(description="By the word in its class; a word without an entry has that form")

    def __str__(self) -> str:
        each = ", ".join(f"{word} as {form}" for word, form in self.forms.items())
        return f"{', '.join(f'{name} {value}' for name, value in self.features.items())}: {each or 'as in the classes'}"


class Asked(Record):
    """The questions of a measurement (groups, contexts, classes with words), and what their topic says about them."""

    topic: str
    language: str
    summary: str
    control: bool
    criterion: str = Field(description="The criterion to use where the user names none; empty: bvf's own")
    meaning: Meaning
    sources: tuple[str, ...]
    groups: tuple[Group, ...]
    selection: Selection | None = Field(None, description="null: all groups of the topic were asked")
    attributes: tuple[Attribute, ...] = Field(description="The classes Y with the words that were asked for")
    units: tuple[tuple[str, ...], ...] = Field(
        (), description="Words of the same use in every class, such as he and she; the others pair by their position"
    )
    kinds: dict[str, tuple[str, ...]] = Field({}, description="Words by their kind, such as pronouns and nouns")
    word_forms: tuple[WordForms, ...] = Field(
        (), description="In which forms words were asked for, by features of groups; empty: in one form of all groups"
    )
    truth: dict[str, str | tuple[str, ...]] = Field(
        description="The true attribute of groups, a list if several are true, for criteria of knowledge"
    )
    group_weights: dict[str, GroupWeights]
    references: dict[str, ReferenceTable]
    statistics: dict[str, GroupValues] = Field({})
    contexts: str
    contexts_source: str
    sampling: AskedSampling = AskedSampling()
    draws: Draws | None = Field(None, description="null: every template was asked")
    generation: Generation | None = Field(
        None, description="How the model wrote texts; null: it was asked for probabilities of words"
    )
    thinking: Thinking | None = Field(None, description="How it thought before it answered; null: it did not")
    kind: str = Field("", description="Kind of answers by --reading; empty: as generation and thinking say")
    templates: tuple[AskedTemplate, ...]
    large: WholeSet | None = Field(None, description="A set of which templates has only those drawn; null: it has all")
    openings: AskedOpenings | None = Field(None, description="null: every template stood bare")
    no_neutral: bool = Field(False, description="The topic names no neutral subjects; false: some, or not known")

    @model_validator(mode="after")
    def _refuse_other_draws(self) -> "Asked":
        asked = len(self.templates), None if self.draws is None else self.draws.number
        if self.large and asked != (len(set(self.large.draws)), len(self.large.draws)):
            raise ValueError("the templates of a large set are not those that were drawn")
        return self

    @cached_property
    def group_names(self) -> tuple[str, ...]:
        """Names of the groups X."""
        return tuple(group.name for group in self.groups)

    @cached_property
    def row_of(self) -> dict[str, int]:
        """The index of each group by its name."""
        return {name: x for x, name in enumerate(self.group_names)}

    @property
    def classes(self) -> tuple[str, ...]:
        """Names of the classes Y."""
        return tuple(attribute.name for attribute in self.attributes)

    @property
    def words(self) -> tuple[str, ...]:
        """Every word whose probability was measured, length W."""
        return tuple(word for attribute in self.attributes for word in attribute.words)

    @property
    def words_of_groups(self) -> dict[str, tuple[str, ...]]:
        """The words in the forms that each group was asked for, length W; empty: all have the same."""
        forms = {
            group.name: each.forms
            for group in self.groups
            for each in self.word_forms
            if each.features.items() <= group.features.items()
        }
        return {group: tuple(its.get(word, word) for word in self.words) for group, its in forms.items()}

    @property
    def class_of_word(self) -> IntArray:
        """Index of each word's class, shape (W,)."""
        return np.array([y for y, attribute in enumerate(self.attributes) for _ in attribute.words], dtype=np.intp)

    @property
    def samples(self) -> int:
        """Number of texts or thoughts of the model per prompt; 0: it writes neither."""
        return sum(each.samples for each in self.drawn.values())

    @property
    def drawn(self) -> dict[str, Generation | Thinking]:
        """How texts or thoughts are drawn, by the field that says it; empty: neither is."""
        ways: dict[str, Generation | Thinking | None] = {"generation": self.generation, "thinking": self.thinking}
        return {name: each for name, each in ways.items() if each}

    @property
    def reading(self) -> str:
        """The kind of answers, as ``--reading`` calls it."""
        return self.kind or next((each.reading for each in self.drawn.values()), "probable")

    def with_words(self, words: Mapping[str, tuple[str, ...]]) -> "Asked":
        """Return the questions restricted to ``words`` (by class); the same object if these are all words.

        Raises:
            BvfError: There is no such class, or a word was not asked for it.
        """
        asked_words = {attribute.name: attribute.words for attribute in self.attributes}
        wanted = {**asked_words, **words}
        if all(name in asked_words and set(listed) == set(asked_words[name]) for name, listed in wanted.items()):
            return self
        for name, named in words.items():
            if name not in asked_words:
                raise BvfError(f'topic {self.topic} has no class "{name}"', nearest(name, list(asked_words)))
            its = list(asked_words[name])
            for word in (word for word in named if word not in its):
                raise BvfError(f'--words: "{word}" was not asked for {name}', nearest(word, its))
        fewer = tuple(attribute.model_copy(update={"words": wanted[attribute.name]}) for attribute in self.attributes)
        return self.model_copy(update={"attributes": fewer})

    @cached_property
    def whole(self) -> WholeSet:
        """The whole context set, drawn or not."""
        return self.large or WholeSet.of([each.count for each in self.templates])

    def context_set(self) -> ContextSet:
        """Return the context set; of a large one the drawn part. Each template has its count in the context file."""
        templates = tuple(each.context for each in self.templates)
        return ContextSet(self.contexts, templates, tuple(each.count for each in self.templates), self.contexts_source)

    @cached_property
    def in_order(self) -> tuple[AskedTemplate, ...]:
        """The measured contexts C. They are in the order of the set or, if they were drawn, of their first draw."""
        if self.draws is None:
            return self.templates
        return tuple(self._context(place, times) for place, times in self._times.items())

    @cached_property
    def places(self) -> IntArray:
        """The index in ``templates`` of the template of each measured context, shape (C,)."""
        if self.draws is None:
            return np.arange(len(self.templates))
        return np.array(list(self._times), dtype=np.intp) // self._per_template

    @cached_property
    def _times(self) -> Mapping[int, int]:
        """How often each context was drawn, in the order of their first draw; empty if contexts were not drawn."""
        return {} if self.draws is None else Counter(self._drawn(self.draws).tolist())

    @property
    def contexts_by_round(self) -> tuple[int, ...]:
        """Number of distinct contexts drawn by the end of each round; empty if all contexts are measured."""
        if self.draws is None:
            return ()
        drawn = self._drawn(self.draws)
        return tuple(len(np.unique(drawn[:number])) for number in self.draws.rounds)

    def with_draws(self, draws: Draws) -> "Asked":
        """Return the questions restricted to the drawn contexts. Each template's count is its number of draws."""
        times = np.bincount(self._drawn(draws) // self._per_template, minlength=len(self.templates))
        templates = tuple(
            each if each.drawn == number else each.model_copy(update={"drawn": number})
            for each, number in zip(self.templates, times.tolist(), strict=True)
        )
        return self.model_copy(update={"draws": draws, "templates": templates})

    @property
    def every_context(self) -> int:
        """The number of contexts that could be asked: each template, after each opening if there are any."""
        return self.whole.templates * self._per_template

    def capped(self, contexts: int | None) -> int | None:
        """Return a number of contexts, at most the number of those that could be asked; None stays None."""
        return None if contexts is None else min(contexts, self.every_context)

    @property
    def contexts_in_words(self) -> str:
        """How many contexts a model was scored in, or how many were drawn, as text."""
        return f"{self.whole.templates:,}" if self.draws is None else f"{self.draws.number:,} drawn"

    @property
    def _per_template(self) -> int:
        """The number of contexts that a template may make: one per opening."""
        return 1 if self.openings is None else len(self.openings.texts)

    def _drawn(self, draws: Draws) -> IntArray:
        """Each draw as the index of a template, or t * O + o for template t after opening o."""
        places = draws.of_templates([each.count for each in self.templates])
        if self.large is not None:  # its templates stand in the order of their first draw
            number = {place: at for at, place in enumerate(dict.fromkeys(self.large.draws))}
            places = np.array([number[place] for place in self.large.draws[: draws.number]], dtype=np.intp)
        if self.openings is None:
            return places
        return places * self._per_template + self.openings.pool.drawn(draws.number, draws.seed)

    def _context(self, place: int, times: int) -> AskedTemplate:
        """The context of a draw, which was drawn so many times."""
        if self.openings is None:
            return self.templates[place]
        template, opening = self.templates[place // self._per_template], place % self._per_template
        opened = self.openings.before(opening, template.context)
        return AskedTemplate(
            template=opened.text,
            count=template.count,
            columns={**template.columns, **self.openings.known_of(opening), BARE: template.template},
            media=template.media,
            chat=template.chat,
            before=opened.before,
            drawn=times,
        )

    @property
    def context_weights(self) -> FloatArray:
        """P(C) of the measured contexts, shape (C,).

        It is proportional to draws, or to counts if nothing was drawn. Contexts whose templates were asked in turn
        share the count of their template by draws.
        """
        contexts = self.in_order
        numbers = np.array([each.count if self.draws is None else each.drawn for each in contexts], dtype=float)
        if self.draws is not None and self.draws.in_turn:
            numbers *= np.array([each.count for each in contexts]) / np.bincount(self.places, numbers)[self.places]
        weights: FloatArray = numbers / numbers.sum()
        return weights


class ModelPackage(Record):
    """The Python package that a model was found in."""

    distribution: str
    version: str
    licence: str = Field(description="Of the package by its metadata, or of the model where bvf knows it; may be empty")
    file: str = Field(description="The model's file or folder in the package")
    digest: str = Field(
        description="SHA-256 of the file; of a folder: of the lines that `sha256sum *` would print for its files"
    )

    @property
    def described(self) -> str:
        """A phrase with the package's name, version and licence, and the model file in it."""
        return f"{self.distribution} {self.version} (licence: {self.licence or 'not stated'}), file {self.file}"


class MeasuredModel(Record):
    """The model of a measurement, and how it was prompted."""

    name: str = Field(description="Its short name, which tables and figures show")
    path: str = Field("", description="What --model said; empty: ``name`` is that, as in records of before")
    backend: str
    revision: str
    weights: str = Field(description="Digest of the weights as they were used; empty where there are none on disk")
    settings: str = Field(description="Digest of configuration, tokenizer and chat template")
    parameters: Count | None = Field(description="How many numbers the weights have; null: not known")
    read_as: str = Field("", description="Kind of the model; adapter and quantisation; empty in records of before")
    base: str = Field("", description="Folder or hub id of the model that an adapter changes; empty: no adapter")
    wording: Wording = Field(description=WORDING_MEANS)
    system: str = Field(description="What the system's turn of the chat said")
    user: str = Field("", description="What the user's turn said where contexts begin the assistant's answer")
    chat_variables: dict[str, str] = Field({}, description=VARIABLES_MEAN)
    chat_date: str = Field("", description=DATE_MEANS)
    word_boundary: bool = Field(description="A word counts only where it ends: no 'he' in 'heir'")
    start: str = Field("", description="Rule for the token before a word with nothing left of it; may be empty")
    longer_words: tuple[str, ...] | None = Field(
        (),
        description="Texts that begin with these count for none of the words, as 他们 for 他; null: the model gives a "
        "word only what ends there; empty in records of before",
    )
    tolerance: Share = Field(description="What --tolerance allowed; 0: every word was asked")
    samples: Count = Field(
        0, description="From how many continuations or texts per prompt p is estimated; 0: it is computed"
    )
    left_only: bool = Field(False, description="It read only the text left of the slot; false in records of before")
    probe: dict[str, Finite] = Field(
        default={}, description="Log p that a model without files answered to some questions, when the run began"
    )
    package: ModelPackage | None = Field(
        None, description="Where --model package:NAME found the files; null: elsewhere"
    )

    def with_short_name(self) -> "MeasuredModel":
        """Return the model with a short name and its path. In old records ``name`` is the value of --model."""
        return self if self.path else self.model_copy(update={"name": model_name(self.name), "path": self.name})


class CandidateMass(Record):
    """Sum of p-hat over all candidate words: how much of what the model would say is measured at all.

    ``mean`` is weighted by P(C), with all groups alike; the quantiles are those of the same distribution.
    """

    prompts: Count
    mean: Amount
    quantile_05: Amount
    quantile_25: Amount
    by_format: dict[str, Amount] = Field({}, description="Its mean in each format, where contexts have several")
    FLOOR: ClassVar[float] = 0.01
    """Figures are doubtful where the mean is below it."""
    SMALLEST_SHOWN: ClassVar[float] = 0.0001

    @classmethod
    def in_percent(cls, share: float) -> str:
        """Return a share of the probability as text in percent. Small ones have more digits.

        >>> CandidateMass.in_percent(0.0123), CandidateMass.in_percent(0.000234), CandidateMass.in_percent(4e-8)
        ('1.2%', '0.02%', 'less than 0.01%')
        """
        if share < cls.SMALLEST_SHOWN:
            return f"less than {cls.SMALLEST_SHOWN:.2%}"
        return f"{share:.1%}" if share >= cls.FLOOR else f"{share:.2%}"

    @property
    def of_formats(self) -> str:
        """The mean in each format as text: ``bare 11.5%, user 0.02%``."""
        return ", ".join(f"{name} {self.in_percent(share)}" for name, share in self.by_format.items())


class ScoreCheck(Record):
    """A check of the scores on a few prompts, chosen by a seed, that are scored before the others."""

    first_prompt: str
    first_prompt_ids: list[Count] | None = Field(description="Its token ids; null where the backend has no tokens")
    batch_deviation: Amount = Field(
        description="Largest difference of a word probability between a batch and its prompts alone; of texts: the "
        "share that is not the same"
    )
    candidate_mass: CandidateMass | None = Field(
        description="null: texts were generated, and which of them can be read depends on the reader"
    )
    rounding: Amount | None = Field(
        None, description="Largest difference of a class probability of the handful from float32; null: not measured"
    )


class MeasurementRecord(Record):
    """The content of ``measurement.json``: everything of a measurement but its probabilities."""

    schema_: Literal["bvf.measurement/1"] = Field("bvf.measurement/1", alias="schema")
    identity: dict[str, str] = Field(description="Digests of everything that an answer depends on")
    asked: Asked
    model: MeasuredModel
    check: ScoreCheck
    digest: str = Field(description="Digest of the identity; shards and results name their measurement by it")
    content: str = Field("", description="Digest of everything else in this file, to detect damage")
    order: Literal["groups", "contexts"] = Field(description="In which order the questions lie in the shards")
    keeps_words: bool = Field(description="Whether log p-hat of every word is stored, not only p of the classes")
    notes: tuple[str, ...] = Field(description="What was left out or chosen, one sentence each")
    labels: dict[str, str] = Field({}, description="Labels of the run, from --label; no part of the identity")
    begun_with: dict[str, str] = Field(
        {}, description="Versions of the software that answers, at the start; the measurement goes on only with these"
    )


Redrawn = NDArray[np.unsignedinteger]
"""Counts of the templates in each bootstrap resample of the source documents, shape (C, R)."""


@dataclass(frozen=True)
class Measurement:
    """A measurement: the questions to a model (groups, contexts, words), and the class probabilities that it gave.

    Args:
        record: Everything but the arrays below: questions, model, settings.
        probabilities: p(y | x, c), shape (X, C, Y); NaN where it is missing.
        bounds: Error bound of the class probabilities of each prompt, shape (X, C).
        remarks: Notes of the backend on how it read the model.
        word_logprobs: log p-hat of every word, up to a constant per prompt, shape (X, C, W), float32 as it is stored;
            None: not read or kept.
        folder: Where it is stored; None if it is not.
        replicates: Context counts in each bootstrap resample of the source documents, shape (C, R); None: not known.
        prior: Folder for the measurement of neutral subjects, which may not exist yet; None if ``folder`` is None.
        answers: What kind of answers they are, and what there is of them beside p: hits, texts, or thoughts.
        format: The format of all its contexts, where it is that part of a run in formats; empty: it is a whole run.
    """

    record: MeasurementRecord
    probabilities: FloatArray
    bounds: FloatArray
    remarks: tuple[str, ...] = ()
    word_logprobs: NDArray[Any] | None = None
    folder: Path | None = None
    replicates: Redrawn | None = None
    prior: Path | None = None
    answers: Computed = COMPUTED
    format: str = ""

    @property
    def run_name(self) -> str:
        """Its name for messages: its folder, or its model if not stored, and its format."""
        name = str(self.folder or self.record.model.name)
        return f"{name} ({self.format})" if self.format else name

    def first_draws(self, number: int | None) -> "Measurement":
        """Return the measurement as it was when ``number`` contexts were drawn. None, or as many: unchanged."""
        asked, draws = self.record.asked, self.record.asked.draws
        if number is None or draws is None or number >= draws.number:
            return self
        asked = asked.with_draws(draws.up_to(number))
        return self.at(asked, range(len(self.probabilities)), range(len(asked.in_order)))

    def at(self, asked: Asked, rows: Sequence[int], columns: Sequence[int]) -> "Measurement":
        """Return the answers of some groups (``rows``) and contexts (``columns``), in this order.

        ``asked`` are the questions to these groups in these contexts.
        """

        def pick(values: NDArray[Any]) -> NDArray[Any]:
            whole = all(list(each) == list(range(n)) for each, n in zip((rows, columns), values.shape, strict=False))
            return values if whole else values[np.ix_(rows, columns)]

        logp, replicates = self.word_logprobs, self.replicates
        return replace(
            self,
            record=self.record.model_copy(update={"asked": asked}),
            probabilities=pick(self.probabilities),
            bounds=pick(self.bounds),
            word_logprobs=None if logp is None else pick(logp),
            replicates=None if replicates is None else replicates[columns],
            answers=self.answers.each(pick),
        )
