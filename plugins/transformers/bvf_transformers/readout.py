"""The language-model head, at the position and for the tokens that are needed."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn

AGREEMENT = {torch.float64: 1e-4, torch.float32: 1e-4}
AGREEMENT_OF_HALVES = 3e-2
"""What rounding does to logits in bfloat16 and float16; a shortcut that is wrong is wrong by far more."""


class Readout:
    """Runs a model so that its head is computed at one position, and for some tokens, where that is exact.

    Whether it is exact is found out on a sample, not assumed: a head that scales, caps or shifts its logits behind
    the last linear layer may not allow it, and is then computed whole.
    """

    def __init__(self, model: Any, sample: Callable[[], Tensor], position: int) -> None:
        found = model.get_output_embeddings()
        self._linear: nn.Linear | None = found if isinstance(found, nn.Linear) else None
        self._tolerance = AGREEMENT.get(found.weight.dtype if self._linear else model.dtype, AGREEMENT_OF_HALVES)
        self._can_choose_rows = False
        if self._linear is None:
            return
        whole = sample()[:, position].float()
        rows = torch.arange(0, whole.shape[-1], 3, device=self._linear.weight.device)
        if not self._agrees(sample, position, None, whole):
            self._linear = None
        else:
            self._can_choose_rows = self._agrees(sample, position, rows, whole[:, rows.to(whole.device)])

    @property
    def can_choose_rows(self) -> bool:
        """Whether a part of the vocabulary gives the logits that the whole one gives."""
        return self._can_choose_rows

    def logits(self, run: Callable[[], Tensor], position: int, rows: Tensor | None = None) -> Tensor:
        """Return the logits at one position.

        Args:
            run: Calls the model and returns its logits, shape (B, L, V).
            position: Where in the sequence, from its start or (negative) from its end.
            rows: Token ids; only if `can_choose_rows`. None: the whole vocabulary.

        Returns:
            float32, shape (B, V) or (B, len(rows)).
        """
        if self._linear is None:
            return run()[:, position].float()
        with _narrowed(self._linear, position, rows):
            return run()[:, 0].float()

    def agree(self, one: Tensor, other: Tensor) -> bool:
        """Whether two ways gave the same logits, up to what the model's number format rounds."""
        if one.shape != other.shape:
            return False
        largest = max(1.0, float(other.abs().max()))
        return bool((one - other).abs().max() <= self._tolerance * largest)

    def _agrees(self, sample: Callable[[], Tensor], position: int, rows: Tensor | None, whole: Tensor) -> bool:
        try:
            narrow = self.logits(sample, position, rows)
        except (RuntimeError, IndexError):
            return False
        return self.agree(narrow, whole)


@contextmanager
def _narrowed(linear: nn.Linear, position: int, rows: Tensor | None) -> Iterator[None]:
    """Let a linear layer see one position of its input, and give some rows of its output, for a while."""
    whole_forward = linear.forward

    def forward(hidden: Tensor) -> Tensor:
        at = hidden[:, position : position + 1] if position != -1 else hidden[:, -1:]
        if rows is None:
            return whole_forward(at)
        bias = None if linear.bias is None else linear.bias[rows]
        return nn.functional.linear(at, linear.weight[rows], bias)

    linear.forward = forward  # type: ignore[method-assign, assignment]
    try:
        yield
    finally:
        linear.forward = whole_forward  # type: ignore[method-assign]
