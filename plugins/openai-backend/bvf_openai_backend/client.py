"""Sends requests to a server, limits their number, and retries. Failures become one-line errors."""

import os
import time
import weakref
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

from bvf.errors import BvfError, LostError, error_text
from bvf.files.parsing import shortened
from bvf_openai_backend.options import ServerOptions

SECONDS_TO_CONNECT = 5.0
FIRST_WAIT = 0.25
"""Seconds before the first retry; doubled for each further one."""
TRIES = 5
LONGEST_WAIT = 120.0
"""The longest time in seconds that a server may ask to wait before the next try."""
BUSY = frozenset({408, 425, 429, 502, 503, 504})
KEPT = "what is scored is kept"
T = TypeVar("T")
R = TypeVar("R")


class Refused(Exception):
    """The server rejects a request. The error has the HTTP status and the server's reason."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(f"{status}: {why}" if why else str(status))
        self.status = status


class NotJsonError(Exception):
    """The server's answer is not JSON. The message has its content type and first characters."""


@dataclass(frozen=True)
class Call:
    """A request: the path below the server's address, and the JSON body."""

    path: str
    body: dict[str, Any]


class Client:
    """Sends requests to one server. Refuses an invalid address, and a key that cannot be sent."""

    def __init__(self, options: ServerOptions) -> None:
        self.options = options
        self.root = _checked(options.base_url).removesuffix("/v1")
        self.host = urlsplit(options.base_url).netloc
        self._key = os.environ.get(options.key_env, "").strip()
        if not (self._key.isascii() and self._key.isprintable()):
            raise BvfError(f"{options.key_env}: this key has characters that no key has", "set it again")
        self._http = httpx2.Client(
            headers={"Authorization": f"Bearer {self._key}"} if self._key else {},
            timeout=httpx2.Timeout(options.timeout, connect=SECONDS_TO_CONNECT),
            limits=httpx2.Limits(max_connections=options.in_flight),
        )
        weakref.finalize(self, self._http.close)
        self._counting = Lock()
        self._sent = 0
        self._has_answered = False

    def get(self, path: str) -> Any:
        """Return the JSON at a path. Raises the same errors as `post`."""
        return self._answer("GET", path, None)

    def post(self, call: Call) -> Any:
        """Return the JSON in the server's answer.

        Raises:
            Refused: The server rejects the request.
            NotJsonError: The answer is not JSON.
            LostError: The server stopped answering, stays busy, or asks for too long a wait.
            BvfError: The server never answered, its certificate is not trusted, or it refuses the key.
        """
        return self._answer("POST", call.path, call.body)

    def post_all(self, calls: Sequence[Call], *, counted: bool) -> Iterator[Any]:
        """Yield the server's answer to each call, in order. With ``counted``, calls count towards ``max_requests``.

        Raises `BvfError` where the server rejects a call or answers without JSON, `LostError` where ``max_requests`` is
        reached, and the other errors of `post`. Calls that remain after an error are not sent.
        """

        def answer(call: Call) -> Any:
            if counted:
                self._count()
            try:
                return self.post(call)
            except Refused as error:
                raise BvfError(f"{self.host} refuses {call.path}: {error}", KEPT) from None
            except NotJsonError as error:
                raise BvfError(f"{self.host} answers {call.path} with no JSON: {error}", KEPT) from None

        return side_by_side(answer, calls, self.options.in_flight)

    def _count(self) -> None:
        most = self.options.max_requests
        with self._counting:
            if most and self._sent >= most:
                raise LostError(
                    f"max_requests={most}: {self.host} was sent as many requests as are allowed", f"{KEPT}; allow more"
                )
            self._sent += 1

    def _answer(self, method: str, path: str, body: dict[str, Any] | None) -> Any:
        """The server's JSON. Requests are repeated while the server is busy or, once it has answered, unreachable."""
        for tried in range(1, TRIES + 1):
            seconds = FIRST_WAIT * 2 ** (tried - 1)
            try:
                response = self._http.request(method, f"{self.root}{path}", json=body)
            except httpx2.HTTPError as error:
                is_final = isinstance(
                    error, httpx2.UnsupportedProtocol | httpx2.DecodingError | httpx2.TooManyRedirects
                )
                if not self._has_answered or tried == TRIES or is_final:
                    raise self._unanswered(error) from None
                time.sleep(seconds)
                continue
            self._has_answered = True
            if response.status_code not in BUSY:
                return self._json(response)
            if tried < TRIES:
                seconds = max(seconds, _retry_after(response.headers.get("Retry-After", "")))
                if seconds > LONGEST_WAIT:
                    raise LostError(f"{self.host} wants to be asked again in {seconds:.0f} seconds", KEPT)
                time.sleep(seconds)
        raise LostError(f"{self.host} is busy: {response.status_code} {self._why(response)} after {TRIES} tries", KEPT)

    def _json(self, response: httpx2.Response) -> Any:
        if response.status_code in (401, 403):
            name = self.options.key_env
            problem = f"the key in {name} is refused" if self._key else f"it wants a key, and {name} holds none"
            raise BvfError(
                f"{self.host}: {problem} ({response.status_code})", "-B key_env=NAME names the variable that holds it"
            )
        if not response.is_success:
            raise Refused(response.status_code, self._why(response))
        try:
            return response.json()
        except ValueError:
            kind = response.headers.get("content-type", "no content type")
            raise NotJsonError(f"{kind}, {self._without_key(shortened(response.text))!r}") from None

    def _why(self, response: httpx2.Response) -> str:
        """The server's error text. The key is removed, as the text may echo the request."""
        try:
            body = response.json()
        except ValueError:
            return self._without_key(shortened(response.text))
        for name in ("error", "message", "detail"):
            body = body.get(name, body) if isinstance(body, dict) else body
        return self._without_key(shortened(str(body)))

    def _without_key(self, text: str) -> str:
        return text.replace(self._key, "...") if self._key else text

    def _unanswered(self, error: httpx2.HTTPError) -> BvfError:
        problem = self._without_key(error_text(error))
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
            "an address is stored with the result: put the key into the environment, see -B key_env",
        )
    return url.rstrip("/")


def _retry_after(header: str) -> float:
    """Seconds to wait by a Retry-After header, a number or a date; 0 if it cannot be parsed."""
    with suppress(ValueError):
        return max(0.0, float(header))
    with suppress(ValueError, TypeError):
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
