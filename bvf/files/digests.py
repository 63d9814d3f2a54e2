"""Digests of values, bytes and files."""

import hashlib
import json
from functools import lru_cache
from pathlib import Path

LENGTH = 16
KEY_LENGTH = 32


def digest_of(value: object) -> str:
    """Return 16 hexadecimal digits that stand for a JSON value."""
    return digest_of_bytes(json.dumps(value, sort_keys=True, ensure_ascii=False).encode())


def digest_of_bytes(content: bytes) -> str:
    """Return 16 hexadecimal digits that stand for the content of a file."""
    return hashlib.sha256(content).hexdigest()[:LENGTH]


def digest_of_texts(*texts: str) -> str:
    """Return 32 hexadecimal digits that stand for some texts, in their order."""
    made = hashlib.blake2b(digest_size=KEY_LENGTH // 2)
    for text in texts:
        data = text.encode("utf-8", "surrogatepass")
        made.update(len(data).to_bytes(8, "little"))
        made.update(data)
    return made.hexdigest()


def sha256_of(file: Path) -> str:
    """Return the SHA-256 of a file, 64 hexadecimal digits; one that does not change is read once in a process."""
    now = file.stat()
    return _sha256(file, now.st_size, now.st_mtime_ns)


@lru_cache
def _sha256(file: Path, size: int, changed: int) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
