"""From a configuration to the exact questions that will be asked."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from bvf.arrays import FloatArray
from bvf.domain.context import ContextSet
from bvf.domain.prompt import Prompt
from bvf.domain.topic import Topic
from bvf.errors import BvfError
from bvf.files.contexts import read_contexts
from bvf.files.digests import digest_of, digest_of_bytes
from bvf.files.group_tables import find_table, read_group_weights, read_reference
from bvf.files.parsing import TABLE_ENDINGS, read_bytes
from bvf.files.topics import read_topic
from bvf.hooks.loader import Plugins
from bvf.hooks.registry import Entry, Registry
from bvf.interfaces.criterion import Criterion, KnowledgeCriterion
from bvf.interfaces.language import Language
from bvf.measure.config import RunConfig
from bvf.stats.candidates import draw_candidates
from bvf.stats.probabilities import SUM_TOLERANCE, class_probabilities

T = TypeVar("T")
DEFAULT_CRITERION = "linf"
DEFAULT_ENGINE = "local"
SHARDS_WANTED = 48
NAMES_SHOWN = 6
UNIFORM, MEAN = "uniform", "mean"
"""Names of an unbiased model p* that stand for no table."""
PROMPTS_IN_SHARD = (128, 16_384)


@dataclass(frozen=True)
class Shard:
    """The questions ``start`` to ``stop``; question x * C + c asks group x in context c."""

    index: int
    start: int
    stop: int


@dataclass(frozen=True)
class Plan:
    """What will be asked and how the answers will be weighed.

    Args:
        groups: X.
        group_weights: P(X), shape (X,), sums to 1.
        reference: p*(y | x), shape (X, Y); None: the model's own mean over groups, which nobody knows yet.
        words: Every word that is counted, length W.
        class_of_word: Index of each word's class, shape (W,).
        truth: Index of the true class of each group, shape (X,); None where the topic names none.
        candidates: The classes among which each group's is sought, shape (X, Y); None: among all.
        notes: What was left out, one sentence each.
    """

    config: RunConfig
    topic: Topic
    language: Language
    contexts: ContextSet
    criterion: Criterion | KnowledgeCriterion
    groups: tuple[str, ...]
    group_weights: FloatArray
    reference: FloatArray | None
    words: tuple[str, ...]
    class_of_word: NDArray[np.intp]
    truth: NDArray[np.intp] | None
    candidates: NDArray[np.bool_] | None
    notes: tuple[str, ...]

    @property
    def classes(self) -> tuple[str, ...]:
        return self.topic.attribute_names

    @property
    def size(self) -> int:
        """Number of questions, X * C."""
        return len(self.groups) * len(self.contexts.templates)

    def shards(self) -> list[Shard]:
        """Return the questions in pieces, always the same for the same plan."""
        smallest, largest = PROMPTS_IN_SHARD
        length = min(max(-(-self.size // SHARDS_WANTED), smallest), largest)
        starts = range(0, self.size, length)
        return [Shard(index, start, min(start + length, self.size)) for index, start in enumerate(starts)]

    def prompts(self, questions: Sequence[int]) -> list[Prompt]:
        """Return the prompts of questions x * C + c."""
        templates = self.contexts.templates
        return [
            self.language.prompt(templates[q % len(templates)], self.groups[q // len(templates)]) for q in questions
        ]

    def class_probabilities(self, logp: FloatArray) -> FloatArray:
        """Return p(y | x, c), shape (N, Y), from log p-hat of the words, shape (N, W) (Eq. 8)."""
        return class_probabilities(logp, self.class_of_word, len(self.classes))

    def question_weights(self) -> FloatArray:
        """Return P(X) P(C) of every question, shape (X * C,), sums to 1."""
        return np.outer(self.group_weights, self.contexts.weights()).ravel()

    def without_group_behind_slot(self) -> "Plan":
        """Return the plan for a model that reads only what is left of ``[Y]``; what is left out is noted.

        Raises:
            BvfError: No template is left.
        """
        pairs = list(zip(self.contexts.templates, self.contexts.counts, strict=True))
        kept = [(template, count) for template, count in pairs if not template.group_behind_slot]
        if len(kept) == len(pairs):
            return self
        if not kept:
            raise BvfError(
                f"{self.contexts.name}: in every template [X] stands right of [Y], where this model does not look",
                "use a masked or seq2seq model, or templates with [X] first",
            )
        left_out = f"{len(pairs) - len(kept)} of {len(pairs)} templates left out"
        note = f"{left_out}: [X] stands right of [Y], where this model does not look"
        templates, counts = zip(*kept, strict=True)
        return replace(
            self, contexts=replace(self.contexts, templates=templates, counts=counts), notes=(*self.notes, note)
        )

    def with_groups(self, kept: NDArray[np.bool_], why: str) -> tuple["Plan", str]:
        """Return the plan for some of the groups, and a sentence that names the others and says why they are left out.

        Raises:
            BvfError: p* is the mean over groups, and one group is left.
        """
        groups = tuple(np.array(self.groups, dtype=object)[kept])
        others = list(np.array(self.groups, dtype=object)[~kept])
        weights = self.group_weights[kept]
        fewer = replace(
            self,
            groups=groups,
            group_weights=weights / weights.sum(),
            reference=None if self.reference is None else self.reference[kept],
            truth=None if self.truth is None else self.truth[kept],
            candidates=None if self.candidates is None else self.candidates[kept],
        )
        _check_reference(self.config, self.criterion, groups, fewer.reference)
        return fewer, _left_out(others, len(self.groups), why)

    def digests(self) -> dict[str, str]:
        """Return what the questions and answers are made of besides the model, as short digests."""
        plugins = [digest_of_bytes(read_bytes(Path(spec))) for spec in self.config.plugin if spec.endswith(".py")]
        contexts = [[t.text for t in self.contexts.templates], self.contexts.counts]
        return {
            "topic": digest_of(
                self.topic.model_dump(mode="json", by_alias=True, exclude={"group_weights", "references", "glosses"})
            ),
            "contexts": digest_of(contexts),
            "plugin_files": digest_of(plugins),
            "weights_and_reference": digest_of(
                [
                    self.groups,
                    self.group_weights.tolist(),
                    MEAN if self.reference is None else self.reference.tolist(),
                ]
            ),
        }


def plan(config: RunConfig, plugins: Plugins) -> Plan:
    """Look up every name of a configuration and lay out the questions.

    Raises:
        BvfError: A name is unknown, or a file or choice is wrong.
    """
    language: Language = plugins.languages.find(config.lang).make()
    config = _with_defaults(config, plugins, language)
    topic = _topic(config, plugins, language)
    fallback = topic.criterion or DEFAULT_CRITERION
    criterion_name = config.criterion or _chosen(plugins.criteria, config.plugin, fallback)
    config = config.model_copy(update={"contexts": config.contexts or topic.contexts, "criterion": criterion_name})
    contexts = find_contexts(config.contexts, plugins, language.code)
    contexts = contexts.heaviest(config.limit_contexts) if config.limit_contexts else contexts
    criterion = plugins.criteria.make(config.criterion)
    if isinstance(criterion, Criterion):
        criterion = criterion.for_classes(topic.attribute_names)
    groups = topic.groups[: config.limit_groups] if config.limit_groups else topic.groups
    groups, weights, reference, notes = _tables(config, topic, groups)
    _check_reference(config, criterion, groups, reference)
    truth = _truth(topic, groups, criterion)
    words = [(word, y) for y, own in enumerate(topic.counted_words().values()) for word in own]
    if topic.ambiguous:
        notes.append(f"counted in no class, as they are in several: {', '.join(topic.ambiguous)}")
    return Plan(
        config=config,
        topic=topic,
        language=language,
        contexts=contexts,
        criterion=criterion,
        groups=groups,
        group_weights=weights,
        reference=reference,
        words=tuple(word for word, _ in words),
        class_of_word=np.array([y for _, y in words], dtype=np.intp),
        truth=truth,
        candidates=_candidates(config, topic, groups, truth, criterion),
        notes=tuple(notes),
    )


def choose(registry: Registry[T], name: str, plugins: Sequence[str], fallback: str) -> Entry[T]:
    """Return what the user named; else what one of ``plugins`` has as its only or default one; else the fallback.

    Raises:
        BvfError: The name is unknown, or two plugins offer it.
    """
    if name:
        return registry.find(name)
    return registry.find(_chosen(registry, plugins, fallback))


def _chosen(registry: Registry[T], plugins: Sequence[str], fallback: str) -> str:
    """The name of what one of ``plugins`` has as its only or default one; else the fallback."""
    for plugin in plugins:
        offered = registry.of_plugin(plugin).sole_or_default()
        if offered is not None:
            return offered.provider.name
    return fallback


def _with_defaults(config: RunConfig, plugins: Plugins, language: Language) -> RunConfig:
    """The configuration with every choice made that the user left to us, but the backend; the model decides on that."""
    topics = plugins.topics.in_language(language.code)
    topic = config.topic or _chosen(topics, config.plugin, language.default_topic)
    engine = config.engine or _chosen(plugins.engines, config.plugin, DEFAULT_ENGINE)
    model = config.model or language.default_model
    return config.model_copy(update={"model": model, "topic": topic, "engine": engine})


def _topic(config: RunConfig, plugins: Plugins, language: Language) -> Topic:
    if config.relation and ":" not in config.topic:
        raise BvfError(
            f"--relation {config.relation}: the topic {config.topic} has no relations",
            "it goes with a topic that reads them from a folder: --topic pararel:FOLDER",
        )
    if config.topic.endswith(".toml"):
        topic = read_topic(Path(config.topic))
    else:
        spec = f"{config.topic}#{config.relation}" if config.relation else config.topic
        topic = plugins.topics.in_language(language.code).make(spec)
    return topic.with_words(config.words) if config.words else topic


def find_contexts(choice: str, plugins: Plugins, language: str) -> ContextSet:
    """Return a context set by its name in a language, or from a file.

    Raises:
        BvfError: The name is unknown, or the file is wrong.
    """
    named = plugins.contexts.in_language(language)
    if choice in named.names() or not choice.endswith(TABLE_ENDINGS):
        found: ContextSet = named.make(choice)
        return found
    return read_contexts(Path(choice))


def _tables(
    config: RunConfig, topic: Topic, groups: tuple[str, ...]
) -> tuple[tuple[str, ...], FloatArray, FloatArray | None, list[str]]:
    """Group weights and reference for the groups that have both; the others are left out and noted."""
    classes, notes = topic.attribute_names, list[str]()
    weight_of = {group: 1.0 for group in groups}
    reference_of = {group: np.full(len(classes), 1.0 / len(classes)) for group in groups}
    if config.group_weights != UNIFORM:
        weight_of = read_group_weights(find_table(config.group_weights, topic.group_weights, "--group-weights"))
        notes += _no_groups(config.group_weights, topic.group_weights, weight_of, topic)
    if config.reference not in {UNIFORM, MEAN}:
        file = find_table(config.reference, topic.references, "--reference")
        reference_of = read_reference(file, classes)
        notes += _no_groups(config.reference, topic.references, reference_of, topic)
    kept = tuple(group for group in groups if weight_of.get(group, 0.0) > 0 and group in reference_of)
    if not kept:
        raise BvfError(
            f"--group-weights {config.group_weights} and --reference {config.reference} have no group of {topic.name}",
            f"name groups of the topic, e.g. {groups[0]}",
        )
    if left_out := [group for group in groups if group not in kept]:
        notes.append(_left_out(left_out, len(groups), "without a weight or a reference"))
    weights = np.array([weight_of[group] for group in kept])
    reference = None if config.reference == MEAN else np.array([reference_of[group] for group in kept])
    return kept, weights / weights.sum(), reference, notes


def _left_out(groups: list[str], of: int, why: str) -> str:
    return f"{len(groups)} of {of} groups left out, {why}: {_first_of(groups)}"


def _no_groups(choice: str, tables: Mapping[str, object], named: Iterable[str], topic: Topic) -> list[str]:
    """A note of the names in a file of the user's, no table of the topic, that are no groups; none if all are."""
    others = [] if choice in tables else [name for name in named if name not in topic.groups]
    names, no_groups = ("name", "is no group") if len(others) == 1 else ("names", "are no groups")
    return [f"{len(others)} {names} of {choice} {no_groups} of {topic.name}: {_first_of(others)}"] if others else []


def _first_of(names: list[str]) -> str:
    return ", ".join(names[:NAMES_SHOWN]) + (", ..." if len(names) > NAMES_SHOWN else "")


def _check_reference(
    config: RunConfig,
    criterion: Criterion | KnowledgeCriterion,
    groups: tuple[str, ...],
    reference: FloatArray | None,
) -> None:
    if config.reference == UNIFORM:
        return
    if isinstance(criterion, KnowledgeCriterion):
        raise BvfError(
            f"--reference {config.reference}: the criterion {config.criterion} scores true answers and knows no p*",
            "leave --reference out, or choose a criterion of risk such as linf",
        )
    if criterion.needs_uniform_reference and (reference is None or np.ptp(reference, axis=1).max() > SUM_TOLERANCE):
        raise BvfError(
            f"--reference {config.reference}: the criterion {config.criterion} is for a uniform p* only",
            "leave --reference out, or choose another criterion: tv and linf take any p*",
        )
    if reference is None and len(groups) == 1:
        raise BvfError(
            f'--reference mean: the mean over one group, "{groups[0]}", is that group itself',
            "ask two groups or more",
        )


def _truth(topic: Topic, groups: tuple[str, ...], criterion: Criterion | KnowledgeCriterion) -> NDArray[np.intp] | None:
    without = [group for group in groups if group not in topic.truth]
    if without and isinstance(criterion, KnowledgeCriterion):
        raise BvfError(
            f'a knowledge criterion needs the true attribute of every group; {topic.name} has none for "{without[0]}"',
            "add it under [truth] in the topic file, or use a criterion of risk such as linf",
        )
    if without:
        return None
    return np.array([topic.attribute_names.index(topic.truth[group]) for group in groups], dtype=np.intp)


def _candidates(
    config: RunConfig, topic: Topic, groups: tuple[str, ...], truth: NDArray[np.intp] | None, criterion: object
) -> NDArray[np.bool_] | None:
    if not config.distractors:
        return None
    if truth is None or not isinstance(criterion, KnowledgeCriterion):
        raise BvfError(
            f"--distractors {config.distractors}: {config.criterion} is no criterion of knowledge",
            "wrong answers are drawn where there are true ones: --topic knowledge/capitals, for example",
        )
    return draw_candidates(groups, truth, len(topic.attributes), config.distractors, config.seed)
