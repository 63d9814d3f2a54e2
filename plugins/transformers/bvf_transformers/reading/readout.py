"""Computes logits only where needed, by the matrix product that is faster on this CPU.

MKL, which torch asks for float32, uses the widest vectors on Intel's processors only; oneDNN uses them on all.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from transformers.activations import FastGELUActivation, NewGELUActivation
from transformers.pytorch_utils import Conv1D
from transformers.utils.quantization_config import QuantizationMethod

from bvf_transformers.learned import Shortcuts
from bvf_transformers.tokens.word_tree import BOUNDARY, log_softmax_at

IN_MANY_STEPS = (NewGELUActivation, FastGELUActivation)
"""The library's tanh approximations of GELU: each step reads all values again, a tenth of GPT-2's time on a CPU."""
CPUINFO = Path("/proc/cpuinfo")
WORTH_A_KERNEL = 16_000_000
"""Products of fewer multiplications stay with MKL: each new shape costs oneDNN a millisecond and half a megabyte."""
TOKENS_AT_A_TIME = {"cpu": 1024}
"""This many logits per row stay in the processor's caches; see docs/evidence/performance.md."""
TOKENS_ON_ACCELERATOR = 16_384
ROWS_TOGETHER = 64
"""States are padded to a multiple of this many rows: every new number of rows costs oneDNN time and memory."""
AGREEMENT = {torch.float64: 1e-4, torch.float32: 1e-4}
AGREEMENT_OF_HALVES = 3e-2
"""Relative tolerance for logits in bfloat16 and float16: above rounding, far below the error of a wrong shortcut."""
ROUNDINGS = 3.0
"""The largest difference of two right results in 16 bits, in units of the largest difference of two others."""


def fuse_activations(model: Any) -> None:
    """Replace activation functions by torch's fused GELU where the values agree up to rounding."""
    fused = nn.GELU(approximate="tanh")
    values = torch.linspace(-8.0, 8.0, 1001)
    for module in model.modules():
        for name, child in list(module.named_children()):
            if isinstance(child, IN_MANY_STEPS) and torch.allclose(child(values), fused(values), atol=1e-6):
                setattr(module, name, fused)


def linear(states: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    """Return states @ weight.T + bias, shape (..., N). Shapes are (..., K), (N, K) and (N,)."""
    is_large = states.numel() * len(weight) >= WORTH_A_KERNEL
    if is_large and onednn_is_faster() and _is_float_on_cpu(states) and _is_float_on_cpu(weight):
        return _by_onednn(states, weight, bias)
    return nn.functional.linear(states, weight, bias)


def speed_up_products(model: Any) -> None:
    """Let every plain linear layer of a model use `linear`. Subclasses and patched layers are left alone.

    So are models whose weights stay quantised: their libraries may change layers when they are first used.
    """
    if not onednn_is_faster() or stays_quantised(model):
        return
    for layer in model.modules():
        if type(layer) in (nn.Linear, Conv1D) and "forward" not in vars(layer) and _is_float_on_cpu(layer.weight):
            layer.forward = partial(_forward, layer)


def stays_quantised(model: Any) -> bool:
    """Whether the weights of a loaded model are quantised. Those of a GGUF file are unpacked when they are read."""
    method = getattr(model, "quantization_method", None)
    return bool(getattr(model, "is_quantized", False)) and method != QuantizationMethod.GGUF


@lru_cache(maxsize=1)
def onednn_is_faster() -> bool:
    """Whether oneDNN is faster than MKL. On AMD with AVX-512, MKL does not use the processor's widest vectors.

    The processor's name decides, not a timing: on some processors the difference is so small that a timing would vary
    from run to run.
    """
    has_onednn: bool = torch.backends.mkldnn.is_available()  # type: ignore[no-untyped-call]
    if not has_onednn or not hasattr(torch.ops.mkldnn, "_linear_pointwise"):
        return False
    has_widest = torch.backends.cpu.get_cpu_capability() == "AVX512"
    return has_widest and CPUINFO.exists() and "AuthenticAMD" in CPUINFO.read_text(encoding="utf-8")


def _forward(layer: nn.Linear | Conv1D, states: Tensor) -> Tensor:
    return linear(states, layer.weight.t() if isinstance(layer, Conv1D) else layer.weight, layer.bias)


def _by_onednn(states: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    product: Tensor = torch.ops.mkldnn._linear_pointwise(states, weight, bias, "none", [], "")
    return product


def _is_float_on_cpu(values: Tensor) -> bool:
    """Whether these are plain numbers in float32; quantised weights call themselves float32, too."""
    is_plain = type(values) in (Tensor, nn.Parameter)
    return is_plain and values.dtype == torch.float32 and values.device.type == "cpu"


class Head:
    """Computes logits over a vocabulary of V tokens from hidden states, shape (N, H)."""

    def __init__(self, linear: nn.Linear) -> None:
        self._forward = linear.forward
        self._weight, self._bias = linear.weight, linear.bias
        self._step = TOKENS_AT_A_TIME.get(linear.weight.device.type, TOKENS_ON_ACCELERATOR)

    def logits(self, states: Tensor, tokens: Tensor | None = None, beside: int = 0) -> Tensor:
        """Return the logits of R given tokens, shape (N, R), or of all tokens, shape (N, V).

        The last ``beside`` tokens are a product of their own: the bits of the others are the same without them.
        """
        states = states.to(self._weight.device)
        if tokens is None:
            return self._forward(states)
        if beside:
            return torch.cat([self.logits(states, part) for part in (tokens[:-beside], tokens[-beside:])], dim=1)
        bias = None if self._bias is None else self._bias[tokens]
        return linear(_filled_up(states), self._weight[tokens], bias)[: len(states)]

    def log_softmax_at(self, states: Tensor, rows: Tensor, tokens: Tensor, boundary: Tensor | None) -> Tensor:
        """Return log p, float32, shape (M,), of ``tokens`` given states[rows]. ``states`` have shape (N, H).

        The token BOUNDARY stands for any token in ``boundary``. In 16 bits a logit computed alone and one computed with
        all are rounded differently, so log p is clipped at 0.
        """
        known = tokens.clamp_min(0)
        values = (states[rows] * self._weight[known]).sum(dim=-1, dtype=torch.float32)
        if self._bias is not None:
            values += self._bias[known]
        if boundary is not None:
            values = torch.where(tokens == BOUNDARY, self._logsumexp(states, boundary)[rows], values)
        return (values - self._logsumexp(states, None)[rows]).clamp_max(0.0)

    def _logsumexp(self, states: Tensor, tokens: Tensor | None) -> Tensor:
        """Log-sum-exp of the logits of the given tokens (None: all), shape (N,). It is computed in blocks of tokens."""
        weight = self._weight if tokens is None else self._weight[tokens]
        bias = self._bias if tokens is None or self._bias is None else self._bias[tokens]
        filled = _filled_up(states)
        blocks = [slice(start, start + self._step) for start in range(0, len(weight), self._step)]
        logits = (linear(filled, weight[block], None if bias is None else bias[block]) for block in blocks)
        return torch.stack([_logsumexp_of_rows(each) for each in logits], dim=1).logsumexp(dim=1)[: len(states)]


def _logsumexp_of_rows(logits: Tensor) -> Tensor:
    """Log-sum-exp of each row, float32, shape (N,).

    It uses log_softmax, twice as fast as torch's logsumexp on a CPU.
    """
    largest = logits.amax(dim=-1).float()
    normalised = logits.log_softmax(dim=-1, dtype=torch.float32).amax(dim=-1)
    return torch.where(largest.isneginf(), largest, largest - normalised)


def _filled_up(states: Tensor) -> Tensor:
    return nn.functional.pad(states, (0, 0, 0, -len(states) % ROWS_TOGETHER))


def at_column(ids: Tensor, column: int | Tensor) -> Tensor:
    """Return the indices of one column, or of one per row, shape (B,), into a flattened batch of shape (B, L).

    Negative columns count from the end.
    """
    rows, length = ids.shape
    return torch.arange(rows, device=ids.device) * length + column % length


class Readout:
    """Runs a model with its head computed only at some positions and for some tokens, if that is exact.

    Whether it is exact is tested on a sample: a model that scales, caps or shifts its logits after the last linear
    layer may not allow it, and its head is then computed in full. Below, ``run`` calls the model and returns logits,
    shape (B, L, V), and places are indices into the flattened batch (row * L + column), shape (N,).

    Args:
        model: The model.
        sample: Runs the model on a sample, and returns the logits.
        places: The places of the sample at which logits are compared.
        shortcuts: Those that are known to be exact; None: the sample is tried.

    ``can_choose_rows``: whether logits computed for some tokens alone equal those of the whole vocabulary.
    """

    def __init__(
        self, model: Any, sample: Callable[[], Tensor], places: Tensor, shortcuts: Shortcuts | None = None
    ) -> None:
        embeddings = model.get_output_embeddings()
        self._linear: nn.Linear | None = embeddings if isinstance(embeddings, nn.Linear) else None
        self._tolerance = AGREEMENT.get(embeddings.weight.dtype if self._linear else model.dtype, AGREEMENT_OF_HALVES)
        self.shortcuts = shortcuts or self._exact(sample, places)
        self._linear = self._linear if self.shortcuts.positions else None
        self.can_choose_rows = self.shortcuts.tokens
        self.head = Head(self._linear) if self._linear is not None and self.shortcuts.states else None

    def _exact(self, sample: Callable[[], Tensor], places: Tensor) -> Shortcuts:
        if self._linear is None:
            return Shortcuts()
        whole = sample().flatten(0, -2)[places].float()
        rows = torch.arange(0, whole.shape[-1], 3, device=self._linear.weight.device)
        if not self._agrees(lambda: self.logits(sample, places), whole):
            return Shortcuts()
        head = Head(self._linear)
        return Shortcuts(
            positions=True,
            tokens=self._agrees(lambda: self.logits(sample, places, rows), whole[:, rows.to(whole.device)]),
            states=self._agrees(lambda: head.logits(self.states(sample, places)), whole),
        )

    def logits(self, run: Callable[[], Tensor], places: Tensor, rows: Tensor | None = None, beside: int = 0) -> Tensor:
        """Return the logits, float32, of all tokens, (N, V), or of the tokens ``rows`` only, (N, R).

        The last ``beside`` rows change no bit of the others.
        """
        if self._linear is None:
            return _at(run(), places).float()
        head = Head(self._linear)
        with _replaced(self._linear, lambda states: head.logits(_at(states, places), rows, beside)[None]):
            return run().flatten(0, -2).float()

    def logprobs(
        self, run: Callable[[], Tensor], places: Tensor, rows: Tensor, tokens: Tensor, boundary: Tensor | None = None
    ) -> Tensor:
        """Return log p, shape (M,), of ``tokens`` at places[rows], (M,) each. BOUNDARY is any token of ``boundary``."""
        if self.head is None:
            logits = self.logits(run, places)
            return log_softmax_at(logits, rows.to(logits.device), tokens.to(logits.device), boundary)
        states = self.states(run, places)
        return self.head.log_softmax_at(states, rows.to(states.device), tokens.to(states.device), boundary)

    def states(self, run: Callable[[], Tensor], places: Tensor) -> Tensor:
        """Return the hidden states that ``head`` takes, shape (N, H), on the device of the head's weights."""
        kept: list[Tensor] = []

        def keep(states: Tensor) -> Tensor:
            kept.append(_at(states, places))
            return states[..., :1]

        if self._linear is None:
            raise ValueError("this model has no head of its own")
        with _replaced(self._linear, keep):
            run()
        return kept[0].to(self._linear.weight.device)

    def agree(self, one: Tensor, other: Tensor, *, strictness: float = 1.0) -> bool:
        """Whether two results agree up to the tolerance of the model's number format, divided by ``strictness``."""
        if one.shape != other.shape:
            return False
        largest = max(1.0, float(other.abs().max()))
        return bool((one - other).abs().max() <= self._tolerance * largest / strictness)

    def differ_by_rounding(self, one: Tensor, other: Tensor, again: Tensor) -> bool:
        """Whether two results in 16 bits are no further apart than rounding makes two that are known to be right.

        A GPU multiplies batches of different shapes in different orders; in a model of many layers this changes log p
        of a word by some hundredths. ``again`` is the result ``other``, computed in batches of other shapes.
        """
        apart, by_rounding = ((values - other).abs().max() for values in (one, again))
        in_16_bits = self._tolerance == AGREEMENT_OF_HALVES
        return in_16_bits and self.agree(one, other) and bool(apart <= ROUNDINGS * by_rounding)

    def _agrees(self, shortcut: Callable[[], Tensor], whole: Tensor) -> bool:
        try:
            return self.agree(shortcut(), whole)
        except (RuntimeError, IndexError):
            return False


def _at(states: Tensor, places: Tensor) -> Tensor:
    return states.flatten(0, -2)[places.to(states.device)]


@contextmanager
def _replaced(linear: nn.Linear, forward: Callable[[Tensor], Tensor]) -> Iterator[None]:
    """Replace the forward function of a linear layer while the block runs."""
    whole_forward = linear.forward
    linear.forward = forward  # type: ignore[method-assign, assignment]
    try:
        yield
    finally:
        linear.forward = whole_forward  # type: ignore[method-assign]
