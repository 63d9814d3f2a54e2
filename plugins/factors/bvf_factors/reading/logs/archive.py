"""Files in a zip archive, also if compressed with Zstandard. Python reads these only from 3.14 on."""

import lzma
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import SEEK_END
from pathlib import Path
from typing import BinaryIO
from zipfile import BadZipFile, ZipFile, ZipInfo

from bvf_mining.corpora import COPY_AGAIN, unpacked

from bvf import BvfError
from bvf.errors import error_text

ZSTANDARD = 93
"""The number of this compression in a zip archive."""
HEADER = struct.Struct("<26xHH")
"""Of an entry: the lengths of its name and of the extra field before the data."""
DECOMPRESSING = (zlib.error, lzma.LZMAError, EOFError, OSError, MemoryError)
"""What compressions raise for bytes that are not theirs. Those of LZMA may ask for more memory than there is."""
DAMAGED = (BadZipFile, struct.error, ValueError, RuntimeError, *DECOMPRESSING)
"""What zipfile raises for bytes that are no archive."""
END, MARK_OF_END, UNKNOWN = struct.Struct("<4s6xH10x"), b"PK\5\6", 0xFFFF
"""The end of an archive without a comment: its mark, and the number of entries, which large archives do not have."""
UTF_8 = 0x800
"""The flag of a name in UTF-8; other names are in code page 437."""


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
        name, rest = HEADER.unpack(self.raw.read(HEADER.size))
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
