"""Other programs on the same prompts, in a virtual environment of their own: ``python peers.py NAME FILE``.

FILE is JSON with the model's folder, the texts left of the slot, the words and the threads. Prints JSON with the least
seconds of three runs and log p.
"""

import json
import sys
import time
from typing import Any

import torch

BATCH = 32
REPEATS = 3


def main() -> None:
    name, file = sys.argv[1:]
    with open(file, encoding="utf-8") as content:
        asked = json.load(content)
    torch.set_num_threads(asked["threads"])
    score = {"lm-evaluation-harness": harness, "minicons": minicons}[name](asked["folder"])
    score(asked["lefts"][:1], asked["words"])
    seconds = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        logp = score(asked["lefts"], asked["words"])
        seconds.append(time.perf_counter() - began)
    print(json.dumps({"seconds": min(seconds), "logp": logp}))


def harness(folder: str) -> Any:
    """``HFLM.loglikelihood``: one request per prompt and word."""
    from lm_eval.api.instance import Instance
    from lm_eval.models.huggingface import HFLM

    model = HFLM(pretrained=folder, device="cpu", dtype="float32", batch_size=BATCH)

    def score(lefts: list[str], words: list[str]) -> list[list[float]]:
        requests = [
            Instance(request_type="loglikelihood", doc={}, arguments=(left, f" {word}"), idx=0)
            for left in lefts
            for word in words
        ]
        logps = [logp for logp, _ in model.loglikelihood(requests, disable_tqdm=True)]
        return [logps[row * len(words) : (row + 1) * len(words)] for row in range(len(lefts))]

    return score


def minicons(folder: str) -> Any:
    """``conditional_score``, summed over the tokens of a word."""
    from minicons import scorer

    model = scorer.IncrementalLMScorer(folder, "cpu", dtype=torch.float32)

    def score(lefts: list[str], words: list[str]) -> list[list[float]]:
        logps: list[float] = []
        pairs = [(left, word) for left in lefts for word in words]
        for start in range(0, len(pairs), BATCH):
            texts, asked = zip(*pairs[start : start + BATCH], strict=True)
            logps += model.conditional_score(list(texts), list(asked), reduction=lambda x: x.sum(0).item())
        return [logps[row * len(words) : (row + 1) * len(words)] for row in range(len(lefts))]

    return score


if __name__ == "__main__":
    main()
