"""Train one bundled English model: ``python train.py causal CORPORA OUT``.

The recipe is the same for the three kinds; only the tokenizer, the architecture and the objective differ.
"""

import argparse
import json
import math
import time
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from architectures import causal_model, masked_model, seq2seq_model
from corpus import PRONOUN, Corpus, read_corpus
from objectives import Ids, causal_batches, loss_of, masked_batches, seq2seq_batches
from transformers import PreTrainedModel, PreTrainedTokenizerFast
from vocabulary import causal_tokenizer, masked_tokenizer, seq2seq_tokenizer

TOPIC = Path(__file__).parents[1] / "bvf_en" / "topics" / "gender.toml"


@dataclass(frozen=True)
class Recipe:
    """What differs between the kinds; ``tokens`` is the training budget."""

    tokenizer: Callable[..., PreTrainedTokenizerFast]
    model: Callable[[PreTrainedTokenizerFast], PreTrainedModel]
    batches: Callable[..., object]
    tokens: int
    optimizer: Callable[[PreTrainedModel, float], torch.optim.Optimizer]
    learning_rate: float


def adamw(model: PreTrainedModel, learning_rate: float) -> torch.optim.Optimizer:
    return torch.optim.AdamW(model.parameters(), lr=learning_rate, weight_decay=WEIGHT_DECAY, betas=(0.9, 0.98))


def adafactor(model: PreTrainedModel, learning_rate: float) -> torch.optim.Optimizer:
    """Steps in proportion to the size of each weight, as T5's initialisation needs them; AdamW stayed at unigrams."""
    return torch.optim.Adafactor(model.parameters(), lr=learning_rate)


RECIPES = {
    "causal": Recipe(causal_tokenizer, causal_model, causal_batches, 15_000_000, adamw, 3e-3),
    "masked": Recipe(masked_tokenizer, masked_model, masked_batches, 14_000_000, adamw, 7e-4),
    "seq2seq": Recipe(seq2seq_tokenizer, seq2seq_model, seq2seq_batches, 8_000_000, adafactor, 1e-2),
}
BATCH_TOKENS = 3072
WARM_UP_SHARE = 0.04
WEIGHT_DECAY = 0.05


def train(recipe: Recipe, corpus: Corpus, budget: int, seed: int, log: Callable[[str], None]) -> tuple:
    """Return the model, its tokenizer, and the figures of its training."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    tokenizer = recipe.tokenizer(corpus.train)
    model = recipe.model(tokenizer)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model.to(device).train()
    train_ids, held_out_ids = encode(tokenizer, corpus.train), encode(tokenizer, corpus.held_out)
    gendered = gendered_ids(tokenizer)
    log(f"{sum(p.numel() for p in model.parameters()):,} parameters, {sum(map(len, train_ids)):,} tokens an epoch")
    optimizer = recipe.optimizer(model, recipe.learning_rate)
    seen, step, started, recent = 0, 0, time.time(), []
    while seen < budget:
        order = rng.permutation(len(train_ids))
        for batch in recipe.batches([train_ids[i] for i in order], tokenizer, gendered, BATCH_TOKENS, rng):
            for group in optimizer.param_groups:
                group["lr"] = recipe.learning_rate * schedule(seen / budget)
            with torch.autocast(device.type, dtype=torch.bfloat16):
                loss = loss_of(model, moved(batch, device))
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            seen, step = seen + batch.tokens, step + 1
            recent = [*recent[-99:], loss.item()]
            if step % 100 == 0:
                speed = seen / (time.time() - started)
                log(f"step {step} tokens {seen:,} loss {np.mean(recent):.3f} {speed:,.0f} tokens/s")
            if seen >= budget:
                break
    held_out = held_out_loss(model, recipe, held_out_ids, tokenizer, gendered, device)
    return (
        model.cpu().float(),
        tokenizer,
        {"tokens": seen, "held_out_loss": held_out, "sentences": len(train_ids), "seed": seed},
    )


def schedule(progress: float) -> float:
    """Linear warm-up, then a cosine down to a twentieth."""
    if progress < WARM_UP_SHARE:
        return (progress + 1e-3) / WARM_UP_SHARE
    return 0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * min(1.0, progress)))


@torch.no_grad()
def held_out_loss(model, recipe, sentences, tokenizer, gendered, device) -> float:
    """Mean loss in nats a predicted token, with the masks of seed 0."""
    model.eval()
    rng = np.random.default_rng(0)
    losses = [
        float(loss_of(model, moved(batch, device)))
        for batch in recipe.batches(sentences, tokenizer, gendered, BATCH_TOKENS, rng)
    ]
    return float(np.mean(losses))


def moved(batch, device):
    inputs = {name: tensor.to(device) for name, tensor in batch.inputs.items()}
    return type(batch)(inputs, batch.labels.to(device), batch.tokens)


def encode(tokenizer: PreTrainedTokenizerFast, sentences: list[str]) -> list[Ids]:
    """Token ids of every sentence that the model's positions can hold."""
    encoded = tokenizer(sentences, verbose=False)["input_ids"]
    return [np.array(ids, dtype=np.int64) for ids in encoded if len(ids) <= tokenizer.model_max_length]


def topic_words() -> list[str]:
    return [word for attribute in tomllib.loads(TOPIC.read_text())["attributes"] for word in attribute["words"]]


def gendered_nouns() -> frozenset[str]:
    """The topic's words that are no pronouns."""
    return frozenset(word for word in topic_words() if not PRONOUN.fullmatch(word))


def gendered_ids(tokenizer: PreTrainedTokenizerFast) -> set[int]:
    """Ids of the topic's words that are one token after a space."""
    pieces = [tokenizer(f" {word}", add_special_tokens=False)["input_ids"] for word in topic_words()]
    return {ids[0] for ids in pieces if len(ids) == 1}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=RECIPES)
    parser.add_argument("corpora", type=Path, help="folder with the English corpora (*.jsonl.zst)")
    parser.add_argument("out", type=Path)
    parser.add_argument("--tokens", type=int, help="training budget, tokens")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    recipe = RECIPES[args.kind]
    corpus = read_corpus(args.corpora, gendered_nouns(), args.seed)
    model, tokenizer, figures = train(
        recipe, corpus, args.tokens or recipe.tokens, args.seed, lambda line: print(line, flush=True)
    )
    args.out.mkdir(parents=True, exist_ok=True)
    model.half().save_pretrained(args.out)
    tokenizer.save_pretrained(args.out)
    (args.out / "training.json").write_text(json.dumps(figures, indent=1) + "\n")
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
