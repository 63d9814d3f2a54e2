"""Refuse a configuration that asks for more parameters than the weights beside it have."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from torch import nn
from torch.nn.modules import module as registration

from bvf.errors import BvfError
from bvf_transformers.loading.checkpoint import shapes_in

LAYERS = frozenset({"num_hidden_layers", "num_layers", "n_layer", "n_layers", "block_count"})
COUNTED = ("layer", "block", "label", "head", "expert", "group", "stage")
"""Parts of the names of settings that are counts."""
SMALLEST_LIMIT = 4096
"""Counts up to this are harmless for any weights."""
NUMBERS_PER_BYTE = 8
NUMBERS_ALWAYS = 64_000_000
"""The most numbers of a model: per byte of its files, plus a constant, as weights may be tied, added or packed."""
MODULES_PER_TENSOR = 100
MODULES_ALWAYS = 1_000
MODULES_UNKNOWN = 200_000
"""The limit where no header of the files says which tensors there are."""
STACKS = frozenset({"layers", "layer", "h", "block", "blocks"})
"""Names of lists of layers."""


def check_counts(settings: Mapping[str, Any], shapes: Mapping[str, Sequence[int]], model: str) -> None:
    """Check the counts of layers, heads, labels and the like in a configuration, at any depth.

    Args:
        settings: The configuration as it is written.
        shapes: Of every tensor of the weights; empty where they are not known.
        model: What the message calls the model.

    Raises:
        BvfError: There is no layer, or more of something than the largest tensor has rows.
    """
    largest = max([SMALLEST_LIMIT, len(shapes), *(size for shape in shapes.values() for size in shape)])
    for name, value in _numbers(settings):
        if name in LAYERS and value < 1:
            raise BvfError(f"{model}: the configuration says {name} = {value}", "a model has a layer at least")
        if value > largest and any(part in name for part in COUNTED):
            raise BvfError(
                f"{model}: the configuration says {name} = {value:g}, and the largest tensor of the weights has "
                f"{largest} rows at most",
                "the configuration belongs to other weights, or is damaged",
            )


@contextmanager
def no_larger_than(files: Sequence[Path], model: str) -> Iterator[None]:
    """Stop a model from being built as soon as it has far more numbers or parts than its weights.

    Raises:
        BvfError: It has.
    """
    numbers_left = NUMBERS_ALWAYS + NUMBERS_PER_BYTE * sum(file.stat().st_size for file in files)
    tensors = len(shapes_in(list(files)))
    modules_left = MODULES_ALWAYS + MODULES_PER_TENSOR * tensors if tensors else MODULES_UNKNOWN

    def too_large(what: str) -> BvfError:
        return BvfError(
            f"{model}: the configuration asks for far more {what} than the weights have",
            "the configuration belongs to other weights, or is damaged",
        )

    def count_numbers(_module: nn.Module, _name: str, tensor: Any) -> None:
        nonlocal numbers_left
        numbers_left -= 0 if tensor is None or nn.parameter.is_lazy(tensor) else tensor.numel()
        if files and numbers_left < 0:
            raise too_large("numbers")

    def count_modules(_module: nn.Module, _name: str, _part: Any) -> None:
        nonlocal modules_left
        modules_left -= 1
        if modules_left < 0:
            raise too_large("layers or parts")

    handles = [
        registration.register_module_parameter_registration_hook(count_numbers),
        registration.register_module_buffer_registration_hook(count_numbers),
        registration.register_module_module_registration_hook(count_modules),
    ]
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


def unread_layer(unread: Iterable[str], parts: Iterable[str], prefix: str) -> str:
    """Return the first layer of the weights that the model lacks, such as ``model.layers.7``; empty if it lacks none.

    Args:
        unread: Names of the tensors that found no place in the model.
        parts: Names of the model's own tensors.
        prefix: What the names of the model may begin with where those of the weights do not.
    """
    names = {name for part in parts for name in (part, part.removeprefix(f"{prefix}."))}
    beginnings = {beginning for name in names for beginning in _beginnings(name)}
    for name in sorted(unread):
        for beginning in _beginnings(name):
            stack, _, index = beginning.rpartition(".")
            parent, _, kind = stack.rpartition(".")
            belongs = stack in beginnings or (kind in STACKS and (parent in beginnings or not parent))
            if index.isdecimal() and belongs and beginning not in beginnings:
                return beginning
    return ""


def _beginnings(name: str) -> list[str]:
    """What the name of a tensor begins with: ``a`` and ``a.b`` of ``a.b.c``."""
    pieces = name.split(".")
    return [".".join(pieces[:length]) for length in range(1, len(pieces))]


def _numbers(settings: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """Names and values of all numbers, those of settings inside settings too."""
    for name, value in settings.items():
        if isinstance(value, dict):
            yield from _numbers(value)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield name, value
