"""Words left out by models that fill a gap: ``python benchmarks/speed/slots.py [B1 T1 X1 ...] [--before CHECKOUT]``.

Models of the size of BERT-base (B1), T5-base (T1) and XLNet-base (X1), all 78 words of gender, exactly and with a
tolerance. ``--before`` names another checkout, whose exact run is timed in turn on the same model and prompts;
``--candidate-mass`` makes candidate words less probable than they are by the bundled models.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers as tf

import bvf
from bvf.domain.prompt import Prompt
from bvf.hooks.loader import load
from bvf.measuring.plan import Plan, plan
from bvf.stats.figures.probabilities import class_probabilities

THREADS = 1
ROUNDS = 3
GROUPS = 2
CONTEXTS = 36
TOLERANCE = 1e-3
SPREAD = 1.0
"""How far log p of a word is spread over prompts, in nats: that of the bundled masked model."""
UNKNOWN = -30.0
"""The logit of what stands beyond the tokenizer's vocabulary."""


def bert() -> tf.PreTrainedModel:
    """BERT-base in size."""
    return tf.BertForMaskedLM(tf.BertConfig(tie_word_embeddings=False))


def xlnet() -> tf.PreTrainedModel:
    """XLNet-base in size."""
    return tf.XLNetLMHeadModel(
        tf.XLNetConfig(d_model=768, n_layer=12, n_head=12, d_inner=3072, tie_word_embeddings=False)
    )


def t5() -> tf.PreTrainedModel:
    """T5-base in size."""
    config = tf.T5Config(d_model=768, d_kv=64, d_ff=3072, num_layers=12, num_heads=12, vocab_size=32_128)
    config.update({"num_decoder_layers": 12, "decoder_start_token_id": 0, "tie_word_embeddings": False})
    return tf.T5ForConditionalGeneration(config)


WORKLOADS: dict[str, tuple[Callable[[], tf.PreTrainedModel], str]] = {
    "B1": (bert, "en-masked"),
    "T1": (t5, "en-seq2seq"),
    "X1": (xlnet, "en-masked"),
}
"""The model of each workload, and the bundled model whose tokenizer and probabilities of tokens it has."""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", default=list(WORKLOADS))
    parser.add_argument("--before", default="")
    parser.add_argument("--candidate-mass", type=float, default=1.0)
    parser.add_argument("--timed", nargs=2, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    torch.set_num_threads(THREADS)
    if chosen.timed:
        folder, tolerance = chosen.timed
        print(json.dumps(timed(Path(folder), float(tolerance))))
        return
    for name in chosen.names:
        with tempfile.TemporaryDirectory() as scratch:
            write(*WORKLOADS[name], chosen.candidate_mass, Path(scratch))
            compare(name, Path(scratch), chosen.before)


def compare(name: str, folder: Path, before: str) -> None:
    """Time one workload in turn, each time in a process of its own, and print the best of each and what was found."""
    runs = {"before, exact": (before, 0.0)} if before else {}
    runs |= {"exact": ("", 0.0), f"tolerance {TOLERANCE:g}": ("", TOLERANCE)}
    found: dict[str, list[dict[str, Any]]] = {label: [] for label in runs}
    for _ in range(ROUNDS):
        for label, (checkout, tolerance) in runs.items():
            found[label].append(_in_a_process(folder, checkout, tolerance))
    best = {label: min(each, key=lambda run: float(run["processor"])) for label, each in found.items()}
    slowest = next(iter(best.values()))["processor"]
    exact = np.array(best["exact"]["p"])
    for label, run in best.items():
        prompts, seconds = run["prompts"], min(each["seconds"] for each in found[label])
        apart = np.abs(np.array(run["p"]) - exact).max()
        print(
            f"{name} {label}: {run['processor'] / prompts:.3g} processor seconds per prompt "
            f"({slowest / run['processor']:.3g} x), {prompts / seconds:.3g} prompts/s, "
            f"{run['texts'] / prompts:.3g} texts and {run['tokens'] / prompts:.4g} tokens per prompt, "
            f"class probabilities off by {apart:.1g} at most, mean bound {run['bound']:.2g}, "
            f"candidate mass {run['mass']:.3g}, {run['several']:.2g} of it words of several tokens",
            flush=True,
        )


def _in_a_process(folder: Path, checkout: str, tolerance: float) -> dict[str, Any]:
    paths = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    here = str(Path(__file__).parents[2])
    elsewhere = [checkout + path.removeprefix(here) if checkout and path.startswith(here) else path for path in paths]
    command = [sys.executable, __file__, "--timed", str(folder), str(tolerance)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(elsewhere)}
    output = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
    run: dict[str, Any] = json.loads(output.splitlines()[-1])
    return run


def timed(folder: Path, tolerance: float) -> dict[str, Any]:
    """Return the seconds of scoring all prompts, and the texts and tokens that the model read for it."""
    study, backend = _loaded(str(folder), tolerance)
    asked, prompts = study.questions, study.prompts(range(study.questions.size))
    backend.word_logprobs(prompts[:2], asked.words, absolute=False)
    read = _Counted(backend.model)
    began = time.perf_counter(), time.process_time()
    bounds = np.zeros(1)
    if tolerance:
        (shard,) = asked.shards()
        allowed = asked.tolerance_of(shard)
        answers = backend.answers(prompts, asked.words, asked.class_of_word, allowed)
        logp, bounds = answers.logp, allowed.needed(answers.bounds)
    else:
        logp = backend.word_logprobs(prompts, asked.words, absolute=False)
    ended = time.perf_counter(), time.process_time()
    return {
        "seconds": ended[0] - began[0],
        "processor": ended[1] - began[1],
        "prompts": len(prompts),
        "texts": read.texts,
        "tokens": read.tokens,
        "p": class_probabilities(logp, asked.class_of_word, len(asked.classes)).tolist(),
        "bound": float(bounds.max()),
        **_masses(backend, prompts[::10], asked.words),
    }


def _masses(backend: Any, prompts: list[Prompt], words: tuple[str, ...]) -> dict[str, float]:
    p = np.exp(backend.word_logprobs(prompts, words))
    several = np.array(backend.token_counts(prompts[0], words)) > 1
    return {"mass": float(p.sum(axis=1).mean()), "several": float((p[:, several].sum(axis=1) / p.sum(axis=1)).mean())}


class _Counted:
    """Counts the texts that a model reads and their tokens; a step of a decoder counts as a text."""

    def __init__(self, model: Any) -> None:
        self.texts, self.tokens = 0, 0
        parts = [model.get_encoder(), model] if model.config.is_encoder_decoder else [model]
        for part in parts:
            part.register_forward_pre_hook(self._count, with_kwargs=True)

    def _count(self, _part: Any, _args: Any, given: dict[str, Any]) -> None:
        ids = given["decoder_input_ids"] if "decoder_input_ids" in given else given["input_ids"]
        self.texts += len(ids)
        self.tokens += ids.numel()


def _loaded(model: str, tolerance: float = 0.0) -> tuple[Plan, Any]:
    config = bvf.MeasureConfig(model=model, limit_contexts=CONTEXTS, limit_groups=GROUPS, tolerance=tolerance)
    study = plan(config, load())
    return study, load().backends.find(study.model.backend_spec).make(study.model.request)


@torch.inference_mode()
def write(make: Callable[[], tf.PreTrainedModel], bundled: str, mass: float, folder: Path) -> None:
    """Write a model with random weights whose tokens at the slot are about as probable as a trained model says.

    The head is scaled until log p of a token has the spread of a trained model over prompts, and shifted until its mean
    is that of the bundled model. Where candidate words are to have a smaller ``mass`` together than they have there,
    all log p are multiplied by one number below 1.
    """
    study, trained = _loaded(f"bundled:{bundled}")
    cuts, _ = trained.distinct_cuts(study.prompts(range(study.questions.size)), study.questions.words)
    mean = _at_slot(trained, cuts)[0].log_softmax(dim=-1).mean(dim=0)
    target = _less_sure(mean, [ids[0] for ids in cuts[0].slot.pieces if len(ids) == 1], mass)
    torch.manual_seed(0)
    model: Any = make().eval()
    model.save_pretrained(folder)
    trained.tokenizer.save_pretrained(folder)
    logits, states = _at_slot(_loaded(str(folder))[1], cuts)
    head = model.get_output_embeddings()
    scale = SPREAD / float(logits.std(dim=0).median())
    shift = torch.full((len(head.weight),), UNKNOWN)
    shift[: len(target)] = target
    shift -= scale * logits.mean(dim=0)
    head.weight.mul_(scale)
    if head.bias is None:
        direction = states.mean(dim=0)
        head.weight.add_(torch.outer(shift, direction / direction.dot(direction)))
    else:
        head.bias.mul_(scale).add_(shift)
    model.save_pretrained(folder)


def _at_slot(backend: Any, cuts: Any) -> tuple[torch.Tensor, torch.Tensor]:
    """The logits of all tokens at the slot with one mask in it, (len(cuts), V), and the states that the head takes."""
    kept: list[tuple[torch.Tensor, torch.Tensor]] = []
    head = backend.model.get_output_embeddings()
    hook = head.register_forward_hook(lambda _, given, logits: kept.append((logits[0], given[0][0])))
    places = []
    for cut in cuts:
        if backend.model.config.is_encoder_decoder:
            ids = backend.tensor([backend.decoder_ids(cut.left)])
            backend.model(input_ids=backend.tensor([backend.encoder_ids(cut.left, cut.right)]), decoder_input_ids=ids)
            places.append(ids.shape[1] - 1)
        else:
            ids = backend.tensor([[*cut.left, backend.mask, *cut.right]])
            position, masks = backend.tensor([[len(cut.left)], [1]])
            backend.run(ids, position, masks)
            places.append(int(backend.places(ids, position)))
    hook.remove()
    logits, states = ([each[which][place] for each, place in zip(kept, places, strict=True)] for which in (0, 1))
    return torch.stack(logits), torch.stack(states)


def _less_sure(logp: torch.Tensor, tokens: list[int], mass: float) -> torch.Tensor:
    """Multiply log p by the largest number up to 1 with which the tokens have at most ``mass`` together."""
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        is_less = float((middle * logp).softmax(dim=-1)[tokens].sum()) < mass
        low, high = (middle, high) if is_less else (low, middle)
    return (high * logp).log_softmax(dim=-1)


if __name__ == "__main__":
    main()
