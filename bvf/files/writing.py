"""Writes files as a whole or not at all, and none over a file that a command reads or that bvf did not write."""

import errno
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from bvf.errors import BvfError
from bvf.files.folder import TEMPORARY, Folder, in_place_of, is_run
from bvf.files.parsing import is_file

OTHER_FOLDER = "choose another --out"
LOOKED_AT = 1 << 16
"""Bytes at the beginning and at the end of a file in which a mark of bvf is looked for."""
IsOurs = Callable[[Path], bool]


def write_text(file: Path, text: str) -> None:
    """Write a text as UTF-8 to a file. The file is replaced as a whole (see `replacing`)."""
    with replacing(file) as out:
        out.write(text.encode())


def is_read_only(folder: Path) -> bool:
    """Whether a folder exists and cannot be written to. False also for a name that no folder can have."""
    try:
        return folder.is_dir() and not os.access(folder, os.W_OK)
    except (OSError, ValueError):
        return False


@contextmanager
def replacing(file: Path) -> Iterator[BinaryIO]:
    """Yield a temporary file, open for writing, that replaces ``file`` when the block ends.

    See `in_place_of`. A link stays a link to the new file. What killed processes left of the file is deleted.

    Raises:
        BvfError: ``file`` is a device, a pipe or a folder.
        OSError: The disk is full, or the folder is not there; `disk_errors_explained` makes a `BvfError` of it.
    """
    target = Path(os.path.realpath(file))
    if target.exists() and not target.is_file():
        raise BvfError(f"{file}: is not a file that can be replaced", "choose another name")
    with in_place_of(str(target)) as out:
        yield out
    Folder(target.parent).tidy(target.name)


@contextmanager
def disk_errors_explained(place: Path | str, hint: str) -> Iterator[None]:
    """Turn an error of the disk, or a name that no file can have, in the block into a `BvfError` that names ``place``.

    The hint of the error is ``hint``, except on a full disk.
    """
    try:
        yield
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            again = "free some space, then run the same command again: what is finished is kept"
            raise BvfError(f"{place}: the disk is full", again) from error
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise BvfError(f"{place}: cannot be written: {reason}", hint) from error
    except ValueError as error:
        if "null byte" not in str(error) and "null character" not in str(error):
            raise
        raise BvfError(f"{place!r}: no file can have this name", hint) from error


def never(_: Path) -> bool:
    """Recognise no file: for formats in which nothing says what wrote them, such as CSV."""
    return False


def marked(*marks: bytes) -> IsOurs:
    """Return a function that recognises a file by one of these marks near its beginning or end."""

    def is_ours(file: Path) -> bool:
        with file.open("rb") as content:
            beginning = content.read(LOOKED_AT)
            content.seek(max(0, file.stat().st_size - LOOKED_AT))
            around = beginning + content.read(LOOKED_AT)
        return any(mark in around for mark in marks)

    return is_ours


@dataclass(frozen=True)
class Output:
    """A file that a command is to write.

    Args:
        option: The option that names it, with which messages begin.
        file: Its path.
        is_ours: Whether an existing file is of the kind that the command writes, so that it may be replaced.
    """

    option: str
    file: Path
    is_ours: IsOurs = never

    def check(self, others: Iterable[tuple[str, Path]] = (), *, force: bool = False) -> None:
        """Raise `BvfError` if the file must not be written.

        Args:
            others: Every other file of the command, those that it reads and those that it writes, and what it is.
            force: Replace an existing file that bvf did not write.
        """
        with disk_errors_explained(self.named, self.hint):
            if self.file.exists() and not self.file.is_file():
                raise BvfError(f"{self.named}: is not a file that can be replaced", self.hint)
            _refuse_runs(Path(os.path.realpath(self.file)).parents, self.named, self.hint)
            if other := next((what for what, file in others if _same(self.file, file)), ""):
                raise BvfError(f"{self.named}: is also {other}", self.hint)
            if self.file.exists() and not force and not self.is_ours(self.file):
                by_another = "" if self.is_ours is never else ", and not written by this command"
                raise BvfError(f"{self.named}: is there already{by_another}", f"{self.hint}, or --force to replace it")

    def write(self, text: str, *, make_folder: bool = False) -> None:
        """Write a text to the file, in a new folder if need be. An earlier file stays until the new one is whole."""
        with disk_errors_explained(self.named, self.hint):
            if make_folder:
                self.file.parent.mkdir(parents=True, exist_ok=True)
            write_text(self.file, text)

    @property
    def named(self) -> str:
        """The option and the file, as messages name them."""
        return f"{self.option} {self.file}"

    @property
    def hint(self) -> str:
        """What to do about a file that must not be written."""
        return f"choose another {self.option.split()[-1].rstrip(',')}"


def check_folder(option: str, folder: Path, *, force: bool) -> None:
    """Raise `BvfError` if a command must not write files to a folder: it is not empty, or is in that of a run.

    ``force``: Write to a folder that is not empty.
    """
    named, hint = f"{option} {folder}", f"choose another {option}"
    with disk_errors_explained(named, hint):
        if folder.exists() and not folder.is_dir():
            raise BvfError(f"{named}: is not a folder", hint)
        whole = Path(os.path.realpath(folder))
        _refuse_runs((whole, *whole.parents), named, hint)
        if folder.is_dir() and any(each.suffix != TEMPORARY for each in folder.iterdir()) and not force:
            raise BvfError(f"{named}: is there already", f"{hint}, or --force to replace it")


def _refuse_runs(folders: Iterable[Path], named: str, hint: str) -> None:
    if run := next(filter(is_run, folders), None):
        raise BvfError(f"{named}: {run} is the folder of a run, and only the run writes there", hint)


def _same(file: Path, other: Path) -> bool:
    with suppress(OSError, ValueError):
        if is_file(file) and is_file(other):
            return file.samefile(other)
        return os.path.realpath(file) == os.path.realpath(other)
    return False
