"""Masked models: a mask for every piece of the word, filled from left to right."""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from bvf.backend import FloatArray
from bvf.errors import BvfError
from bvf_transformers.cutting import Cut, Slot
from bvf_transformers.pieces import PieceTree, answers_of, tree_of
from bvf_transformers.readout import Readout, at_column
from bvf_transformers.slot import SlotModel


class MaskedModel(SlotModel):
    """Scores a word of n pieces in a text with n masks: p of its first piece, fill it in, p of the next, ..."""

    def prepare(self) -> None:
        if self.tokenizer.mask_token_id is None:
            raise BvfError(f"{self.model_name}: the tokenizer has no mask token", "is it a masked model? see --backend")
        self.mask = int(self.tokenizer.mask_token_id)
        sample = self.tensor([[*ids, self.mask] for ids in self.cutter.sample_ids()])
        position = sample.shape[1] - 2
        self.readout = Readout(self.model, lambda: self.run(sample, position, 0), self.places(sample, position))

    def ids_read(self, cut: Cut) -> list[int]:
        return [*cut.left, *[self.mask] * len(cut.slot.pieces[0]), *cut.right]

    def width(self, slot: Slot) -> int:
        return 1

    def batch_logprobs(self, cuts: Sequence[Cut], *, absolute: bool) -> FloatArray:
        slot = cuts[0].slot
        logp = np.empty((len(cuts), len(slot.pieces)))
        for length, words in words_by_length(slot).items():
            tree = tree_of(tuple(slot.pieces[word] for word in words))
            in_part = length == 1 and not absolute and len(words) == len(slot.pieces) and self.readout.can_choose_rows
            answers = [self._answers(cuts, tree, k, length, in_part=in_part) for k in range(len(tree.beginnings))]
            logp[:, words] = tree.word_logprobs(torch.cat(answers, dim=1).double().cpu().numpy())
        return logp

    def _answers(self, cuts: Sequence[Cut], tree: PieceTree, beginning: int, length: int, *, in_part: bool) -> Tensor:
        """Log p of the pieces behind a beginning of words of one length, shape (B, questions)."""
        filled = tree.beginnings[beginning]
        masks = [self.mask] * (length - len(filled))
        ids = self.tensor([[*cut.left, *filled, *masks, *cut.right] for cut in cuts])
        position = len(cuts[0].left) + len(filled)
        places = self.places(ids, position)
        logits = self.readout.logits(
            lambda: self.run(ids, position, len(masks)),
            places,
            self.tensor([tree.tokens.tolist()])[0] if in_part else None,
        )
        return logits if in_part else answers_of(logits, tree, np.array([beginning]), len(cuts), None)

    def run(self, ids: Tensor, position: int, masks: int) -> Tensor:
        """Return the logits, shape (B, L, V); ``masks`` masks stand from ``position`` on."""
        logits: Tensor = self.model(input_ids=ids).logits
        return logits

    def places(self, ids: Tensor, position: int) -> Tensor:
        """Return where in the logits the predictions of ``position`` stand, counted through the batch, shape (B,)."""
        return at_column(ids, position)


def words_by_length(slot: Slot) -> dict[int, list[int]]:
    """Return the words of each number of pieces."""
    words: dict[int, list[int]] = {}
    for word, ids in enumerate(slot.pieces):
        words.setdefault(len(ids), []).append(word)
    return words
