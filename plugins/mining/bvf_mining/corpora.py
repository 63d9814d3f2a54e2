"""The files of a corpus: found by path, folder, glob or URL, then decompressed and decoded."""

import codecs
import csv
import glob
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any, BinaryIO, cast

from bvf import BvfError
from bvf.files import read_bytes, refuse_no_file, refuse_unpacked
from bvf_mining.remote import RemoteFile, is_remote, path_in, public, remote_files

COMPRESSIONS = {".gz": "gzip", ".bz2": "bz2", ".zst": "zstd"}
PIECE = 2**20
FORMATS = (".txt", ".jsonl", ".csv", ".tsv", ".parquet", ".xml")
SEEKABLE = ".parquet"
LONGEST_DOCUMENT = 100_000_000
BYTE_ORDER_MARK = "\ufeff"
HALF_CHARACTERS = re.compile("[\ud800-\udfff]")
CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
COPY_AGAIN = "copy or download the file again"


def files_of(source: str) -> list[Path]:
    """Return the files of a path, folder or glob, by name. Refuses none, pipes, and unknown formats."""
    with reading(source):
        path = Path(source)
        if not source:
            files: list[Path] = []
        elif path.is_dir():
            files = [file for file in path.rglob("*") if file.is_file() and format_of(file) in FORMATS]
        elif path.exists():
            files = [path]
        else:
            files = [Path(name) for name in glob.glob(source, recursive=True) if Path(name).is_file()]
    if not files:
        raise BvfError(
            f"{source}: there is no such corpus", f"name a file, folder or glob of {', '.join(FORMATS)}, or hf:NAME"
        )
    for file in files:
        if not file.is_file():
            raise BvfError(f"{file}: is a pipe or a device", f"bvf mine - < {file} reads text from a pipe")
        _check_format(file, str(file))
    return sorted(files)


def files_at(address: str) -> list[RemoteFile]:
    """Return the files at a URL of a file, folder or glob, by name. Refuses none, and unknown formats."""
    files = remote_files(address)
    several = len(files) > 1
    files = [file for file in files if not several or format_of(path_in(file.address)) in FORMATS]
    if not files:
        raise BvfError(f"{public(address)}: there is no such corpus", f"name a file or folder of {', '.join(FORMATS)}")
    _check_format(path_in(files[0].address), public(address))
    return files


def _check_format(file: PurePath, name: str) -> None:
    if format_of(file) not in FORMATS:
        raise BvfError(
            f"{name}: cannot read a corpus from this kind of file",
            f"its name should end in {', '.join(FORMATS)}, which {', '.join(COMPRESSIONS)} may follow",
        )


def format_of(file: PurePath) -> str:
    """Return the ending that names a file's format, without compression: ``.jsonl`` for ``x.jsonl.zst``."""
    return Path(file.stem).suffix if file.suffix in COMPRESSIONS else file.suffix


@dataclass
class Progress:
    """How far the files of a corpus have been read.

    Args:
        total: Bytes of all files as they are stored, compressed or not; 0: unknown.
        before: Bytes of the files that were read completely.
        file: The file that is being read.
    """

    total: int = 0
    before: int = 0
    file: BinaryIO | None = None

    def share(self) -> float | None:
        """Return the fraction of bytes that has been read so far; None if unknown."""
        if not self.total:
            return None
        return min(1.0, (self.before + (self.file.tell() if self.file else 0)) / self.total)

    @contextmanager
    def opened(self, file: Path | RemoteFile, seekable: bool = False) -> Iterator[BinaryIO]:
        """Open the next file, and count it as read afterwards. Remote files are seekable only if ``seekable``."""
        with file.open(seekable) if isinstance(file, RemoteFile) else file.open("rb") as raw:
            self.file = raw
            try:
                yield raw
            finally:
                self.file = None
                self.before += size_of(file) or 0


def size_of(file: Path | RemoteFile) -> int | None:
    """Return the number of bytes of a file; None if unknown."""
    return file.size if isinstance(file, RemoteFile) else file.stat().st_size


class Bounded(io.BufferedIOBase):
    """A stream of bytes that limits the length of one document, and how far a compressed file unpacks.

    So no document can fill the memory, and no file is endless.

    The reader calls `begin` where a document begins.

    Args:
        inner: The stream; stays open.
        name: Name of the file, for the error.
        longest: Largest number of bytes of a document; `LONGEST_DOCUMENT` if None.
        packed: Number of bytes of the compressed file; None: it is not compressed, or its size is unknown.
    """

    def __init__(self, inner: Any, name: str, longest: int | None = None, packed: int | None = None) -> None:
        self.inner, self.name, self.longest, self.packed = inner, name, longest or LONGEST_DOCUMENT, packed
        self.line, self.taken, self.whole = 1, 0, 0

    def begin(self, line: int) -> None:
        """Start counting the bytes of the next document, which begins in this line."""
        self.line, self.taken = line, 0

    def readable(self) -> bool:
        return True

    def read1(self, size: int = -1, /) -> bytes:
        data: bytes = self.inner.read1(size)
        self.taken += len(data)
        self.whole += len(data)
        if self.packed is not None:
            refuse_unpacked(self.whole, self.packed, self.name)
        if self.taken > self.longest:
            raise BvfError(
                f"{self.name}:{self.line}: a document of more than {self.longest // 1_000_000} MB",
                "blank lines separate the documents of a .txt; other files have one per line, row or page",
            )
        return data

    def read(self, size: int | None = -1, /) -> bytes:
        return self.read1(-1 if size is None else size)


def lines_of(content: Bounded, encoding: str, newline: str = "") -> Iterator[str]:
    r"""Yield the decoded lines of a stream with their line ends. A byte order mark is left out.

    Args:
        content: The bytes.
        encoding: Encoding of the text.
        newline: The end of a line: ``\n``; empty: ``\n``, ``\r`` or ``\r\n``.
    """
    text = io.TextIOWrapper(content, encoding, newline=newline)
    if first := text.readline():
        yield first.removeprefix(BYTE_ORDER_MARK)
    yield from text


@contextmanager
def decompressed(raw: BinaryIO, name: str) -> Iterator[Any]:
    """Yield the content of a file, decompressed if its ending says so. Refuses an empty compressed file."""
    codec = COMPRESSIONS.get(path_in(name).suffix if is_remote(name) else Path(name).suffix)
    if codec is None:
        yield raw
        return
    import pyarrow as pa

    if not cast("io.BufferedReader", raw).peek(1):
        raise BvfError(f"{name}: damaged or cut off: it is empty", COPY_AGAIN)
    with pa.CompressedInputStream(pa.PythonFile(raw, mode="r"), codec) as content:
        yield content


def unpacked(content: Any, packed: int, where: str) -> bytes:
    """Return all bytes of a compressed stream. Refuses more than texts that someone wrote can unpack to."""
    whole = io.BytesIO()
    while piece := content.read(PIECE):
        whole.write(piece)
        refuse_unpacked(whole.tell(), packed, where)
    return whole.getvalue()


def whole_content(file: Path) -> bytes:
    """Return the content of a file, decompressed if its name has the ending of a compression.

    Raises:
        BvfError: It cannot be read, is a pipe or a device, was truncated, or unpacks too far (see `unpacked`).
    """
    if file.suffix not in COMPRESSIONS:
        return read_bytes(file)
    refuse_no_file(file)
    with reading(str(file)), file.open("rb") as raw, decompressed(raw, str(file)) as content:
        return unpacked(content, file.stat().st_size, str(file))


def lines_in(file: Path) -> Iterator[str]:
    """Yield the lines of a file in UTF-8, compressed or not, with their ends. Refuses one that is cut off."""
    with reading(str(file), "utf-8"), file.open("rb") as raw, decompressed(raw, str(file)) as content:
        yield from io.TextIOWrapper(content, "utf-8")


@contextmanager
def reading(name: str, encoding: str = "") -> Iterator[None]:
    """Turn errors of reading a file in the block into a `BvfError` that names the file."""
    try:
        yield
    except UnicodeError as error:
        reason = one_line(error)
        if isinstance(error, UnicodeDecodeError):
            reason = f"byte {error.object[error.start]:#04x} ({error.reason})"
        raise BvfError(f"{name}: not {encoding}: {reason}", "choose another --encoding, e.g. gb18030") from error
    except LookupError as error:
        raise BvfError(f"--encoding {encoding}: there is no such encoding", "utf-8, gb18030, latin-1, ...") from error
    except csv.Error as error:
        raise BvfError(f"{name}: not a table: {one_line(error)}", "a quotation mark may be open") from error
    except OSError as error:
        if error.errno is None:
            raise BvfError(f"{name}: damaged or cut off: {one_line(error)}", COPY_AGAIN) from error
        raise BvfError(f"{name}: cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise BvfError(f"{name}: cannot be read: {one_line(error)}") from error


def check_encoding(encoding: str) -> None:
    """Raise `BvfError` if there is no such encoding of text."""
    with reading("--encoding", encoding):
        try:
            codecs.lookup(encoding)
        except ValueError as error:
            raise LookupError(encoding) from error


def harmless(text: str) -> str:
    """Return a text of the same length, with spaces for control characters and no lone surrogates."""
    return CONTROLS.sub(" ", HALF_CHARACTERS.sub("\ufffd", text))


def one_line(error: Exception) -> str:
    """Return a library error's message in one line. Without a message, it is the name of the error's class."""
    return " ".join(str(error).split()) or type(error).__name__
