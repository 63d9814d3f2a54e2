"""What was asked: groups, contexts and their openings, words, draws, and the numbers given with them."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Annotated

import numpy as np
from pydantic import AfterValidator, Field, model_validator

from bvf.arrays import FloatArray, IntArray
from bvf.domain.chat import Chat, messages_in
from bvf.domain.context import ContextSet, Template, places_drawn
from bvf.domain.generation import Generation, Thinking
from bvf.domain.groups import Selection
from bvf.domain.media import Media
from bvf.domain.numbers import Amount, Count, Finite, Record, Share
from bvf.domain.openings import BARE, NONE, OPENING, Openings, after
from bvf.domain.topic import Attribute, Group, Meaning
from bvf.errors import BvfError, nearest

PICTURES = "pictures"
"""Folder of small versions of the pictures that were shown, within that of a run."""


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
        return number_of_contexts(self.whole.templates, None if self.draws is None else self.draws.number)

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


def number_of_contexts(different: int, draws: int | None) -> str:
    """Return how many contexts a model was scored in, or how many were drawn, as text.

    >>> number_of_contexts(11, None), number_of_contexts(90, draws=100)
    ('11', '100 drawn')
    """
    return f"{different:,}" if draws is None else f"{draws:,} drawn"
