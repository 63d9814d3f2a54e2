"""Remote files of a corpus: ``https://``, ``s3://`` and all others that fsspec opens."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, BinaryIO, cast
from urllib.parse import urlsplit, urlunsplit

from bvf import BvfError

CHECK = "check the address and the network"


@dataclass(frozen=True)
class RemoteFile:
    """A file of an fsspec file system. ``size`` is its number of bytes, None if unknown."""

    address: str
    system: Any
    size: int | None

    def __str__(self) -> str:
        return public(self.address)

    @contextmanager
    def open(self, seekable: bool) -> Iterator[BinaryIO]:
        """Open the file for reading. It can be read once from start to end or, if ``seekable``, in blocks."""
        blocks = {"block_size": 0} if _is_web(self.system) and not seekable else {}
        with _explained(self.address):
            raw = self.system.open(self.address, "rb", **blocks)
        with raw:
            yield cast("BinaryIO", raw if seekable else io.BufferedReader(_Counted(raw, self.address)))


class _Counted(io.RawIOBase):
    """A stream that counts the bytes read. Its errors name the file."""

    def __init__(self, inner: Any, address: str) -> None:
        self.inner, self.address, self.taken = inner, address, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        with _explained(self.address):
            data = self.inner.read(len(buffer))
        buffer[: len(data)] = data
        self.taken += len(data)
        return len(data)

    def tell(self) -> int:
        return self.taken


def is_remote(source: str) -> bool:
    """Whether a source of a corpus is an address, such as ``https://example.org/corpus.txt``."""
    return "://" in source


def public(source: str) -> str:
    """Return the source of a corpus as it may be stored: an address without user, query and fragment, which hold keys.

    >>> public("https://me:PASSWORD@example.org/corpus.txt?signature=TOKEN")
    'https://example.org/corpus.txt'
    """
    if not is_remote(source):
        return source
    parts = urlsplit(source)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def path_in(address: str) -> PurePosixPath:
    """Return the path of an address, without its query.

    >>> path_in("https://example.org/dumps/enwiki.xml.bz2?download=1").name
    'enwiki.xml.bz2'
    """
    return PurePosixPath(urlsplit(address).path)


def remote_files(source: str) -> list[RemoteFile]:
    """Return the files at a URL of a file, folder or glob, by name. Refuses one that cannot be reached."""
    try:
        from fsspec.core import url_to_fs
    except ImportError as error:
        raise BvfError(f"{public(source)} needs fsspec, which is not installed", "pip install 'bvf[mining]'") from error
    with _explained(source):
        system, path = url_to_fs(source)
        listed = system.glob if "*" in path else system.find
        paths = [path] if _is_web(system) else sorted(listed(path))
        sizes = [system.info(each).get("size") for each in paths]
    return [RemoteFile(system.unstrip_protocol(each), system, size) for each, size in zip(paths, sizes, strict=True)]


def _is_web(system: Any) -> bool:
    """Whether a file system of fsspec is the web. Web servers may be unable to list folders or send parts of files."""
    return "https" in system.protocol


@contextmanager
def _explained(address: str) -> Iterator[None]:
    known = address
    try:
        address = public(address)
        yield
    except FileNotFoundError as error:
        raise BvfError(f"{address}: there is no such corpus", CHECK) from error
    except ImportError as error:
        raise BvfError(
            f"{address}: {error}", "pip install 'bvf[mining]' for https; s3fs for s3, gcsfs for gs"
        ) from error
    except Exception as error:
        reason = " ".join(str(error).replace(known, address).split()) or type(error).__name__
        raise BvfError(f"{address}: cannot be read: {reason}", CHECK) from error
