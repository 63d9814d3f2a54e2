"""Requests to a server: bounded in number and in flight, tried again where that helps, with errors of one line."""

import os
import time
import weakref
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from threading import Lock
from typing import Any
from urllib.parse import urlsplit

import httpx2

from bvf.errors import BvfError, LostError, said
from bvf.files.parsing import shortened
from bvf_openai_backend.options import ServerOptions
from bvf_openai_backend.threads import side_by_side

SECONDS_TO_CONNECT = 5.0
FIRST_WAIT = 0.25
"""Seconds before a request is sent again; they double each time."""
TRIES = 5
LONGEST_WAIT = 120.0
"""The longest time in seconds that a server may ask to wait before the next try."""
BUSY = frozenset({408, 425, 429, 502, 503, 504})
KEPT = "what is scored is kept"


class Refused(Exception):
    """The server does not take a request.

    Args:
        status: Of HTTP.
        why: The reason that the server gives, in one line.
    """

    def __init__(self, status: int, why: str) -> None:
        super().__init__(f"{status}: {why}" if why else str(status))
        self.status = status


class NotJsonError(Exception):
    """The server answers with something else than JSON; says with what."""


@dataclass(frozen=True)
class Call:
    """A request: a path right of the server's address, and a body."""

    path: str
    body: dict[str, Any]


class Client:
    """Sends requests to one server.

    Args:
        options: Where the server is, and how often it may be asked.

    Raises:
        BvfError: The address is invalid, or holds a key; or the key has characters that cannot be sent.
    """

    def __init__(self, options: ServerOptions) -> None:
        self.options = options
        self.root = _checked(options.base_url).removesuffix("/v1")
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
        self.sent = 0
        self._has_answered = False

    @property
    def host(self) -> str:
        """The name of the server in messages."""
        return urlsplit(self.options.base_url).netloc

    def get(self, path: str) -> Any:
        """Return the JSON that lies at a path.

        Raises:
            Refused: There is nothing.
            NotJsonError: It is something else.
            BvfError: See `post`.
        """
        return self._json(self._answered("GET", path, None))

    def post(self, call: Call) -> Any:
        """Return the JSON that the server answers.

        Raises:
            Refused: It does not take the request.
            NotJsonError: It answers with something else.
            LostError: It answered before, and no longer does.
            BvfError: It does not answer, cannot be trusted, refuses the key, or was asked as often as is allowed.
        """
        return self._json(self._answered("POST", call.path, call.body))

    def post_all(self, calls: Sequence[Call], *, counted: bool) -> Iterable[Any]:
        """Return what the server answers to each call, in their order, with as many in flight as is allowed.

        Args:
            calls: Any number.
            counted: Whether they count among ``max_requests``.

        Raises:
            BvfError: As `post`, and for what it refuses; nothing more is sent then.
        """
        return side_by_side(self._asked if counted else self._needed, calls, self.options.in_flight)

    def _asked(self, call: Call) -> Any:
        self._count()
        return self._needed(call)

    def _needed(self, call: Call) -> Any:
        try:
            return self.post(call)
        except Refused as error:
            raise BvfError(f"{self.host} refuses {call.path}: {error}", KEPT) from None
        except NotJsonError as error:
            raise BvfError(f"{self.host} answers {call.path} with no JSON: {error}", KEPT) from None

    def _answered(self, method: str, path: str, body: dict[str, Any] | None) -> httpx2.Response:
        """The answer of the server, asked again while it is busy."""
        for tried in range(1, TRIES + 1):
            try:
                response = self._http.request(method, f"{self.root}{path}", json=body)
            except httpx2.HTTPError as error:
                if not self._has_answered or tried == TRIES or _is_final(error):
                    raise self._unanswered(error) from None
                time.sleep(FIRST_WAIT * 2 ** (tried - 1))
                continue
            self._has_answered = True
            if response.status_code not in BUSY:
                return self._accepted(response)
            if tried < TRIES:
                self._wait(response, FIRST_WAIT * 2 ** (tried - 1))
        raise LostError(f"{self.host} is busy: {response.status_code} {self._why(response)} after {TRIES} tries", KEPT)

    def _count(self) -> None:
        most = self.options.max_requests
        with self._counting:
            if most and self.sent >= most:
                raise LostError(
                    f"max_requests={most}: {self.host} was asked as often as is allowed", f"{KEPT}; allow more"
                )
            self.sent += 1

    def _wait(self, response: httpx2.Response, seconds: float) -> None:
        wanted = max(seconds, _retry_after(response.headers.get("Retry-After", "")))
        if wanted > LONGEST_WAIT:
            raise LostError(f"{self.host} wants to be asked again in {wanted:.0f} seconds", KEPT)
        time.sleep(wanted)

    def _accepted(self, response: httpx2.Response) -> httpx2.Response:
        if response.status_code in (401, 403):
            name = self.options.key_env
            held = f"the key in {name} is refused" if self._key else f"it wants a key, and {name} holds none"
            raise BvfError(
                f"{self.host}: {held} ({response.status_code})", "-B key_env=NAME names the variable that holds it"
            )
        if not response.is_success:
            raise Refused(response.status_code, self._why(response))
        return response

    def _json(self, response: httpx2.Response) -> Any:
        try:
            return response.json()
        except ValueError:
            kind = response.headers.get("content-type", "no content type")
            raise NotJsonError(f"{kind}, {self._without_key(shortened(response.text))!r}") from None

    def _why(self, response: httpx2.Response) -> str:
        """The server's text for an error, which may repeat what it was sent."""
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
        what = self._without_key(said(error))
        if "CERTIFICATE" in what.upper() or "certificate" in what:
            return BvfError(
                f"{self.host}: its certificate is not trusted: {what}",
                "SSL_CERT_FILE=FILE names one of your own authority",
            )
        if self._has_answered:
            return LostError(f"{self.host} answers no more: {what}", f"{KEPT}; start it again")
        return BvfError(
            f"{self.host}: nobody answers: {what}",
            "start the server, or name its address: -B base_url=http://HOST:PORT/v1",
        )


def _checked(url: str) -> str:
    """Refuse an invalid address, and one that holds a key: an address is stored with the result."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BvfError(f"base_url={shortened(url)}: this is no address", "write http://HOST:PORT/v1")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise BvfError(
            f"base_url: there is more than an address for {parts.hostname}, perhaps a key",
            "an address is stored with the result: put the key into the environment, see -B key_env",
        )
    return url.rstrip("/")


def _is_final(error: httpx2.HTTPError) -> bool:
    return isinstance(error, httpx2.UnsupportedProtocol | httpx2.DecodingError | httpx2.TooManyRedirects)


def _retry_after(header: str) -> float:
    """Seconds that a header asks for: a number, or a date; 0 for what cannot be read."""
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(header) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return 0.0
