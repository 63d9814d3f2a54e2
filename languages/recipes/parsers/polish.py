"""Train a parser further and average its weights: ``python polish.py START.pt DATA OUT.pt --minutes 60``.

The learning rate falls. ``DATA`` holds ``train.tagged.conllu`` and ``dev.tagged.conllu``: gold trees with the tags of
the trained tagger. The vocabulary does not change. The average is kept only if it is better on dev than the start.
"""

import argparse
import io
import math
import time
from pathlib import Path

import torch
from stanza.models.common.doc import DEPREL, HEAD
from stanza.models.depparse import scorer
from stanza.models.depparse.data import DataLoader
from stanza.models.depparse.trainer import Trainer
from stanza.models.parser import InfiniteBatch, predict_dataset
from stanza.utils.conll import CoNLL

BATCH_WORDS = 1200
DECAY = 0.995
AVERAGE_FROM = 0.3
LEAST_RATE = 0.02


def dev_score(trainer: Trainer, batches: DataLoader, gold: Path) -> float:
    """Return LAS on the dev set, given gold tokens and predicted tags."""
    trainer.model.eval()
    predicted = predict_dataset(trainer, batches)
    batches.doc.set([HEAD, DEPREL], [word for sentence in predicted for word in sentence])
    return float(scorer.score(io.StringIO(f"{batches.doc:C}\n\n"), str(gold))[2])


def polish(start: Path, data: Path, out: Path, seconds: float, rate: float) -> tuple[float, float]:
    """Write the better of the start and the averaged weights to ``out``, and return the dev scores of both."""
    trainer = Trainer.load(str(start), None, args={"lr": rate}, device="cpu", reset_history=True)
    train = CoNLL.conll2doc(str(data / "train.tagged.conllu"))
    batches = InfiniteBatch(DataLoader(train, BATCH_WORDS, trainer.args, None, vocab=trainer.vocab))
    dev = data / "dev.tagged.conllu"
    for_evaluation = {"vocab": trainer.vocab, "evaluation": True, "sort_during_eval": True}
    dev_batches = DataLoader(CoNLL.conll2doc(str(dev)), BATCH_WORDS, trainer.args, None, **for_evaluation)
    before = dev_score(trainer, dev_batches, dev)
    print(f"start: dev LAS {before:.4f}", flush=True)
    trainer.save(str(out))
    average: dict[str, torch.Tensor] = {}
    began, step = time.time(), 0
    while (progress := (time.time() - began) / seconds) < 1:
        set_rate(trainer, rate * (LEAST_RATE + (1 - LEAST_RATE) * 0.5 * (1 + math.cos(math.pi * progress))))
        loss, _ = trainer.update(batches.next_batch())
        step += 1
        if progress > AVERAGE_FROM:
            update_average(average, trainer.model)
        if step % 50 == 0:
            print(f"step {step} loss {loss:.3f} {time.time() - began:.0f} s", flush=True)
    trainer.model.load_state_dict(average, strict=False)
    after = dev_score(trainer, dev_batches, dev)
    if after > before:
        trainer.save(str(out))
    print(f"average after {step} steps: dev LAS {after:.4f}", flush=True)
    return before, after


def set_rate(trainer: Trainer, rate: float) -> None:
    for optimizer in trainer.optimizer.values():
        for group in optimizer.param_groups:
            group["lr"] = rate


def update_average(average: dict[str, torch.Tensor], model: torch.nn.Module) -> None:
    """Update the exponential moving average of the weights by those of the model."""
    for name, weight in model.state_dict().items():
        if name in average and weight.is_floating_point():
            average[name].lerp_(weight, 1 - DECAY)
        else:
            average[name] = weight.clone()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("start", type=Path)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--rate", type=float, default=0.002)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    polish(args.start, args.data, args.out, args.minutes * 60, args.rate)


if __name__ == "__main__":
    main()
