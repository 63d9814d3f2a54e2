"""Documents of a corpus, one after another: text files, JSON lines, tables, compressed or not, and hub data sets."""

import bz2
import csv
import glob
import gzip
import heapq
import io
import json
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from bvf.errors import BvfError
from bvf.mining import Document

TEXT_COLUMNS = ("text", "content", "article", "document", "sentence", "body")
ID_COLUMNS = ("id", "document", "title", "url")
COMPRESSIONS = (".gz", ".bz2", ".zst")
FORMATS = (".txt", ".jsonl", ".csv", ".tsv", ".parquet")
STANDARD_INPUT = "-"
HUB = "hf:"
MOST_SKIPPED = 0.1
LINES_BEFORE_GIVING_UP = 200
ROWS_AT_A_TIME = 512
LARGEST_FIELD = 2**31 - 1


@dataclass
class Health:
    """How many lines of a corpus were read, and how many could not be used.

    Args:
        report: Called with a sentence for every line that is skipped.
    """

    report: Callable[[str], None] = lambda _: None
    lines: int = 0
    skipped: int = 0
    first: str = ""

    def skip(self, where: str, why: str) -> None:
        """Note a line that cannot be used.

        Raises:
            BvfError: One line in ten is like that.
        """
        self.skipped += 1
        self.first = self.first or f"{where}: {why}"
        self.report(f"{where}: {why}; skipped")
        if self.lines >= LINES_BEFORE_GIVING_UP:
            self.check()

    def check(self) -> None:
        """Raise `BvfError` if one line in ten could not be used."""
        if self.skipped and self.skipped >= MOST_SKIPPED * self.lines:
            raise BvfError(
                f"{self.skipped} of {self.lines} lines cannot be used, the first is {self.first}",
                "--text-column names the field that holds the text",
            )


@dataclass(frozen=True)
class Corpus:
    """Where documents are read from.

    Args:
        sources: Files, folders, globs, ``-`` for standard input (text), ``hf:NAME[/CONFIG]`` for the hub.
        text_column: Field of the text; found among the usual names if empty.
        encoding: Of text, JSON lines and CSV.
        health: Counts lines while they are read.
    """

    sources: tuple[str, ...]
    text_column: str = ""
    encoding: str = "utf-8"
    health: Health = field(default_factory=Health)

    def documents(self) -> Iterator[Document]:
        """Yield every document that has text, in the order of the sources; files of a folder by name.

        A text file is a document a paragraph, as blank lines part them: ``FILE:LINE``. Others are a document a row,
        under the row's ``id`` if it has one.

        Raises:
            BvfError: A source is not there or cannot be read; nothing is in it; or a line in ten cannot be used.
        """
        found = False
        for source in self.sources:
            for document in self._documents_of(source):
                found = True
                yield document
        self.health.check()
        if not found:
            raise BvfError(f"{', '.join(self.sources)}: no text in this corpus", f"files end in {', '.join(FORMATS)}")

    def _documents_of(self, source: str) -> Iterator[Document]:
        if source == STANDARD_INPUT:
            with _decoding("standard input", self.encoding):
                yield from self._paragraphs(io.TextIOWrapper(sys.stdin.buffer, self.encoding), "standard input")
        elif source.startswith(HUB):
            yield from self._rows(_hub_rows(source.removeprefix(HUB)), source)
        else:
            for file in files_of(source):
                yield from self._documents_in(file)

    def _documents_in(self, file: Path) -> Iterator[Document]:
        name = str(file)
        with _decoding(name, self.encoding):
            if format_of(file) == ".parquet":
                yield from self._rows(_parquet_rows(file), name)
                return
            with _opened(file) as content, io.TextIOWrapper(content, self.encoding, newline="") as text:
                if format_of(file) == ".txt":
                    yield from self._paragraphs(text, name)
                elif format_of(file) == ".jsonl":
                    yield from self._rows(self._json_rows(text, name), name)
                else:
                    yield from self._rows(_delimited_rows(text, "\t" if format_of(file) == ".tsv" else ","), name)

    def _paragraphs(self, lines: Iterable[str], name: str) -> Iterator[Document]:
        paragraph: list[str] = []
        start = 1
        for number, line in enumerate(lines, start=1):
            self.health.lines += 1
            if line.strip():
                start = start if paragraph else number
                paragraph.append(line)
            elif paragraph:
                yield Document(f"{name}:{start}", "".join(paragraph).rstrip("\r\n"))
                paragraph = []
        if paragraph:
            yield Document(f"{name}:{start}", "".join(paragraph).rstrip("\r\n"))

    def _json_rows(self, lines: Iterable[str], name: str) -> "Iterator[tuple[int, Any]]":
        for number, line in enumerate(lines, start=1):
            if line.strip():
                try:
                    yield number, json.loads(line)
                except json.JSONDecodeError as error:
                    self.health.lines += 1
                    self.health.skip(f"{name}:{number}", f"not JSON: {error}")

    def _rows(self, rows: "Iterator[tuple[int, Any]]", name: str) -> Iterator[Document]:
        for number, row in rows:
            self.health.lines += 1
            where = f"{name}:{number}"
            text = self._text_of(row)
            if text is None:
                self.health.skip(where, f'no text in "{self.text_column}"' if self.text_column else "no text")
            elif text.strip():
                name_of_row = _first(row, ID_COLUMNS)
                yield Document(where if name_of_row is None else str(name_of_row), text)

    def _text_of(self, row: Any) -> str | None:
        if not isinstance(row, dict):
            return None
        found = row.get(self.text_column) if self.text_column else _first(row, TEXT_COLUMNS)
        return found if isinstance(found, str) else None


def sample(documents: Iterable[Document], size: int, seed: int) -> list[Document]:
    """Draw ``size`` documents at random; which ones depends on the seed, their ids and texts, not on their order.

    Memory grows with ``size`` alone. Returned in the order of their ids.
    """
    key = f"{seed}".encode()

    def place(document: Document) -> tuple[bytes, str]:
        digest = blake2b(f"{document.id}\0{document.text}".encode("utf-8", "surrogatepass"), key=key, digest_size=16)
        return digest.digest(), document.id

    drawn = heapq.nsmallest(size, documents, key=place)
    return sorted(drawn, key=lambda document: document.id)


def files_of(source: str) -> list[Path]:
    """Return the files that a path, a folder or a glob names, by name.

    Raises:
        BvfError: There is none, or a file has an ending that cannot be read.
    """
    path = Path(source)
    if path.is_dir():
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
        if format_of(file) not in FORMATS:
            raise BvfError(
                f"{file}: cannot read a corpus from this kind of file",
                f"its name should end in {', '.join(FORMATS)}, and may go on with {', '.join(COMPRESSIONS)}",
            )
    return sorted(files)


def format_of(file: Path) -> str:
    """Return the ending of a file without that of its compression: ``.jsonl`` for ``x.jsonl.zst``."""
    return Path(file.stem).suffix if file.suffix in COMPRESSIONS else file.suffix


@contextmanager
def _decoding(name: str, encoding: str) -> Iterator[None]:
    """Turn what goes wrong while a file is read into one line."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise BvfError(
            f"{name}: not {encoding}: byte {error.object[error.start]:#04x} ({error.reason})",
            "say --encoding, e.g. gb18030",
        ) from error
    except LookupError as error:
        raise BvfError(f"--encoding {encoding}: there is no such encoding", "utf-8, gb18030, latin-1, ...") from error
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise BvfError(f"{name}: damaged or cut off: {error}", "copy or download the file again") from error
    except csv.Error as error:
        raise BvfError(f"{name}: not a table: {error}") from error
    except OSError as error:
        raise BvfError(f"{name}: cannot be read: {error.strerror or error}") from error


@contextmanager
def _opened(file: Path) -> Iterator[BinaryIO]:
    if file.suffix == ".zst":
        with file.open("rb") as raw, _zstandard(str(file), raw) as content:
            yield content
    else:
        opener: Any = {".gz": gzip.open, ".bz2": bz2.open}.get(file.suffix, Path.open)
        with opener(file, "rb") as content:
            yield content


@contextmanager
def _zstandard(name: str, raw: BinaryIO) -> Iterator[BinaryIO]:
    try:
        import zstandard
    except ImportError as error:
        raise BvfError(f"{name}: .zst needs zstandard, which is not installed", "pip install 'bvf[mining]'") from error
    try:
        yield zstandard.ZstdDecompressor().stream_reader(raw, read_across_frames=True)
    except zstandard.ZstdError as error:
        raise BvfError(f"{name}: damaged or cut off: {error}", "copy or download the file again") from error


def _delimited_rows(text: TextIO, delimiter: str) -> "Iterator[tuple[int, dict[str, Any]]]":
    csv.field_size_limit(LARGEST_FIELD)
    reader = csv.DictReader(text, delimiter=delimiter)
    for row in reader:
        yield reader.line_num, dict(row)


def _parquet_rows(file: Path) -> "Iterator[tuple[int, dict[str, Any]]]":
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        number = 0
        for batch in pq.ParquetFile(file).iter_batches(ROWS_AT_A_TIME):
            for row in batch.to_pylist():
                number += 1
                yield number, row
    except pa.ArrowException as error:
        raise BvfError(f"{file}: not a Parquet file: {error}", "copy or download the file again") from error


def _hub_rows(name: str) -> "Iterator[tuple[int, dict[str, Any]]]":
    """Rows of the training part of a data set, streamed; ``OWNER/NAME/CONFIG`` or a folder."""
    try:
        from datasets import load_dataset
    except ImportError as error:
        raise BvfError(f"hf:{name} needs datasets, which is not installed", "pip install 'bvf[mining]'") from error
    path, config = (name, None) if Path(name).exists() else _hub_name(name)
    try:
        rows = load_dataset(path, config, split="train", streaming=True)
        yield from enumerate(rows, start=1)
    except Exception as error:
        first = str(error).strip().splitlines()[:1] or [type(error).__name__]
        raise BvfError(
            f"hf:{name}: cannot be read: {first[0]}", "check the name, its configuration, and the network"
        ) from error


def _hub_name(name: str) -> tuple[str, str | None]:
    parts = name.split("/")
    return ("/".join(parts[:2]), "/".join(parts[2:]) or None) if len(parts) > 2 else (name, None)


def _first(row: Any, names: Sequence[str]) -> Any:
    """The first of the fields that holds something; a number counts as a name, an empty text does not."""
    return next((row[name] for name in names if row.get(name) not in (None, "")), None)
