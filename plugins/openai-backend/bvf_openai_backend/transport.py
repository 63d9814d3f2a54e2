"""Sends one request over HTTP, with an end in seconds and in bytes, and shows no key."""

import time
import weakref
from collections.abc import Iterable
from concurrent.futures import Future
from dataclasses import dataclass
from threading import Thread
from typing import Any

import httpx2

MASK = "..."
FEWEST_OF_A_KEY = 16
"""An answer with a secret of so many characters is refused; shorter ones, as of local servers, may stand in texts."""
PART = 8
"""So many characters of a secret in a row are masked, too: a server may cut what it repeats."""
SECONDS_TO_CONNECT = 5.0
MOST_BYTES, BYTES_OF_A_TOKEN, MOST_PARTS = 10_000_000, 1000, 8_000_000
"""The longest answer, unpacked, if it is asked for no token; by how much each lengthens it; its most parts."""
UNPACKED = ("gzip", "deflate")
"""How an answer may be packed: a chunk of these grows at most a thousandfold."""


class Secrets:
    """Masks secrets in the texts of a server, before anything cuts, stores or prints them."""

    def __init__(self, secrets: Iterable[str]) -> None:
        self._secrets = sorted(filter(None, set(secrets)), key=len, reverse=True)

    def are_in(self, value: Any) -> bool:
        """Whether a secret that is long enough to be a key stands in a text of an answer in JSON."""
        keys, left = [each for each in self._secrets if len(each) >= FEWEST_OF_A_KEY], [value]
        while keys and left:
            one = left.pop()
            if isinstance(one, dict):
                left += [*one, *one.values()]
            elif isinstance(one, list):
                left += one
            elif isinstance(one, str) and any(key in one for key in keys):
                return True
        return False

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


class EndlessError(Exception):
    """An answer takes more seconds, bytes or objects than are allowed. The message says how many."""


@dataclass(frozen=True)
class Received:
    """An answer: its HTTP status, content type, Retry-After header and unpacked content."""

    status: int
    kind: str
    retry_after: str
    content: bytes


class Transport:
    """Sends requests to one server.

    Args:
        headers: Headers of every request.
        query: What every address ends with, by name.
        seconds: The longest time from sending a request to the last byte of its answer.
        connections: The most connections at a time.
    """

    def __init__(self, headers: dict[str, str], query: dict[str, str], seconds: float, connections: int) -> None:
        self._seconds = seconds
        self._http = httpx2.Client(
            headers={"Accept-Encoding": ", ".join(UNPACKED), **headers},
            params=query,
            timeout=httpx2.Timeout(seconds, connect=SECONDS_TO_CONNECT),
            limits=httpx2.Limits(max_connections=connections),
        )
        weakref.finalize(self, self._http.close)

    def send(self, method: str, url: str, body: dict[str, Any] | None, tokens: int) -> Received:
        """Send a request for so many tokens and return the answer.

        A thread waits for the answer, since a server may send its headers letter by letter for ever.

        Raises:
            EndlessError: The answer takes too long, or is too large.
            httpx2.HTTPError: There is no answer.
        """
        answer: Future[Received] = Future()
        ends = time.monotonic() + self._seconds + SECONDS_TO_CONNECT

        def wait() -> None:
            try:
                answer.set_result(self._received(method, url, body, MOST_BYTES + BYTES_OF_A_TOKEN * tokens, ends))
            except BaseException as error:  # noqa: BLE001 - raised again by the future, whatever it is
                answer.set_exception(error)

        Thread(target=wait, daemon=True).start()
        try:
            return answer.result(ends - time.monotonic())
        except TimeoutError:
            raise self._too_long() from None

    def _received(self, method: str, url: str, body: dict[str, Any] | None, most: int, ends: float) -> Received:
        with self._http.stream(method, url, json=body) as response:
            packed = response.headers.get("Content-Encoding", "identity").strip().lower()
            if packed not in (*UNPACKED, "identity", ""):
                raise httpx2.DecodingError("its answer is packed in a way that it was not asked for")
            content = bytearray()
            for chunk in response.iter_bytes():
                content += chunk
                if len(content) > most:
                    raise EndlessError(f"its answer has more than {most / 1e6:g} MB")
                if time.monotonic() > ends:
                    raise self._too_long()
            if sum(map(content.count, b"[{,")) > MOST_PARTS:
                raise EndlessError(f"its answer has more than {MOST_PARTS:,} objects, lists and commas")
            kind, retry_after = (response.headers.get(name, "") for name in ("Content-Type", "Retry-After"))
            return Received(response.status_code, kind, retry_after, bytes(content))

    def _too_long(self) -> EndlessError:
        return EndlessError(f"its answer takes more than {self._seconds:g} seconds (-B timeout)")
