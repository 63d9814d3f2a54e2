"""Locks on folders that runs write to. A folder is locked by one run, or by several parts of a run at once.

Locks only avoid double work and show who is there. No result depends on them: a piece is stored whole or not at all,
under the digest of its bytes, and a second copy of it does no harm. So work goes on where the disk has no locks, and so
does a part whose own lock is taken already, perhaps by a machine that is lost.
"""

import errno
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from threading import Lock

import filelock

from bvf.domain.part import JobPart
from bvf.errors import BvfError
from bvf.files.folder import LOCK, PARTS, TEMPORARY, Folder
from bvf.files.writing import OTHER_FOLDER, disk_errors_explained

ONE_AT_A_TIME = Lock()
"""Models are not made for several threads: calls in one process wait for each other."""
ENDING = ".lock"
MOMENT, PATIENCE = 1.0, 10.0
"""Seconds that checking a lock takes at most, and seconds to wait, as several processes may check it in turn."""
NO_LOCKS = frozenset({errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOLCK})
"""The error numbers of disks without locks."""


def _holds_nothing(folder: Folder) -> bool:
    """Whether a folder has nothing but locks and temporary files of unfinished writing."""
    return all(is_of_locks(folder, name) or name.endswith(TEMPORARY) for name in folder.entries())


@contextmanager
def locked(
    folder: Folder, part: JobPart | None = None, is_unused: Callable[[Folder], bool] = _holds_nothing
) -> Iterator[None]:
    """Keep other runs out of a folder while the block lasts. The folder is made if it is not there.

    A folder that was made for that is removed at the end of the block, if it is still unused.

    Args:
        folder: The folder of the work, whose kind has the names `LOCK` and `PARTS`.
        part: The part of the run that is done here: runs of the whole are kept out, but not its other parts; None: all
            other runs and parts are kept out.
        is_unused: A function that returns whether a folder has no work in it.

    Raises:
        BvfError: Another run, or a part, is at work in the folder, or it cannot be made.
    """
    with disk_errors_explained(folder.path, OTHER_FOLDER):
        if folder.path.exists() and not folder.path.is_dir():
            raise BvfError(f"{folder.path} is not a folder", OTHER_FOLDER)
        made = not folder.is_there()
        folder.make()
    with ExitStack() as held:
        with disk_errors_explained(folder.path, OTHER_FOLDER):
            held.enter_context(beside_other_parts(folder, part) if part else _alone(folder))
        try:
            yield
        finally:
            if part is None and is_unused(folder):
                forget_parts(folder)
                with suppress(OSError):
                    folder.delete(LOCK)
                    if made:
                        folder.remove()


@contextmanager
def _alone(folder: Folder) -> Iterator[None]:
    """Keep all other runs, and all parts of runs, out of an existing folder while the block lasts."""
    lock = _taken(folder, LOCK, MOMENT)
    if lock is None:
        raise _another_run(folder)
    try:
        _refuse_parts_at_work(folder)
        yield
    finally:
        lock.release()


@contextmanager
def beside_other_parts(folder: Folder, part: JobPart) -> Iterator[None]:
    """Keep whole runs, but not other parts of this run, out of an existing folder while the block lasts."""
    parts, name = folder.sub(PARTS), f"{part.number}-of-{part.of}{ENDING}"
    parts.make()
    lock = _taken(parts, name, MOMENT)
    try:
        run = _taken(folder, LOCK, PATIENCE)
        if run is None:
            raise _another_run(folder)
        run.release()
        yield
    finally:
        if lock is not None:
            with suppress(OSError):
                parts.delete(name)
            lock.release()


def _refuse_parts_at_work(folder: Folder) -> None:
    """Raise a `BvfError` that names the parts of a run that are writing to a folder, if any."""
    parts = folder.sub(PARTS)
    taken = [name for name in parts.names() if _is_taken(parts, name)]
    busy = [JobPart.parse(name.removesuffix(ENDING).replace("-of-", "/")) for name in taken]
    for of, part in sorted({part.of: part for part in busy}.items()):
        numbers = sorted(each.number for each in busy if each.of == of)
        raise BvfError(
            f"{folder.path}: {part.named(numbers)} {'is' if len(numbers) == 1 else 'are'} at work there",
            f"wait until all parts are done; if their machines are gone, delete {parts.path}",
        )


def forget_parts(folder: Folder) -> None:
    """Delete the locks of all parts of a run, and their folder if it is then empty. No part may be running."""
    with suppress(OSError):
        parts = folder.sub(PARTS)
        for name in parts.names():
            parts.delete(name)
        parts.remove()


def is_of_locks(folder: Folder, name: str) -> bool:
    """Whether a name is that of the lock of a folder, or its folder of locks, which must have nothing else in it."""
    if name == PARTS and folder.sub(PARTS).is_there():
        return all(each.endswith(ENDING) for each in folder.sub(PARTS).entries())
    return name == LOCK


def _taken(folder: Folder, name: str, seconds: float) -> filelock.BaseFileLock | None:
    """Return the lock of a file, acquired if the disk has locks; None if another process keeps it ``seconds`` long."""
    folder.check(name)
    lock = filelock.FileLock(folder.path_of(name), timeout=seconds)
    try:
        lock.acquire()
    except filelock.Timeout:
        return None
    except OSError as error:
        if error.errno not in NO_LOCKS:
            raise
    return lock


def _is_taken(folder: Folder, name: str) -> bool:
    lock = _taken(folder, name, 0)
    if lock is not None:
        lock.release()
    return lock is None


def _another_run(folder: Folder) -> BvfError:
    return BvfError(f"{folder.path}: another run is writing there", f"wait until it is done, or {OTHER_FOLDER}")
