"""What the four kinds of models have in common: cut, group by shape, batch, ask."""

import hashlib
from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor
from transformers import PreTrainedTokenizerBase

from bvf.backend import Backend, Fingerprinted, FloatArray, Tokenizing
from bvf.errors import BvfError
from bvf.prompt import Prompt
from bvf_transformers.batching import Budget, by_shape, in_batches
from bvf_transformers.cutting import Cut, Cutter
from bvf_transformers.pieces import levels_of


class SlotModel(Backend, Tokenizing, Fingerprinted):
    """A transformers model that is asked for words in a slot.

    Args:
        model: The loaded model, in evaluation mode.
        tokenizer: Its tokenizer.
        name: What messages call it.
        batch_tokens: Tokens a batch; 0: automatic.
        weights: The files that its weights were read from.

    ``adds_special_tokens`` says whether the tokenizer puts the tokens around a text that begin and end one; a text
    that is written out with them needs no more.
    """

    adds_special_tokens: ClassVar[bool] = True

    def __init__(
        self, model: Any, tokenizer: PreTrainedTokenizerBase, *, name: str, batch_tokens: int, weights: Sequence[Path]
    ) -> None:
        self.model = model
        self.tokenizer = tokenizer
        self.device = model.get_input_embeddings().weight.device
        self.cutter = Cutter(
            tokenizer, name, reads_right=self.reads_right, adds_special_tokens=self.adds_special_tokens
        )
        self.budget = Budget(batch_tokens, self.device, name)
        self._name = name
        self._weights = tuple(weights)
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

    def weights_digest(self) -> str:
        digest = hashlib.sha256(str(self.model.dtype).encode())
        for file in sorted(self._weights):
            with file.open("rb") as content:
                digest.update(hashlib.file_digest(content, "sha256").digest())
        return digest.hexdigest()[:16] if self._weights else ""

    def token_ids(self, prompt: Prompt, word: str) -> list[int]:
        return self.ids_read(self.cutter.cut([prompt], [word])[0])

    def score(self, prompts: Sequence[Prompt], words: Sequence[str], *, absolute: bool) -> FloatArray:
        cuts = self.cutter.cut(prompts, words)
        logp = np.empty((len(prompts), len(words)))
        for group in by_shape(cuts, lambda cut: (len(cut.left), len(cut.right), cut.pieces, cut.reopened)):
            first = cuts[group[0]]
            levels = levels_of(list(enumerate(first.pieces)))
            width = max(len(level.prefixes) for level in levels)
            length = len(first.left) + len(levels) + len(first.right)
            self._check_length(length, prompts[group[0]])

            def run(batch: Sequence[int]) -> FloatArray:
                with torch.inference_mode():
                    found = self.batch_logprobs([cuts[index] for index in batch], absolute=absolute)
                return found.double().cpu().numpy()

            for batch, found in in_batches(group, width * length, self.budget, run):
                logp[list(batch)] = found
        return logp

    def _check_length(self, length: int, prompt: Prompt) -> None:
        limit = getattr(self.model.config, "max_position_embeddings", None)
        if limit and 0 < limit < length:
            raise BvfError(
                f'{self.model_name}: "{prompt}" has {length} tokens, and the model has positions for {limit}',
                "shorten the template",
            )

    @abstractmethod
    def prepare(self) -> None:
        """Find out what this model allows; called once, when it is loaded."""

    @abstractmethod
    def batch_logprobs(self, cuts: Sequence[Cut], *, absolute: bool) -> Tensor:
        """Return log p-hat, shape (B, W), of cuts of the same shape with the same pieces."""

    @abstractmethod
    def ids_read(self, cut: Cut) -> list[int]:
        """Return the ids that are read when the first piece of the first word is asked for."""

    def tensor(self, rows: Sequence[Sequence[int]]) -> Tensor:
        """Return token ids, shape (B, L), on the model's device."""
        return torch.tensor(rows, dtype=torch.long, device=self.device)
