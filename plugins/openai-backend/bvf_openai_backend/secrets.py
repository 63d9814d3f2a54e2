"""Texts that nothing may show: the key of a server, and the values of headers that the user sets."""

from collections.abc import Iterable

MASK = "..."
PART = 8
"""So many characters of a secret in a row are masked, too: a server may cut what it repeats."""


class Secrets:
    """Masks secrets in the texts of a server, before anything cuts, stores or prints them."""

    def __init__(self, secrets: Iterable[str]) -> None:
        self._secrets = sorted(filter(None, set(secrets)), key=len, reverse=True)

    def masked(self, text: str) -> str:
        """Return a text with ``...`` in place of every secret, and of every part of one that has `PART` characters.

        >>> Secrets(["sk-0123456789"]).masked("a key sk-0123456789, and sk-012345, and sk-012")
        'a key ..., and ..., and sk-012'
        """
        for secret in self._secrets:
            text = _without_parts(text.replace(secret, MASK), secret)
        return text


def _without_parts(text: str, secret: str) -> str:
    parts = {secret[start : start + PART] for start in range(len(secret) - PART + 1)}
    if not any(part in text for part in parts):
        return text
    kept, start = list[str](), 0
    while start < len(text):
        end = start + PART
        if text[start:end] not in parts:
            kept.append(text[start])
            start += 1
            continue
        while end < len(text) and text[start : end + 1] in secret:
            end += 1
        kept.append(MASK)
        start = end
    return "".join(kept)
