"""Files of a corpus that lie elsewhere: ``https://``, ``s3://`` and whatever else fsspec opens."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, BinaryIO, cast
from urllib.parse import urlsplit

from bvf.errors import BvfError

SCHEME = "://"
WEB = "https"
CHECK = "check the address and the network"


@dataclass(frozen=True)
class RemoteFile:
    """A file that fsspec opens.

    Args:
        address: As the user would write it.
        system: Of fsspec, which opens it.
        size: Bytes; None if nobody knows.
    """

    address: str
    system: Any
    size: int | None

    def __str__(self) -> str:
        return self.address

    @contextmanager
    def open(self, seekable: bool) -> Iterator[BinaryIO]:
        """Open it: from its beginning to its end, or, if it must be seekable, in blocks.

        Raises:
            BvfError: It cannot be opened.
        """
        blocks = {"block_size": 0} if _is_web(self.system) and not seekable else {}
        with _explained(self.address):
            raw = self.system.open(self.address, "rb", **blocks)
        with raw:
            yield cast("BinaryIO", raw if seekable else io.BufferedReader(_Counted(raw, self.address)))


class _Counted(io.RawIOBase):
    """A stream that knows how many bytes were taken, and says in one line what goes wrong."""

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
    """Whether a source is an address: ``https://example.org/corpus.txt``."""
    return SCHEME in source


def path_in(address: str) -> PurePosixPath:
    """Return the path of an address, without what is asked of a server after it.

    >>> path_in("https://example.org/dumps/enwiki.xml.bz2?download=1").name
    'enwiki.xml.bz2'
    """
    return PurePosixPath(urlsplit(address).path)


def remote_files(source: str) -> list[RemoteFile]:
    """Return the files that an address, a folder or a glob names, by name.

    Raises:
        BvfError: fsspec or what it needs is missing; there is no such file; or it cannot be reached.
    """
    try:
        from fsspec.core import url_to_fs
    except ImportError as error:
        raise BvfError(f"{source} needs fsspec, which is not installed", "pip install 'bvf[mining]'") from error
    with _explained(source):
        system, path = url_to_fs(source)
        listed = system.glob if "*" in path else system.find
        paths = [path] if _is_web(system) else sorted(listed(path))
        sizes = [system.info(each).get("size") for each in paths]
    return [RemoteFile(system.unstrip_protocol(each), system, size) for each, size in zip(paths, sizes, strict=True)]


def _is_web(system: Any) -> bool:
    """Whether a server may give files from their beginning to their end alone, and lists no folders."""
    return WEB in system.protocol


@contextmanager
def _explained(address: str) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        raise BvfError(f"{address}: there is no such corpus", CHECK) from error
    except ImportError as error:
        raise BvfError(
            f"{address}: {error}", "pip install 'bvf[mining]' for https; s3fs for s3, gcsfs for gs"
        ) from error
    except Exception as error:
        said = " ".join(str(error).split()) or type(error).__name__
        raise BvfError(f"{address}: cannot be read: {said}", CHECK) from error
