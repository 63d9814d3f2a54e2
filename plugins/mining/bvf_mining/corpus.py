"""Documents of a corpus: text, JSON lines, tables, dumps of wikis, data sets of the hub."""

import csv
import heapq
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from bvf import BvfError
from bvf.domain import plain_letters
from bvf.files import delimiter_of, parse_json, users_rows_in
from bvf.interfaces import Document
from bvf_mining.corpora import (
    COPY_AGAIN,
    FORMATS,
    LONGEST_DOCUMENT,
    SEEKABLE,
    Bounded,
    Progress,
    check_encoding,
    decompressed,
    files_at,
    files_of,
    format_of,
    harmless,
    lines_of,
    one_line,
    reading,
    size_of,
)
from bvf_mining.dumps import LONGEST_PAGE, Dump, plain
from bvf_mining.remote import RemoteFile, is_remote, path_in, public

TEXT_COLUMNS = ("text", "content", "article", "document", "sentence", "body")
ID_COLUMNS = ("id", "document", "title", "url")
STANDARD_INPUT = "-"
HUB = "hf:"
MOST_SKIPPED = 0.1
SKIPPED_TOLD = 3
LINES_BEFORE_GIVING_UP = 200
PAGES = "pages"
LINE_ENDS = re.compile(r"[\t\r\n]")


@dataclass
class Health:
    """Numbers of lines of a corpus (for a dump, pages) that were read and that were unusable.

    ``report`` is called with a sentence for each of the first skipped lines, and at the end with one on all others.
    """

    report: Callable[[str], None] = lambda _: None
    unit: str = "lines"
    lines: int = 0
    skipped: int = 0
    first: str = ""

    def skip(self, where: str, why: str) -> None:
        """Note a line that cannot be used."""
        self.skipped += 1
        self.first = self.first or f"{where}: {why}"
        if self.skipped <= SKIPPED_TOLD:
            self.report(f"{where}: {why}; skipped")
        if self.lines >= LINES_BEFORE_GIVING_UP:
            self.check()

    def finish(self) -> None:
        """Report the number of skipped lines that were not reported one by one."""
        self.check()
        if self.skipped > SKIPPED_TOLD:
            self.report(f"and {self.skipped - SKIPPED_TOLD} more {self.unit} skipped")

    def check(self) -> None:
        """Raise `BvfError` if one line in ten was unusable."""
        if self.skipped and self.skipped >= MOST_SKIPPED * self.lines:
            raise BvfError(
                f"{self.skipped} of {self.lines} {self.unit} cannot be used, the first is {self.first}",
                "dumps of articles have pages-articles in their name"
                if self.unit == PAGES
                else "--text-column names the field that holds the text",
            )


@dataclass(frozen=True)
class Marked(Document):
    """A wiki page whose markup is removed only if a sample draws it. ``namespaces`` are those of its wiki."""

    namespaces: frozenset[str]


def without_markup(documents: Iterable[Document]) -> Iterator[Document]:
    """Yield documents without wiki markup. Pages that have no other text are left out."""
    for document in documents:
        if not isinstance(document, Marked):
            yield document
        elif text := plain(document.text, document.namespaces):
            yield _document(document.id, text)


@dataclass(frozen=True)
class Corpus:
    """Documents in files, folders, globs, at URLs, in standard input (``-``, text) and on the hub (``hf:NAME``)."""

    sources: tuple[str, ...]  # one or more files, folders, globs, addresses, ``-`` or ``hf:NAME``
    text_column: str = ""  # field of the text; empty: the first of the usual names that is there
    encoding: str = "utf-8"  # the encoding of text, JSON lines and CSV
    health: Health = field(default_factory=Health)  # counts lines while they are read
    progress: Progress = field(default_factory=Progress)  # counts bytes while they are read

    def documents(self) -> Iterator[Document]:
        """Yield every document that has text, in the order of the sources. Files of a folder are ordered by name.

        A text file has one document per paragraph, separated by blank lines and named ``FILE:LINE``. A dump has one per
        article, under its title. Other files have one per row, under the row's ``id`` if it has one.
        """
        return without_markup(self.as_written())

    def as_written(self) -> Iterator[Document]:
        """Yield every document of `documents`, but wiki pages with their markup."""
        check_encoding(self.encoding)
        files: dict[str, Sequence[Path | RemoteFile]] = {
            source: files_at(source) if is_remote(source) else files_of(source)
            for source in self.sources
            if _has_files(source)
        }
        sizes = [size_of(file) for source in self.sources for file in files.get(source, [])]
        known = [size for size in sizes if size is not None]
        if len(files) == len(set(self.sources)) and len(known) == len(sizes):
            self.progress.total = sum(known)
        has_text = False
        for source in self.sources:
            for document in self._documents_of(source, files.get(source, [])):
                has_text = True
                yield document
        self.health.finish()
        if not has_text:
            raise BvfError(
                f"{', '.join(map(public, self.sources))}: no text in this corpus", f"files end in {', '.join(FORMATS)}"
            )

    def _documents_of(self, source: str, files: Sequence[Path | RemoteFile]) -> Iterator[Document]:
        if source == STANDARD_INPUT:
            if sys.stdin is None:
                raise BvfError("standard input is closed", "bvf mine - < corpus.txt")
            with reading("standard input", self.encoding):
                yield from self._paragraphs(Bounded(sys.stdin.buffer, "standard input"))
        elif source.startswith(HUB):
            yield from self._rows(_hub_rows(source), source)
        for file in files:
            yield from self._documents_in(file)

    def _documents_in(self, file: Path | RemoteFile) -> Iterator[Document]:
        name = str(file)
        ending = format_of(path_in(name) if isinstance(file, RemoteFile) else file)
        with reading(name, self.encoding), self.progress.opened(file, ending == SEEKABLE) as raw:
            if ending == SEEKABLE:
                yield from self._rows(self._parquet_rows(raw, size_of(file), name), name)
                return
            with decompressed(raw, name) as content:
                packed = None if content is raw else size_of(file)
                bounded = Bounded(content, name, LONGEST_PAGE if ending == ".xml" else None, packed)
                if ending == ".xml":
                    yield from self._articles(bounded)
                elif ending == ".txt":
                    yield from self._paragraphs(bounded)
                elif ending == ".jsonl":
                    yield from self._rows(self._json_rows(bounded), name)
                else:
                    yield from self._rows(_delimited_rows(bounded, self.encoding), name)

    def _paragraphs(self, content: Bounded) -> Iterator[Document]:
        paragraph: list[str] = []
        start = 1
        for number, line in enumerate(lines_of(content, self.encoding), start=1):
            self.health.lines += 1
            if line.strip():
                start = start if paragraph else number
                paragraph.append(line)
                continue
            content.begin(number + 1)
            if paragraph:
                yield _document(f"{content.name}:{start}", "".join(paragraph).rstrip("\r\n"))
                paragraph = []
        if paragraph:
            yield _document(f"{content.name}:{start}", "".join(paragraph).rstrip("\r\n"))

    def _articles(self, content: Bounded) -> Iterator[Document]:
        dump = Dump(content)
        for page in dump.articles():
            self.health.unit = PAGES
            self.health.lines += 1
            where = f"{content.name}:{page.line}"
            if page.markup.strip():
                title = _document(page.title, "").id
                yield Marked(title or where, page.markup, frozenset(dump.namespaces))
            else:
                self.health.skip(where, f'page "{harmless(page.title)}" has no text')

    def _json_rows(self, content: Bounded) -> Iterator[tuple[int, Any]]:
        for number, line in enumerate(lines_of(content, self.encoding, "\n"), start=1):
            content.begin(number + 1)
            if not line.strip():
                continue
            where = f"{content.name}:{number}"
            try:
                row = parse_json(line, where, keys_once=False)  # a published corpus may have the same one twice
            except BvfError as error:
                self.health.lines += 1
                self.health.skip(where, error.message.removeprefix(f"{where}: "))
            else:
                yield number, row

    def _parquet_rows(self, raw: BinaryIO, size: int | None, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
        import pyarrow as pa

        wanted = {self.text_column, *TEXT_COLUMNS, *ID_COLUMNS}
        try:
            yield from enumerate(users_rows_in(raw, size, name, wanted), start=1)
        except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
            raise BvfError(f"{name}: not a Parquet file: {one_line(error)}", COPY_AGAIN) from error

    def _rows(self, rows: Iterator[tuple[int, Any]], name: str) -> Iterator[Document]:
        for number, row in rows:
            self.health.lines += 1
            where = f"{name}:{number}"
            text = self._text_of(row)
            if text is None:
                self.health.skip(where, f'no text in "{self.text_column}"' if self.text_column else "no text")
            elif text.strip():
                yield _document(_name_of(row) or where, text)

    def _text_of(self, row: Any) -> str | None:
        if not isinstance(row, dict):
            return None
        text = row.get(self.text_column) if self.text_column else _first(row, TEXT_COLUMNS)
        return text if isinstance(text, str) else None


def sample(documents: Iterable[Document], size: int, seed: int) -> list[Document]:
    """Return ``size`` random documents, sorted by id: chosen by seed, ids and texts, in whatever order."""
    key = f"{seed}".encode()

    def place(document: Document) -> tuple[bytes, str]:
        digest = blake2b(f"{document.id}\0{document.text}".encode("utf-8", "surrogatepass"), key=key, digest_size=16)
        return digest.digest(), document.id

    drawn = heapq.nsmallest(size, documents, key=place)
    return sorted(drawn, key=lambda document: document.id)


def hub_folder(source: str) -> Path | None:
    """Return the folder of ``hf:FOLDER``; None for another corpus. It is read like a data set of the hub."""
    name = source.removeprefix(HUB)
    with suppress(OSError, ValueError):
        if name and name != source and Path(name).is_dir():
            return Path(name)
    return None


def _has_files(source: str) -> bool:
    return source != STANDARD_INPUT and not source.startswith(HUB)


def is_local(source: str) -> bool:
    """Whether a corpus is a file, a folder or a glob of this machine."""
    return _has_files(source) and not is_remote(source)


def _document(name: str, text: str) -> Document:
    """A document in one spelling. Characters that files or terminals cannot take are replaced."""
    return Document(LINE_ENDS.sub(" ", harmless(name)), plain_letters(harmless(text)))


def _delimited_rows(content: Bounded, encoding: str) -> Iterator[tuple[int, dict[str, Any]]]:
    before = csv.field_size_limit(LONGEST_DOCUMENT)  # the limit is of the whole process: other tables keep theirs
    try:
        lines = lines_of(content, encoding)
        header = next(lines, "")
        delimiter, named = delimiter_of(header)
        above = 1 if named else 0
        header = next(lines, "") if named else header
        reader = csv.DictReader(chain([header], lines), delimiter=delimiter, strict=True)
        for row in reader:
            content.begin(above + reader.line_num + 1)
            yield above + reader.line_num, dict(row)
    finally:
        csv.field_size_limit(before)


def _hub_rows(source: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Stream the numbered rows of the train split of a data set, ``OWNER/NAME[/CONFIG]`` or a folder."""
    try:
        from datasets import load_dataset
    except ImportError as error:
        raise BvfError(f"{source} needs datasets, which is not installed", "pip install 'bvf[mining]'") from error
    name = source.removeprefix(HUB)
    if not name:
        raise BvfError(f"{source} names no data set", "hf:OWNER/NAME, or hf:FOLDER")
    parts = [name] if hub_folder(source) else name.split("/")
    try:
        path, config = "/".join(parts[:2]), "/".join(parts[2:]) or None
        rows = load_dataset(path, config, split="train", streaming=True)
        yield from enumerate(rows, start=1)
    except Exception as error:
        raise BvfError(
            f"{source}: cannot be read: {one_line(error)}", "check the name, its configuration, and the network"
        ) from error


def _name_of(row: dict[str, Any]) -> str:
    """The name of a row; empty if it has none. It may be a number."""
    name = _first(row, ID_COLUMNS)
    return "" if name is None or isinstance(name, dict | list) else str(name)


def _first(row: Any, names: Sequence[str]) -> Any:
    """The value of the first of the named fields that exists and is not empty."""
    return next((row[name] for name in names if row.get(name) not in (None, "")), None)
