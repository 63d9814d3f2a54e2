"""Do model and weights fit: is every parameter filled by a tensor of its shape, and no tensor left over?"""

from collections.abc import Iterable, Mapping
from typing import Any

from torch import nn

from bvf.errors import BvfError
from bvf_transformers.loading.limits import unread_layer

OTHER_WEIGHTS = "the configuration belongs to other weights: download or copy both again"


def check_filled(model: Any, info: Mapping[str, Any], name: str, kind: str) -> None:
    """Check what the library says about the tensors that it read.

    Args:
        model: The model with its weights.
        info: What ``from_pretrained`` gives with ``output_loading_info``.
        name: What the message calls the model.
        kind: Which kind of model was asked for.

    Raises:
        BvfError: A tensor has another shape than the configuration says, is missing, or has no place in a layer or
            part that the model has.
    """
    mismatched = sorted((tensor, tuple(here), tuple(said)) for tensor, here, said in info["mismatched_keys"])
    if mismatched:
        tensor, here, said = mismatched[0]
        raise BvfError(
            f"{name}: {tensor} has the shape {_shape(here)} in the weights, and {_shape(said)} by the configuration",
            OTHER_WEIGHTS,
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


def unread_tensor(unread: Iterable[str], model: nn.Module) -> str:
    """Return the first weight or bias that belongs to a part of the model which was built without it; empty if none.

    A layer of the model is such a part with everything below it, so that norms, gates or experts that a configuration
    leaves out whole are found. Heads that the model has not stand outside of its layers, and are no such parts. Nor is
    the mask that some families save as ``attn.bias``: attention is made of other parts and has no parameter of its own.

    Args:
        unread: Names of the tensors that found no place in the model.
        model: The model.
    """
    prefix = f"{getattr(model, 'base_model_prefix', '')}."
    parts = {name: part for whole, part in model.named_modules() for name in (whole.removeprefix(prefix), whole)}
    for name in sorted(unread):
        owner, _, parameter = name.rpartition(".")
        part = parts.get(owner)
        belongs = _could_have(part, parameter) if part is not None else _is_in_a_layer(owner, parts)
        if parameter in {"weight", "bias"} and belongs:
            return name
    return ""


def _is_in_a_layer(owner: str, parts: Mapping[str, nn.Module]) -> bool:
    """Whether a tensor without a place in the model belongs to one of its layers, as ``layers.0.attn.q_norm`` does."""
    pieces = owner.split(".")
    above = [".".join(pieces[:length]) for length in range(2, len(pieces))]
    return any(name in parts and name.rpartition(".")[2].isdecimal() for name in above)


def _could_have(part: nn.Module, parameter: str) -> bool:
    has_its_own = any(True for _ in part.parameters(recurse=False)) or not any(True for _ in part.children())
    return has_its_own and parameter not in dict(part.named_buffers(recurse=False))


def _shape(sizes: tuple[int, ...]) -> str:
    return " x ".join(map(str, sizes)) or "of one number"
