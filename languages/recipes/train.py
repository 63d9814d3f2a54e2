"""Train one bundled model: ``python train.py zh causal CORPORA OUT``.

The recipe is the same for the languages and the kinds; only text, tokenizer, architecture and objective differ.
"""

import argparse
import json
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from chinese import CHINESE
from corpus import Corpus, Material, read_corpus
from english import ENGLISH
from objectives import Ids, causal_batches, loss_of, masked_batches, seq2seq_batches
from transformers import (
    BertConfig,
    BertForMaskedLM,
    LlamaConfig,
    LlamaForCausalLM,
    PreTrainedModel,
    PreTrainedTokenizerFast,
    T5Config,
    T5ForConditionalGeneration,
)

MATERIALS = {material.code: material for material in (ENGLISH, CHINESE)}
WIDTH = 192


def causal_model(tokenizer: PreTrainedTokenizerFast) -> PreTrainedModel:
    return LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(tokenizer),
            hidden_size=WIDTH,
            intermediate_size=512,
            num_hidden_layers=4,
            num_attention_heads=6,
            num_key_value_heads=6,
            max_position_embeddings=128,
            tie_word_embeddings=True,
            bos_token_id=tokenizer.bos_token_id,
            eos_token_id=tokenizer.eos_token_id,
            pad_token_id=tokenizer.pad_token_id,
        )
    )


def masked_model(tokenizer: PreTrainedTokenizerFast) -> PreTrainedModel:
    return BertForMaskedLM(
        BertConfig(
            vocab_size=len(tokenizer),
            hidden_size=WIDTH,
            intermediate_size=768,
            num_hidden_layers=4,
            num_attention_heads=6,
            max_position_embeddings=128,
            type_vocab_size=1,
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
            pad_token_id=tokenizer.pad_token_id,
        )
    )


def seq2seq_model(tokenizer: PreTrainedTokenizerFast) -> PreTrainedModel:
    return T5ForConditionalGeneration(
        T5Config(
            vocab_size=len(tokenizer),
            d_model=WIDTH,
            d_kv=32,
            d_ff=512,
            num_layers=3,
            num_decoder_layers=3,
            num_heads=6,
            dropout_rate=0.0,
            feed_forward_proj="relu",
            tie_word_embeddings=True,
            pad_token_id=tokenizer.pad_token_id,
            eos_token_id=tokenizer.eos_token_id,
            decoder_start_token_id=tokenizer.pad_token_id,
        )
    )


@dataclass(frozen=True)
class Recipe:
    """How a kind of model is trained. ``tokens`` is the default training budget."""

    model: Callable[[PreTrainedTokenizerFast], PreTrainedModel]
    batches: Callable[..., object]
    tokens: int
    optimizer: Callable[[PreTrainedModel, float], torch.optim.Optimizer]
    learning_rate: float


def adamw(model: PreTrainedModel, learning_rate: float) -> torch.optim.Optimizer:
    return torch.optim.AdamW(model.parameters(), lr=learning_rate, weight_decay=WEIGHT_DECAY, betas=(0.9, 0.98))


def adafactor(model: PreTrainedModel, learning_rate: float) -> torch.optim.Optimizer:
    """Return Adafactor, whose steps scale with the weights, as T5 needs; by AdamW it learned only unigrams."""
    return torch.optim.Adafactor(model.parameters(), lr=learning_rate)


RECIPES = {
    "causal": Recipe(causal_model, causal_batches, 15_000_000, adamw, 3e-3),
    "masked": Recipe(masked_model, masked_batches, 14_000_000, adamw, 7e-4),
    "seq2seq": Recipe(seq2seq_model, seq2seq_batches, 8_000_000, adafactor, 1e-2),
}
BATCH_TOKENS = 3072
WARM_UP_SHARE = 0.04
WEIGHT_DECAY = 0.05


def train(
    material: Material, kind: str, corpus: Corpus, budget: int, seed: int, log: Callable[[str], None]
) -> tuple[PreTrainedModel, PreTrainedTokenizerFast, dict[str, float]]:
    """Train a model, and return it, its tokenizer, and figures such as the held-out loss."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    recipe = RECIPES[kind]
    tokenizer = material.tokenizers[kind](corpus.train)
    model = recipe.model(tokenizer)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model.to(device).train()
    train_ids, held_out_ids = encode(tokenizer, corpus.train), encode(tokenizer, corpus.held_out)
    gendered = gendered_ids(material, tokenizer)
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
    """Return the factor of the learning rate: linear warm-up, then cosine decay to a twentieth."""
    if progress < WARM_UP_SHARE:
        return (progress + 1e-3) / WARM_UP_SHARE
    return 0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * min(1.0, progress)))


@torch.no_grad()
def held_out_loss(model, recipe, sentences, tokenizer, gendered, device) -> float:
    """Return the mean over batches of the held-out loss in nats per token. Masks are drawn with seed 0."""
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
    """Return the token ids of each sentence. Sentences that exceed the model's positions are left out."""
    encoded = tokenizer(sentences, verbose=False)["input_ids"]
    return [np.array(ids, dtype=np.int64) for ids in encoded if len(ids) <= tokenizer.model_max_length]


def gendered_ids(material: Material, tokenizer: PreTrainedTokenizerFast) -> set[int]:
    """Return the ids of topic words that are a single token inside a sentence."""
    male, female = material.gendered_words()
    pieces = [tokenizer(material.space + word, add_special_tokens=False)["input_ids"] for word in [*male, *female]]
    return {ids[0] for ids in pieces if len(ids) == 1}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("language", choices=MATERIALS)
    parser.add_argument("kind", choices=RECIPES)
    parser.add_argument("corpora", type=Path, help="folder with the corpora of the language (*.jsonl.zst)")
    parser.add_argument("out", type=Path)
    parser.add_argument("--tokens", type=int, help="training budget, tokens")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    material = MATERIALS[args.language]
    if args.kind not in material.tokenizers:
        parser.error(f"there is no {args.kind} model of {args.language}")
    corpus = read_corpus(material, args.kind, args.corpora, args.seed)
    budget = args.tokens or material.tokens.get(args.kind, RECIPES[args.kind].tokens)
    model, tokenizer, figures = train(
        material, args.kind, corpus, budget, args.seed, lambda line: print(line, flush=True)
    )
    args.out.mkdir(parents=True, exist_ok=True)
    model.half().save_pretrained(args.out)
    tokenizer.save_pretrained(args.out)
    (args.out / "training.json").write_text(json.dumps(figures, indent=1) + "\n")
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
