"""The least time that a workload can take: the products of its distinct tokens, at the rate of products alone."""

import time
from collections.abc import Callable, Sequence
from typing import Any

import torch
from bvf_transformers.reading.readout import linear, onednn_is_faster
from bvf_transformers.tokens.cutting import Cut
from torch import Tensor, nn
from transformers.pytorch_utils import Conv1D

from benchmarks.speed.timing import wait
from benchmarks.speed.workloads import Workload
from bvf.domain.prompt import Prompt

ROWS = 1024
SECONDS = 0.5
Product = Callable[[Tensor, Tensor], Tensor]
"""Of states, shape (N, K), and weights, shape (M, K)."""
Shape = tuple[int, int]


def shares_of_limits(
    workload: Workload, backend: Any, prompts: Sequence[Prompt], seconds: float
) -> dict[str, list[float]]:
    """Return the rate of some products in GFLOP/s, and the share of it that was reached in so many seconds, by product.

    None for seq2seq models, whose two halves read different tokens. Only linear layers count.
    """
    if workload.kind == "seq2seq":
        return {}
    tokens, beginnings = counts_of(workload.kind, backend.cutter.cut(prompts, workload.words))
    layers, head = shapes_of(backend.model)
    of_layers, of_head = (tokens + beginnings) * operations(layers), beginnings * operations([head])
    shares = {}
    for name, product in products().items():
        least = of_layers / rate_of(product, layers) + of_head / rate_of(product, [head])
        shares[name] = [(of_layers + of_head) / least / 1e9, least / seconds]
    return shares


def work_of(model: Any, cuts: Sequence[Cut]) -> tuple[float, float]:
    """Return the operations of distinct tokens of prompts, and of all beginnings of words and the head after them."""
    (tokens, beginnings), (layers, head) = counts_of("causal", cuts), shapes_of(model)
    return tokens * operations(layers), beginnings * operations([*layers, head])


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


def shapes_of(model: Any) -> tuple[list[Shape], Shape]:
    """Return the shapes of the linear layers of a model without its head, and that of the head."""
    head = _shape(model.get_output_embeddings())
    layers = [_shape(module) for module in model.modules() if isinstance(module, nn.Linear | Conv1D)]
    return [shape for shape in layers if shape != head], head


def _shape(layer: Any) -> Shape:
    return (layer.in_features, layer.out_features) if isinstance(layer, nn.Linear) else tuple(layer.weight.shape)


def operations(shapes: Sequence[Shape]) -> float:
    """Return the floating-point operations of a token in layers of these shapes."""
    return 2.0 * sum(a * b for a, b in shapes)


def products() -> dict[str, Product]:
    """Return the products of torch, and those that bvf uses instead where they are faster."""
    faster: dict[str, Product] = {"oneDNN": lambda states, weight: linear(states, weight, None)}
    return {"torch.mm": by_torch} | (faster if onednn_is_faster() else {})


def by_torch(states: Tensor, weight: Tensor) -> Tensor:
    return torch.mm(states, weight.t())


def rate_of(product: Product, shapes: Sequence[Shape], rows: int = ROWS, **of_tensors: Any) -> float:
    """Return the operations per second of products of these shapes, layer after layer; the best of three."""
    distinct = list(dict.fromkeys(shapes))
    pairs = [(torch.randn(rows, a, **of_tensors), torch.randn(b, a, **of_tensors)) for a, b in distinct]
    best = 0.0
    for _ in range(3):
        done, began = 0, time.perf_counter()
        while time.perf_counter() - began < SECONDS:
            for states, weight in pairs:
                product(states, weight)
            wait()
            done += 1
        best = max(best, done * rows * operations(distinct) / (time.perf_counter() - began))
    return best
