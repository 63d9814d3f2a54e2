"""The questions (prompts) of a measurement: every group in every context."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, pairwise
from typing import Any, Literal, Self

import numpy as np

from bvf.arrays import FloatArray, IntArray
from bvf.domain.asked import Asked
from bvf.domain.context import Template
from bvf.domain.prompt import Prompt
from bvf.files.contexts.sets import contexts_digest
from bvf.files.digests import beside_text, digest_of, digest_of_openings
from bvf.interfaces.backend import Tolerance
from bvf.interfaces.language import Language

SHARDS_WANTED = 48
PROMPTS_IN_SHARD = (128, 16_384)
"""The fewest and the most prompts in a shard; these limits come before the wanted number of shards."""
TEXTS_IN_SHARD = (256, 16_384)
"""The same for texts and thoughts that a model writes, which take it far longer than a prompt whose words it scores."""
PROMPTS_IN_BLOCK = 1024
"""The most prompts, or texts, that an accelerator takes together, unless one shard has more; so many may be lost."""


@dataclass(frozen=True)
class Shard:
    """Questions that are stored together: ``start`` to ``stop`` (excluded), in scoring order."""

    index: int
    start: int
    stop: int

    @property
    def size(self) -> int:
        """The number of its questions."""
        return self.stop - self.start


@dataclass(frozen=True)
class Block:
    """Shards that a model reads together."""

    shards: tuple[Shard, ...]

    @property
    def index(self) -> int:
        """The number of its first shard, by which messages name it."""
        return self.shards[0].index

    @property
    def sizes(self) -> list[int]:
        """The number of questions in each shard."""
        return [shard.size for shard in self.shards]


def blocks_of(shards: Sequence[Shard], *, on_accelerator: bool, samples: int = 0) -> list[Block]:
    """Return the shards in blocks, as large as is fast: on a CPU each shard is one, as it fills the caches.

    ``samples`` is the number of texts or thoughts that the model writes per prompt; 0: it writes neither.
    """
    most, blocks = PROMPTS_IN_BLOCK // max(1, samples) if on_accelerator else 0, list[Block]()
    for shard in shards:
        if blocks and sum(blocks[-1].sizes) + shard.size <= most:
            blocks[-1] = Block((*blocks[-1].shards, shard))
        else:
            blocks.append(Block((shard,)))
    return blocks


def cut(start: int, stop: int, together: int, samples: int = 0) -> list[tuple[int, int]]:
    """Return the start and stop of each shard. Each block of ``together`` questions stays in one shard.

    ``samples`` is the number of texts or thoughts that the model writes per prompt; 0: it writes neither.
    """
    smallest, largest = (max(1, texts // samples) for texts in TEXTS_IN_SHARD) if samples else PROMPTS_IN_SHARD
    length = min(max(-(-(stop - start) // SHARDS_WANTED), smallest), largest)
    length = max(1, length // together) * together
    return [(begin, min(begin + length, stop)) for begin in range(start, stop, length)]


SEED = 0
"""Seed of the order of contexts: always the same, so that the same questions have the same shards."""
Order = Literal["groups", "contexts"]


@dataclass(frozen=True)
class Questions:
    """Every group in every context. Number x * C + c is the question (prompt) of group x in context c.

    In the order ``groups`` each group is scored in all contexts of a round, one group after another: this way
    most prompts share a prefix. There is one round, unless contexts are drawn in several. In the order
    ``contexts`` each shard is a random block of a round's contexts, with all groups in each, so that a run that ends
    early has probabilities for every group.

    Args:
        groups: Names of the groups X.
        features: Features of each group, length X.
        templates: The contexts C.
        classes: Names of the classes Y.
        words: Every word that is scored, length W.
        class_of_word: Index of each word's class, shape (W,).
        tolerance: Largest change of a class probability for which words may be left out, on average over the contexts
            of a group; 0: every word is scored.
        weights: P(C), the weight of each context, shape (C,).
        order: ``groups`` or ``contexts``.
        rounds: Number of contexts scored by the end of each round; empty: one round with all of them.
        samples: Number of texts or thoughts of the model per prompt; 0: it writes neither.
        reading: The kind of answers, as ``--reading`` calls it.
        drawn: How texts or thoughts are drawn: ``generation`` or ``thinking``.
        words_of_groups: The words in the forms that agree with each group, length W; empty: all groups have one form.
    """

    groups: tuple[str, ...]
    features: tuple[Mapping[str, str], ...]
    templates: tuple[Template, ...]
    classes: tuple[str, ...]
    words: tuple[str, ...]
    class_of_word: IntArray
    tolerance: float
    weights: FloatArray
    order: Order = "groups"
    rounds: tuple[int, ...] = ()
    samples: int = 0
    reading: str = "probable"
    drawn: Mapping[str, Any] = field(default_factory=dict)
    words_of_groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, asked: Asked, tolerance: float, order: Order) -> Self:
        """Return the questions that a model scores, from their stored form."""
        return cls(
            groups=asked.group_names,
            features=tuple(group.features for group in asked.groups),
            templates=tuple(each.context for each in asked.in_order),
            classes=asked.classes,
            words=asked.words,
            class_of_word=asked.class_of_word,
            tolerance=tolerance,
            weights=asked.context_weights,
            order=order,
            rounds=asked.contexts_by_round,
            samples=asked.samples,
            reading=asked.reading,
            drawn=asked.drawn,
            words_of_groups=asked.words_of_groups,
        )

    @property
    def size(self) -> int:
        """Number of questions, X * C."""
        return len(self.groups) * len(self.templates)

    def shards(self) -> list[Shard]:
        """Return the shards (blocks scored together) that the questions are divided into; equal for equal questions."""
        groups = len(self.groups)
        together = groups if self.order == "contexts" else 1
        rounds = [cut(first * groups, last * groups, together, self.samples) for first, last in self._rounds()]
        return [Shard(index, start, stop) for index, (start, stop) in enumerate(chain.from_iterable(rounds))]

    def questions(self, shard: Shard) -> IntArray:
        """Return the numbers x * C + c of a shard's questions, in scoring order."""
        groups, contexts = len(self.groups), len(self.templates)
        first, last = next(ends for ends in self._rounds() if shard.start < ends[1] * groups)
        start, stop = shard.start - first * groups, shard.stop - first * groups
        if self.order == "groups":
            x, c = np.divmod(np.arange(start, stop), last - first)
            return x * contexts + first + c
        c = np.random.default_rng(SEED).permutation(last - first)[start // groups : stop // groups]
        return np.add.outer(np.arange(groups) * contexts + first, np.sort(c)).ravel()

    def _rounds(self) -> list[tuple[int, int]]:
        """Indices of each round's first context and of its last plus 1. Rounds without new contexts are left out."""
        ends = (0, *(self.rounds or (len(self.templates),)))
        return [(first, last) for first, last in pairwise(ends) if last > first]

    def asked(self, shard: Shard) -> tuple[list[str], list[str]]:
        """Return the group and the template key of every question of a shard."""
        x, c = np.divmod(self.questions(shard), len(self.templates))
        return [self.groups[i] for i in x.tolist()], [self._keys[i] for i in c.tolist()]

    @cached_property
    def _keys(self) -> list[str]:
        return [template.key for template in self.templates]

    def tolerance_of(self, block: Block) -> Tolerance:
        """Return the tolerance of a block: each group in a shard keeps to it by itself, so figures of a group do."""
        asked = [np.divmod(self.questions(shard), len(self.templates)) for shard in block.shards]
        groups = [x + place * len(self.groups) for place, (x, _) in enumerate(asked)]
        contexts = np.concatenate([c for _, c in asked])
        return Tolerance(self.tolerance, np.concatenate(groups), self.weights[contexts])

    def prompts(self, questions: Sequence[int], language: Language) -> list[Prompt]:
        """Return the prompts of some questions, worded by the rules of a language."""
        asked = [divmod(question, len(self.templates)) for question in questions]
        return [language.prompt(self.templates[c], self.groups[x], self.features[x]) for x, c in asked]

    def by_forms(self, prompts: Sequence[Prompt]) -> list[tuple[list[int], tuple[str, ...]]]:
        """Return the forms of words that are asked, each time after the places of the prompts they are asked for."""
        places: dict[tuple[str, ...], list[int]] = {}
        for place, prompt in enumerate(prompts):
            places.setdefault(self.words_of_groups.get(prompt.group, self.words), []).append(place)
        return [(its, words) for words, its in places.items()]

    def in_forms(
        self, prompts: Sequence[Prompt], ask: Callable[[Sequence[Prompt], Sequence[str]], FloatArray]
    ) -> FloatArray:
        """Return what ``ask`` returns for prompts, shape (P, ...), each with the forms of the words that agree."""
        parts = self.by_forms(prompts)
        found = [ask([prompts[place] for place in places], words) for places, words in parts]
        return in_place(found, [places for places, _ in parts])

    def each_once(self) -> list[int]:
        """Return the numbers of a minimal set of questions that has every group and every template."""
        groups, contexts = len(self.groups), len(self.templates)
        return [index % groups * contexts + index % contexts for index in range(max(groups, contexts))]

    def of_longest_name(self) -> list[int]:
        """Return the numbers of the questions about the group with the longest name, in every context."""
        contexts = len(self.templates)
        longest = max(range(len(self.groups)), key=lambda x: len(self.groups[x]))
        return list(range(longest * contexts, (longest + 1) * contexts))

    def digest_of_prompts(self, language: Language) -> str:
        """Return a digest of the prompts of `each_once`, as a language words them."""
        prompts = self.prompts(self.each_once(), language)
        return digest_of([[prompt.left, prompt.right, prompt.spaced, *beside_text(prompt)] for prompt in prompts])


def in_place(parts: Sequence[FloatArray], places: Sequence[Sequence[int]]) -> FloatArray:
    """Return one array of parts, each with the places of its rows in the whole."""
    if len(parts) == 1:
        return parts[0]
    return np.concatenate(parts)[np.argsort(np.concatenate(places))]


def digests_of(asked: Asked, tolerance: float, order: str) -> dict[str, str]:
    """Return the digests of questions for a measurement's identity. The number of drawn contexts does not matter."""
    features = {group.name: group.features for group in asked.groups if group.features}
    return {
        **({} if asked.draws is None else {"draws": asked.draws.described}),
        **({} if asked.openings is None else {"openings": digest_of_openings(asked.openings.pool)}),
        **({"features": digest_of(features)} if features else {}),
        **{each.reading: each.described for each in asked.drawn.values()},
        **({"kind": asked.kind} if asked.kind else {}),
        **({"forms": digest_of([each.model_dump() for each in asked.word_forms])} if asked.word_forms else {}),
        "groups": digest_of(asked.group_names),
        "contexts": asked.large.digest if asked.large else contexts_digest(asked.context_set()),
        "words": digest_of([[attribute.name, attribute.words] for attribute in asked.attributes]),
        "tolerance": str(tolerance),
        "order": order,
    }
