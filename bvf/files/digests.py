"""Short digests of values and bytes."""

import hashlib
import json

LENGTH = 16


def digest_of(value: object) -> str:
    """Return 16 hexadecimal digits that stand for a JSON value."""
    return digest_of_bytes(json.dumps(value, sort_keys=True, ensure_ascii=False).encode())


def digest_of_bytes(content: bytes) -> str:
    """Return 16 hexadecimal digits that stand for the content of a file."""
    return hashlib.sha256(content).hexdigest()[:LENGTH]
