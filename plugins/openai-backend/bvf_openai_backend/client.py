"""Sends requests to a server, limits their number, and retries. Failures become one-line errors."""

import json
import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from threading import Event, Lock, Thread
from typing import Any, TypeVar
from urllib.parse import urlsplit

import httpx2

from bvf import BvfError
from bvf.errors import LostError, error_text, shortened
from bvf.hooks import warn
from bvf_openai_backend.options import AUTHORIZATION, ServerOptions
from bvf_openai_backend.transport import FEWEST_OF_A_KEY, EndlessError, Received, Secrets, Transport

FIRST_WAIT = 0.25
"""Seconds before the first retry; doubled for each further one."""
TRIES = 5
LONGEST_WAIT = 120.0
"""The longest time in seconds that a server may ask to wait before the next try."""
BUSY = frozenset({408, 425, 429, 502, 503, 504})
KEPT = "what is scored is kept"
FILTERS = re.compile(  # the error of a content filter
    r'"(?:code|type|message)"\s*:\s*"[^"]*(?:content.?filter|content.?(?:management.?)?polic|responsible.?ai|moderation'
    r"|data.?inspection|content exists risk|flagged|safety.?(?:filter|polic|system))",
    re.IGNORECASE,
)
MOST_READ = 10_000
"""The most characters of an error text that are looked at."""
T = TypeVar("T")
R = TypeVar("R")


class Refused(Exception):
    """The server rejects a request. The error has the HTTP status and the server's reason."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(f"{status}: {why}" if why else str(status))
        self.status = status


class Filtered(Refused):
    """A content filter of the server rejects a request."""


class NotJsonError(Exception):
    """The server's answer is not JSON. The message has its content type and first characters."""


@dataclass(frozen=True)
class Call:
    """A request: the path below the server's address, the JSON body, and for how many tokens at most it asks."""

    path: str
    body: dict[str, Any]
    tokens: int = 0


class Client:
    """Sends requests to one server. Refuses an invalid address, and a key that cannot be sent."""

    def __init__(self, options: ServerOptions) -> None:
        self.options = options
        address = _checked(options.base_url)
        self.root = address.removesuffix("/v1")
        self.host = urlsplit(options.base_url).netloc
        self._below_v1 = address.endswith("/v1") or not options.api_version
        self._key = _sendable(options.key_env)
        if 0 < len(self._key) < FEWEST_OF_A_KEY:
            warn(f"the key in {options.key_env} has under {FEWEST_OF_A_KEY} characters: it is masked in messages alone")
        headers = {name: _sendable(variable, needed=name) for name, variable in options.headers_env.items()}
        self._secrets = Secrets([self._key, *headers.values()])
        if self._key:
            bearer = "Bearer " if options.key_header.lower() == AUTHORIZATION.lower() else ""
            headers[options.key_header] = f"{bearer}{self._key}"
        query = {"api-version": options.api_version} if options.api_version else {}
        self._transport = Transport(headers, query, options.timeout, options.in_flight)
        self._counting, self._sent, self._has_answered = Lock(), 0, False

    def masked(self, text: str) -> str:
        """Return a text of the server without the key and other secrets, which it may repeat."""
        return self._secrets.masked(text)

    def get(self, path: str) -> Any:
        """Return the JSON at a path. Raises the same errors as `post`."""
        return self._answer("GET", path, None, 0)

    def post(self, call: Call) -> Any:
        """Send a request, and return the JSON in the server's answer.

        Raises:
            Refused: The server rejects the request.
            NotJsonError: The answer is not JSON.
            LostError: The server stopped answering, stays busy, or asks for too long a wait.
            BvfError: The server never answered, its certificate is not trusted, or it refuses the key.
        """
        return self._answer("POST", call.path, call.body, call.tokens)

    def post_all(self, calls: Sequence[Call], *, counted: bool, filtered: bool = False) -> Iterator[Any]:
        """Yield the server's answer to each call, in order. With ``counted``, calls count towards ``max_requests``.

        With ``filtered``, a call that a content filter rejects has the error `Filtered` in place of an answer.
        Raises `BvfError` where the server rejects a call or answers without JSON, `LostError` where ``max_requests`` is
        reached, and the other errors of `post`. Calls that remain after an error are not sent.
        """

        def answer(call: Call) -> Any:
            if counted:
                self._count()
            try:
                return self.post(call)
            except Refused as error:
                if filtered and isinstance(error, Filtered):
                    return error
                raise BvfError(f"{self.host} refuses {call.path}: {error}", KEPT) from None
            except NotJsonError as error:
                raise BvfError(f"{self.host} answers {call.path} with no JSON: {error}", KEPT) from None

        return side_by_side(answer, calls, self.options.in_flight)

    def check_budget(self, wanted: int, what: str, less: str) -> None:
        """Refuse what takes more requests than ``max_requests``; ``less`` has the options to ask less."""
        if 0 < self.options.max_requests < wanted:
            raise BvfError(
                f"max_requests={self.options.max_requests}, and these {what}", f"allow more, or ask less: {less}"
            )

    def _count(self) -> None:
        most = self.options.max_requests
        with self._counting:
            if most and self._sent >= most:
                raise LostError(
                    f"max_requests={most}: {self.host} was sent as many requests as are allowed", f"{KEPT}; allow more"
                )
            self._sent += 1

    def _answer(self, method: str, path: str, body: dict[str, Any] | None, tokens: int) -> Any:
        """The server's JSON. Requests are repeated while the server is busy or, once it has answered, unreachable."""
        url = self.root + (path if self._below_v1 else path.removeprefix("/v1"))
        for tried in range(1, TRIES + 1):
            seconds = FIRST_WAIT * 2 ** (tried - 1)
            try:
                received = self._transport.send(method, url, body, tokens)
            except EndlessError as error:
                raise (LostError if self._has_answered else BvfError)(f"{self.host}: {error}", KEPT) from None
            except httpx2.HTTPError as error:
                is_final = isinstance(
                    error, httpx2.UnsupportedProtocol | httpx2.DecodingError | httpx2.TooManyRedirects
                )
                if not self._has_answered or tried == TRIES or is_final:
                    raise self._unanswered(error) from None
                time.sleep(seconds)
                continue
            self._has_answered = True
            if received.status not in BUSY:
                return self._json(received)
            if tried < TRIES:
                seconds = max(seconds, _retry_after(received.retry_after))
                if seconds > LONGEST_WAIT:
                    raise LostError(f"{self.host} wants to be asked again in {seconds:.0f} seconds", KEPT)
                time.sleep(seconds)
        raise LostError(f"{self.host} is busy: {received.status} {self._why(received)} after {TRIES} tries", KEPT)

    def _json(self, received: Received) -> Any:
        if 400 <= received.status < 500 and FILTERS.search(_text(received)):
            raise Filtered(received.status, self._why(received))
        if received.status in (401, 403):
            name = self.options.key_env
            problem = f"the key in {name} is refused" if self._key else f"it wants a key, and {name} holds none"
            hint = "-B key_env=NAME names the variable that holds it, -B key_header=NAME the header that has it"
            raise BvfError(f"{self.host}: {problem} ({received.status})", hint)
        if not 200 <= received.status < 300:
            raise Refused(received.status, self._why(received))
        try:
            answer = json.loads(received.content)
            if rb"\ud" in received.content or rb"\uD" in received.content:  # half of a character cannot be stored
                whole = json.dumps(answer, ensure_ascii=False).encode("utf-16", "surrogatepass")
                answer = json.loads(whole.decode("utf-16", "replace"))
        except (ValueError, RecursionError):
            kind = self._shortened(received.kind) or "no content type"
            raise NotJsonError(f"{kind}, {self._shortened(_text(received))!r}") from None
        if self._secrets.are_in(answer):
            raise BvfError(
                f"{self.host}: its answer holds the key that it was sent, and would be stored with it",
                "take a server that does not repeat requests; and another key, as this one is known to it",
            )
        return answer

    def _why(self, received: Received) -> str:
        """The server's error text."""
        try:
            body = json.loads(received.content)
        except (ValueError, RecursionError):
            return self._shortened(_text(received))
        for name in ("error", "message", "detail"):
            body = body.get(name, body) if isinstance(body, dict) else body
        return self._shortened(str(body))

    def _shortened(self, text: str) -> str:
        """The beginning of a text of the server, without secrets: they are masked before anything is cut off."""
        return shortened(self.masked(text[:MOST_READ]))

    def _unanswered(self, error: httpx2.HTTPError) -> BvfError:
        problem = self.masked(error_text(error))
        if "CERTIFICATE" in problem.upper():
            return BvfError(
                f"{self.host}: its certificate is not trusted: {problem}",
                "SSL_CERT_FILE=FILE names one of your own authority",
            )
        if self._has_answered:
            return LostError(f"{self.host} no longer answers: {problem}", f"{KEPT}; start it again")
        return BvfError(
            f"{self.host} does not answer: {problem}",
            "start the server, or name its address: -B base_url=http://HOST:PORT/v1",
        )


def _checked(url: str) -> str:
    """Return the address. Refuses an invalid one, and one that may contain a key, since results store the address."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BvfError(f"base_url={shortened(url)}: this is not an address", "write http://HOST:PORT/v1")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise BvfError(
            f"base_url: there is more than an address for {parts.hostname}, perhaps a key",
            "an address is stored with the result: put the key into the environment, see -B key_env; a version of the "
            "API is -B api_version",
        )
    return url.rstrip("/")


def _sendable(variable: str, needed: str = "") -> str:
    """The secret in an environment variable. Refuses one that cannot be sent, and none where a header needs one."""
    secret = os.environ.get(variable, "").strip()
    if not (secret.isascii() and secret.isprintable()):
        raise BvfError(f"{variable}: this key has characters that no key has", "set it again")
    if needed and not secret:
        raise BvfError(f"-B headers_env: the header {needed} is in {variable}, and that holds nothing", "set it")
    return secret


def _text(received: Received) -> str:
    return received.content[: 4 * MOST_READ].decode("utf-8", "replace")


def _retry_after(header: str) -> float:
    """Seconds to wait by a Retry-After header, a number or a date; 0 if it cannot be parsed."""
    with suppress(ValueError):
        return max(0.0, float(header))
    with suppress(ValueError, TypeError, OverflowError):
        return max(0.0, (parsedate_to_datetime(header) - datetime.now(UTC)).total_seconds())
    return 0.0


def side_by_side(do: Callable[[T], R], items: Sequence[T], most: int) -> Iterator[R]:
    """Call ``do`` on each item in up to ``most`` threads, and yield the results in order. The first error ends it.

    The threads are daemons, so that an interrupted program does not wait for them.
    """
    done: list[Future[R]] = [Future() for _ in items]
    waiting = iter(zip(items, done, strict=True))
    taking, ended = Lock(), Event()

    def work() -> None:
        while not ended.is_set():
            with taking:
                item, future = next(waiting, (None, None))
            if item is None or future is None:
                return
            try:
                future.set_result(do(item))
            except BaseException as error:  # noqa: BLE001 - raised again by the future, whatever it is
                ended.set()
                future.set_exception(error)

    for _ in range(min(most, len(items))):
        Thread(target=work, daemon=True).start()
    try:
        for future in done:
            yield future.result()
    finally:
        ended.set()
