"""Words left out by models that fill a gap: ``python -m benchmarks speed.slots [B1 T1 X1 ...]``.

Models of the size of BERT-base (B1), T5-base (T1) and XLNet-base (X1), all 78 words of gender, exactly and with a
tolerance; ``--candidate-mass`` makes candidate words less probable than they are by the bundled models.
"""

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers as tf

import bvf
from benchmarks.speed.published import answers
from benchmarks.speed.timing import in_a_process, timed
from bvf.hooks.loader import load
from bvf.interfaces.backend import Tolerance
from bvf.measuring.plan import Plan, plan_of

ROUNDS = 3
GROUPS = 2
CONTEXTS = 36
TOLERANCE = 1e-3
SPREAD = 1.0
"""How far log p of a word is spread over prompts, in nats: that of the bundled masked model."""
UNKNOWN = -30.0
"""The logit of what stands beyond the tokenizer's vocabulary."""


def bert() -> tf.PreTrainedModel:
    return tf.BertForMaskedLM(tf.BertConfig(tie_word_embeddings=False))


def xlnet() -> tf.PreTrainedModel:
    return tf.XLNetLMHeadModel(
        tf.XLNetConfig(d_model=768, n_layer=12, n_head=12, d_inner=3072, tie_word_embeddings=False)
    )


def t5() -> tf.PreTrainedModel:
    config = tf.T5Config(d_model=768, d_kv=64, d_ff=3072, num_layers=12, num_heads=12, vocab_size=32_128)
    config.update({"num_decoder_layers": 12, "decoder_start_token_id": 0, "tie_word_embeddings": False})
    return tf.T5ForConditionalGeneration(config)


WORKLOADS: dict[str, tuple[Callable[[], tf.PreTrainedModel], str]] = {
    "B1": (bert, "en-masked"),
    "T1": (t5, "en-seq2seq"),
    "X1": (xlnet, "en-masked"),
}
"""The model of each workload, and the bundled model whose tokenizer and probabilities of tokens it has."""


def main(*given: str) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=list(WORKLOADS))
    parser.add_argument("--candidate-mass", type=float, default=1.0)
    chosen = parser.parse_args(given)
    torch.set_num_threads(1)
    for name in chosen.names:
        with tempfile.TemporaryDirectory() as scratch:
            write(*WORKLOADS[name], chosen.candidate_mass, Path(scratch))
            compare(name, scratch)


def compare(name: str, folder: str) -> None:
    """Time one workload in turn, each time in a process of its own, and print the best of each and what was found."""
    rounds = [[in_a_process(scored, folder, tolerance) for tolerance in (0.0, TOLERANCE)] for _ in range(ROUNDS)]
    exact, within = (min(runs, key=lambda run: run["processor"]) for runs in zip(*rounds, strict=True))
    for label, run in (("every word", exact), (f"tolerance {TOLERANCE:g}", within)):
        apart, faster = np.abs(run["p"] - exact["p"]).max(), exact["processor"] / run["processor"]
        print(
            f"{name}, {label}: {run['texts']:.3g} texts and {run['processor']:.3g} processor seconds per prompt "
            f"({faster:.3g} x), class probabilities off by {apart:.1g} at most, candidate mass {run['mass']:.3g}",
            flush=True,
        )


def scored(folder: str, tolerance: float) -> dict[str, Any]:
    """Return the processor seconds per prompt, the texts that the model read for it, and what it answered."""
    torch.set_num_threads(1)
    study, backend = loaded(folder, tolerance)
    (shard,), prompts = study.questions.shards(), study.prompts(range(study.questions.size))
    allowed = study.questions.tolerance_of(shard) if tolerance else Tolerance.on_each(0.0, len(prompts))
    backend.word_logprobs(prompts[:2], study.questions.words, absolute=False)
    texts = list[int]()

    def count(_part: Any, _args: Any, given: dict[str, Any]) -> None:  # a step of a decoder counts as a text
        texts.append(len(given["decoder_input_ids"] if "decoder_input_ids" in given else given["input_ids"]))

    encoder = [backend.model.get_encoder()] if backend.model.config.is_encoder_decoder else []
    hooks = [part.register_forward_pre_hook(count, with_kwargs=True) for part in (backend.model, *encoder)]
    taken, p = timed(lambda: answers(study, backend, prompts, allowed))
    for hook in hooks:
        hook.remove()
    mass = np.exp(backend.word_logprobs(prompts[::10], study.questions.words)).sum(axis=1).mean()
    return {"processor": taken.processor / len(prompts), "texts": sum(texts) / len(prompts), "p": p, "mass": mass}


def loaded(model: str, tolerance: float = 0.0) -> tuple[Plan, Any]:
    config = bvf.MeasureConfig(
        model=model, topic="gender-2026", limit_contexts=CONTEXTS, limit_groups=GROUPS, tolerance=tolerance
    )
    study = plan_of(config, load())
    return study, load().backends.find(study.model.backend_spec).make(study.model.request)


@torch.inference_mode()
def write(make: Callable[[], tf.PreTrainedModel], bundled: str, mass: float, folder: Path) -> None:
    """Write a model with random weights whose tokens at the slot are about as probable as a trained model says.

    The head is scaled until log p of a token has the spread of a trained model over prompts, and shifted until its mean
    is that of the bundled model. Where candidate words are to have a smaller ``mass`` together than they have there,
    all log p are multiplied by one number below 1.
    """
    study, trained = loaded(f"bundled:{bundled}")
    cuts, _ = trained.distinct_cuts(study.prompts(range(study.questions.size)), study.questions.words)
    mean = at_slot(trained, cuts)[0].log_softmax(dim=-1).mean(dim=0)
    target = less_sure(mean, [ids[0] for ids in cuts[0].slot.pieces if len(ids) == 1], mass)
    torch.manual_seed(0)
    model: Any = make().eval()
    model.save_pretrained(folder)
    trained.tokenizer.save_pretrained(folder)
    logits, states = at_slot(loaded(str(folder))[1], cuts)
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


def at_slot(backend: Any, cuts: Any) -> tuple[torch.Tensor, torch.Tensor]:
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


def less_sure(logp: torch.Tensor, tokens: list[int], mass: float) -> torch.Tensor:
    """Multiply log p by the largest number up to 1 with which the tokens have at most ``mass`` together."""
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        is_less = float((middle * logp).softmax(dim=-1)[tokens].sum()) < mass
        low, high = (middle, high) if is_less else (low, middle)
    return (high * logp).log_softmax(dim=-1)
