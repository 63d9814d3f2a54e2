"""Digests of values, bytes and files."""

import hashlib
import json
from functools import lru_cache
from pathlib import Path

from bvf.domain.context import Template
from bvf.domain.openings import Openings
from bvf.domain.prompt import Prompt

LENGTH = 16


def digest_of(value: object) -> str:
    """Return a digest of a JSON value, 16 hexadecimal digits."""
    return digest_of_bytes(json.dumps(value, sort_keys=True, ensure_ascii=False).encode())


def digest_of_bytes(content: bytes) -> str:
    """Return a digest of bytes, such as the content of a file, 16 hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()[:LENGTH]


def digest_of_openings(pool: Openings) -> str:
    """Return the digest of openings and counts, in their order. Runs that read them store it."""
    return digest_of([[text, float(count)] for text, count in zip(pool.texts, pool.counts, strict=True)])


def beside_text(asked: Template | Prompt) -> list[list[str]]:
    """Return what a model gets beside a text, for a digest: kind and digest of each media file, and what is said."""
    chat = [["chat", asked.chat.turn, asked.chat.user, asked.chat.system]] if asked.chat else []
    said = [["before", asked.before]] if asked.before else []
    return [*([each.kind, each.digest] for each in asked.media), *chat, *said]


def digest_of_texts(*texts: str) -> str:
    """Return a digest of texts in their order, 32 hexadecimal digits."""
    made = hashlib.blake2b(digest_size=16)
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
