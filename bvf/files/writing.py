"""Writes files atomically: as a whole or not at all."""

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from bvf.errors import BvfError

TEMPORARY = ".tmp"
"""Ending of a file that is being written, or that a killed process left behind."""
OTHER_FOLDER = "choose another --out"


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

    Until then ``file`` stays as it was. The new one gets its name when all of it is on the disk, so that not even a
    power cut leaves half of it. If the block fails, it is deleted. A link stays a link to the new file.

    Raises:
        BvfError: ``file`` is a device, a pipe or a folder.
        OSError: The disk is full, or the folder is not there; `disk_errors_explained` makes a `BvfError` of it.
    """
    target = Path(os.path.realpath(file))
    if target.exists() and not target.is_file():
        raise BvfError(f"{file}: is not a file that can be replaced", "choose another name")
    temporary = _temporary(target)
    try:
        with _all_of_it(temporary) as out:
            yield out
        temporary.replace(target)
    except BaseException:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise


def write_new(file: Path, text: str) -> bool:
    """Write a text as UTF-8 unless the file exists already, and return whether it was written.

    Of several processes one writes the file. On a disk without hard links, two at the same moment may both write it.

    Raises:
        OSError: The disk is full, or the folder is not there.
    """
    temporary = _temporary(file)
    try:
        with _all_of_it(temporary) as out:
            out.write(text.encode())
        try:
            os.link(temporary, file)
        except FileExistsError:
            return False
        except OSError:
            if file.exists():
                return False
            temporary.replace(file)
        return True
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def _temporary(file: Path) -> Path:
    """The path of a temporary file beside ``file``. No other process uses it, even on another machine."""
    return file.with_name(f"{file.name}.{secrets.token_hex(8)}{TEMPORARY}")


@contextmanager
def _all_of_it(file: Path) -> Iterator[BinaryIO]:
    """Open a file for writing, and flush it to the disk at the end of the block."""
    with file.open("wb") as out:
        yield out
        out.flush()
        os.fsync(out.fileno())


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
