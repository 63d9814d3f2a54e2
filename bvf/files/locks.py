"""Locks on folders that runs write to. A folder is locked by one run, or by several parts of a run at once.

Locks only avoid double work and show who is there. No result depends on them: a piece is stored whole or not at all,
under the digest of its bytes, and a second copy of it does no harm. So work goes on where the disk has no locks, and so
does a part whose own lock is taken already, perhaps by a machine that is lost.
"""

import errno
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Lock

import filelock

from bvf.domain.part import JobPart, parse_part, parts_text
from bvf.errors import BvfError
from bvf.files.writing import OTHER_FOLDER, TEMPORARY, disk_errors_explained

ONE_AT_A_TIME = Lock()
"""Models are not made for several threads: calls in one process wait for each other."""
LOCK = "lock"
PARTS = "parts"
"""Folder with a lock per part."""
ENDING = ".lock"
MOMENT, PATIENCE = 1.0, 10.0
"""Seconds that checking a lock takes at most, and seconds to wait, as several processes may check it in turn."""
NO_LOCKS = frozenset({errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOLCK})
"""The error numbers of disks without locks."""


def holds_nothing(folder: Path) -> bool:
    """Whether a folder has nothing but locks and temporary files of unfinished writing."""
    return all(is_of_locks(entry) or entry.name.endswith(TEMPORARY) for entry in folder.iterdir())


@contextmanager
def locked(
    folder: Path, part: JobPart | None = None, is_unused: Callable[[Path], bool] = holds_nothing
) -> Iterator[None]:
    """Keep other runs out of a folder while the block lasts. The folder is made if it is not there.

    A folder that was made for that is removed at the end of the block, if it is still unused.

    Args:
        folder: The folder of the work.
        part: The part of the run that is done here: runs of the whole are kept out, but not its other parts; None: all
            other runs and parts are kept out.
        is_unused: A function that returns whether a folder has no work in it.

    Raises:
        BvfError: Another run, or a part, is at work in the folder, or it cannot be made.
    """
    with disk_errors_explained(folder, OTHER_FOLDER):
        if folder.exists() and not folder.is_dir():
            raise BvfError(f"{folder} is not a folder", OTHER_FOLDER)
        made = not folder.exists()
        folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as held:
        with disk_errors_explained(folder, OTHER_FOLDER):
            held.enter_context(beside_other_parts(folder, part) if part else _alone(folder))
        try:
            yield
        finally:
            if part is None and is_unused(folder):
                forget_parts(folder)
                with suppress(OSError):
                    (folder / LOCK).unlink()
                    if made:
                        folder.rmdir()


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep all other runs, and all parts of runs, out of an existing folder while the block lasts."""
    lock = _taken(folder / LOCK, MOMENT)
    if lock is None:
        raise _another_run(folder)
    try:
        _refuse_parts_at_work(folder)
        yield
    finally:
        lock.release()


@contextmanager
def beside_other_parts(folder: Path, part: JobPart) -> Iterator[None]:
    """Keep whole runs, but not other parts of this run, out of an existing folder while the block lasts."""
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


def _refuse_parts_at_work(folder: Path) -> None:
    """Raise a `BvfError` that names the parts of a run that are writing to a folder, if any."""
    taken = [file for file in sorted((folder / PARTS).glob(f"*{ENDING}")) if _is_taken(file)]
    busy = [parse_part(file.name.removesuffix(ENDING).replace("-of-", "/")) for file in taken]
    for of in sorted({part.of for part in busy}):
        numbers = sorted(part.number for part in busy if part.of == of)
        raise BvfError(
            f"{folder}: {parts_text(numbers, of)} {'is' if len(numbers) == 1 else 'are'} at work there",
            f"wait until all parts are done; if their machines are gone, delete {folder / PARTS}",
        )


def forget_parts(folder: Path) -> None:
    """Delete the locks of all parts of a run, and their folder if it is then empty. No part may be running."""
    with suppress(OSError):
        for file in (folder / PARTS).glob(f"*{ENDING}"):
            file.unlink()
        (folder / PARTS).rmdir()


def is_of_locks(entry: Path) -> bool:
    """Whether a path is the lock file of a folder, or its folder of locks. That folder must have nothing else in it."""
    if entry.name == PARTS and entry.is_dir():
        return all(file.name.endswith(ENDING) for file in entry.iterdir())
    return entry.name == LOCK


def _taken(file: Path, seconds: float) -> filelock.BaseFileLock | None:
    """Return the lock of a file, acquired if the disk has locks; None if another process keeps it ``seconds`` long."""
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


def _another_run(folder: Path) -> BvfError:
    return BvfError(f"{folder}: another run is writing there", f"wait until it is done, or {OTHER_FOLDER}")
