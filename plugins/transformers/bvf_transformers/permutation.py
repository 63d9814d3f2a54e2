"""Permutation models (XLNet): the position is predicted through the target mapping, and nothing attends to it."""

import torch
from torch import Tensor

from bvf_transformers.masked import MaskedModel


class PermutationModel(MaskedModel):
    """As a masked model, but what is not filled in yet is hidden from every position instead of read as a mask."""

    def run(self, ids: Tensor, position: int, masks: int) -> Tensor:
        rows, length = ids.shape
        hidden = torch.zeros((rows, length, length), dtype=self.model.dtype, device=ids.device)
        hidden[:, :, position : position + max(masks, 1)] = 1.0
        target = torch.zeros((rows, 1, length), dtype=self.model.dtype, device=ids.device)
        target[:, 0, position] = 1.0
        logits: Tensor = self.model(input_ids=ids, perm_mask=hidden, target_mapping=target).logits
        return logits

    def place(self, position: int) -> int:
        """Return 0: the target mapping has picked the position already."""
        return 0
