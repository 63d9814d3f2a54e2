"""Causal models: the continuation of the text left of the slot, by the chain rule."""

from collections.abc import Sequence
from typing import Any

from torch import Tensor

from bvf.errors import BvfError
from bvf_transformers.cutting import Cut
from bvf_transformers.pieces import levels_of, single_pieces
from bvf_transformers.readout import Readout
from bvf_transformers.slot import SlotModel
from bvf_transformers.steps import CachedSteps, PlainSteps, cache_works, continuation_logprobs

LOOKS_AHEAD = 0.2
"""Standard deviations of the logits: above what rounding does, below what reading ahead does."""


class CausalModel(SlotModel):
    """Scores words as continuations; what stands right of the slot is not seen."""

    reads_right = False

    def prepare(self) -> None:
        sample = self.tensor(self.cutter.sample_ids())
        self._check_direction(sample)
        self.readout = Readout(self.model, lambda: self._run(sample, None, False).logits, -1)
        self.has_cache = cache_works(self.readout, self._run, sample)

    def _check_direction(self, sample: Tensor) -> None:
        """Refuse a model in which a token changes what is predicted before it, as BERT loaded as causal would."""
        changed = sample.clone()
        changed[:, -1] = (changed[:, -1] + 1) % self.model.get_input_embeddings().weight.shape[0]
        whole, other = (self._run(ids, None, False).logits[:, :-1].float() for ids in (sample, changed))
        if whole.numel() and (whole - other).abs().max() > LOOKS_AHEAD * whole.std():
            raise BvfError(
                f"{self.model_name}: a prediction depends on tokens behind it, so this is no causal model",
                "leave --backend out, and the kind is found",
            )

    def batch_logprobs(self, cuts: Sequence[Cut], *, absolute: bool) -> Tensor:
        ids = self.tensor([cut.left for cut in cuts])
        pieces = cuts[0].pieces
        tokens = single_pieces(pieces)
        if tokens and not absolute and self.readout.can_choose_rows:
            rows = self.tensor([tokens])[0]
            return self.readout.logits(lambda: self._run(ids, None, False).logits, -1, rows)
        steps = (CachedSteps if self.has_cache else PlainSteps)(self.readout, self._run, ids)
        logp = continuation_logprobs(steps, levels_of(list(enumerate(pieces))), len(pieces))
        return logp - self._reopened_logprob(ids, cuts[0]) if absolute and cuts[0].reopened else logp

    def _reopened_logprob(self, ids: Tensor, cut: Cut) -> Tensor:
        """Log p, shape (B, 1), of all tokens that may follow ``cut.left`` in a text that begins like the prompt.

        That is at least the probability of the rest of the prompt, so no word gets more than its due.
        """
        logp = self.readout.logits(lambda: self._run(ids, None, False).logits, -1, None).log_softmax(dim=-1)
        return logp[:, list(cut.reopened)].logsumexp(dim=-1, keepdim=True).to(logp.device)

    def ids_read(self, cut: Cut) -> list[int]:
        return list(cut.left)

    def _run(self, ids: Tensor, cache: Any, use_cache: bool) -> Any:
        return self.model(input_ids=ids, past_key_values=cache, use_cache=use_cache)
