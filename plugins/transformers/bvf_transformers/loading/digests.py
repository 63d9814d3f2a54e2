"""A digest of a model's weights, their number format and how many numbers they are, without loading them.

Modules that import torch are imported inside functions: a description that is remembered needs digests alone.
"""

import hashlib
import math
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from safetensors import safe_open

from bvf.files import digests
from bvf_transformers.loading.checkpoint import SAFE, shapes_in

if TYPE_CHECKING:
    from transformers import PreTrainedConfig

SHA256 = re.compile(r"[0-9a-f]{64}")
"""Names of large files in the folder ``blobs`` of the hub's cache; the folder of a model has links to them."""
FLOATS = {"F64": "float64", "F32": "float32", "F16": "float16", "BF16": "bfloat16"}
"""Number formats in the headers of safetensors files that a model can be built in."""


def sha256_of(file: Path) -> bytes:
    """Return the SHA-256 of a file's content; that of a large file in the hub's cache is its name."""
    target = file.readlink() if file.is_symlink() else Path()
    if target.parent.name == "blobs" and SHA256.fullmatch(target.name):
        return bytes.fromhex(target.name)
    return bytes.fromhex(digests.sha256_of(file))


def weights_digest(files: Sequence[Path], number_format: str) -> str:
    """Return a digest of the weights as they are used, number format included; empty where there are no files."""
    digest = hashlib.sha256(number_format.encode())
    for file in sorted(files):
        digest.update(sha256_of(file))
    return digest.hexdigest()[: digests.LENGTH] if files else ""


def parameters_in(files: Sequence[Path]) -> int | None:
    """Return how many numbers the headers of weights count; None where a file has no header."""
    from bvf_transformers.loading.gguf import GGUF, contents_of

    if not files or not all(file.suffix in {SAFE, GGUF} for file in files):
        return None
    shapes = [*shapes_in(files).values()]
    shapes += [shape for file in files if file.suffix == GGUF for shape in contents_of(file).shapes.values()]
    return sum(map(math.prod, shapes))


def number_format(wanted: Any, config: "PreTrainedConfig", files: Sequence[Path]) -> str:
    """Return the number format that a model will have, as ``torch.float32``.

    If "auto" is wanted, it is the format in the configuration, else that of the weights, else "auto": weights without a
    header do not show their format before they are loaded.
    """
    from bvf_transformers.kinds.slot import part_for_text

    if wanted != "auto":
        return str(wanted)
    found = config.dtype or getattr(part_for_text(config), "dtype", None) or next(_floats_in(files), "auto")
    return found if found == "auto" else f"torch.{str(found).removeprefix('torch.')}"


def _floats_in(files: Sequence[Path]) -> Iterator[str]:
    """The number formats of tensors in safetensors files, in the order in which the library looks at them."""
    for file in sorted(file for file in files if file.suffix == SAFE):
        with safe_open(file, framework="numpy") as content:
            formats = [content.get_slice(name).get_dtype() for name in content.keys()]  # noqa: SIM118
        yield from (FLOATS[each] for each in formats if each in FLOATS)
