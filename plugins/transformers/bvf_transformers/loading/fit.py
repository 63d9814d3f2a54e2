"""Checks that configuration, weights and free memory fit each other.

Checked are the counts in a configuration before a model is built, its size while it is built, the free memory before
its weights are read, and afterwards whether the tensors were filled.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from torch import nn
from torch.nn.modules import module as registration

from bvf import BvfError
from bvf_transformers.loading.checkpoint import GGUF, shapes_in
from bvf_transformers.loading.digests import parameters_in
from bvf_transformers.reading.memory import free_bytes, out_of_memory

LAYERS = frozenset({"num_hidden_layers", "num_layers", "n_layer", "n_layers", "block_count"})
COUNTED = ("layer", "block", "label", "head", "expert", "group", "stage")
"""Substrings of the names of settings that are counts."""
SMALLEST_LIMIT = 4096
"""Counts up to this are accepted whatever the weights."""
NUMBERS_PER_BYTE = 8
NUMBERS_ALWAYS = 64_000_000
"""The most parameters: so many per byte of the files, plus a constant; weights may be tied, added or packed."""
MODULES_PER_TENSOR = 100
MODULES_ALWAYS = 1_000
MODULES_UNKNOWN = 200_000
"""The most modules of a model if no header of its files lists the tensors."""
STACKS = frozenset({"layers", "layer", "h", "block", "blocks"})
"""Names of module lists that hold layers."""
OTHER_WEIGHTS = "the configuration belongs to other weights: download or copy both again"


def check_counts(settings: Mapping[str, Any], shapes: Mapping[str, Sequence[int]], model: str) -> None:
    """Refuse a configuration, or a nested one, without layers or with counts above the sizes of the tensors.

    If ``shapes`` is empty, only counts above `SMALLEST_LIMIT` are refused.
    """
    largest = max([SMALLEST_LIMIT, len(shapes), *(size for shape in shapes.values() for size in shape)])
    for name, value in _numbers(settings):
        if name in LAYERS and value < 1:
            raise BvfError(f"{model}: the configuration says {name} = {value}", "a model has at least one layer")
        if value > largest and any(part in name for part in COUNTED):
            raise BvfError(
                f"{model}: the configuration says {name} = {value:g}, and the largest tensor of the weights has "
                f"{largest} rows at most",
                "the configuration belongs to other weights, or is damaged",
            )


def _numbers(settings: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """Yield names and values of all numeric settings, also of nested ones."""
    for name, value in settings.items():
        if isinstance(value, dict):
            yield from _numbers(value)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield name, value


def check_memory(files: Sequence[Path], model: str, device: torch.device, dtype: torch.dtype | None) -> None:
    """Refuse weights that need more than the free memory. Both sizes must be known.

    Without a number format they stay as they are in the files, as quantised ones do. A system that runs out of memory
    ends the process without a message, so this is checked before weights are read.
    """
    needed, free = memory_of(files, dtype), free_bytes(device)
    if needed is None or free is None or needed <= free:
        return
    packed = ", or leave them packed: --backend llama -B library=llama.cpp"
    raise out_of_memory(
        f"{model}: the weights need {needed / 1e9:.1f} GB as {_name_of(dtype)}, and {free / 1e9:.1f} GB are free",
        packed if any(file.suffix == GGUF for file in files) else "",
    )


def memory_of(files: Sequence[Path], dtype: torch.dtype | None) -> int | None:
    """Return how many bytes weights take in a number format; None: not known. Without one, as many as their files."""
    if dtype is None:
        return sum(file.stat().st_size for file in files)
    numbers = parameters_in(files)
    return None if numbers is None else dtype.itemsize * numbers


def _name_of(dtype: torch.dtype | None) -> str:
    return str(dtype).removeprefix("torch.") if dtype else "they are in the files"


@contextmanager
def no_larger_than(files: Sequence[Path], model: str) -> Iterator[None]:
    """In the block, refuse a model being built that has far more parameters or modules than its files."""
    numbers_left = NUMBERS_ALWAYS + NUMBERS_PER_BYTE * sum(file.stat().st_size for file in files)
    tensors = len(shapes_in(files))
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


def check_filled(model: Any, info: Mapping[str, Any], name: str, kind: str) -> None:
    """Refuse a model whose weights have other shapes, lack tensors, or have unread layers or tensors.

    The ``info`` is what ``from_pretrained`` returns with ``output_loading_info``.
    """
    mismatched = sorted((tensor, tuple(read), tuple(wanted)) for tensor, read, wanted in info["mismatched_keys"])
    if mismatched:
        tensor, *shapes = mismatched[0]
        read, wanted = (" x ".join(map(str, sizes)) or "of one number" for sizes in shapes)
        raise BvfError(
            f"{name}: {tensor} has the shape {read} in the weights, and {wanted} by the configuration", OTHER_WEIGHTS
        )
    missing = sorted(info["missing_keys"])
    if missing:
        raise BvfError(
            f"{name}: the weights lack {missing[0]}{f' and {len(missing) - 1} more' if missing[1:] else ''}, "
            f"so a {kind} model would answer at random",
            "it was saved without its language-model head, or is of another kind: see --backend",
        )
    unexpected = info["unexpected_keys"]
    unread = unread_layer(unexpected, model.state_dict(), model.base_model_prefix) or unread_tensor(unexpected, model)
    if unread:
        raise BvfError(f"{name}: the weights have {unread}, and the configuration leaves it out", OTHER_WEIGHTS)


def unread_layer(unread: Iterable[str], tensors: Iterable[str], prefix: str) -> str:
    """Return the first layer that the weights have and the model lacks, such as ``model.layers.7``; empty if none.

    Args:
        unread: Names of the tensors in the weights that have no place in the model.
        tensors: Names of the model's own tensors.
        prefix: Prefix that tensor names may have in the model and lack in the weights.
    """
    names = {name for tensor in tensors for name in (tensor, tensor.removeprefix(f"{prefix}."))}
    owners = {owner for name in names for owner in _owners(name)}
    for name in sorted(unread):
        for owner in _owners(name):
            stack, _, index = owner.rpartition(".")
            parent, _, kind = stack.rpartition(".")
            belongs = stack in owners or (kind in STACKS and (parent in owners or not parent))
            if index.isdecimal() and belongs and owner not in owners:
                return owner
    return ""


def _owners(name: str) -> list[str]:
    """The modules that contain a tensor, outermost first. ``a.b.c`` has ``a`` and ``a.b``."""
    pieces = name.split(".")
    return [".".join(pieces[:length]) for length in range(1, len(pieces))]


def unread_tensor(unread: Iterable[str], model: nn.Module) -> str:
    """Return the first unread weight or bias of a module of the model; empty if there is none.

    Everything below a layer belongs to it, so norms, gates or experts that the configuration leaves out whole are
    found. Language-model heads are outside of layers, so a lacking head is not reported. Nor is the mask that some
    families save as ``attn.bias``: attention consists of other modules and has no parameter of its own.
    """
    prefix = f"{getattr(model, 'base_model_prefix', '')}."
    parts = {name: part for whole, part in model.named_modules() for name in (whole.removeprefix(prefix), whole)}
    for name in sorted(unread):
        owner, _, parameter = name.rpartition(".")
        part = parts.get(owner)
        if part is not None:  # it could be this one's own: the part has parameters, or consists of no others
            own = any(True for _ in part.parameters(recurse=False)) or not any(True for _ in part.children())
            belongs = own and parameter not in dict(part.named_buffers(recurse=False))
        else:  # it may be in a layer, as layers.0.attn.q_norm is
            belongs = any(above in parts and above.rpartition(".")[2].isdecimal() for above in _owners(owner)[1:])
        if parameter in {"weight", "bias"} and belongs:
            return name
    return ""
