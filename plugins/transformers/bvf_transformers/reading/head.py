"""The last linear layer. It computes logits or log p of chosen tokens, without all logits in memory at once."""

import torch
from torch import Tensor, nn

from bvf_transformers.reading.product import linear as product
from bvf_transformers.tokens.word_tree import BOUNDARY

TOKENS_AT_A_TIME = {"cpu": 1024}
"""This many logits per row stay in the processor's caches; see docs/evidence/performance.md."""
TOKENS_ON_ACCELERATOR = 16_384
ROWS_TOGETHER = 64
"""States are padded to a multiple of this many rows: every new number of rows costs oneDNN time and memory."""


class Head:
    """Computes logits over a vocabulary of V tokens from hidden states, shape (N, H)."""

    def __init__(self, linear: nn.Linear) -> None:
        self._forward = linear.forward
        self._weight, self._bias = linear.weight, linear.bias
        self._step = TOKENS_AT_A_TIME.get(linear.weight.device.type, TOKENS_ON_ACCELERATOR)

    def logits(self, states: Tensor, tokens: Tensor | None = None) -> Tensor:
        """Return the logits of R given tokens, shape (N, R), or of all tokens, shape (N, V)."""
        states = states.to(self._weight.device)
        if tokens is None:
            return self._forward(states)
        bias = None if self._bias is None else self._bias[tokens]
        return product(_filled_up(states), self._weight[tokens], bias)[: len(states)]

    def log_softmax_at(self, states: Tensor, rows: Tensor, tokens: Tensor, boundary: Tensor | None) -> Tensor:
        """Return log p, float32, shape (M,), of ``tokens`` given states[rows]. ``states`` have shape (N, H).

        The token BOUNDARY stands for any token in ``boundary``. In 16 bits a logit computed alone and one computed with
        all are rounded differently, so log p is clipped at 0.
        """
        known = tokens.clamp_min(0)
        values = (states[rows] * self._weight[known]).sum(dim=-1, dtype=torch.float32)
        if self._bias is not None:
            values += self._bias[known]
        if boundary is not None:
            values = torch.where(tokens == BOUNDARY, self._logsumexp(states, boundary)[rows], values)
        return (values - self._logsumexp(states, None)[rows]).clamp_max(0.0)

    def _logsumexp(self, states: Tensor, tokens: Tensor | None) -> Tensor:
        """Log-sum-exp of the logits of the given tokens (None: all), shape (N,). It is computed in blocks of tokens."""
        weight = self._weight if tokens is None else self._weight[tokens]
        bias = self._bias if tokens is None or self._bias is None else self._bias[tokens]
        filled = _filled_up(states)
        blocks = [slice(start, start + self._step) for start in range(0, len(weight), self._step)]
        logits = (product(filled, weight[block], None if bias is None else bias[block]) for block in blocks)
        return torch.stack([_logsumexp_of_rows(each) for each in logits], dim=1).logsumexp(dim=1)[: len(states)]


def _logsumexp_of_rows(logits: Tensor) -> Tensor:
    """Log-sum-exp of each row, float32, shape (N,).

    It uses log_softmax, twice as fast as torch's logsumexp on a CPU.
    """
    largest = logits.amax(dim=-1).float()
    normalised = logits.log_softmax(dim=-1, dtype=torch.float32).amax(dim=-1)
    return torch.where(largest.isneginf(), largest, largest - normalised)


def _filled_up(states: Tensor) -> Tensor:
    return nn.functional.pad(states, (0, 0, 0, -len(states) % ROWS_TOGETHER))
