"""Other programs on the same prompts, in a virtual environment of their own: ``python peers.py NAME FILE``.

FILE is JSON with the model's folder (and the name of a GGUF file in it), the texts left of the slot, the words and the
threads. Prints JSON with the least seconds of three runs and log p.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import torch

BATCH = 32
REPEATS = 3


def main() -> None:
    name, file = sys.argv[1:]
    with open(file, encoding="utf-8") as content:
        asked = json.load(content)
    torch.set_num_threads(asked["threads"])
    programs = {"lm-evaluation-harness": harness, "minicons": minicons, "llama.cpp": llama_cpp}
    score = programs[name](asked["folder"], asked.get("file"))
    score(asked["lefts"][:1], asked["words"])
    seconds = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        logp = score(asked["lefts"], asked["words"])
        seconds.append(time.perf_counter() - began)
    print(json.dumps({"seconds": min(seconds), "logp": logp}))


def answered(python: str, name: str, asked: dict[str, Any]) -> tuple[float, list[list[float]]]:
    """Run this script by another Python; return the seconds and log p of each word after each text."""
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch, "asked.json")
        file.write_text(json.dumps(asked), encoding="utf-8")
        command = [python, __file__, name, str(file)]
        output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    answer = json.loads(output.strip().splitlines()[-1])
    return float(answer["seconds"]), answer["logp"]


def harness(folder: str, file: str | None) -> Any:
    """``HFLM.loglikelihood``: one request per prompt and word."""
    from lm_eval.api.instance import Instance
    from lm_eval.models.huggingface import HFLM

    model = HFLM(pretrained=folder, gguf_file=file, device="cpu", dtype="float32", batch_size=BATCH)

    def score(lefts: list[str], words: list[str]) -> list[list[float]]:
        requests = [
            Instance(request_type="loglikelihood", doc={}, arguments=(left, f" {word}"), idx=0)
            for left in lefts
            for word in words
        ]
        logps = [logp for logp, _ in model.loglikelihood(requests, disable_tqdm=True)]
        return [logps[row * len(words) : (row + 1) * len(words)] for row in range(len(lefts))]

    return score


def minicons(folder: str, _file: str | None) -> Any:
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


def llama_cpp(folder: str, file: str | None) -> Any:
    """``Llama.eval``, prompt by prompt: what a text has in common with the one before it stays in the cache.

    After each prompt the beginnings of words of several tokens are read, each once.
    """
    import numpy as np
    from llama_cpp import Llama

    threads = torch.get_num_threads()
    model = Llama(
        str(Path(folder, file or "")), n_ctx=256, n_threads=threads, n_threads_batch=threads,
        logits_all=True, verbose=False,
    )  # fmt: skip

    def logp_after(ids: tuple[int, ...]) -> Any:
        common = 0
        while common < min(model.n_tokens, len(ids) - 1) and model.input_ids[common] == ids[common]:
            common += 1
        model.n_tokens = common
        model.eval(ids[common:])
        logits = model.scores[model.n_tokens - 1].astype(np.float64)
        return logits - logits.max() - np.log(np.exp(logits - logits.max()).sum())

    def score(lefts: list[str], words: list[str]) -> list[list[float]]:
        pieces = [tuple(model.tokenize(f" {word}".encode(), add_bos=False)) for word in words]
        beginnings = sorted({ids[:length] for ids in pieces for length in range(len(ids))})
        logps = []
        for left in lefts:
            text = tuple(model.tokenize(left.encode(), add_bos=True))
            after = {ids: logp_after((*text, *ids)) for ids in beginnings}
            logps.append([sum(float(after[ids[:at]][ids[at]]) for at in range(len(ids))) for ids in pieces])
        return logps

    return score


if __name__ == "__main__":
    main()
