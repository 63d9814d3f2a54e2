"""Masked models: a mask for every piece of the word, filled from left to right."""

from collections.abc import Sequence

import torch
from torch import Tensor

from bvf.errors import BvfError
from bvf_transformers.cutting import Cut
from bvf_transformers.pieces import Ids, add_wanted, by_length, single_pieces
from bvf_transformers.readout import Readout
from bvf_transformers.slot import SlotModel


class MaskedModel(SlotModel):
    """Scores a word of n pieces in a text with n masks: p of its first piece, fill it in, p of the next, ..."""

    def prepare(self) -> None:
        if self.tokenizer.mask_token_id is None:
            raise BvfError(f"{self.model_name}: the tokenizer has no mask token", "is it a masked model? see --backend")
        self.mask = int(self.tokenizer.mask_token_id)
        sample = self.tensor([[*ids, self.mask] for ids in self.cutter.sample_ids()])
        position = sample.shape[1] - 2
        self.readout = Readout(self.model, lambda: self.run(sample, position, 0), self.place(position))

    def ids_read(self, cut: Cut) -> list[int]:
        return [*cut.left, *[self.mask] * len(cut.pieces[0]), *cut.right]

    def batch_logprobs(self, cuts: Sequence[Cut], *, absolute: bool) -> Tensor:
        pieces = cuts[0].pieces
        tokens = single_pieces(pieces)
        if tokens and not absolute and self.readout.can_choose_rows:
            return self._logits(cuts, ((),), 1, self.tensor([tokens])[0])
        logp = torch.zeros((len(cuts), len(pieces)), device=self.device)
        for length, levels in by_length(pieces).items():
            for level in levels:
                add_wanted(logp, level, self._logits(cuts, level.prefixes, length))
        return logp

    def _logits(self, cuts: Sequence[Cut], prefixes: Sequence[Ids], length: int, rows: Tensor | None = None) -> Tensor:
        """Logits behind every prefix in every text, shape (K * B, V); the prefixes are of one length."""
        masks = [self.mask] * (length - len(prefixes[0]))
        ids = self.tensor([[*cut.left, *filled, *masks, *cut.right] for filled in prefixes for cut in cuts])
        position = len(cuts[0].left) + len(prefixes[0])
        return self.readout.logits(lambda: self.run(ids, position, len(masks)), self.place(position), rows)

    def run(self, ids: Tensor, position: int, masks: int) -> Tensor:
        """Return the logits, shape (B, L, V); ``masks`` masks stand from ``position`` on."""
        logits: Tensor = self.model(input_ids=ids).logits
        return logits

    def place(self, position: int) -> int:
        """Return where in the logits the prediction of ``position`` stands."""
        return position
