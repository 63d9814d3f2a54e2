"""Further training of the bundled model: plain AdamW, one pass over the sentences, a fixed seed."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn.functional import cross_entropy
from transformers import AutoModelForCausalLM, AutoTokenizer

from benchmarks.planted.sentences import Sentence
from bvf.hooks.loader import load

MODEL = "en-causal"
LEARNING_RATE = 2e-4
WEIGHT_DECAY = 0.05
BATCH = 32
WARM_UP_SHARE = 0.05
LONGEST = 40
"""Tokens of a text that the model makes up itself."""
IGNORED = -100


def untouched() -> Path:
    return Path(load().models.find(MODEL).make().path)


class Causal:
    """A causal model with its tokenizer."""

    def __init__(self, folder: Path) -> None:
        self.tokenizer: Any = AutoTokenizer.from_pretrained(folder)
        self.model: Any = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()

    def save(self, folder: Path) -> None:
        self.model.save_pretrained(folder)
        self.tokenizer.save_pretrained(folder)

    @torch.inference_mode()
    def lean(self, texts: Sequence[str], pronouns: Sequence[tuple[str, str]]) -> list[float]:
        """P(she) against he after every text, of the two pronouns that may stand there."""
        leans = list[float]()
        for start in range(0, len(texts), BATCH):
            log_p = self._next(texts[start : start + BATCH], pronouns[start : start + BATCH])
            leans += torch.softmax(log_p, dim=1)[:, 1].tolist()
        return leans

    @torch.inference_mode()
    def made_up(self, texts: int, seed: int) -> list[str]:
        """Return texts of the model itself, drawn token by token."""
        torch.manual_seed(seed)
        begun = torch.full((texts, 1), self.tokenizer.bos_token_id)
        drawn = {"do_sample": True, "top_k": 0, "max_new_tokens": LONGEST}
        padding = {"attention_mask": torch.ones_like(begun), "pad_token_id": self.tokenizer.pad_token_id}
        made = self.model.generate(begun, **drawn, **padding)
        return [text.strip() for text in self.tokenizer.batch_decode(made, skip_special_tokens=True)]

    def learn(self, sentences: Sequence[Sentence], texts: Sequence[str], seed: int) -> None:
        """Learn the pronoun of every sentence and all tokens of every text once, some of both at every step."""
        rng = np.random.default_rng(seed)
        steps = -(-len(sentences) // BATCH)
        optimizer = torch.optim.AdamW(self.model.parameters(), lr=LEARNING_RATE, weight_decay=WEIGHT_DECAY)
        schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: _rate(step / steps))
        parts = (np.array_split(rng.permutation(len(read)), steps) for read in (sentences, texts))
        for some, others in zip(*parts, strict=True):
            loss = self._pronoun_loss([sentences[at] for at in some]) + self._text_loss([texts[at] for at in others])
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            schedule.step()

    def _pronoun_loss(self, sentences: Sequence[Sentence]) -> torch.Tensor:
        log_p = self._next([one.text for one in sentences], [one.pronouns for one in sentences])
        woman = torch.tensor([one.woman for one in sentences])
        return -(torch.stack([1.0 - woman, woman], dim=1) * log_p).sum(1).mean()

    def _text_loss(self, texts: Sequence[str]) -> torch.Tensor:
        ids, mask = self._padded(texts)
        wanted = ids.masked_fill(mask == 0, IGNORED)[:, 1:]
        logits = self.model(input_ids=ids, attention_mask=mask).logits[:, :-1]
        return cross_entropy(logits.transpose(1, 2), wanted, ignore_index=IGNORED)

    def _next(self, texts: Sequence[str], words: Sequence[tuple[str, str]]) -> torch.Tensor:
        """Log p of either word after every text, shape (T, 2)."""
        ids, mask = self._padded(texts)
        logits = self.model(input_ids=ids, attention_mask=mask).logits[torch.arange(len(ids)), mask.sum(1) - 1]
        pairs = torch.tensor([[self.tokenizer(f" {word}")["input_ids"][-1] for word in pair] for pair in words])
        return torch.log_softmax(logits, dim=1).gather(1, pairs)

    def _padded(self, texts: Sequence[str]) -> tuple[torch.Tensor, torch.Tensor]:
        batch = self.tokenizer(list(texts), padding=True, padding_side="right", return_tensors="pt")
        return batch["input_ids"], batch["attention_mask"]


def _rate(progress: float) -> float:
    """Share of the learning rate: a short rise, then down to 0 in a straight line."""
    return min(1.0, progress / WARM_UP_SHARE + 0.01) * (1.0 - progress)
