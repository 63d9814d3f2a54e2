"""Standard output. A write that fails raises `OutputError`."""

import errno
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from bvf.errors import BvfError


class OutputError(BvfError):
    """Standard output cannot be written. ``closed``: its reader closed the pipe, as ``head`` does."""

    def __init__(self, reason: str, *, closed: bool, kept: str = "what a run measured is in its folder") -> None:
        super().__init__(
            f"standard output cannot be written: {reason}", f"free some space, or write it elsewhere; {kept}"
        )
        self.reason = reason
        self.closed = closed


@contextmanager
def kept_in(folders: Sequence[object]) -> Iterator[None]:
    """If stdout fails in the block, let the error name the folders with the printed results."""
    try:
        yield
        sys.stdout.flush()
    except OutputError as error:
        kept = f"what was measured is in {', '.join(map(str, folders))}"
        raise OutputError(error.reason, closed=error.closed, kept=kept) from error


@contextmanager
def guarded_stdout() -> Iterator[None]:
    r"""Write to stdout in the block. All is written before the block ends.

    Characters that the encoding of stdout or stderr lacks are written as ``\uXXXX``.
    """
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError):  # it is None where it is closed
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    plain = sys.stdout
    sys.stdout = guarded = _Guarded(_Closed() if plain is None else plain)
    try:
        yield
        guarded.flush()
    except OutputError:
        _let_go(plain)
        raise
    finally:
        sys.stdout = plain


def settle_stderr() -> None:
    """Flush stderr, or drop what is buffered. A full disk must not change how the program ends."""
    try:
        if sys.stderr is not None:
            sys.stderr.flush()
    except OSError:
        _let_go(sys.stderr)


class _Guarded:
    """A text stream that raises `OutputError` where others raise OSError."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        with _named():
            return int(self._stream.write(text))

    def flush(self) -> None:
        with _named():
            self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class _Closed:
    """Replaces a closed stdout. Flushing raises an error if anything was written."""

    def __init__(self) -> None:
        self._lost = False

    def write(self, text: str) -> int:
        self._lost = self._lost or bool(text)
        return len(text)

    def flush(self) -> None:
        if self._lost:
            raise OSError("it is closed")


@contextmanager
def _named() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise OutputError(reason, closed=error.errno == errno.EPIPE) from error


def _let_go(stream: Any) -> None:
    """Discard what is buffered. Python would try to write it at exit."""
    if stream is None:
        return
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
