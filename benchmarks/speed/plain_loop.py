"""The plain loop: padded batches, one sequence per word of several tokens, and the softmax over the whole vocabulary.

It shares no code with the plugin, as the others are compared with it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers as tf
from bvf_testing import own_probabilities

from bvf.arrays import FloatArray
from bvf.domain.prompt import Prompt

KINDS = {"causal": tf.AutoModelForCausalLM, "masked": tf.AutoModelForMaskedLM, "seq2seq": tf.AutoModelForSeq2SeqLM}


@dataclass(frozen=True)
class Plain:
    """A causal, masked or seq2seq model in a plain loop, which reads so many sequences at a time."""

    tokenizer: Any
    model: Any
    kind: str = "causal"
    batch: int = 32

    @classmethod
    def read(cls, folder: Path, kind: str) -> "Plain":
        """Read a model in float32."""
        model = KINDS[kind].from_pretrained(folder, dtype=torch.float32).eval()
        return cls(tf.AutoTokenizer.from_pretrained(folder), model, kind)

    @classmethod
    def of_file(cls, file: Path) -> "Plain":
        """Read a causal model in a GGUF file in float64, one sequence at a time."""
        where = {"pretrained_model_name_or_path": str(file.parent), "gguf_file": file.name}
        model = tf.AutoModelForCausalLM.from_pretrained(**where, dtype=torch.float64).eval()
        return cls(tf.AutoTokenizer.from_pretrained(**where), model, batch=1)

    @torch.inference_mode()
    def first_tokens(self, prompts: Sequence[Prompt], words: Sequence[str]) -> FloatArray:
        """Return log p of words of one token, shape (P, W)."""
        tokens = [self.tokens(word)[0] for word in words]
        parts = []
        for start in range(0, len(prompts), self.batch):
            rows = [self._ids(prompt) for prompt in prompts[start : start + self.batch]]
            mask = self.tokenizer.mask_token_id
            places = [ids.index(mask) if self.kind == "masked" else len(ids) - 1 for ids in rows]
            logp = self._logits(rows).log_softmax(dim=-1)
            parts.append(logp[torch.arange(len(rows)), places][:, tokens])
        return torch.cat(parts).double().numpy()

    @torch.inference_mode()
    def whole_words(self, prompts: Sequence[Prompt], words: Sequence[str]) -> FloatArray:
        """Return log p of words of any number of tokens by the chain rule, shape (P, W); not of a masked model.

        A text that begins with several of the words counts for the longest.
        """
        tokens = [self.tokens(word) for word in words]
        sequences = [(left, ids) for left in map(self._ids, prompts) for ids in tokens]
        logp = list[float]()
        for start in range(0, len(sequences), self.batch):
            some = sequences[start : start + self.batch]
            all_logp = self._after(some).log_softmax(dim=-1)
            for row, (left, ids) in enumerate(some):
                first = len(left) - 1 if self.kind == "causal" else 1
                logp.append(float(all_logp[row, range(first, first + len(ids)), ids].double().sum()))
        return np.log(own_probabilities(np.exp(np.reshape(logp, (len(prompts), len(words)))), tokens))

    def tokens(self, word: str) -> list[int]:
        return self.tokenizer(f" {word}", add_special_tokens=False)["input_ids"]

    def _ids(self, prompt: Prompt) -> list[int]:
        gap = {"causal": "", "masked": f" {self.tokenizer.mask_token}", "seq2seq": "<extra_id_0>"}[self.kind]
        return self.tokenizer(f"{prompt.left}{gap}{prompt.right}" if gap else prompt.left)["input_ids"]

    def _after(self, sequences: Sequence[tuple[list[int], list[int]]]) -> torch.Tensor:
        if self.kind == "causal":
            return self._logits([left + ids for left, ids in sequences])
        gap = self.tokenizer.convert_tokens_to_ids("<extra_id_0>")
        written = [[self.model.config.decoder_start_token_id, gap, *ids] for _, ids in sequences]
        return self._logits([left for left, _ in sequences], decoder_input_ids=self._padded(written)[0])

    def _logits(self, rows: Sequence[list[int]], **more: torch.Tensor) -> torch.Tensor:
        ids, mask = self._padded(rows)
        return self.model(input_ids=ids, attention_mask=mask, **more).logits

    def _padded(self, rows: Sequence[list[int]]) -> tuple[torch.Tensor, torch.Tensor]:
        length = max(map(len, rows))
        ids = torch.tensor([row + [0] * (length - len(row)) for row in rows])
        mask = torch.tensor([[1] * len(row) + [0] * (length - len(row)) for row in rows])
        return ids.to(self.model.device), mask.to(self.model.device)
