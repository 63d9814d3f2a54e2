"""A digest of a model's weights and the number of its parameters, without loading them."""

import hashlib
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from safetensors import safe_open
from transformers import PreTrainedConfig

from bvf.files.digests import LENGTH
from bvf_transformers.kinds.parts import part_for_text
from bvf_transformers.loading.checkpoint import SAFE, shapes_in
from bvf_transformers.loading.content import sha256_of
from bvf_transformers.loading.gguf import GGUF, shapes_in_gguf

FLOATS = {"F64": "float64", "F32": "float32", "F16": "float16", "BF16": "bfloat16"}
"""Number formats in the headers of safetensors files that a model can be built in."""


def weights_digest(files: Sequence[Path], number_format: str) -> str:
    """Return a digest of the weights as they are used, number format included; empty where there are no files."""
    digest = hashlib.sha256(number_format.encode())
    for file in sorted(files):
        digest.update(sha256_of(file))
    return digest.hexdigest()[:LENGTH] if files else ""


def parameters_in(files: Sequence[Path]) -> int | None:
    """Return how many numbers weights have, by the headers of their files; None where there is no header that says."""
    if not files or not all(file.suffix in {SAFE, GGUF} for file in files):
        return None
    shapes = [*shapes_in(list(files)).values()]
    shapes += [shape for file in files if file.suffix == GGUF for shape in shapes_in_gguf(file).values()]
    return sum(map(math.prod, shapes))


def number_format(wanted: Any, config: PreTrainedConfig, files: Sequence[Path]) -> str:
    """Return the number format that a model will have, as ``torch.float32``.

    Args:
        wanted: A format, or "auto": that of the configuration, else that of the weights.
        config: Of the model.
        files: With its weights. Of those without a header, "auto" is all that is known before they are loaded.
    """
    if wanted != "auto":
        return str(wanted)
    said = config.dtype or getattr(part_for_text(config), "dtype", None) or next(_floats_in(files), "auto")
    return said if said == "auto" else f"torch.{str(said).removeprefix('torch.')}"


def _floats_in(files: Sequence[Path]) -> Iterator[str]:
    """The number formats of tensors in safetensors files, in the order in which the library looks at them."""
    for file in sorted(file for file in files if file.suffix == SAFE):
        with safe_open(file, framework="numpy") as content:
            formats = [content.get_slice(name).get_dtype() for name in content.keys()]  # noqa: SIM118
        yield from (FLOATS[each] for each in formats if each in FLOATS)
