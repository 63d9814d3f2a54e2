"""Digests of values, bytes and files."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

from bvf.domain.media import Media

LENGTH = 16
KEY_LENGTH = 32


def digest_of(value: object) -> str:
    """Return a digest of a JSON value, 16 hexadecimal digits."""
    return digest_of_bytes(json.dumps(value, sort_keys=True, ensure_ascii=False).encode())


def digest_of_bytes(content: bytes) -> str:
    """Return a digest of bytes, such as the content of a file, 16 hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()[:LENGTH]


def digest_of_contexts(contexts: Iterable[tuple[str, float, Sequence[Media]]]) -> str:
    """Return the digest of contexts: of their texts, counts and media, in their order. Runs that ask them store it."""
    return digest_of([[text, float(count), *kinds_of(media)] for text, count, media in contexts])


def kinds_of(media: Sequence[Media]) -> list[list[str]]:
    """Return what of media goes into a digest: their kinds and the digests of their bytes."""
    return [[each.kind, each.digest] for each in media]


def digest_of_texts(*texts: str) -> str:
    """Return a digest of texts in their order, 32 hexadecimal digits."""
    made = hashlib.blake2b(digest_size=KEY_LENGTH // 2)
    for text in texts:
        data = text.encode("utf-8", "surrogatepass")
        made.update(len(data).to_bytes(8, "little"))
        made.update(data)
    return made.hexdigest()


def sha256_of(file: Path) -> str:
    """Return the SHA-256 of a file, 64 hexadecimal digits. It is cached in the process until the file changes."""
    now = file.stat()
    return _sha256(file, now.st_size, now.st_mtime_ns)


@lru_cache
def _sha256(file: Path, size: int, changed: int) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
