"""Masked models: a mask for every piece of the word, filled from left to right."""

from collections.abc import Sequence

import numpy as np
from torch import Tensor

from bvf.arrays import FloatArray, IntArray
from bvf.errors import BvfError
from bvf_transformers.kinds.slot import SlotModel, groups_of_one_shape, length_of
from bvf_transformers.reading.readout import Readout, at_column
from bvf_transformers.tokens.cutting import Cut, Slot
from bvf_transformers.tokens.word_tree import PieceTree, answers_of, tree_of


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

    def cut_logprobs(self, cuts: Sequence[Cut], *, absolute: bool) -> FloatArray:
        logp = np.empty((len(cuts), len(cuts[0].slot.pieces)))
        for group in groups_of_one_shape(cuts):
            for words, tree in trees_by_length(cuts[group[0]].slot):
                in_part = len(words) == logp.shape[1] and len(tree.beginnings) == 1 and not absolute
                answers = [self._answers(cuts, group, tree, level, in_part=in_part) for level in tree.levels()]
                logp[np.ix_(group, words)] = tree.word_logprobs(np.concatenate(answers, axis=1))
        return logp

    def _answers(
        self, cuts: Sequence[Cut], group: Sequence[int], tree: PieceTree, level: IntArray, *, in_part: bool
    ) -> FloatArray:
        """Log p behind beginnings of one length, (len(group), questions), of words of one number of pieces."""
        beginnings = [tree.beginnings[k] for k in level]
        masks = [self.mask] * (len(tree.paths[0]) - len(beginnings[0]))
        rows = self.tensor([tree.tokens.tolist()])[0] if in_part and self.readout.can_choose_rows else None

        def run(batch: Sequence[Cut]) -> Tensor:
            ids = self.tensor([[*cut.left, *filled, *masks, *cut.right] for filled in beginnings for cut in batch])
            position = len(batch[0].left) + len(beginnings[0])
            logits = self.readout.logits(lambda: self.run(ids, position, len(masks)), self.places(ids, position), rows)
            return logits if rows is not None else answers_of(logits, tree, level, len(batch), None)

        return self.in_batches(cuts, group, length_of(cuts[group[0]]) * len(level), run)

    def run(self, ids: Tensor, position: int, masks: int) -> Tensor:
        """Return the logits, shape (B, L, V); ``masks`` masks stand from ``position`` on."""
        logits: Tensor = self.model(input_ids=ids).logits
        return logits

    def places(self, ids: Tensor, position: int) -> Tensor:
        """Return where in the logits the predictions of ``position`` stand, counted through the batch, shape (B,)."""
        return at_column(ids, position)


def trees_by_length(slot: Slot) -> list[tuple[list[int], PieceTree]]:
    """Return the words of each number of pieces, and the tree of those."""
    words: dict[int, list[int]] = {}
    for word, ids in enumerate(slot.pieces):
        words.setdefault(len(ids), []).append(word)
    return [(own, tree_of(tuple(slot.pieces[word] for word in own))) for own in words.values()]
