"""What a GPU brings, and whether its figures are those of the CPU.

    python benchmarks/gpu/run.py ../shared/tokenizers/gpt2

A causal model of 7 billion parameters in bfloat16 (random weights of Llama's shape, the given tokenizer) reads shards
of the default run: how many prompts per second, beside a plain loop, and as a share of the rate of one large matrix
product. Then with so little memory that batches must shrink. At last the bundled models on both devices.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers as tf
from bvf_testing import own_probabilities
from bvf_transformers.kinds.causal import CausalModel
from bvf_transformers.kinds.slot import Parts
from bvf_transformers.reading.memory import LARGEST_BUDGET

import bvf
from bvf.arrays import FloatArray
from bvf.domain.prompt import Prompt
from bvf.hooks.loader import load
from bvf.interfaces.backend import ModelRequest
from bvf.interfaces.tolerance import Tolerance
from bvf.measuring.plan import Plan, plan
from bvf.stats.figures.probabilities import class_probabilities

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "speed"))

from limit import counts_of, shapes_of

SIZES = {
    "7B": {"hidden_size": 4096, "intermediate_size": 11008, "num_hidden_layers": 32, "num_attention_heads": 32},
    "1B": {"hidden_size": 2048, "intermediate_size": 5632, "num_hidden_layers": 22, "num_attention_heads": 32},
    "tiny": {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4},
}
CANDIDATE_MASS = 0.15
"""Random weights spread the probability evenly over the vocabulary; candidate words get this much of it together."""
BUNDLED = {"en-causal": "en", "en-masked": "en", "en-seq2seq": "en", "zh-causal": "zh"}
SEQUENCES = 512
"""Sequences per batch of the plain loop."""
SPARE_BYTES = 500_000_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tokenizer", type=Path, help="folder of a tokenizer")
    parser.add_argument("--size", choices=SIZES, default="7B")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--shards", type=int, default=10)
    parser.add_argument("--plain-prompts", type=int, default=32)
    given = parser.parse_args()
    device = torch.device(given.device)
    print(f"torch {torch.__version__}, transformers {tf.__version__}, {_name(device)}")
    dtype = torch.bfloat16
    side = 8192 if device.type == "cuda" else 1024
    rate = rate_of_one_product(side, device, dtype)
    print(f"one product of {side} rows in {dtype}: {rate / 1e12:.1f} TFLOP/s", flush=True)
    large_model(given, device, dtype, rate)
    bundled_models(given.device)


def large_model(given: argparse.Namespace, device: torch.device, dtype: torch.dtype, rate: float) -> None:
    """Measure a model with random weights in shards of the default run."""
    asked = plan(bvf.RunConfig(model="bundled:en-causal", sample_contexts=80), load())
    backend = backend_of(given.size, given.tokenizer, asked, device, dtype)
    shards = asked.questions.shards()[: given.shards]
    blocks = [asked.prompts(asked.questions.questions(shard).tolist()) for shard in shards]
    prompts = [each for block in blocks for each in block]
    cuts, _ = backend.distinct_cuts(prompts, asked.questions.words)
    make_probable(backend, cuts[:: max(1, len(cuts) // 64)])
    mass = np.exp(backend.word_logprobs(prompts[:16], asked.questions.words)).sum(axis=1).mean()
    tokens, beginnings = counts_of("causal", cuts)
    print(
        f"{given.size}: {len(prompts)} prompts in {len(shards)} shards, {tokens / len(prompts):.1f} distinct tokens "
        f"and {beginnings / len(prompts):.1f} beginnings of words per prompt, candidate mass {mass:.3f}"
    )
    body, head = shapes_of(backend.model)
    flops = 2.0 * (tokens + beginnings) * sum(a * b for a, b in body) + 2.0 * beginnings * head[0] * head[1]

    def shard_by_shard(tolerance: float) -> FloatArray:
        allowed = [replace(asked.questions.tolerance_of(shard), value=tolerance) for shard in shards]
        return np.concatenate([scored(asked, backend, *each) for each in zip(blocks, allowed, strict=True)])

    def together() -> FloatArray:
        return scored(asked, backend, prompts, Tolerance.on_each(0.0, len(prompts)))

    def report(called: str, run: Callable[[], FloatArray], share: bool = True) -> FloatArray:
        passes = Passes(backend.model)
        seconds, p = timed(run)
        read = passes.end()
        print(
            f"  {called}: {len(prompts) / seconds:.1f} prompts/s"
            f"{f', {flops / seconds / rate:.2f} of the rate of one product' if share else ''}; {len(read)} passes of "
            f"{np.median(read):.0f} tokens (median), {sum(read) / len(prompts):.1f} tokens per prompt, budget "
            f"{backend.budget.tokens}, peak {_peak(device):.1f} GB",
            flush=True,
        )
        return p

    shard_by_shard(0.0)  # once, so that nothing is measured that happens once
    exact = report("every word", lambda: shard_by_shard(0.0))
    for called, p in {
        "tolerance 0.001": report("tolerance 0.001", lambda: shard_by_shard(1e-3), share=False),
        "all shards at once": report("all shards at once", together),
    }.items():
        print(f"  {called}: class probabilities differ by {np.abs(p - exact).max():.2g} at most")
    few = prompts[:: max(1, len(prompts) // given.plain_prompts)][: given.plain_prompts]
    plain_loop(backend, few[:2], asked)
    seconds, p = timed(lambda: plain_loop(backend, few, asked))
    apart = np.abs(p - scored(asked, backend, few, Tolerance.on_each(0.0, len(few)))).max()
    print(f"  plain loop: {len(few) / seconds:.2f} prompts/s; class probabilities differ by {apart:.2g} at most")
    print(f"  texts are read as trees: {backend.reads_trees}", flush=True)
    if device.type == "cuda":
        with little_memory(backend, device):
            p = report(f"{SPARE_BYTES / 1e9:.1f} GB beside the weights", together)
        print(f"  they differ by {np.abs(p - exact).max():.2g} at most")


@contextmanager
def little_memory(backend: Any, device: torch.device) -> Iterator[None]:
    """Leave memory for the weights and little more, while batches are as large as if there were plenty."""
    torch.cuda.empty_cache()
    total = torch.cuda.mem_get_info(device)[1]
    backend.budget.tokens = LARGEST_BUDGET
    torch.cuda.set_per_process_memory_fraction((torch.cuda.memory_allocated(device) + SPARE_BYTES) / total)
    yield
    torch.cuda.set_per_process_memory_fraction(1.0)


def bundled_models(device: str) -> None:
    """Compare the class probabilities of the bundled models on the device with those on the CPU."""
    for name, lang in BUNDLED.items():
        speeds, p = [], []
        for where in ("cpu", device):
            config = bvf.RunConfig(
                model=f"bundled:{name}", lang=lang, device=where, dtype="float32", limit_groups=30, limit_contexts=40
            )
            asked = plan(config, load())
            backend: Any = asked.model.load()
            prompts = asked.prompts(range(asked.questions.size))
            for tolerance in (0.0, 1e-3):
                allowed = Tolerance.on_each(tolerance, len(prompts))
                scored(asked, backend, prompts, allowed)
                seconds, answer = timed(partial(scored, asked, backend, prompts, allowed))
                speeds.append(len(prompts) / seconds)
                p.append(answer)
        print(
            f"{name}: {speeds[0]:.0f} prompts/s on the CPU, {speeds[2]:.0f} on the GPU ({speeds[1]:.0f} and "
            f"{speeds[3]:.0f} with tolerance 0.001); class probabilities differ by {np.abs(p[0] - p[2]).max():.2g}",
            flush=True,
        )


def backend_of(size: str, tokenizer: Path, asked: Plan, device: torch.device, dtype: torch.dtype) -> Any:
    """Return a causal backend with random weights that are made on the device."""
    cutter = tf.AutoTokenizer.from_pretrained(tokenizer)
    config = tf.LlamaConfig(**SIZES[size], vocab_size=len(cutter), max_position_embeddings=4096)
    torch.manual_seed(0)
    torch.set_default_dtype(dtype)
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


def scored(asked: Plan, backend: Any, prompts: Sequence[Prompt], allowed: Tolerance) -> FloatArray:
    """Return the class probabilities of prompts, shape (P, Y)."""
    questions = asked.questions
    answers = backend.answers(list(prompts), questions.words, questions.class_of_word, allowed)
    return class_probabilities(answers.logp, questions.class_of_word, len(questions.classes))


@torch.inference_mode()
def plain_loop(backend: Any, prompts: Sequence[Prompt], asked: Plan) -> FloatArray:
    """Class probabilities by a padded batch of all words after each prompt, and the softmax over everything."""
    model, cutter, words = backend.model, backend.tokenizer, asked.questions.words
    pieces = [cutter(f" {word}", add_special_tokens=False)["input_ids"] for word in words]
    sequences = [(cutter(prompt.left)["input_ids"], ids) for prompt in prompts for ids in pieces]
    logp = []
    for start in range(0, len(sequences), SEQUENCES):
        batch = sequences[start : start + SEQUENCES]
        length = max(len(left) + len(ids) for left, ids in batch)
        rows = torch.tensor([left + ids + [0] * (length - len(left) - len(ids)) for left, ids in batch])
        rows = rows.to(model.device)
        all_logp = model(rows).logits.log_softmax(dim=-1)
        steps = [(i, len(left) - 1 + n, piece) for i, (left, ids) in enumerate(batch) for n, piece in enumerate(ids)]
        which, where, token = (torch.tensor(each, device=model.device) for each in zip(*steps, strict=True))
        total = torch.zeros(len(batch), dtype=torch.float64, device=model.device)
        logp.append(total.index_add_(0, which, all_logp[which, where, token].double()).cpu().numpy())
    p = own_probabilities(np.exp(np.concatenate(logp).reshape(len(prompts), -1)), pieces)
    return class_probabilities(np.log(p), asked.questions.class_of_word, len(asked.questions.classes))


class Passes:
    """Records the tokens of each forward pass of a model."""

    def __init__(self, model: Any) -> None:
        self._tokens: list[int] = []
        self._hook = model.register_forward_pre_hook(
            lambda _model, _args, given: self._tokens.append(given["input_ids"].numel()), with_kwargs=True
        )

    def end(self) -> list[int]:
        """Stop recording, and return the numbers of tokens."""
        self._hook.remove()
        return self._tokens


def rate_of_one_product(side: int, device: torch.device, dtype: torch.dtype) -> float:
    """Return the floating-point operations per second of a product of two random square matrices."""
    one, other = (torch.randn(side, side, device=device, dtype=dtype) for _ in range(2))
    for _ in range(3):
        one @ other
    times = []
    for _ in range(10):
        seconds, _ = timed(lambda: one @ other)
        times.append(seconds)
    return 2.0 * side**3 / float(np.median(times))


def timed(run: Callable[[], Any]) -> tuple[float, Any]:
    """Run something and wait for the device; return the seconds and the result."""
    _wait()
    began = time.perf_counter()
    result = run()
    _wait()
    return time.perf_counter() - began, result


def _wait() -> None:
    if torch.cuda.is_available():
        torch.cuda.synchronize()


def _peak(device: torch.device) -> float:
    return torch.cuda.max_memory_allocated(device) / 1e9 if device.type == "cuda" else 0.0


def _name(device: torch.device) -> str:
    return torch.cuda.get_device_name(device) if device.type == "cuda" else "CPU"


if __name__ == "__main__":
    main()
