"""What a GPU brings: ``python -m benchmarks speed.gpu ../shared/tokenizers/gpt2``.

A causal model of 7 billion parameters in bfloat16 (random weights of Llama's shape, the given tokenizer) reads shards
of the default run: how many prompts per second, beside a plain loop, and as a share of the rate of one large matrix
product. At last the speed of the bundled models on both devices.
"""

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
from benchmarks.speed.limit import by_torch, rate_of, work_of
from benchmarks.speed.plain_loop import Plain
from benchmarks.speed.published import answers, by_blocks, prompts_of, shares
from benchmarks.speed.timing import timed
from benchmarks.speed.workloads import spread
from bvf.hooks.loader import load
from bvf.interfaces.backend import ModelRequest, Tolerance
from bvf.measuring.plan import Plan, plan_of
from bvf.measuring.questions import blocks_of

SIZE = {"hidden_size": 4096, "intermediate_size": 11008, "num_hidden_layers": 32, "num_attention_heads": 32}
DEVICE = torch.device("cuda")
SIDE = 8192
"""Rows and columns of the large product."""
CANDIDATE_MASS = 0.15
"""Random weights spread the probability evenly over the vocabulary; candidate words get this much of it together."""
BUNDLED = ("en-causal", "en-masked", "en-seq2seq", "zh-causal")
SEQUENCES = 512
"""Sequences per batch of the plain loop."""
PLAIN_PROMPTS = 32
SHARDS = 10


def main(tokenizer: str) -> None:
    large_model(Path(tokenizer))
    for name in BUNDLED:
        for device in ("cpu", DEVICE.type):
            bundled_model(name, device)


def large_model(tokenizer: Path) -> None:
    """Measure a model with random weights in shards of the default run."""
    rate = rate_of(by_torch, [(SIDE, SIDE)], SIDE, device=DEVICE, dtype=torch.bfloat16)
    print(f"torch {torch.__version__}, transformers {tf.__version__}; one product {rate / 1e12:.1f} TFLOP/s")
    asked = plan_of(bvf.RunConfig(model="bundled:en-causal", sample_contexts=80), load())
    backend = backend_of(tokenizer, asked)
    blocks = blocks_of(asked.questions.shards()[:SHARDS], on_accelerator=True)
    prompts = [each for block in blocks for each in prompts_of(asked, block)]
    cuts, _ = backend.distinct_cuts(prompts, asked.questions.words)
    make_probable(backend, cuts[:: max(1, len(cuts) // 64)])
    print(f"{len(prompts)} prompts in {len(blocks)} blocks")
    work = sum(work_of(backend.model, cuts))
    passes = list[None]()
    backend.model.register_forward_pre_hook(lambda *_: passes.append(None))
    exact = by_blocks(asked, backend, blocks, exactly=True)  # once, so that nothing is measured that happens once
    for called, exactly in {"every word": True, "tolerance": False}.items():
        passes.clear()
        seconds, p = timed(partial(by_blocks, asked, backend, blocks, exactly=exactly))
        peak = torch.cuda.max_memory_allocated(DEVICE) / 1e9
        said = f"{len(prompts) / seconds:.1f} prompts/s, {work / seconds / rate:.2f} of the rate if exact"
        said += f", {len(passes)} passes, peak {peak:.1f} GB"
        print(f"  {called}: {said}, class probabilities off by {np.abs(p - exact).max():.2g} at most", flush=True)
    few = spread(prompts, PLAIN_PROMPTS)
    plain = Plain(backend.tokenizer, backend.model, batch=SEQUENCES)
    plain.whole_words(few[:2], asked.questions.words)
    seconds, logp = timed(lambda: plain.whole_words(few, asked.questions.words))
    apart = np.abs(shares(asked, logp) - answers(asked, backend, few, Tolerance.on_each(0.0, len(few)))).max()
    print(f"  plain loop: {len(few) / seconds:.2f} prompts/s; class probabilities differ by {apart:.2g} at most")


def bundled_model(name: str, device: str) -> None:
    """Measure a bundled model with every word."""
    few = {"limit_groups": 30, "limit_contexts": 40, "dtype": "float32"}
    asked = plan_of(bvf.RunConfig(model=f"bundled:{name}", lang=name[:2], device=device, **few), load())
    backend, prompts = asked.model.load(), asked.prompts(range(asked.questions.size))
    score = partial(answers, asked, backend, prompts, Tolerance.on_each(0.0, len(prompts)))
    score()
    seconds, _ = timed(score)
    print(f"{name} on {device}: {len(prompts) / seconds:.0f} prompts/s", flush=True)


def backend_of(tokenizer: Path, asked: Plan) -> Any:
    """Return a causal backend with random weights in bfloat16 that are made on the device."""
    cutter = tf.AutoTokenizer.from_pretrained(tokenizer)
    config = tf.LlamaConfig(**SIZE, vocab_size=len(cutter), max_position_embeddings=4096)
    torch.manual_seed(0)
    torch.set_default_dtype(torch.bfloat16)
    with DEVICE:
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
