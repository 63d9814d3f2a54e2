"""Who is at work in the folder of a measurement: one run alone, or parts of it.

Locks save work and show who is there. No result depends on them: a shard is stored whole or not at all, under the
digest of its bytes, and a second copy is superfluous, not wrong. So a network disk without locks is no obstacle, and a
part that finds itself at work already, perhaps on a machine that is lost, goes on without one.
"""

import errno
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import filelock

from bvf.domain.part import Part, parse_part, said
from bvf.errors import BvfError
from bvf.files.writing import OTHER_FOLDER

LOCK = "lock"
PARTS = "parts"
"""Folder with a lock per part."""
ENDING = ".lock"
MOMENT, PATIENCE = 1.0, 10.0
"""Seconds: the longest that a mere look takes a lock, and how long to wait, as several may look in turn."""
NO_LOCKS = frozenset({errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOLCK})
"""The error numbers of disks without locks."""


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Keep every other run and all parts out of a folder that is there while the block lasts.

    Raises:
        BvfError: A run or a part is at work there; says which.
    """
    lock = _taken(folder / LOCK, MOMENT)
    if lock is None:
        raise _another_run(folder)
    try:
        refuse_parts_at_work(folder)
        yield
    finally:
        lock.release()


@contextmanager
def beside_other_parts(folder: Path, part: Part) -> Iterator[None]:
    """Keep runs of the whole out of a folder that is there while the block lasts; parts may come and go.

    Raises:
        BvfError: A run of the whole is at work there.
    """
    (folder / PARTS).mkdir(exist_ok=True)
    lock_file = folder / PARTS / f"{part.number}-of-{part.of}{ENDING}"
    lock = _taken(lock_file, MOMENT)
    try:
        run = _taken(folder / LOCK, PATIENCE)
        if run is None:
            raise _another_run(folder)
        run.release()
        yield
    finally:
        if lock is not None:
            with suppress(OSError):
                lock_file.unlink(missing_ok=True)
            lock.release()


def refuse_parts_at_work(folder: Path) -> None:
    """Raise `BvfError` with the parts that are at work in a folder, if any are."""
    busy = [_part(file) for file in sorted((folder / PARTS).glob(f"*{ENDING}")) if _is_taken(file)]
    for of in sorted({part.of for part in busy}):
        numbers = sorted(part.number for part in busy if part.of == of)
        raise BvfError(
            f"{folder}: {said(numbers, of)} {'is' if len(numbers) == 1 else 'are'} at work there",
            f"wait until all parts are done; if their machines are gone, delete {folder / PARTS}",
        )


def forget_parts(folder: Path) -> None:
    """Delete the locks of parts, none of which is at work, and their folder if it holds nothing else."""
    with suppress(OSError):
        for file in (folder / PARTS).glob(f"*{ENDING}"):
            file.unlink()
        (folder / PARTS).rmdir()


def is_of_locks(entry: Path) -> bool:
    """Whether a path holds nothing but locks."""
    if entry.name == PARTS and entry.is_dir():
        return all(file.name.endswith(ENDING) for file in entry.iterdir())
    return entry.name == LOCK


def _taken(file: Path, seconds: float) -> filelock.BaseFileLock | None:
    """The lock of a file; None if another process keeps it too long. Where the disk has no locks, it is not held."""
    lock = filelock.FileLock(file, timeout=seconds)
    try:
        lock.acquire()
    except filelock.Timeout:
        return None
    except OSError as error:
        if error.errno not in NO_LOCKS:
            raise
    return lock


def _is_taken(file: Path) -> bool:
    lock = _taken(file, 0)
    if lock is not None:
        lock.release()
    return lock is None


def _part(lock: Path) -> Part:
    return parse_part(lock.name.removesuffix(ENDING).replace("-of-", "/"))


def _another_run(folder: Path) -> BvfError:
    return BvfError(f"{folder}: another run is writing there", f"wait until it is done, or {OTHER_FOLDER}")
