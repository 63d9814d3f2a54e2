"""Batches and losses of the training objectives: next token, masked tokens, and T5's spans after sentinels."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import cross_entropy
from torch.nn.utils.rnn import pad_sequence
from transformers import PreTrainedModel, PreTrainedTokenizerFast

IGNORED = -100
MASKED_SHARE = 0.12
GENDERED_MASKED_SHARE = 0.5
CUT_SHARE = 0.5

Ids = NDArray[np.int64]


@dataclass(frozen=True)
class Batch:
    """Inputs and labels, shape (rows, tokens). ``tokens`` is the number of tokens that count towards the budget."""

    inputs: dict[str, Tensor]
    labels: Tensor
    tokens: int


def causal_batches(
    sentences: list[Ids], tokenizer: PreTrainedTokenizerFast, _: set[int], tokens: int, __: np.random.Generator
) -> Iterator[Batch]:
    """Yield batches of one stream of sentences, cut into rows of 96 tokens. A sentence stands between <s> and </s>."""
    width = 96
    stream = np.concatenate([np.append(ids, tokenizer.eos_token_id) for ids in sentences])
    rows = stream[: len(stream) // width * width].reshape(-1, width)
    for start in range(0, len(rows), tokens // width):
        ids = torch.from_numpy(rows[start : start + tokens // width])
        yield Batch({"input_ids": ids}, ids, ids.numel())


def masked_batches(
    sentences: list[Ids], tokenizer: PreTrainedTokenizerFast, gendered: set[int], tokens: int, rng: np.random.Generator
) -> Iterator[Batch]:
    """Yield batches with masked tokens, gendered ones more often. Half of the sentences are `cut`."""
    for group in by_length(sentences, tokens, rng):
        rows, labels = [], []
        for ids in group:
            body = cut(ids[1:-1], gendered, rng)
            chosen = choose(body, gendered, rng)
            row = np.where(chosen, tokenizer.mask_token_id, body)
            rows.append(np.concatenate([ids[:1], row, ids[-1:]]))
            labels.append(np.concatenate([[IGNORED], np.where(chosen, body, IGNORED), [IGNORED]]))
        inputs = masked(rows, tokenizer)
        yield Batch(inputs, padded(labels, IGNORED), int(inputs["attention_mask"].sum()))


def seq2seq_batches(
    sentences: list[Ids], tokenizer: PreTrainedTokenizerFast, gendered: set[int], tokens: int, rng: np.random.Generator
) -> Iterator[Batch]:
    """Yield batches of T5's objective. The decoder writes the chosen spans, each after its sentinel."""
    sentinels = [tokenizer.convert_tokens_to_ids(f"<extra_id_{i}>") for i in range(8)]
    for group in by_length(sentences, tokens, rng):
        rows, targets = [], []
        for ids in group:
            body = cut(ids[:-1], gendered, rng)
            chosen = choose(body, gendered, rng)
            row, target = spans_moved(body, chosen, sentinels)
            rows.append(np.array([*row, ids[-1]]))
            targets.append(np.array(target))
        inputs, labels = masked(rows, tokenizer), padded(targets, IGNORED)
        yield Batch(inputs, labels, int(inputs["attention_mask"].sum()) + int((labels != IGNORED).sum()))


def spans_moved(body: Ids, chosen: NDArray[np.bool_], sentinels: list[int]) -> tuple[list[int], list[int]]:
    """Replace chosen spans by sentinels, and return the row, and sentinels with spans as the target."""
    row, target, used = [], [], 0
    for index, token in enumerate(body):
        if not chosen[index] or used == len(sentinels) - 1:
            row.append(token)
            continue
        if index == 0 or not chosen[index - 1]:
            row.append(sentinels[used])
            target.append(sentinels[used])
            used += 1
        target.append(token)
    return row, [*target, sentinels[used]]


def loss_of(model: PreTrainedModel, batch: Batch) -> Tensor:
    """Return the mean cross-entropy in nats. BERT's head runs at the labelled positions only."""
    if model.config.model_type == "bert":
        hidden = model.bert(**batch.inputs).last_hidden_state
        at = batch.labels != IGNORED
        return cross_entropy(model.cls(hidden[at]).float(), batch.labels[at])
    return model(**batch.inputs, labels=batch.labels).loss


def cut(body: Ids, gendered: set[int], rng: np.random.Generator) -> Ids:
    """Cut a sentence off after a gendered word, as contexts are, in half of cases: "The king said that he"."""
    at = [index for index, token in enumerate(body) if index >= 3 and int(token) in gendered]
    if at and rng.random() < CUT_SHARE:
        return body[: at[rng.integers(len(at))] + 1]
    return body


def choose(body: Ids, gendered: set[int], rng: np.random.Generator) -> NDArray[np.bool_]:
    share = np.array([GENDERED_MASKED_SHARE if int(token) in gendered else MASKED_SHARE for token in body])
    if int(body[-1]) in gendered:
        share[-1] = 1.0
    chosen: NDArray[np.bool_] = rng.random(len(body)) < share
    if not chosen.any():
        chosen[rng.integers(len(body))] = True
    return chosen


def by_length(sentences: list[Ids], tokens: int, rng: np.random.Generator) -> Iterator[list[Ids]]:
    """Yield groups of sentences of similar length, about ``tokens`` tokens each, in random order."""
    lengths = np.array([len(ids) for ids in sentences]) + rng.random(len(sentences))
    order = np.argsort(lengths)
    groups, start, total = [], 0, 0
    for end, index in enumerate(order):
        total += len(sentences[index])
        if total >= tokens:
            groups.append(order[start : end + 1])
            start, total = end + 1, 0
    for group in rng.permutation(len(groups)):
        yield [sentences[index] for index in groups[group]]


def masked(rows: list[Ids], tokenizer: PreTrainedTokenizerFast) -> dict[str, Tensor]:
    """Return ``input_ids`` (padded rows) and ``attention_mask`` (no padding)."""
    mask = padded([np.ones_like(row) for row in rows], 0)
    return {"input_ids": padded(rows, tokenizer.pad_token_id), "attention_mask": mask}


def padded(rows: list[Ids], fill: int) -> Tensor:
    return pad_sequence([torch.from_numpy(row) for row in rows], batch_first=True, padding_value=fill)
