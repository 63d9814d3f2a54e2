"""What a GPU brings, and whether its figures are those of the CPU.

    python -m benchmarks speed.gpu ../shared/tokenizers/gpt2

A causal model of 7 billion parameters in bfloat16 (random weights of Llama's shape, the given tokenizer) reads shards
of the default run: how many prompts per second, beside a plain loop, and as a share of the rate of one large matrix
product. At last the bundled models on both devices.
"""

import argparse
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers as tf
from bvf_transformers.kinds.causal import CausalModel
from bvf_transformers.kinds.slot import Parts

import bvf
from benchmarks.speed.limit import by_torch, counts_of, operations, rate_of, shapes_of
from benchmarks.speed.plain_loop import Plain
from benchmarks.speed.published import answers, prompts_of, shares
from benchmarks.speed.timing import timed
from bvf.arrays import FloatArray
from bvf.hooks.loader import load
from bvf.interfaces.backend import ModelRequest, Tolerance
from bvf.measuring.plan import Plan, plan_of

SIZES = {
    "7B": {"hidden_size": 4096, "intermediate_size": 11008, "num_hidden_layers": 32, "num_attention_heads": 32},
    "tiny": {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4},
}
CANDIDATE_MASS = 0.15
"""Random weights spread the probability evenly over the vocabulary; candidate words get this much of it together."""
BUNDLED = ("en-causal", "en-masked", "en-seq2seq", "zh-causal")
SEQUENCES = 512
"""Sequences per batch of the plain loop."""
PLAIN_PROMPTS = 32
SHARDS = 10


def main(*given: str) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tokenizer", type=Path, help="folder of a tokenizer")
    parser.add_argument("--size", choices=SIZES, default="7B")
    parser.add_argument("--device", default="cuda")
    chosen = parser.parse_args(given)
    large_model(chosen.size, chosen.tokenizer, torch.device(chosen.device))
    for name in BUNDLED:
        bundled_model(name, chosen.device)


def large_model(size: str, tokenizer: Path, device: torch.device) -> None:
    """Measure a model with random weights in shards of the default run."""
    side = 8192 if device.type == "cuda" else 512
    rate = rate_of(by_torch, [(side, side)], side, device=device, dtype=torch.bfloat16)
    print(f"torch {torch.__version__}, transformers {tf.__version__}; one product {rate / 1e12:.1f} TFLOP/s")
    asked = plan_of(bvf.RunConfig(model="bundled:en-causal", sample_contexts=80), load())
    backend = backend_of(size, tokenizer, asked, device)
    shards = asked.questions.shards()[:SHARDS]
    blocks = [prompts_of(asked, shard) for shard in shards]
    prompts = [each for block in blocks for each in block]
    cuts, _ = backend.distinct_cuts(prompts, asked.questions.words)
    make_probable(backend, cuts[:: max(1, len(cuts) // 64)])
    mass = np.exp(backend.word_logprobs(prompts[:16], asked.questions.words)).sum(axis=1).mean()
    print(f"{size}: {len(prompts)} prompts in {len(shards)} shards, candidate mass {mass:.3f}")
    tokens, beginnings = counts_of("causal", cuts)
    layers, head = shapes_of(backend.model)
    work = tokens * operations(layers) + beginnings * operations([*layers, head])
    read = list[int]()
    backend.model.register_forward_pre_hook(
        lambda _model, _args, given: read.append(given["input_ids"].numel()), with_kwargs=True
    )

    def by_shards(allowed: Sequence[Tolerance]) -> FloatArray:
        return np.concatenate([answers(asked, backend, *each) for each in zip(blocks, allowed, strict=True)])

    exactly = [Tolerance.on_each(0.0, len(block)) for block in blocks]
    exact = by_shards(exactly)  # once, so that nothing is measured that happens once
    for called, run in {
        "every word": lambda: by_shards(exactly),
        "tolerance": lambda: by_shards([asked.questions.tolerance_of(shard) for shard in shards]),
        "all shards at once": lambda: answers(asked, backend, prompts, Tolerance.on_each(0.0, len(prompts))),
    }.items():
        read.clear()
        taken, p = timed(run)
        peak = torch.cuda.max_memory_allocated(device) / 1e9 if device.type == "cuda" else 0.0
        said = f"{len(prompts) / taken.seconds:.1f} prompts/s, {work / taken.seconds / rate:.2f} of the rate if exact"
        said += f", {len(read)} passes, {sum(read) / len(prompts):.1f} tokens per prompt, peak {peak:.1f} GB"
        print(f"  {called}: {said}, class probabilities off by {np.abs(p - exact).max():.2g} at most", flush=True)
    few = prompts[:: max(1, len(prompts) // PLAIN_PROMPTS)][:PLAIN_PROMPTS]
    plain = Plain(backend.tokenizer, backend.model, batch=SEQUENCES)
    plain.whole_words(few[:2], asked.questions.words)
    taken, logp = timed(lambda: plain.whole_words(few, asked.questions.words))
    apart = np.abs(shares(asked, logp) - answers(asked, backend, few, Tolerance.on_each(0.0, len(few)))).max()
    print(f"  plain loop: {len(few) / taken.seconds:.2f} prompts/s; class probabilities differ by {apart:.2g} at most")


def bundled_model(name: str, device: str) -> None:
    """Compare the class probabilities of a bundled model on the device with those on the CPU."""
    p = []
    for where in ("cpu", device):
        few = {"limit_groups": 30, "limit_contexts": 40, "dtype": "float32"}
        asked = plan_of(bvf.RunConfig(model=f"bundled:{name}", lang=name[:2], device=where, **few), load())
        backend, prompts = asked.model.load(), asked.prompts(range(asked.questions.size))
        for tolerance in (1e-3, 0.0):
            score = partial(answers, asked, backend, prompts, Tolerance.on_each(tolerance, len(prompts)))
            score()
            taken, answer = timed(score)
            rate = f"{len(prompts) / taken.seconds:.0f} prompts/s"
            print(f"{name} on {where}, tolerance {tolerance:g}: {rate}", flush=True)
        p.append(answer)
    print(f"{name}: class probabilities differ by {np.abs(p[0] - p[1]).max():.2g}", flush=True)


def backend_of(size: str, tokenizer: Path, asked: Plan, device: torch.device) -> Any:
    """Return a causal backend with random weights in bfloat16 that are made on the device."""
    cutter = tf.AutoTokenizer.from_pretrained(tokenizer)
    config = tf.LlamaConfig(**SIZES[size], vocab_size=len(cutter), max_position_embeddings=4096)
    torch.manual_seed(0)
    torch.set_default_dtype(torch.bfloat16)
    with device:
        model = tf.LlamaForCausalLM(config).eval()
    torch.set_default_dtype(torch.float32)
    with tempfile.TemporaryDirectory() as folder:
        config.save_pretrained(folder)
        cutter.save_pretrained(folder)
        return CausalModel(Parts(cutter, model), ModelRequest(folder, asked.topic))


@torch.inference_mode()
def make_probable(backend: Any, cuts: Sequence[Any]) -> None:
    """Raise the logits of words of one token after these texts, until they have `CANDIDATE_MASS` together."""
    head = backend.model.get_output_embeddings()
    kept: list[torch.Tensor] = []
    hook = head.register_forward_hook(lambda _, given, logits: kept.append(given[0][0, -1].float()))
    for cut in cuts:
        backend.model(backend.tensor([cut.left]))
    hook.remove()
    states = torch.stack(kept)
    words = sorted({ids[0] for ids in cuts[0].slot.pieces if len(ids) == 1})
    share = (states @ head.weight.float().T).softmax(dim=-1)[:, words].sum(dim=1).mean()
    odds = CANDIDATE_MASS / (1 - CANDIDATE_MASS) * (1 - share) / share
    direction = states.mean(dim=0)
    head.weight[words] += (odds.log() * direction / direction.dot(direction)).to(head.weight.dtype)
