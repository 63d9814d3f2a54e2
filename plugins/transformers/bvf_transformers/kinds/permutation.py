"""Permutation models (XLNet). Target mapping selects the position to predict; no other position attends to it."""

import inspect

import torch
from torch import Tensor

from bvf import BvfError
from bvf_transformers.kinds.masked import MaskedModel


class PermutationModel(MaskedModel):
    """Like a masked model, but positions not filled in yet are hidden from attention."""

    def prepare(self) -> None:
        if not {"perm_mask", "target_mapping"} <= set(inspect.signature(self.model.forward).parameters):
            raise BvfError(
                f"{self.model_name}: this model takes no target mapping, so it is not a permutation model",
                "leave --backend out, and the kind is found",
            )
        super().prepare()

    def run(self, ids: Tensor, positions: Tensor, masks: Tensor) -> Tensor:
        rows, length = ids.shape
        columns, first = torch.arange(length, device=ids.device), positions[:, None]
        is_hidden = (first <= columns) & (columns < first + masks[:, None])
        hidden = is_hidden[:, None, :].expand(rows, length, length).to(self.model.dtype)
        target = (columns == first)[:, None, :].to(self.model.dtype)
        logits: Tensor = self.model(input_ids=ids, perm_mask=hidden, target_mapping=target).logits
        return logits

    def places(self, ids: Tensor, positions: Tensor) -> Tensor:
        """Return 0, 1, ..., as the target mapping has already selected one position per row."""
        return torch.arange(len(ids), device=ids.device)
