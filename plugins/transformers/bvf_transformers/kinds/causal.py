"""Causal models: p of a word as the continuation of the text left of the slot (chain rule)."""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

import numpy as np
import torch
from torch import Tensor
from transformers import Cache, PreTrainedTokenizerBase

from bvf import BvfError, Capabilities, Prompt
from bvf.domain import Generation
from bvf.interfaces import Tolerance, Writing, random_stream
from bvf.stats import BoolArray, FloatArray, IntArray
from bvf_transformers.kinds.kind import is_multimodal, kind_of
from bvf_transformers.kinds.slot import Read, SlotModel, groups_of_one_shape, length_of, part_for_text
from bvf_transformers.learned import Learned
from bvf_transformers.reading.expected import Stream, WordsOfClasses
from bvf_transformers.reading.generating import Generator, Streams
from bvf_transformers.reading.growing import can_grow
from bvf_transformers.reading.kept import BYTES_OF_HEADS, FEWEST_TOKENS, SHARE_OF_HEADS, Kept, bytes_each
from bvf_transformers.reading.memory import batches_of, by_shape, free_bytes, in_batches
from bvf_transformers.reading.packed import TextsRead, TreeReader, parts_of, read_texts, rows_of
from bvf_transformers.reading.readout import Readout, at_column
from bvf_transformers.reading.steps import Run, Stepper, TextsBegun, asked_together, cache_works
from bvf_transformers.reading.tolerance import Ask
from bvf_transformers.reading.word_rows import answers_after
from bvf_transformers.tokens.composing import boundary_tokens, text_inside, text_written
from bvf_transformers.tokens.cutting import Cut, Slot, others_before_group
from bvf_transformers.tokens.word_tree import Ids, PieceTree

LOOKS_AHEAD = 0.2
"""In standard deviations of the logits: rounding changes logits by less, attention to later tokens by more."""
UNLIMITED = 1_000_000_000
ATTENTION_ON_CPU = "eager"
"""For many short sequences, two products and a softmax are faster than torch's SDPA (docs/evidence/performance.md)."""
NODES_AT_A_TIME = 262_144
"""The most tokens in a tree of texts: bounds the host memory."""
NODES_KEPT = 8192
PACKS_KEPT = 8
"""The most tokens and forward passes whose keys and values are kept at a time: bound the device memory."""
BYTES_KEPT = 128_000_000
"""More tokens than `NODES_KEPT` are kept up to this size: the more texts, the more rows have the same width."""
SHARE_KEPT = 0.25
"""On an accelerator, keys and values take at most this share of what the weights leave free."""
WINDOWS = ("sliding_window", "window_size", "attention_window", "attention_chunk_size")
"""Settings that hold how many tokens a model, or a cache, looks back."""
ORIGINAL = "original_max_position_embeddings"
WORD_IN_WINDOW = 16
"""So many tokens before the end of an attention window, a word after a text may reach beyond it."""
STRICTNESS = 10.0
"""The tolerance is divided by this: in a long text, ignoring the mask may change log p only a little."""


class CausalModel(SlotModel, Writing):
    """Scores words as continuations. Text right of the slot is not read, but up to a group that stands there.

    Texts are read as a tree, every distinct prefix once. Two of the first texts, and each longer one, are used to
    check that this gives the same log p as plain reading; if not, texts of equal length are batched instead.
    So are texts that a model reads in both directions: a state of theirs changes with every further token.
    """

    capabilities = Capabilities(
        reads_right=False,
        reaches_group=True,
        leaves_words_out=True,
        writes_texts=True,
        lists_tokens=True,
        reads_beside=True,
    )
    sees_word_ends = True

    def prepare(self) -> None:
        if self.device.type == "cpu":
            self.model.set_attn_implementation(ATTENTION_ON_CPU)
        sample = self.tensor(self.cutter.sample_ids())
        text = part_for_text(self.model.config)  # PaliGemma reads tokens of type 0 both ways, and what follows one way
        both_ways = getattr(text, "use_bidirectional_attention", None) is True
        self.reads_both_ways = is_multimodal(self.model.config) and both_ways
        known = self.memory.recalled()
        if known is None:
            self._check_direction(sample)
        shortcuts = known.shortcuts if known else None
        self.readout = Readout(
            self.model, lambda: self._run(sample, None, False).logits, at_column(sample, -1), shortcuts
        )
        self.has_cache = bool(known) or self.reads_both_ways or cache_works(self.readout, lambda _: self._run, sample)
        self.find_word_ends()
        free = None if self.device.type == "cpu" else free_bytes(self.device)
        self._most_bytes = sys.maxsize if free is None else int(SHARE_KEPT * free)
        kept = Kept(BYTES_OF_HEADS if free is None else int(SHARE_OF_HEADS * free), self.positions or UNLIMITED)
        windows = [each for name in WINDOWS if isinstance(each := getattr(text, name, None), int) and each > 0]
        window = min(windows, default=UNLIMITED)
        self.reader = TreeReader(
            self._run_tree, self.readout, self.budget, self.device, self.model.dtype, window, kept, self.boundary
        )
        self.reads_trees = not self.reads_both_ways
        self._checked_length, self._cached_length = (known.packed, known.cached) if known else (0, 0)
        self._bytes_each = 0

    def find_word_ends(self) -> None:
        """Find the tokens that may follow a word, if words count only where they end."""
        self.boundary: Tensor | None = None
        self._ends_words: frozenset[int] | None = None
        if self.word_boundary:
            tokens = [token for token in boundary_tokens(self.tokenizer, self.model_name) if token < self.rows]
            self.boundary, self._ends_words = self.tensor([tokens])[0], frozenset(tokens)

    def _check_direction(self, sample: Tensor) -> None:
        """Refuse a model whose predictions depend on later tokens, such as BERT loaded as causal."""
        changed = sample.clone()
        changed[:, -1] = (changed[:, -1] + 1) % self.rows
        whole, other = (self._logits_of_text(ids)[:, :-1].float() for ids in (sample, changed))
        if self.reads_both_ways or not whole.numel():
            return
        if (whole - other).abs().max() > LOOKS_AHEAD * whole.std():
            kind = kind_of(self.model.config, self.model_name)
            raise BvfError(
                f"{self.model_name}: a prediction depends on tokens right of it, so this is not a causal model",
                "name a causal model" if kind == "causal" else f"leave --backend out: it is {kind}",
            )

    def _logits_of_text(self, ids: Tensor) -> Tensor:
        """The logits after every token. Refuses a model that reads no text without an image or a sound."""
        config = self.model.config
        try:
            logits: Tensor = self._run(ids, None, False).logits
        except (TypeError, ValueError) as error:
            if not is_multimodal(config):
                raise
            raise BvfError(
                f"{self.model_name}: a model of type {config.model_type} does not read text alone: {error}",
                "name one that answers without an image or a sound",
            ) from error
        return logits

    def remarks(self, cuts: Sequence[Cut], words: Sequence[str]) -> tuple[str, ...]:
        longer_words = super().remarks(cuts, words)
        if self.reads_trees:
            return longer_words
        return (
            "read in batches of one length: packed into a tree, this model would not predict the same",
            *longer_words,
        )

    def ids_read(self, cut: Cut) -> list[int]:
        return list(cut.left)

    def word_mass(
        self, prompts: Sequence[Prompt], words: Sequence[str], class_of_word: IntArray, tolerance: float
    ) -> FloatArray:
        cuts, places = self.distinct_cuts(prompts, words)
        on_each = Tolerance.on_each(tolerance, len(cuts))
        logp, _ = self.cut_logprobs_within(cuts, class_of_word if tolerance else None, on_each, absolute=True)
        mass: FloatArray = np.exp(logp).sum(axis=1)
        reach_group = {place: prompt for place, prompt in zip(places, prompts, strict=True) if prompt.right_to_group}
        for place, prompt in reach_group.items():
            others = others_before_group(self.cut, [prompt], [cuts[place]], words, self._most_probable)
            mass[place] /= mass[place] + np.exp(self.cut_logprobs(others, absolute=True)).sum()
        return mass[places]

    def texts(self, prompts: Sequence[Prompt], generation: Generation) -> list[list[str]]:
        """Return texts that continue the prompts. A prompt is read once for all its samples."""
        return self.texts_owing(prompts, generation, ())[0]

    def texts_owing(
        self, prompts: Sequence[Prompt], generation: Generation, classes: Sequence[Sequence[str]]
    ) -> tuple[list[list[str]], FloatArray | None]:
        return self.texts_up_to(frozenset(), prompts, generation, classes)

    def texts_up_to(
        self, last: frozenset[int], prompts: Sequence[Prompt], generation: Generation, classes: Sequence[Sequence[str]]
    ) -> tuple[list[list[str]], FloatArray | None]:
        """Return `texts_owing`, where a token of ``last`` ends a text, and is its last one."""
        followed, ends = classes and generation.temperature, ends_of_texts(self.model, self.tokenizer) | last
        words = WordsOfClasses(self.texts_of_tokens, ends, classes) if followed else None
        streams = streams_of(prompts, generation, words)
        written = self.continued(prompts, self.ids_before(prompts), generation, last, streams)
        texts = [[text_written(self.tokenizer, ids) for ids in of_prompt] for of_prompt in written]
        return texts, np.array([[each.owed for each in of_prompt] for of_prompt in streams]) if words else None

    def continued(
        self,
        prompts: Sequence[Prompt],
        lefts: Sequence[Ids],
        generation: Generation,
        last: frozenset[int] = frozenset(),
        streams: Streams = (),
    ) -> list[list[list[int]]]:
        """Return ids of tokens after the ids ``lefts``, with the random numbers of the prompts, or other ``streams``.

        A token of ``last`` ends them, and is the last one; one that ends a text is left out.
        """
        self._check_room(lefts, generation)
        return self.drawn(lefts, streams or streams_of(prompts, generation), generation, last)

    def drawn(
        self, lefts: Sequence[Ids], streams: Streams, generation: Generation, last: frozenset[int]
    ) -> list[list[list[int]]]:
        """Return `continued` by the random numbers of each text."""
        length = max(map(len, lefts)) + generation.tokens
        text = (max(lefts, key=len) * length)[:length]
        self._cache_holds(length, lambda: (self._run, self.tensor([text, text])))
        return self.generator(last).continued(lefts, streams, generation.tokens, generation.temperature)

    def generator(self, last: frozenset[int]) -> Generator:
        """Return what continues token ids by drawn ones, up to one of ``last``."""
        ends, has_cache = ends_of_texts(self.model, self.tokenizer), self.has_cache
        reader = self._grower if has_cache else None
        return Generator(
            self._run, self.readout, has_cache, self.budget, ends, self.writable, self.device, last, reader
        )

    @cached_property
    def _grower(self) -> TreeReader | None:
        """What reads texts of several lengths that are continued together, if that works.

        Longer texts than a model was made for may change how it reads the positions of all that are in a batch.
        """
        if self.reads_both_ways or not can_grow(self.reader, self._run, self.cutter.sample_ids()[0]):
            return None
        text = part_for_text(self.model.config)
        turned = getattr(text, "rope_parameters", None) or {}
        made_for = getattr(text, ORIGINAL, None) or turned.get(ORIGINAL) or UNLIMITED
        return replace(self.reader, window=min(self.reader.window, made_for))

    @cached_property
    def texts_of_tokens(self) -> list[str]:
        """What each token that the tokenizer can write adds to a text."""
        tokens = self.tokenizer.convert_ids_to_tokens(list(range(self.writable)))
        return [text_inside(self.tokenizer, each or "") for each in tokens]

    @property
    def writable(self) -> int:
        """The number of tokens that the tokenizer can write; logits beyond are of none."""
        return min(self.rows, max(self.tokenizer.get_vocab().values()) + 1)

    def check_lengths(self, prompts: Sequence[Prompt], generation: Generation) -> None:
        self._check_room(self.ids_before(prompts), generation)

    def _check_room(self, lefts: Sequence[Ids], generation: Generation) -> None:
        length, room = max(map(len, lefts)), self.positions
        if 0 < room < length + generation.tokens:
            more = f"--tokens {room - length}, or " if room > length else ""
            raise BvfError(
                f"{self.model_name}: a prompt has {length} tokens, its texts have up to {generation.tokens}, and the "
                f"model has positions for {room}",
                f"{more}shorter templates",
            )

    def ids_before(self, prompts: Sequence[Prompt]) -> list[Ids]:
        """Return the ids of the text left of the slot of each prompt."""
        return self.cutter.ids_before([prompt.left for prompt in prompts])

    def _most_probable(self, cuts: Sequence[Cut], number: int) -> list[list[int]]:
        """Ids of the most probable next tokens after texts of one length."""
        logits = self.logits_after(cuts)
        most: list[list[int]] = logits.topk(min(number, logits.shape[1])).indices.tolist()
        return most

    def logprobs_together(
        self, cuts: Sequence[Cut], class_of_word: IntArray | None, tolerance: Tolerance, *, absolute: bool
    ) -> tuple[FloatArray, FloatArray]:
        logp, reached = super().logprobs_together(cuts, class_of_word, tolerance, absolute=absolute)
        return self._where_words_begin(logp, cuts) if absolute else logp, reached

    def way_of_reading(self, cuts: Sequence[Cut]) -> Read:
        return self._read_trees if self.trees_work(cuts) else self._read_batches

    def _read_trees(self, cuts: Sequence[Cut], pieces: PieceTree, *, absolute: bool) -> Iterator[tuple[IntArray, Ask]]:
        """Read texts as trees, in batches; yield the text indices of a batch and a function that scores tokens."""
        texts = rows_of([cut.left for cut in cuts])
        heads = self._heads(cuts)
        most = self._nodes_together() if any(heads) or len(pieces.beginnings) > 1 else NODES_AT_A_TIME
        for part in parts_of(texts, most):
            read = read_texts(self.reader, texts[part], [heads[index] for index in part], pieces, absolute=absolute)
            self._bytes_each = max(self._bytes_each, bytes_each(read.memory))

            def ask(chosen: BoolArray, read: TextsRead = read) -> FloatArray:
                return answers_after(self.reader, read, pieces, chosen)

            yield part, ask

    def _heads(self, cuts: Sequence[Cut]) -> list[Ids]:
        """The head of each text. Every head is in the attention window with the rest of any text."""
        heads = [cut.left[: cut.head] if cut.head >= FEWEST_TOKENS else () for cut in cuts]
        rest = max(len(cut.left) - len(head) for cut, head in zip(cuts, heads, strict=True))
        return heads if max(map(len, heads)) + rest <= self.reader.window else [()] * len(cuts)

    def _nodes_together(self) -> int:
        """The number of tokens of a tree of texts whose keys and values are kept, to score words after these texts."""
        most = min(NODES_KEPT, PACKS_KEPT * self.budget.tokens)
        if not self._bytes_each:
            return most
        return max(1, min(max(BYTES_KEPT, most * self._bytes_each), self._most_bytes) // self._bytes_each)

    def tree(self, slot: Slot) -> PieceTree:
        return slot.tree(self._ends_words)

    def trees_work(self, cuts: Sequence[Cut]) -> bool:
        """Whether texts can be read as a tree. It is checked on two of the first texts, and on every longer one."""
        longest = max(map(length_of, cuts))
        self.reads_trees = self.reads_trees and self._in_window(cuts)
        if self.reads_trees and longest > self._checked_length:
            by_length = sorted(cuts, key=length_of)
            checked = by_length[-1:] if self._checked_length else [by_length[-1], cuts[0]]
            self._checked_length = longest
            self.reads_trees = self._tree_agrees(list(dict.fromkeys(checked)))
            self._keep_what_works()
        return self.reads_trees

    def _keep_what_works(self) -> None:
        """Keep for later runs what was checked and holds. What fails is found out in each run."""
        if self.reads_trees and self.has_cache:
            learned = Learned(shortcuts=self.readout.shortcuts, cached=self._cached_length, packed=self._checked_length)
            self.memory.keep(learned)

    def _in_window(self, cuts: Sequence[Cut]) -> bool:
        """Whether a text and all beginnings of words that are read after it are in the model's attention window."""
        beginnings = len(self.tree(cuts[0].slot).beginnings) - 1
        return max(max(map(length_of, cuts)), max(len(cut.left) for cut in cuts) + beginnings) <= self.reader.window

    def _tree_agrees(self, cuts: Sequence[Cut]) -> bool:
        def every_word(read: Read) -> Tensor:
            exactly = Tolerance.on_each(0.0, len(cuts))
            logp, _ = self.logprobs_by(read, cuts, None, exactly, absolute=True)
            return torch.from_numpy(logp[:, : len(cuts[0].slot.pieces) - cuts[0].slot.beside])

        plain = every_word(self._read_batches)
        try:
            packed = every_word(self._read_trees)
        except (RuntimeError, TypeError, ValueError, AttributeError, IndexError):
            return False
        if self.readout.agree(packed, plain, strictness=STRICTNESS):
            return True
        again = every_word(partial(self._read_batches, with_cache=False))
        return self.readout.differ_by_rounding(packed, plain, again)

    def _read_batches(
        self, cuts: Sequence[Cut], pieces: PieceTree, *, absolute: bool, with_cache: bool = True
    ) -> Iterator[tuple[IntArray, Ask]]:
        """Read texts in batches of one length; yield indices of some, and a function that scores words after them."""
        longest = max(cuts, key=lambda cut: len(cut.left))
        with_cache = with_cache and self._cache_holds(len(longest.left), lambda: self.to_read([longest, longest]))
        stepper = Stepper(self.readout, with_cache, self.budget, self.boundary)

        def begin(batch: Sequence[int]) -> TextsBegun:
            alike = [cuts[index] for index in batch]
            run, ids = self.to_read(alike)
            return stepper.begun(lambda _: run, ids, pieces, length=len(alike[0].left), absolute=absolute)

        return asked_together(
            begun
            for group in by_shape(cuts, lambda cut: len(cut.left))
            for begun in batches_of(group, len(cuts[group[0]].left), self.budget, begin)
        )

    @torch.inference_mode()
    def _cache_holds(self, length: int, text: Callable[[], tuple[Run, Tensor]]) -> bool:
        """Whether a cache gives what none gives in a text of this length, which ``text`` returns twice, with its call.

        A cache obeys any attention window in the configuration, also one that the model does not use.
        """
        if self.has_cache and length > max(self._cached_length, self.reader.window - WORD_IN_WINDOW):
            self._cached_length = length
            run, ids = text()
            self.has_cache = cache_works(self.readout, lambda _: run, ids)
        return self.has_cache

    def _where_words_begin(self, logp: FloatArray, cuts: Sequence[Cut]) -> FloatArray:
        """Log p of the words, shape (len(cuts), W), conditional on a word beginning at the slot.

        Where the end of a prompt was cut off, all tokens that agree with that end count as beginning a word. Their p is
        at least that of the end, so p of a word is never too large.
        """
        opening = self._opening(cuts[0].slot)
        if not opening:
            return logp

        def run(batch: Sequence[Cut]) -> Tensor:
            return self.logits_after(batch).log_softmax(dim=-1)[:, opening].logsumexp(dim=-1, keepdim=True)

        given = np.empty((len(cuts), 1))
        for group, alike in groups_of_one_shape(cuts):
            given[group] = in_batches(alike, len(alike[0].left), self.budget, run)
        return np.minimum(logp - given, 0.0)  # above 0 by rounding only

    def logits_after(self, cuts: Sequence[Cut]) -> Tensor:
        """The logits of the next token after texts of one length, shape (len(cuts), V)."""
        run, ids = self.to_read(cuts)
        return self.readout.logits(lambda: run(ids, None, False).logits, at_column(ids, -1))

    def to_read(self, cuts: Sequence[Cut]) -> tuple[Run, Tensor]:
        """Return the call of the model for texts of one length that are read together, and the ids that it reads."""
        return self._run, self.tensor([cut.left for cut in cuts])

    def _opening(self, slot: Slot) -> list[int]:
        """Ids of the tokens that may come first at the slot; empty if any token may."""
        if slot.reopened:
            return [token for token in slot.reopened if token < self.rows]
        return [] if self.boundary is None else self.boundary.tolist()

    def _run(self, ids: Tensor, cache: Any, use_cache: bool) -> Any:
        parts = {"token_type_ids": torch.zeros_like(ids)} if self.reads_both_ways and cache is None else {}
        return self.model(input_ids=ids, use_cache=use_cache, **self.having(cache), **parts)

    def _run_tree(self, ids: Tensor, mask: Tensor, positions: Tensor, cache: Cache | None) -> Tensor:
        logits: Tensor = self.model(
            input_ids=ids,
            attention_mask=mask,
            position_ids=positions,
            use_cache=cache is not None,
            **self.having(cache),
        ).logits
        return logits


def streams_of(
    prompts: Sequence[Prompt], generation: Generation, words: WordsOfClasses | None = None
) -> list[list[Stream]]:
    """Return what draws each text of each prompt, and follows words in it."""
    numbers = range(generation.samples)
    return [[Stream(random_stream(prompt, k, generation), words) for k in numbers] for prompt in prompts]


def ends_of_texts(model: Any, tokenizer: PreTrainedTokenizerBase) -> frozenset[int]:
    """Return the ids of the tokens that end a text: those of the model's way to generate, and of the tokenizer."""
    of_model = getattr(getattr(model, "generation_config", None), "eos_token_id", None)
    several = of_model if isinstance(of_model, list) else [of_model]
    return frozenset(each for each in (*several, tokenizer.eos_token_id) if isinstance(each, int))
