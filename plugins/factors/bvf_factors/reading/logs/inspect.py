"""Logs of inspect-ai, version 2 of its format: ``.eval`` (a zip archive, also of Zstandard) and ``.json``."""

import lzma
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import SEEK_END
from pathlib import Path
from typing import Any, BinaryIO
from zipfile import BadZipFile, ZipFile, ZipInfo

from bvf_mining.corpora import COPY_AGAIN, unpacked

from bvf import BvfError
from bvf.errors import error_text
from bvf.files import Row, parse_json
from bvf_factors.reading.rows import WRITE_AGAIN, LogRow, Unit, field_of, objects_in

ZSTANDARD = 93
"""The number of this compression in a zip archive."""
LOCAL_HEADER = struct.Struct("<26xHH")
"""Of an entry: the lengths of its name and of the extra field before the data."""
DECOMPRESSING = (zlib.error, lzma.LZMAError, EOFError, OSError, MemoryError)
"""What compressions raise for bytes that are not theirs. Those of LZMA may ask for more memory than there is."""
DAMAGED = (BadZipFile, struct.error, ValueError, RuntimeError, *DECOMPRESSING)
"""What zipfile raises for bytes that are no archive."""
END, MARK_OF_END, UNKNOWN = struct.Struct("<4s6xH10x"), b"PK\5\6", 0xFFFF
"""The end of an archive without a comment: its mark, and the number of entries, which large archives do not have."""
UTF_8 = 0x800
"""The flag of a name in UTF-8; other names are in code page 437."""
VERSION = 2
HEADER = "header.json"
SAMPLES, SAMPLE, SKELETON = "samples/", ".json", "/skeleton.json"
OF_LOGS = {"version", "eval", "status"}
"""Fields by which a JSON file is known as a log."""
KEPT = ("id", "epoch", "input", "target")
OPTIONAL = ("choices", "metadata")


class Archive:
    """An open zip archive. Errors name its file."""

    def __init__(self, raw: BinaryIO, name: str) -> None:
        self.raw, self.name = raw, name
        with _reading(name):
            self.zip = ZipFile(raw)
            self._refuse_lost_entries()
            for info in self.zip.infolist():
                self._at_data(info)

    @property
    def names(self) -> list[str]:
        """Names of the files in the archive. A file that was written twice is listed once."""
        return list(dict.fromkeys(self.zip.namelist()))

    def text(self, name: str) -> str:
        """Return the text of a file in the archive. If several have this name, it is the one written last."""
        where = f"{self.name}, {name}"
        if name not in self.zip.NameToInfo:
            raise BvfError(f"{self.name}: there is no {name} in it", COPY_AGAIN)
        with _reading(where):
            info = self.zip.getinfo(name)
            content = self._from_zstandard(info, where) if info.compress_type == ZSTANDARD else self._read(info, where)
        try:
            return content.decode("utf-8")
        except UnicodeDecodeError as error:
            raise BvfError(f"{where}: not UTF-8 at byte {error.start}", COPY_AGAIN) from error

    def _read(self, info: ZipInfo, where: str) -> bytes:
        with self.zip.open(info) as stream:
            return unpacked(stream, info.compress_size, where)

    def _from_zstandard(self, info: ZipInfo, where: str) -> bytes:
        import pyarrow as pa

        self._at_data(info)
        compressed = pa.BufferReader(self.raw.read(info.compress_size))
        with pa.CompressedInputStream(compressed, "zstd") as stream:
            content = unpacked(stream, info.compress_size, where)
        if zlib.crc32(content) != info.CRC:
            raise BadZipFile("its bytes are not those that were written")
        return content

    def _refuse_lost_entries(self) -> None:
        """Compare the number of entries with that at the end of the archive. zipfile passes over damaged ones."""
        self.raw.seek(-END.size, SEEK_END)
        mark, said = END.unpack(self.raw.read(END.size))
        there = len(self.zip.infolist())
        if mark == MARK_OF_END and said not in (there, UNKNOWN):
            raise BadZipFile(f"its directory has {there} entries, and should have {said}")

    def _at_data(self, info: ZipInfo) -> None:
        """Seek to the data of an entry. Refuses it if its name differs from that in the directory of the archive."""
        self.raw.seek(info.header_offset)
        name, rest = LOCAL_HEADER.unpack(self.raw.read(LOCAL_HEADER.size))
        if self.raw.read(name).decode("utf-8" if info.flag_bits & UTF_8 else "cp437") != info.orig_filename:
            raise BadZipFile(f"its directory and its entries disagree on the name {info.filename}")
        self.raw.seek(rest, 1)


@contextmanager
def opened(file: Path) -> Iterator[Archive]:
    """Open a zip archive."""
    try:
        raw = file.open("rb")
    except (OSError, ValueError) as error:
        raise BvfError(f"{file}: cannot be read: {error_text(error)}") from error
    with raw:
        yield Archive(raw, str(file))


@contextmanager
def _reading(where: str) -> Iterator[None]:
    try:
        yield
    except DAMAGED as error:
        raise BvfError(f"{where}: damaged or cut off: {error_text(error)}", COPY_AGAIN) from error


def archive_rows(file: Path) -> Iterator[Row]:
    """Yield the samples of an ``.eval`` log as rows with the columns that `log_rows` lists."""
    with opened(file) as archive:
        if HEADER not in archive.names:
            raise BvfError(
                f"{file}: not a log of inspect-ai, or one that has not ended: {HEADER} is not there",
                "wait until the evaluation ends, or repair the log with inspect log recover",
            )
        header = parse_json(archive.text(HEADER), f"{file}, {HEADER}")
        log = _Header(header, f"{file}, {HEADER}")
        if any(name.startswith(SAMPLES) and name.endswith(SKELETON) for name in archive.names):
            raise BvfError(f"{file}: its samples are in pieces, which cannot be read", "write a log without pieces")
        for name in archive.names:
            if name.startswith(SAMPLES) and name.endswith(SAMPLE):
                where = f"{file}, {name}"
                yield log.row(parse_json(archive.text(name), where), where)


def log_rows(values: dict[str, Any], file: Path) -> Iterator[Row]:
    """Yield the samples of a ``.json`` log.

    Columns are ``task``, ``model``, ``run`` (when it was begun), ``id``, ``epoch``, ``input``, ``target``, ``choices``,
    ``metadata``, ``output`` (the text of the model), ``scores`` (of each scorer its ``value`` and ``answer``),
    ``error`` (what stopped a sample, else None) and ``invalidated``. Scorers that did not score a sample have empty
    cells.
    """
    log = _Header(values, str(file))
    for where, sample in objects_in(field_of(values, "samples", str(file), list), f"{file}, sample"):
        yield log.row(sample, where)


class _Header:
    """The task, the model and the scorers of all samples of a log."""

    def __init__(self, header: Any, where: str) -> None:
        version = field_of(header, "version", where)
        if version != VERSION:
            raise BvfError(
                f"{where}: version {version!r} of the log format of inspect-ai cannot be read",
                f"version {VERSION} can; inspect log convert writes it",
            )
        self.task, self.model = (field_of(header, f"eval.{name}", where, str) for name in ("task", "model"))
        scorers = field_of(header, "eval.scorers", where, list) if header["eval"].get("scorers") else []
        self.run = header["eval"].get("created")
        self.scorers = [field_of(each, "name", where, str) for each in scorers]

    def row(self, sample: Any, where: str) -> Row:
        values = {name: field_of(sample, name, where) for name in KEPT}
        for name in OPTIONAL:
            if sample.get(name) is not None:
                values[name] = sample[name]
        error = sample.get("error")
        values["output"] = field_of(sample, "output.completion", where) if sample.get("output") else None
        values["scores"] = self._scores(sample, where)
        values["error"] = field_of(error, "message", where) if error else None
        values["invalidated"] = sample.get("invalidation") is not None
        unit = Unit("id", f"{self.task}, {values['id']}", repetition=f"{values['epoch']}")
        return LogRow(where, {"task": self.task, "model": self.model, "run": self.run, **values}, unit)

    def _scores(self, sample: Any, where: str) -> dict[str, Any]:
        given = sample.get("scores") or {}
        if not isinstance(given, dict):
            raise BvfError(f'{where}: "scores" is a {type(given).__name__}, not an object', WRITE_AGAIN)
        scores = {
            name: {"value": field_of(score, "value", f"{where}, score {name}"), "answer": score.get("answer")}
            for name, score in given.items()
        }
        return {**{name: {"value": None, "answer": None} for name in self.scorers}, **scores}
