"""Makes the exact prompts to score from a configuration, without loading a model."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from bvf.arrays import FloatArray
from bvf.asking.model import ChosenModel, choose_model
from bvf.domain.asked import (
    Asked,
    AskedOpenings,
    AskedSampling,
    AskedTemplate,
    Draws,
    GroupValues,
    GroupWeights,
    ReferenceTable,
    WholeSet,
)
from bvf.domain.context import LARGE, ContextSet
from bvf.domain.crossing import size_of
from bvf.domain.groups import Selection
from bvf.domain.measurement import MeasuredModel
from bvf.domain.prompt import Prompt
from bvf.domain.topic import Attribute, Topic
from bvf.domain.variants.options import in_every_order
from bvf.files.contexts.sets import contexts_digest
from bvf.files.digests import digest_of_bytes
from bvf.files.table_files import read_group_values, read_group_weights, read_reference
from bvf.hooks.loader import Plugins
from bvf.interfaces.engine import Engine
from bvf.interfaces.language import Language
from bvf.measuring.config import MeasureConfig
from bvf.measuring.contexts import (
    asked_openings,
    draws_of,
    find_contexts,
    in_chats,
    in_formats,
    openings_of,
    refuse_media,
    refuse_unread_chats,
    without_group_right_of_slot,
)
from bvf.measuring.kind import AnswerKind, kind_called
from bvf.measuring.questions import Questions, digests_of
from bvf.measuring.topics import chosen_topic, in_pairs, selected_groups, word_forms_of

HANDFUL = 8
"""Prompts of `Plan.handful`."""
AT_A_TIME = 4096
WORDED = 1000
"""Templates of a large set whose prompts the identity has."""


@dataclass(frozen=True)
class Plan:
    """The questions of a run (one per group and context), and the model that will score their prompts.

    Args:
        config: The configuration, with defaults for every choice that the user left open.
        topic: The topic, with the words that are scored.
        language: The language, whose wording rules make the prompts.
        contexts: The contexts that the model can read.
        groups: Names of the groups X.
        model: The chosen model, not loaded.
        engine: Where the questions are scored.
        notes: What was left out or chosen, one sentence each.
        draws: How many of the contexts are drawn, and how; None: all contexts are used.
        openings: The openings that stand before templates; None: templates stand bare.
        selection: How groups were selected from those of the topic; None: all are asked.
        drawn: How the model draws texts or thoughts: ``generation`` or ``thinking``; empty: it writes neither.
        large: The set as a whole, if contexts are drawn from so many that only those drawn are stored; None: all are.
        checking: Called when a part of the check of the model begins, with what it does.
    """

    config: MeasureConfig
    topic: Topic
    language: Language
    contexts: ContextSet
    groups: tuple[str, ...]
    model: ChosenModel
    engine: Engine
    notes: tuple[str, ...]
    draws: Draws | None = None
    openings: AskedOpenings | None = None
    selection: Selection | None = None
    drawn: Mapping[str, Any] = field(default_factory=dict)
    large: WholeSet | None = None
    checking: Callable[[str], None] = field(default=lambda _: None, compare=False, repr=False)

    def with_checking(self, checking: Callable[[str], None]) -> "Plan":
        """Return this plan, with what it has worked out, and a function that hears of the parts of a check."""
        plan = copy(self)
        object.__setattr__(plan, "checking", checking)
        return plan

    @property
    def kind(self) -> AnswerKind:
        """The kind of answers that the model is asked for."""
        return kind_called(self.config.reading)

    @property
    def tolerance(self) -> float:
        """Largest error allowed for a class probability. 0: every word is scored."""
        return self.config.tolerance or 0.0

    @cached_property
    def questions(self) -> Questions:
        """Every group in every context that is used. Stored contexts lack the folder of their media."""
        questions = Questions.of(self.asked, self.tolerance, self.config.order)
        read = zip(questions.templates, self.asked.places.tolist(), strict=True)
        media = [each.media for each in self.stored_contexts.templates]
        return replace(questions, templates=tuple(replace(each, media=media[place]) for each, place in read))

    def prompts(self, questions: Sequence[int]) -> list[Prompt]:
        """Return the prompts of questions. Number x * C + c is group x in context c."""
        return self.questions.prompts(questions, self.language)

    def blocks(self, questions: Sequence[int]) -> Iterator[list[Prompt]]:
        """Yield the prompts of questions, some thousands at a time."""
        for start in range(0, len(questions), AT_A_TIME):
            yield self.prompts(questions[start : start + AT_A_TIME])

    @cached_property
    def handful(self) -> list[Prompt]:
        """A few prompts, drawn with the seed of the run, on which the model is checked."""
        rng = np.random.default_rng(self.config.seed)
        return self.prompts([int(q) for q in rng.permutation(self.questions.size)[:HANDFUL]])

    @cached_property
    def stored_contexts(self) -> ContextSet:
        """The contexts that the record has: all, or of a large set those drawn, in the order of their first draw."""
        return self.contexts if self._whole is None else self.contexts.only(list(dict.fromkeys(self._whole.draws)))

    @cached_property
    def _whole(self) -> WholeSet | None:
        """The large set as the record has it, with its draws."""
        if self.large is None or self.draws is None:
            return None
        return self.large.model_copy(update={"draws": tuple(self.draws.of_templates(self.contexts.counts).tolist())})

    @cached_property
    def asked(self) -> Asked:
        """The questions as ``measurement.json`` stores them, with the topic's tables (weights, p*, statistics)."""
        topic, contexts, replicates = self.topic, self.stored_contexts, self.stored_contexts.sampling.replicates
        known = {"probable", *(each.reading for each in self.drawn.values())}
        everything = Asked(
            topic=topic.name,
            language=self.language.code,
            summary=topic.summary,
            control=topic.control,
            criterion=topic.criterion,
            meaning=topic.measurement,
            sources=topic.sources,
            groups=topic.described(self.groups),
            selection=self.selection,
            attributes=tuple(
                Attribute(name=name, words=words, factors=factors)
                for (name, words), factors in zip(topic.counted_words().items(), topic.class_factors, strict=True)
            ),
            units=topic.counted_units(),
            kinds=topic.kinds,
            word_forms=word_forms_of(topic, self.groups, self.language),
            truth={group: topic.truth[group] for group in self.groups if group in topic.truth},
            group_weights={
                name: GroupWeights(source=its.source, year=its.year, weights=read_group_weights(Path(its.file)))
                for name, its in topic.group_weights.items()
            },
            references=_references(topic),
            statistics=_statistics(topic),
            **self.drawn,
            kind="" if self.config.reading in known else self.config.reading,
            contexts=contexts.name,
            contexts_source=contexts.source,
            sampling=AskedSampling(
                written=contexts.sampling.written,
                cut=contexts.sampling.cut,
                occurrences=contexts.occurrences,
                documents=contexts.sampling.documents,
                capped_at=contexts.sampling.capped_at,
                replicates="" if replicates is None else digest_of_bytes(replicates.tobytes()),
            ),
            templates=tuple(
                AskedTemplate(
                    template=template.text,
                    count=count,
                    columns=dict(columns),
                    media=tuple(replace(each, file=Path(each.file).name) for each in template.media),
                    chat=template.chat,
                    before=template.before,
                )
                for template, count, columns in contexts.rows
            ),
            draws=self.draws,
            large=self._whole,
            openings=self.openings,
            no_neutral=not topic.neutral,
        )
        return everything if self.draws is None else everything.with_draws(self.draws)

    def going_on(self, stored: Draws | None) -> "Plan":
        """Return the plan with the contexts that a stored measurement drew, and its own further draws appended."""
        if self.draws is None or stored in (None, self.draws):
            return self
        return replace(self, draws=stored).drawing(self.draws.number)

    def drawing(self, number: int) -> "Plan":
        """Return the plan with ``number`` contexts drawn in all. A plan with as many or more is unchanged."""
        if self.draws is None or number <= self.draws.number:
            return self
        return replace(self, draws=self.draws.up_to(number))

    @cached_property
    def measured_model(self) -> MeasuredModel:
        """The model and how it is prompted, as the record of the measurement stores them."""
        description = self.model.description
        return MeasuredModel(
            name=self.model.name,
            path=self.model.path,
            backend=self.model.backend,
            revision=description.revision,
            weights=description.weights,
            settings=description.settings,
            parameters=description.parameters,
            read_as=description.read_as,
            base=description.base,
            wording="by-context" if in_chats(self.contexts) else description.capabilities.wording,
            system=description.system,
            user=description.user,
            chat_variables=dict(description.chat_variables),
            chat_date=description.chat_date,
            word_boundary=description.word_boundary,
            start=description.start if self._begins_bare else "",
            longer_words=description.longer_words,
            tolerance=self.tolerance,
            samples=self.asked.samples if self.kind.needs_reader else description.samples,
            left_only=not description.capabilities.reads_right,
            probe=dict(description.probe),
            package=self.model.package,
        )

    @cached_property
    def identity(self) -> dict[str, str]:
        """Digests of all that the probabilities depend on: the content of questions and model.

        Names and paths are not included.

        The digests do not depend on how many contexts are drawn: prompts are those of all, or of the first of many.
        """
        every = self.contexts.templates if self.large is None else self.contexts.templates[:WORDED]
        of_all_contexts = replace(self.questions, templates=tuple(every))
        return {
            **digests_of(self.asked, self.tolerance, self.config.order),
            "prompts": of_all_contexts.digest_of_prompts(self.language),
            **self.model.identity(begins_bare=self._begins_bare),
        }

    @property
    def _begins_bare(self) -> bool:
        """Whether a word has nothing left of it in some context."""
        return any(text.startswith("[Y]") for text in self.contexts.texts)


def plan_of(config: MeasureConfig, plugins: Plugins) -> Plan:
    """Look up every name of a configuration and return the plan: questions and model."""
    if not (config.topic or config.cross):
        config = config.model_copy(update={"topic": _default_topic(config, plugins)})
    topic, language = chosen_topic(config, plugins)
    engine = config.engine or plugins.engines.name_of(plugins.engines.choose("", config.plugin))
    open_ones = {"model": config.model or language.default_model, "lang": language.code, "engine": engine}
    return plan_for(topic, config.model_copy(update=open_ones), plugins, language)


def plan_for(topic: Topic, config: MeasureConfig, plugins: Plugins, language: Language) -> Plan:
    """Return the plan for the questions of a topic. The topic may differ from that of the configuration."""
    groups, selection = selected_groups(topic, config)
    topic = topic.with_groups(selection.own) if selection else topic
    kind = kind_called(config.reading)
    named = config.contexts or (topic.texts if kind.needs_reader and topic.texts else topic.contexts)
    contexts = find_contexts(named, plugins, language.code)
    topic, groups, selection = in_pairs(topic, groups, selection, contexts)
    openings = pool = asked_openings(config, topic, language, contexts)
    draws = draws_of(config, in_every_order(contexts, topic.attribute_names), openings)
    chosen = {"contexts": named, "sample_contexts": draws.number if draws else 0}
    config = config.model_copy(update={**chosen, "openings": openings_of(config, topic)})
    contexts = contexts.heaviest(config.limit_contexts) if config.limit_contexts else contexts
    contexts = in_every_order(contexts, topic.attribute_names)
    if config.formats:  # what is put into formats is drawn before
        contexts, draws, openings = in_formats(contexts, config, language, draws, openings), None, None
    notes = list[str]()
    drawn = kind.drawn(config)
    kind.refuse_agreeing(topic)
    words = [word for words in topic.counted_words().values() for word in words]
    longer = language.longer_than(words) if kind.scores_words else ()  # readers skip them in texts
    model = choose_model(config, topic, plugins, longer_words=longer, in_chats=in_chats(contexts), **drawn)
    config = kind.settled(config, model)
    if kind.writes or not model.description.capabilities.sees_group_right_of_slot:
        contexts, notes = without_group_right_of_slot(contexts)
    large = None
    if draws is not None and not draws.in_turn and len(contexts.texts) > LARGE:
        large = WholeSet.of(contexts.counts, contexts_digest(contexts))
    refuse_media(contexts, model)
    refuse_unread_chats(contexts, model, pool)
    engine: Engine = plugins.engines.make(config.engine, config.engine_options)
    if model.package:
        notes.append(f"the model is in the Python package {model.package.described}")
    if config.cross:
        notes.append(size_of(topic))
    if topic.ambiguous:
        notes.append(f"counted in no class, as they are in several: {', '.join(topic.ambiguous)}")
    notes += [f'the source "{source}" of {topic.name} cannot be looked up' for source in topic.vague_sources]
    agreeing = () if topic.words_are_people else word_forms_of(topic, groups, language)
    notes += [f"words agree with {each}" for each in agreeing]
    notes += [] if selection is None else [f"{len(groups)} of {selection.of} groups, {selection}"]
    return Plan(
        config, topic, language, contexts, groups, model, engine, tuple(notes), draws, openings, selection, drawn, large
    )


def _default_topic(config: MeasureConfig, plugins: Plugins) -> str:
    """The topic of a ``--plugin``, else of the language."""
    language: Language = plugins.languages.make(config.lang)
    topics = plugins.topics.in_language(config.lang)
    preferred = topics.of_plugins(config.plugin)
    return topics.name_of(preferred) if preferred else language.default_topic


def _references(topic: Topic) -> dict[str, ReferenceTable]:
    classes = topic.attribute_names
    references = {}
    for name, table in topic.references.items():
        rows = read_reference(Path(table.file), classes)
        p_star = {group: dict(zip(classes, p.tolist(), strict=True)) for group, p in rows.items()}
        references[name] = ReferenceTable(source=table.source, year=table.year, probabilities=p_star)
    return references


def _statistics(topic: Topic) -> dict[str, GroupValues]:
    return {
        name: GroupValues(
            **table.model_dump(exclude={"file", "column"}), values=read_group_values(Path(table.file), table.column)
        )
        for name, table in topic.statistics.items()
    }


def with_unbiased(plan: Plan, unbiased: dict[str, FloatArray]) -> Plan:
    """Return a reference model's plan with p* of each group, from which it derives p.

    Plans of other models are returned unchanged.
    """
    if not plan.model.description.capabilities.answers_from_table:
        return plan
    return replace(plan, model=replace(plan.model, request=replace(plan.model.request, unbiased=unbiased)))
