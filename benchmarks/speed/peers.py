"""Other programs on the same texts, in a virtual environment of their own: ``python -m benchmarks speed.peers FILE``.

FILE is JSON with the program, the model's folder (and the name of a GGUF file in it), pairs of a text and what may
follow it, and the threads. Prints JSON with the least seconds of some runs and what was found.
"""

import json
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch

from benchmarks.pages import ROOT
from benchmarks.speed.timing import fastest, timed

BATCH = 32
SEQUENCES = 80
"""The most texts that llama.cpp continues at a time."""
Asked = dict[str, Any]
Pairs = Sequence[tuple[str, Sequence[str]]]
Score = Callable[[Pairs], Any]


def main(file: str) -> None:
    asked = json.loads(Path(file).read_text(encoding="utf-8"))
    torch.set_num_threads(asked["threads"])
    score = PROGRAMS[asked["program"]](asked)
    score(asked["pairs"][:1])
    print(json.dumps(fastest([timed(lambda: score(asked["pairs"])) for _ in range(asked["repeats"])])))


def answered(python: str, program: str, model: Path, pairs: Pairs, **more: Any) -> tuple[float, Any]:
    """Run this module by another Python; return the seconds and what the program found."""
    asked = {"program": program, "pairs": pairs, "threads": torch.get_num_threads(), "repeats": 3, **more}
    asked |= {"folder": str(model if model.is_dir() else model.parent), "file": None if model.is_dir() else model.name}
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch, "asked.json")
        file.write_text(json.dumps(asked), encoding="utf-8")
        command = [python, "-m", "benchmarks", "speed.peers", str(file)]
        output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT).stdout
    seconds, answer = json.loads(output.strip().splitlines()[-1])
    return seconds, answer


def harness(asked: Asked) -> Score:
    """``HFLM.loglikelihood``: one request per text and answer."""
    from lm_eval.api.instance import Instance
    from lm_eval.models.huggingface import HFLM

    options = {"device": "cpu", "dtype": "float32", "batch_size": BATCH, **asked.get("options", {})}
    model = HFLM(pretrained=asked["folder"], gguf_file=asked["file"], **options)

    def score(pairs: Pairs) -> list[list[float]]:
        both = [(left, answer) for left, answers in pairs for answer in answers]
        requests = [Instance(request_type="loglikelihood", doc={}, arguments=each, idx=0) for each in both]
        found = iter(model.loglikelihood(requests, disable_tqdm=True))
        return [[next(found)[0] for _ in answers] for _, answers in pairs]

    return score


def llama(asked: Asked, **options: int) -> Any:
    """The file as llama.cpp reads it (products in 8 bits, attention in 16), or all of it in float32, as bvf does."""
    from benchmarks.speed.llama import Llama, floats_of

    load = floats_of if asked["program"].endswith("in float32") else Llama
    return load(str(Path(asked["folder"], asked["file"])), asked["threads"], **options)


def llama_cpp(asked: Asked) -> Score:
    """``llama_decode``, with what a text shares with the one before it cached; each beginning is read once."""
    model = llama(asked)

    def score(pairs: Pairs) -> list[list[float]]:
        logps = []
        for left, answers in pairs:
            tokens = [tuple(model.tokens(answer, first=False)) for answer in answers]
            text = model.tokens(left, first=True)
            beginnings = sorted({ids[:length] for ids in tokens for length in range(len(ids))})
            after = {ids: model.logp_after([*text, *ids]) for ids in beginnings}
            logps.append([sum(float(after[ids[:at]][ids[at]]) for at in range(len(ids))) for ids in tokens])
        return logps

    return score


def texts_by_llama_cpp(asked: Asked) -> Score:
    """The samples of some prompts, decoded together; those of one share what was read of it. Counts their tokens."""
    at_a_time, samples = max(1, SEQUENCES // asked["samples"]), asked["samples"]
    model = llama(asked, sequences=at_a_time * samples)

    def write(pairs: Pairs) -> int:
        texts = [model.tokens(left, first=True) for left, _ in pairs]
        batches = [texts[start : start + at_a_time] for start in range(0, len(texts), at_a_time)]
        return sum(len(ids) for some in batches for ids in model.continued(some, samples, asked["tokens"]))

    return write


PROGRAMS: dict[str, Callable[[Asked], Score]] = {
    "lm-evaluation-harness": harness,
    "llama.cpp": llama_cpp,
    "llama.cpp in float32": llama_cpp,
    "texts by llama.cpp": texts_by_llama_cpp,
    "texts by llama.cpp in float32": texts_by_llama_cpp,
}
