"""The base classes of models, here and on servers: they tokenise, group, batch and score prompts."""

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import signature
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor, nn
from transformers import PreTrainedConfig, PreTrainedTokenizerBase

from bvf import Answers, Backend, BvfError, Capabilities, ModelRequest, Prompt, Tokenizing
from bvf.errors import shortened
from bvf.interfaces import TokenCounting, Tolerance, WordMass
from bvf.stats import FloatArray, IntArray
from bvf_transformers.learned import Memory
from bvf_transformers.options import options_of
from bvf_transformers.reading.memory import Budget, by_shape
from bvf_transformers.reading.readout import fuse_activations, speed_up_products
from bvf_transformers.reading.tolerance import Ask, logprobs_asked, unasked_words
from bvf_transformers.tokens.composing import text_with_special, texts_of_tokens
from bvf_transformers.tokens.cutting import Cut, Cutter, Slot, slots_of
from bvf_transformers.tokens.word_tree import PieceTree, remark_on_longer_words

Read = Callable[..., Iterator[tuple[IntArray, Ask]]]
"""Reads texts; yields the indices of some of them, and a function that scores words after these."""


@dataclass(frozen=True)
class Parts:
    """A loaded model in evaluation mode, its tokenizer, and the memory of what checks found of it."""

    tokenizer: PreTrainedTokenizerBase
    model: Any
    memory: Memory = field(default_factory=Memory)


class CutModel(Backend, Tokenizing, TokenCounting):
    """A model whose prompts are token ids, which its ``cutter`` splits at the slot.

    ``positions`` is the most tokens of a text, 0 if unknown; ``takes`` and ``way_out`` say so where a text has more.
    """

    cutter: Cutter
    positions: int
    takes: ClassVar[str] = "the model has positions for"
    way_out: ClassVar[str] = "shorten the template or its opening"

    @property
    @abstractmethod
    def model_name(self) -> str:
        """The name of the model in error messages."""

    def text_of(self, ids: Sequence[int]) -> str:
        return text_with_special(self.cutter.tokenizer, ids)

    def token_counts(self, prompt: Prompt, words: Sequence[str]) -> list[int]:
        slot = self.distinct_cuts([prompt], words)[0][0].slot
        return [len(pieces) - slot.merged for pieces in slot.pieces]

    def check_tokens(self, prompts: Sequence[Prompt], words: Sequence[str]) -> None:
        self.distinct_cuts(prompts, words)

    def cut(self, prompts: Sequence[Prompt], words: Sequence[str]) -> list[Cut]:
        """Return every prompt as token ids, split at the slot."""
        return self.cutter.cut(prompts, words)

    def distinct_cuts(self, prompts: Sequence[Prompt], words: Sequence[str]) -> tuple[list[Cut], list[int]]:
        """Return the distinct prompts as token ids, and the index of each prompt among them. Refuses too long ones."""
        cuts = self.cut(prompts, words)
        longest = max(range(len(cuts)), key=lambda index: length_of(cuts[index]))
        self.check_length(length_of(cuts[longest]), str(prompts[longest]))
        return distinct(cuts)

    def check_length(self, length: int, text: str) -> None:
        """Refuse a text with more tokens than the model takes."""
        if 0 < self.positions < length:
            raise BvfError(
                f'{self.model_name}: "{shortened(text)}" has {length} tokens, and {self.takes} {self.positions}',
                self.way_out,
            )


class WordModel(CutModel):
    """A model that gives log p of any token: words are scored by their tokens, all or within a tolerance.

    ``goes_on`` is True if it gives a word the texts that go on after it, so that those with longer words have to be
    left out.
    """

    goes_on: ClassVar[bool] = True

    @abstractmethod
    def way_of_reading(self, cuts: Sequence[Cut]) -> Read:
        """Return what reads the texts of prompts with one slot, and scores words after them."""

    def tree(self, slot: Slot) -> PieceTree:
        """Return the tree of the words of a slot."""
        return slot.tree()

    def read_together(self, cut: Cut) -> Hashable:
        """Return what texts have in common that are read together."""
        return cut.slot

    def cut_logprobs_within(
        self, cuts: Sequence[Cut], class_of_word: IntArray | None, tolerance: Tolerance, *, absolute: bool = False
    ) -> tuple[FloatArray, FloatArray]:
        """Return log p-hat of the words, shape (len(cuts), W), and the error bound of each text's class probabilities.

        Without classes every word is scored. Unless ``absolute``, log p is exact up to a constant per text.
        """
        logp, reached = np.empty((len(cuts), len(cuts[0].slot.pieces))), np.zeros(len(cuts))
        for group in by_shape(cuts, self.read_together):
            alike = [cuts[index] for index in group]
            within = self.logprobs_together(alike, class_of_word, tolerance.of(group), absolute=absolute)
            logp[group], reached[group] = within
        return logp, reached

    def logprobs_together(
        self, cuts: Sequence[Cut], class_of_word: IntArray | None, tolerance: Tolerance, *, absolute: bool
    ) -> tuple[FloatArray, FloatArray]:
        """Return `cut_logprobs_within` of texts that are read together."""
        return self.logprobs_by(self.way_of_reading(cuts), cuts, class_of_word, tolerance, absolute=absolute)

    def logprobs_by(
        self, read: Read, cuts: Sequence[Cut], class_of_word: IntArray | None, tolerance: Tolerance, *, absolute: bool
    ) -> tuple[FloatArray, FloatArray]:
        """Return `cut_logprobs_within` of texts that ``read`` reads together."""
        pieces = self.tree(cuts[0].slot)
        unasked = None if class_of_word is None else unasked_words(pieces, class_of_word)
        logp, reached = np.empty((len(cuts), len(pieces.paths))), np.zeros(len(cuts))
        for part, ask in read(cuts, pieces, absolute=absolute):
            within = logprobs_asked(pieces, unasked, ask, tolerance.of(part), absolute=absolute)
            logp[part], reached[part] = within
        return logp, reached

    def cut_logprobs(self, cuts: Sequence[Cut], *, absolute: bool) -> FloatArray:
        """Return log p-hat of the words, shape (len(cuts), W); normalised over the vocabulary if ``absolute``."""
        return self.cut_logprobs_within(cuts, None, Tolerance.on_each(0.0, len(cuts)), absolute=absolute)[0]

    def score(self, prompts: Sequence[Prompt], words: Sequence[str], *, absolute: bool) -> Answers:
        cuts, places = self.distinct_cuts(prompts, words)
        logp = self.cut_logprobs(cuts, absolute=absolute)[places]
        return Answers(logp, remarks=self.remarks(cuts, words))

    def score_within(
        self, prompts: Sequence[Prompt], words: Sequence[str], class_of_word: IntArray, tolerance: Tolerance
    ) -> Answers:
        cuts, places = self.distinct_cuts(prompts, words)
        logp, bounds = self.cut_logprobs_within(cuts, class_of_word, tolerance.of_distinct(places))
        return Answers(logp[places], bounds[places], self.remarks(cuts, words))

    def remarks(self, cuts: Sequence[Cut], words: Sequence[str]) -> tuple[str, ...]:
        """Return notes on how the model read these prompts, for readers of the result, one sentence each."""
        return remark_on_longer_words(map(self.tree, slots_of(cuts)), words) if self.goes_on else ()


class SlotModel(WordModel, WordMass):
    """A transformers model that scores words in the slot of a prompt.

    ``sees_word_ends`` is True if the model can score the end of a word (``--word-boundary``).
    """

    capabilities = Capabilities(leaves_words_out=True, lists_tokens=True, reads_beside=True)
    sees_word_ends: ClassVar[bool] = False

    def __init__(self, parts: Parts, request: ModelRequest) -> None:
        options = options_of(request)
        self.model = parts.model
        self.tokenizer = parts.tokenizer
        self.memory = parts.memory.of(type(self))
        if type(self.model).forward is nn.Module.forward:
            raise BvfError(
                f"{request.model}: {type(self.model).__name__} reads no text by itself", "name the part that does"
            )
        vectors = getattr(self.model.get_input_embeddings(), "weight", None)  # Perceiver's are not those of tokens
        self.device = self.model.device if vectors is None else vectors.device
        self.rows = self.model.config.vocab_size if vectors is None else len(vectors)
        reads_right, start = self.capabilities.reads_right, options.start
        longer_words = request.longer_words if self.goes_on else ()
        self.cutter = Cutter(
            self.tokenizer, request.model, reads_right=reads_right, start=start, longer_words=longer_words
        )
        self.budget = Budget(0 if options.batch_tokens == "auto" else options.batch_tokens, self.device, request.model)
        self.word_boundary = options.word_boundary
        fuse_activations(self.model)
        speed_up_products(self.model)
        self._has_rows_for_all = max(self.tokenizer.get_vocab().values()) < self.rows
        self.positions = usable_positions(self.model)
        self.cache_name = "cache" if "cache" in signature(self.model.forward).parameters else "past_key_values"
        self._slots_beside: dict[tuple[Slot, Slot], Slot] = {}
        try:
            with torch.inference_mode():
                self.prepare()
        except RuntimeError as error:
            if "scalar type" not in str(error) and "same dtype" not in str(error):
                raise
            raise BvfError(
                f"{request.model}: this model cannot compute in its number format", "use --dtype float32"
            ) from error

    @property
    def model_name(self) -> str:
        return self.cutter.model

    @abstractmethod
    def prepare(self) -> None:
        """Find out which faster ways of reading this model allows. It is called once, after loading."""

    @abstractmethod
    def ids_read(self, cut: Cut) -> list[int]:
        """Return the input ids that predict the first token of the first word."""

    def token_ids(self, prompt: Prompt, word: str) -> list[int]:
        return self.ids_read(self.cut([prompt], [word])[0])

    def single_tokens(self) -> list[str]:
        return texts_of_tokens(self.tokenizer)

    def score_beside(
        self,
        prompts: Sequence[Prompt],
        words: Sequence[str],
        class_of_word: IntArray,
        tolerance: Tolerance,
        beside: Sequence[str],
    ) -> Answers:
        (cuts, places), (others, of_others) = (self.distinct_cuts(prompts, each) for each in (words, beside))
        pairs = [(cuts[place], others[other]) for place, other in zip(places, of_others, strict=True)]
        slots = {} if self.word_boundary else {cut.slot: other.slot for cut, other in pairs if _fits(cut, other)}
        asked = [self._with_beside(cut, slots) for cut in cuts] if slots else cuts
        classes = class_of_word if tolerance.value else None
        logp, bounds = self.cut_logprobs_within(asked, classes, tolerance.of_distinct(places))
        read = np.full((len(prompts), len(beside)), -np.inf)
        fits = [_fits(cut, other) and slots.get(cut.slot) is other.slot for cut, other in pairs]
        if slots:
            read[fits] = logp[places][fits, len(words) :]
        alone = np.flatnonzero(np.isneginf(read).any(axis=1)).tolist()
        if alone:
            read[alone] = self.score([prompts[index] for index in alone], beside, absolute=False).logp
        return Answers(logp[places, : len(words)], bounds[places], self.remarks(cuts, words), beside=read)

    def _with_beside(self, cut: Cut, slots: Mapping[Slot, Slot]) -> Cut:
        """The cut with other words beside its own. Equal slots stay one object: texts are read with the same others."""
        pair = cut.slot, slots.get(cut.slot, next(iter(slots.values())))
        return cut._replace(slot=self._slots_beside.setdefault(pair, pair[0].with_beside(pair[1])))

    def word_mass(
        self, prompts: Sequence[Prompt], words: Sequence[str], class_of_word: IntArray, tolerance: float
    ) -> FloatArray:
        cuts, places = self.distinct_cuts(prompts, words)
        on_each = Tolerance.on_each(tolerance, len(cuts))
        logp, _ = self.cut_logprobs_within(cuts, class_of_word if tolerance else None, on_each, absolute=True)
        mass: FloatArray = np.exp(logp).sum(axis=1)[places]
        return mass

    def distinct_cuts(self, prompts: Sequence[Prompt], words: Sequence[str]) -> tuple[list[Cut], list[int]]:
        cuts, places = super().distinct_cuts(prompts, words)
        if not self._has_rows_for_all:
            self._check_rows(cuts)
        return cuts, places

    def _check_rows(self, cuts: Sequence[Cut]) -> None:
        for cut in cuts:
            slot = cut.slot
            texts = (cut.left, cut.right, *slot.pieces, *dict(slot.longer_words).values())
            beyond = [token for ids in texts for token in ids if token >= self.rows]
            if beyond:
                raise BvfError(
                    f"{self.model_name}: the tokenizer has tokens that the model does not have: "
                    f'"{self.tokenizer.convert_ids_to_tokens(beyond[0])}" is number {beyond[0]} of {self.rows}',
                    "leave the word or group out, or use the tokenizer that belongs to the model",
                )

    def having(self, cache: Any) -> dict[str, Any]:
        """Return the cache as an argument of the model, whose name has changed with transformers 5.24."""
        return {self.cache_name: cache}

    def tensor(self, rows: Sequence[Sequence[int]]) -> Tensor:
        """Return token ids, shape (B, L), on the model's device."""
        return torch.tensor(rows, dtype=torch.long, device=self.device)


def _fits(cut: Cut, other: Cut) -> bool:
    """Whether words of one token can be read where others are, after the same text."""
    return other.slot.may_stand_beside() and (cut.left, cut.right) == (other.left, other.right)


def distinct(cuts: Iterable[Cut]) -> tuple[list[Cut], list[int]]:
    """Return the distinct cuts (split prompts), and the index of each given cut among them."""
    place_of: dict[Cut, int] = {}
    places = [place_of.setdefault(cut, len(place_of)) for cut in cuts]
    return list(place_of), places


def part_for_text(config: PreTrainedConfig) -> Any:
    """Return the configuration of a model. If it also reads images or sounds, it is that of its text model only."""
    return getattr(config, "text_config", None) or config


def usable_positions(model: Any) -> int:
    """Return how many tokens a model has positions for; 0 if unknown.

    A model whose position ids start after the padding id, as RoBERTa's do, never uses the ones up to it.
    """
    limit = getattr(part_for_text(model.config), "max_position_embeddings", None)
    if not isinstance(limit, int):
        return 0
    tables = [part for name, part in model.named_modules() if name.endswith("position_embeddings")]
    unused = [part.padding_idx + 1 for part in tables if getattr(part, "padding_idx", None) is not None]
    return limit - max(unused, default=0)


def groups_of_one_shape(cuts: Sequence[Cut]) -> Iterator[tuple[list[int], list[Cut]]]:
    """Group cuts (split prompts) by slot and lengths of the two sides. Yields each group's indices and its cuts."""
    for group in by_shape(cuts, lambda cut: (len(cut.left), len(cut.right), cut.slot)):
        yield group, [cuts[index] for index in group]


def length_of(cut: Cut) -> int:
    """Return the number of tokens of a prompt with its longest word."""
    return len(cut.left) + cut.slot.longest + len(cut.right)
