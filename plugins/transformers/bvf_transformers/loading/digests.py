"""Digest, number format and number of parameters of a model's weights, without loading them.

Modules that import torch are imported inside functions: to find a cached description, digests suffice.
"""

import math
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from safetensors import safe_open

from bvf.files import digest_of_bytes
from bvf.files import sha256_of as computed_sha256
from bvf_transformers.loading.checkpoint import GGUF, SAFE, shapes_in
from bvf_transformers.loading.gguf import contents_of

if TYPE_CHECKING:
    from transformers import PreTrainedConfig

SHA256 = re.compile(r"[0-9a-f]{64}")
"""Names of large files in the hub cache's ``blobs``, to which a model's folder links, are their SHA-256."""
FLOATS = {"F64": "float64", "F32": "float32", "F16": "float16", "BF16": "bfloat16"}
"""Number formats in headers of safetensors files, as torch names them, that a model can compute in."""


def sha256_of(file: Path) -> bytes:
    """Return the SHA-256 of a file's content. For a large file in the hub's cache, it is read from a file name."""
    target = file.readlink() if file.is_symlink() else Path()
    if target.parent.name == "blobs" and SHA256.fullmatch(target.name):
        return bytes.fromhex(target.name)
    return bytes.fromhex(computed_sha256(file))


def weights_digest(files: Sequence[Path], number_format: str) -> str:
    """Return a digest of the weight files and the number format they are used in; empty without files."""
    return digest_of_bytes(b"".join([number_format.encode(), *map(sha256_of, sorted(files))])) if files else ""


def parameters_in(files: Sequence[Path]) -> int | None:
    """Return the number of parameters by the files' headers; None without files, or if a header is missing."""
    if not files or not all(file.suffix in {SAFE, GGUF} for file in files):
        return None
    shapes = [*shapes_in(files).values()]
    shapes += [shape for file in files if file.suffix == GGUF for shape in contents_of(file).shapes.values()]
    return sum(map(math.prod, shapes))


def number_format(wanted: Any, config: "PreTrainedConfig", files: Sequence[Path]) -> str:
    """Return the number format that a model will have, such as ``torch.float32``.

    If "auto" is wanted, it is the format in the configuration, else that of the weights, else "auto": without a header
    the format of weights is not known before they are loaded.
    """
    from bvf_transformers.kinds.slot import part_for_text

    if wanted != "auto":
        return str(wanted)
    found = config.dtype or getattr(part_for_text(config), "dtype", None) or next(_floats_in(files), "auto")
    return found if found == "auto" else f"torch.{str(found).removeprefix('torch.')}"


def _floats_in(files: Sequence[Path]) -> Iterator[str]:
    """The number formats of float tensors in safetensors files, file by file."""
    for file in sorted(file for file in files if file.suffix == SAFE):
        with safe_open(file, framework="numpy") as content:
            formats = [content.get_slice(name).get_dtype() for name in content.keys()]  # noqa: SIM118
        yield from (FLOATS[each] for each in formats if each in FLOATS)
