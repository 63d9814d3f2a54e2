"""The plain loop: a batch of 32 prompts, padded on the right, and the softmax over the whole vocabulary.

It shares no code with the plugin, as the others are compared with it.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
import transformers as tf
from bvf_testing import own_probabilities
from workloads import Workload

from bvf.arrays import FloatArray
from bvf.domain.prompt import Prompt

BATCH = 32


class Plain:
    """A transformers model in a plain loop."""

    def __init__(self, workload: Workload) -> None:
        self.kind = workload.kind
        self.tokenizer: Any = tf.AutoTokenizer.from_pretrained(workload.folder)
        kinds = {"causal": "CausalLM", "masked": "MaskedLM", "seq2seq": "Seq2SeqLM"}
        model_class = getattr(tf, f"AutoModelFor{kinds[self.kind]}")
        self.model: Any = model_class.from_pretrained(workload.folder, dtype=torch.float32).eval()

    @torch.inference_mode()
    def first_pieces(self, prompts: Sequence[Prompt], words: Sequence[str]) -> FloatArray:
        """Return log p of words of one token, shape (P, W)."""
        tokens = [self.pieces(word)[0] for word in words]
        parts = []
        for start in range(0, len(prompts), BATCH):
            rows = [self._ids(prompt) for prompt in prompts[start : start + BATCH]]
            places = torch.tensor([self._place(ids) for ids in rows])
            logp = self._logits(rows).log_softmax(dim=-1)
            parts.append(logp[torch.arange(len(rows)), places][:, tokens])
        return torch.cat(parts).double().numpy()

    @torch.inference_mode()
    def whole_words(self, prompts: Sequence[Prompt], words: Sequence[str]) -> FloatArray:
        """Return log p of words of any number of tokens by the chain rule, shape (P, W), one sequence per word.

        A text that begins with several of the words counts for the longest. Masked models have a gap per word instead.
        """
        pieces = [self.pieces(word) for word in words]
        words_logp = np.empty((len(prompts), len(words)))
        for row, prompt in enumerate(prompts):
            left = self._ids(prompt)
            for start in range(0, len(words), BATCH):
                batch = pieces[start : start + BATCH]
                logp = self._continued(left, batch).log_softmax(dim=-1)
                at = self._place(left) if self.kind == "causal" else 1
                for index, ids in enumerate(batch):
                    steps = [float(logp[index, at + i, piece]) for i, piece in enumerate(ids)]
                    words_logp[row, start + index] = sum(steps)
        return words_logp if self.kind == "masked" else np.log(own_probabilities(np.exp(words_logp), pieces))

    def pieces(self, word: str) -> list[int]:
        """Return the tokens of a word in a sentence."""
        return self.tokenizer(f" {word}", add_special_tokens=False)["input_ids"]

    def _ids(self, prompt: Prompt) -> list[int]:
        gap = {"causal": "", "masked": f" {self.tokenizer.mask_token}", "seq2seq": "<extra_id_0>"}[self.kind]
        text = f"{prompt.left}{gap}{prompt.right}" if gap else prompt.left
        return self.tokenizer(text)["input_ids"]

    def _place(self, ids: list[int]) -> int:
        return ids.index(self.tokenizer.mask_token_id) if self.kind == "masked" else len(ids) - 1

    def _logits(self, rows: list[list[int]]) -> torch.Tensor:
        ids, mask = _padded(rows)
        return self.model(input_ids=ids, attention_mask=mask).logits

    def _continued(self, left: list[int], batch: list[list[int]]) -> torch.Tensor:
        if self.kind == "causal":
            return self._logits([left + ids for ids in batch])
        gap = self.tokenizer.convert_tokens_to_ids("<extra_id_0>")
        decoder, _ = _padded([[self.model.config.decoder_start_token_id, gap, *ids] for ids in batch])
        encoder = torch.tensor([left] * len(batch))
        return self.model(input_ids=encoder, decoder_input_ids=decoder).logits


def _padded(rows: list[list[int]]) -> tuple[torch.Tensor, torch.Tensor]:
    length = max(map(len, rows))
    ids = torch.tensor([row + [0] * (length - len(row)) for row in rows])
    return ids, torch.tensor([[1] * len(row) + [0] * (length - len(row)) for row in rows])
