"""The least time that a workload can take: the products of its distinct tokens, at the rate of products alone."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from bvf_transformers.reading.product import linear, onednn_is_faster
from bvf_transformers.tokens.cutting import Cut
from torch import Tensor, nn
from transformers.pytorch_utils import Conv1D

ROWS = 1024
SECONDS = 0.5
Product = Callable[[Tensor, Tensor], Tensor]
"""Of states, shape (N, K), and weights, shape (M, K)."""


@dataclass(frozen=True)
class Limit:
    """Floating-point operations, their rate by some products, and the seconds that follow."""

    products: str
    gflops: float
    rate: float

    @property
    def seconds(self) -> float:
        """At the limit."""
        return self.gflops / self.rate


def limits_of(model: Any, kind: str, cuts: Sequence[Cut], questions: int | None = None) -> list[Limit]:
    """Return the limits of some prompts; none for seq2seq models, whose two halves read different tokens.

    Only the linear layers of the model count. ``questions`` is the number of beginnings of words that are asked about;
    None: all.
    """
    if kind == "seq2seq":
        return []
    tokens, beginnings = counts_of(kind, cuts)
    asked = beginnings if questions is None else questions
    body, vocabulary = shapes_of(model)
    flops = 2.0 * (tokens + asked) * sum(a * b for a, b in body)
    of_head = 2.0 * asked * vocabulary[0] * vocabulary[1]
    limits = []
    for name, product in _products().items():
        seconds = flops / _rate(product, body) + of_head / _rate(product, [vocabulary])
        limits.append(Limit(name, (flops + of_head) / 1e9, (flops + of_head) / seconds / 1e9))
    return limits


def counts_of(kind: str, cuts: Sequence[Cut]) -> tuple[int, int]:
    """Return the numbers of distinct tokens of the prompts and of beginnings of words after them."""
    tokens, beginnings = 0, 0
    for slot in {cut.slot for cut in cuts}:
        texts = {cut.left: cut for cut in cuts if cut.slot is slot}
        if kind == "causal":
            tokens += len({left[:length] for left in texts for length in range(1, len(left) + 1)})
        else:
            tokens += sum(len(cut.left) + 1 + len(cut.right) for cut in cuts)
        beginnings += len(texts) * len({ids[:length] for ids in slot.pieces for length in range(1, len(ids))})
    return tokens, beginnings


def _products() -> dict[str, Product]:
    """The products of torch, and those that bvf uses instead where they are faster."""
    products: dict[str, Product] = {"torch.mm": lambda states, weight: torch.mm(states, weight.t())}
    return products | ({"oneDNN": lambda states, weight: linear(states, weight, None)} if onednn_is_faster() else {})


def shapes_of(model: Any) -> tuple[list[tuple[int, int]], tuple[int, int]]:
    """Return the shapes of the linear layers of a model without its head, and that of the head."""
    head = _shape(model.get_output_embeddings())
    layers = [_shape(module) for module in model.modules() if isinstance(module, nn.Linear | Conv1D)]
    return [shape for shape in layers if shape != head], head


def _shape(layer: Any) -> tuple[int, int]:
    return (layer.in_features, layer.out_features) if isinstance(layer, nn.Linear) else tuple(layer.weight.shape)


def _rate(product: Product, shapes: list[tuple[int, int]]) -> float:
    """Operations per second of products of these shapes, layer after layer; the best of three."""
    distinct = list(dict.fromkeys(shapes))
    pairs = [(torch.randn(ROWS, a), torch.randn(b, a)) for a, b in distinct]
    each = sum(2.0 * ROWS * a * b for a, b in distinct)
    best = 0.0
    for _ in range(3):
        done, began = 0, time.perf_counter()
        while time.perf_counter() - began < SECONDS:
            for states, weight in pairs:
                product(states, weight)
            done += 1
        best = max(best, done * each / (time.perf_counter() - began))
    return best
