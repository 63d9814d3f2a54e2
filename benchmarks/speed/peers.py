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
    programs = {
        "lm-evaluation-harness": harness, "minicons": minicons,
        "llama.cpp": llama_cpp, "llama.cpp in float32": llama_cpp_in_floats,
    }  # fmt: skip
    score = programs[name](asked["folder"], asked.get("file"))
    score(asked["lefts"][:1], asked["words"])
    seconds = []
    for _ in range(REPEATS):
        began = clock()
        logp = score(asked["lefts"], asked["words"])
        seconds.append(clock() - began)
    print(json.dumps({"seconds": min(seconds), "logp": logp}))


def clock() -> float:
    """Seconds; where there is one thread, those of the processor, which other programs change less."""
    return time.process_time() if torch.get_num_threads() == 1 else time.perf_counter()


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
    """The file as it is: products in 8 bits, attention in 16."""
    from libllama import Llama

    return _prompt_by_prompt(Llama(str(Path(folder, file or "")), torch.get_num_threads()))


def llama_cpp_in_floats(folder: str, file: str | None) -> Any:
    """In float32, as bvf reads it."""
    from libllama import floats_of

    return _prompt_by_prompt(floats_of(Path(folder, file or ""), torch.get_num_threads()))


def _prompt_by_prompt(model: Any) -> Any:
    """``llama_decode``: what a text has in common with the one before it stays in the cache.

    After each prompt the beginnings of words of several tokens are read, each once.
    """

    def score(lefts: list[str], words: list[str]) -> list[list[float]]:
        pieces = [tuple(model.tokens(f" {word}", first=False)) for word in words]
        beginnings = sorted({ids[:length] for ids in pieces for length in range(len(ids))})
        logps = []
        for left in lefts:
            text = model.tokens(left, first=True)
            after = {ids: model.logp_after([*text, *ids]) for ids in beginnings}
            logps.append([sum(float(after[ids[:at]][ids[at]]) for at in range(len(ids))) for ids in pieces])
        return logps

    return score


if __name__ == "__main__":
    main()
