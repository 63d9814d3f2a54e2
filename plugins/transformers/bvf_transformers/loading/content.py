"""Digests of files with weights, each read once in a process."""

import re
from pathlib import Path

from bvf.files import digests

BLOBS = "blobs"
SHA256 = re.compile(r"[0-9a-f]{64}")
"""Names of large files in the hub's cache, where the folder of a model has links to them."""


def sha256_of(file: Path) -> bytes:
    """Return the digest of a file's content; that of a large file in the hub's cache is its name."""
    target = file.readlink() if file.is_symlink() else Path()
    if target.parent.name == BLOBS and SHA256.fullmatch(target.name):
        return bytes.fromhex(target.name)
    return bytes.fromhex(digests.sha256_of(file))
