"""The base of the four kinds of models: cut, group by shape, batch, ask."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor

from bvf.arrays import FloatArray
from bvf.domain.prompt import Prompt
from bvf.errors import BvfError
from bvf.interfaces.backend import Answers, Backend, ModelRequest, Tokenizing
from bvf_transformers.kinds.parts import Parts, part_for_text
from bvf_transformers.options import batch_tokens_of, options_of
from bvf_transformers.reading.activation import fuse_activations
from bvf_transformers.reading.batching import Budget, by_shape, in_batches
from bvf_transformers.reading.product import speed_up_products
from bvf_transformers.tokens.cutting import Cut, Cutter


class SlotModel(Backend, Tokenizing):
    """A transformers model that is asked for words in a slot.

    Args:
        parts: The loaded model.
        request: How it is to be read.

    ``adds_special_tokens`` says whether the tokenizer puts the tokens around a text that begin and end one; a text
    that is written out with them needs no more.
    ``sees_word_ends`` says whether a word can be asked for as a whole.
    """

    adds_special_tokens: ClassVar[bool] = True
    sees_word_ends: ClassVar[bool] = False

    def __init__(self, parts: Parts, request: ModelRequest) -> None:
        self.model = parts.model
        self.tokenizer = parts.tokenizer
        self.device = self.model.get_input_embeddings().weight.device
        name = request.model
        self.cutter = Cutter(
            self.tokenizer,
            name,
            reads_right=self.capabilities.reads_right,
            adds_special_tokens=self.adds_special_tokens,
        )
        self.budget = Budget(batch_tokens_of(request), self.device, name)
        self.word_boundary = options_of(request).word_boundary
        self._name = name
        fuse_activations(self.model)
        speed_up_products(self.model)
        self.rows = len(self.model.get_input_embeddings().weight)
        self._has_rows_for_all = max(self.tokenizer.get_vocab().values()) < self.rows
        self._positions = usable_positions(self.model)
        try:
            with torch.inference_mode():
                self.prepare()
        except RuntimeError as error:
            if "scalar type" not in str(error) and "same dtype" not in str(error):
                raise
            raise BvfError(f"{name}: this model cannot compute in its number format", "say --dtype float32") from error

    @property
    def model_name(self) -> str:
        return self._name

    def token_ids(self, prompt: Prompt, word: str) -> list[int]:
        return self.ids_read(self.cutter.cut([prompt], [word])[0])

    def check_tokens(self, prompts: Sequence[Prompt], words: Sequence[str]) -> None:
        self.distinct_cuts(prompts, words)

    def score(self, prompts: Sequence[Prompt], words: Sequence[str], *, absolute: bool) -> Answers:
        cuts, places = self.distinct_cuts(prompts, words)
        logp = self.cut_logprobs(cuts, absolute=absolute)[places]
        return Answers(logp, remarks=self.remarks())

    def remarks(self) -> tuple[str, ...]:
        """Return what a reader should know of how the model was read so far, one sentence each."""
        return ()

    def distinct_cuts(self, prompts: Sequence[Prompt], words: Sequence[str]) -> tuple[list[Cut], list[int]]:
        """Return the prompts as token ids, without repeats, and the place of each prompt's ids among them."""
        cuts = self.cutter.cut(prompts, words)
        place_of: dict[Cut, int] = {}
        places = [place_of.setdefault(cut, len(place_of)) for cut in cuts]
        longest = max(range(len(cuts)), key=lambda index: length_of(cuts[index]))
        self.check_length(length_of(cuts[longest]), str(prompts[longest]))
        if not self._has_rows_for_all:
            self._check_rows(list(place_of))
        return list(place_of), places

    @abstractmethod
    def cut_logprobs(self, cuts: Sequence[Cut], *, absolute: bool) -> FloatArray:
        """Return log p-hat, shape (len(cuts), W)."""

    def in_batches(
        self, cuts: Sequence[Cut], group: Sequence[int], tokens_each: int, run: Callable[[Sequence[Cut]], Tensor]
    ) -> FloatArray:
        """Return the results of a run for some of the cuts, shape (len(group), N), in batches of the budget."""

        def run_batch(batch: Sequence[int]) -> FloatArray:
            with torch.inference_mode():
                return run([cuts[index] for index in batch]).double().cpu().numpy()

        return np.concatenate([rows for _, rows in in_batches(group, tokens_each, self.budget, run_batch)])

    def check_length(self, length: int, text: str) -> None:
        """Refuse a text with more tokens than the model has positions."""
        if 0 < self._positions < length:
            raise BvfError(
                f'{self.model_name}: "{text}" has {length} tokens, and the model has positions for {self._positions}',
                "shorten the template",
            )

    def _check_rows(self, cuts: Sequence[Cut]) -> None:
        for cut in cuts:
            beyond = [token for ids in (cut.left, cut.right, *cut.slot.pieces) for token in ids if token >= self.rows]
            if beyond:
                raise BvfError(
                    f"{self.model_name}: the tokenizer has tokens that the model has not: "
                    f'"{self.tokenizer.convert_ids_to_tokens(beyond[0])}" is number {beyond[0]} of {self.rows}',
                    "leave the word or group out, or use the tokenizer that belongs to the model",
                )

    @abstractmethod
    def prepare(self) -> None:
        """Find out what this model allows; called once, when it is loaded."""

    @abstractmethod
    def ids_read(self, cut: Cut) -> list[int]:
        """Return the ids that are read when the first piece of the first word is asked for."""

    def tensor(self, rows: Sequence[Sequence[int]]) -> Tensor:
        """Return token ids, shape (B, L), on the model's device."""
        return torch.tensor(rows, dtype=torch.long, device=self.device)


def usable_positions(model: Any) -> int:
    """Return how many tokens a model has positions for; 0 where it does not say.

    Where positions are counted from the padding's on, as RoBERTa counts them, those up to it are never used.
    """
    limit = getattr(part_for_text(model.config), "max_position_embeddings", None)
    if not isinstance(limit, int):
        return 0
    tables = [part for name, part in model.named_modules() if name.endswith("position_embeddings")]
    unused = [part.padding_idx + 1 for part in tables if getattr(part, "padding_idx", None) is not None]
    return limit - max(unused, default=0)


def groups_of_one_shape(cuts: Sequence[Cut]) -> list[list[int]]:
    """Return the indices of cuts with the same slot and sides of the same lengths together."""
    return by_shape(cuts, lambda cut: (len(cut.left), len(cut.right), cut.slot))


def length_of(cut: Cut) -> int:
    """Return how many tokens a prompt has with the longest of the words."""
    return len(cut.left) + cut.slot.longest + len(cut.right)
