"""The door to a folder: its files are read and written through one object, which follows no link below the root.

A folder is of a kind: the names that may stand in it, and how large a file may be. That of a run is recognised, too.
"""

import os
import re
import secrets
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from typing import Any, BinaryIO, NoReturn, TypeVar

from bvf.domain.asked import PICTURES
from bvf.domain.measurement import PRIOR_FOLDER, RECORD
from bvf.errors import BvfError
from bvf.files.parsing import decoded, parse_json

SHARDS = "probabilities"
"""The folder of the shards in that of a measurement."""
RESULT, ANALYSES, KEPT = "result.json", "analyses", "kept"
"""The newest analysis of a run, the folder of them all, and that of those stored under a name."""
INVOCATIONS, JUDGEMENTS, CONTROLS = "invocations", "judgements", "controls"
"""Folders with records of commands, with what judges said of texts (a file per judge), and with a run per control."""
OTHER_WORDS = "other-words"
"""The folder of the measurement of other words in the prompts of a run."""
REPLICATES = "replicates.parquet"
"""Counts of the templates in each bootstrap resample of the source documents."""
RECORD_OF_BEFORE = "run.json"
"""Record of a run by an earlier version of bvf, which cannot be continued."""
LOCK, PARTS = "lock", "parts"
"""The lock of a folder, and the folder with a lock per part."""


@dataclass(frozen=True)
class FolderKind:
    """What may stand in folders of a kind. Names are regular expressions, which match a whole name.

    Args:
        files: The largest size in bytes of a file, by its name.
        folders: The kind of a folder below, by its name.
        many: It may have so many files that none of them is looked for at each writing.
    """

    files: Mapping[str, int]
    folders: Mapping[str, "FolderKind"] = field(default_factory=dict)
    many: bool = False


JSON, PARQUET, SMALL = 500_000_000, 2_000_000_000, 1_000_000
"""The most bytes of files of JSON (a record of a million contexts has half of that), of Parquet, and of others."""
OF_RUN: dict[str, FolderKind] = {
    SHARDS: FolderKind({r"\d{5,12}\.[^.]+\.parquet": PARQUET}, many=True),
    **dict.fromkeys((ANALYSES, KEPT, INVOCATIONS, JUDGEMENTS), FolderKind({r".*\.json": JSON})),
    PICTURES: FolderKind({r"[0-9a-f]{16}\.jpg": SMALL}),
    PARTS: FolderKind({r".*\.lock": SMALL}),
}
RUN = FolderKind({RECORD: JSON, RESULT: JSON, RECORD_OF_BEFORE: JSON, REPLICATES: PARQUET, LOCK: SMALL}, OF_RUN)
OF_RUN |= {PRIOR_FOLDER: RUN, OTHER_WORDS: RUN, CONTROLS: FolderKind({}, {".+": RUN})}
CONTEXTS = FolderKind({r".*\.(merged|mining)\.json": JSON, r".*\.replicates\.parquet": PARQUET})
"""What stands beside a context set, in a folder of the user."""


TEMPORARY = ".tmp"
"""Ending of a file that is being written, or that a killed process left behind."""
LONGEST_WRITING = 3600.0
"""Seconds after which a file with a temporary name must be from a killed process."""
BY_DESCRIPTOR = {os.open, os.stat, os.unlink, os.mkdir, os.rmdir} <= os.supports_dir_fd and os.listdir in os.supports_fd
"""Whether the platform opens names from an open folder, so that its path cannot become another one meanwhile."""
NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
TO_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)
TO_LIST = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0)
Value = TypeVar("Value")
CALLED = {stat.S_IFLNK: "a link", stat.S_IFDIR: "a folder", stat.S_IFREG: "a file", stat.S_IFIFO: "a pipe"}


@dataclass(frozen=True)
class Folder:
    """A folder of a known kind, which may not exist. Only its root, which the user names, may be reached by a link.

    Methods raise `BvfError` for a name that is not of the kind, and where something else stands in the place of a file
    or a folder, such as a link. Those that write raise OSError as well.

    Args:
        root: Path of the outermost folder.
        kind: What may stand in this folder.
        within: Names of the folders from the root to this one.
    """

    root: Path
    kind: FolderKind = field(default=RUN, compare=False, repr=False)
    within: tuple[str, ...] = ()

    @property
    def path(self) -> Path:
        """The path of this folder, for messages."""
        return self.root.joinpath(*self.within)

    def path_of(self, name: str) -> Path:
        """Return the path of a file, for messages and for libraries that open it themselves."""
        _found(self.kind.files, name, self.path)
        return self.path / name

    def sub(self, name: str) -> "Folder":
        """Return a folder in this one. It may not exist."""
        return replace(self, kind=_found(self.kind.folders, name, self.path), within=(*self.within, name))

    def entries(self) -> list[str]:
        """Return all names in the folder, sorted; none if there is no such folder."""
        with suppress(FileNotFoundError, NotADirectoryError), self._at() as (before, at):
            return sorted(os.listdir(before if at is None else at))
        return []

    def names(self) -> list[str]:
        """Return the names in the folder that are those of files of its kind, sorted."""
        return [name for name in self.entries() if _matched(self.kind.files, name)]

    def folders(self) -> "list[Folder]":
        """Return the folders of its kind that are there, by name; a link in the place of one is among them."""
        named = [self.sub(name) for name in self.entries() if _matched(self.kind.folders, name)]
        found = [(each, self._stat(each.within[-1])) for each in named]
        return [each for each, its in found if its and (stat.S_ISDIR(its.st_mode) or stat.S_ISLNK(its.st_mode))]

    def is_there(self) -> bool:
        """Whether there is such a folder that can be opened."""
        with suppress(OSError, ValueError), self._at():
            return True
        return False

    def own_path(self) -> Path:
        """Return the path of this folder, for what opens it itself. Raises `BvfError` if it leads through a link."""
        self.is_there()
        return self.path

    def exists(self, name: str) -> bool:
        """Whether anything has the name of this file."""
        _found(self.kind.files, name, self.path)
        with suppress(OSError):
            return self._stat(name) is not None
        return False

    def check(self, name: str) -> bool:
        """Return whether a file is there. Raises `BvfError` if something else has its name."""
        _found(self.kind.files, name, self.path)
        if (found := self._stat(name)) and not stat.S_ISREG(found.st_mode):
            _refuse(self.path / name, found, "file")
        return found is not None

    def read_bytes(self, name: str) -> bytes | None:
        """Return the content of a file; None: it is not there. Raises `BvfError` if it is unreadable or too large."""
        file, largest = self.path / name, _found(self.kind.files, name, self.path)
        try:
            if not self.check(name):
                return None
            with self._at() as (before, at), open(os.open(before + name, TO_READ | NO_LINK, dir_fd=at), "rb") as opened:
                size = os.fstat(opened.fileno()).st_size
                if size > largest:
                    hint = "restore the file that was written, or take it out of the folder"
                    raise BvfError(f"{file}: {size:,} bytes, and such a file has {largest:,} at most", hint)
                return opened.read(size)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise BvfError(f"{file}: cannot be read: {error.strerror or error}") from error

    def read_json(self, name: str) -> Any:
        """Return the value of a file of JSON. Raises `BvfError` if it is not there, or is not JSON."""
        file, content = str(self.path / name), self.read_bytes(name)
        if content is None:
            raise BvfError(f"{file}: cannot be read: no such file")
        return parse_json(decoded(content, file), file)

    def write(self, name: str, content: bytes | str) -> None:
        """Write bytes, or text as UTF-8, to a file, which is replaced as a whole; see `replacing`."""
        with self.replacing(name) as out:
            out.write(content if isinstance(content, bytes) else content.encode())

    @contextmanager
    def replacing(self, name: str) -> Iterator[BinaryIO]:
        """Yield a file, open for writing, that replaces the named one at the end of the block: see `in_place_of`.

        The folder is made. What killed processes left of the file is deleted.
        """
        with self._at(make=True) as (before, at):
            self.check(name)
            with in_place_of(before + name, at) as out:
                yield out
        if not self.kind.many:
            self.tidy(name)

    def write_new(self, name: str, text: str) -> bool:
        """Write a text to a file unless it exists already, and return whether it was written. The folder is made.

        Of several processes one writes the file. On a disk without hard links, two at one moment may both write it.
        """
        _found(self.kind.files, name, self.path)
        with self._at(make=True) as (before, at):
            try:
                with in_place_of(before + name, at, os.link) as out:
                    out.write(text.encode())
            except OSError:
                if self.exists(name):
                    return False
                self.write(name, text)
        return True

    def delete(self, name: str) -> None:
        """Delete a file, if it is there."""
        if self.check(name):
            with suppress(FileNotFoundError), self._at() as (before, at):
                os.unlink(before + name, dir_fd=at)

    def make(self) -> None:
        """Make the folder and those around it, where they are not there."""
        with self._at(make=True):
            pass

    def remove(self) -> None:
        """Remove the folder, which must be empty."""
        if not self.within:
            self.root.rmdir()
            return
        with replace(self, within=self.within[:-1])._at() as (before, at):
            os.rmdir(before + self.within[-1], dir_fd=at)

    def tidy(self, name: str = "") -> None:
        """Delete what killed processes left of a file, or of all files here and below; pass over what it cannot."""
        half = re.compile(rf"{re.escape(name)}\.[0-9a-f]{{16}}\.tmp" if name else r".*\.tmp")
        with suppress(OSError, BvfError), self._at() as (before, at):
            for each in filter(half.fullmatch, self.entries()):
                with in_place_of(f"{before}now", at, lambda *_, **__: None) as out:
                    now = os.fstat(out.fileno()).st_mtime  # by the clock of the disk, as the others
                if (it := self._stat(each)) and stat.S_ISREG(it.st_mode) and now - it.st_mtime > LONGEST_WRITING:
                    os.unlink(before + each, dir_fd=at)
            for below in () if name else self.folders():
                below.tidy()

    @contextmanager
    def _at(self, *, make: bool = False) -> Iterator[tuple[str, int | None]]:
        """Open the folder; yield what is put before names in it, and its descriptor, if names are opened from that."""
        if make:
            self.root.mkdir(parents=True, exist_ok=True)
        before, at = ("", os.open(self.root, TO_LIST)) if BY_DESCRIPTOR else (f"{self.root}{os.sep}", None)
        if at is None:
            os.stat(before)  # raises if there is no such folder
        try:
            for depth, name in enumerate(self.within, 1):
                if make:
                    with suppress(FileExistsError):
                        os.mkdir(before + name, dir_fd=at)
                found = os.stat(before + name, dir_fd=at, follow_symlinks=False)
                if not stat.S_ISDIR(found.st_mode):
                    _refuse(self.root.joinpath(*self.within[:depth]), found, "folder")
                if at is None:
                    before += f"{name}{os.sep}"
                else:
                    above, at = at, os.open(name, TO_LIST | NO_LINK, dir_fd=at)
                    os.close(above)
            yield before, at
        finally:
            if at is not None:
                os.close(at)

    def _stat(self, name: str) -> os.stat_result | None:
        """What has a name in the folder, which is not followed if it is a link; None: nothing has it."""
        with suppress(FileNotFoundError, NotADirectoryError, ValueError), self._at() as (before, at):
            return os.stat(before + name, dir_fd=at, follow_symlinks=False)
        return None


@contextmanager
def in_place_of(file: str, at: int | None = None, put: Callable[..., None] = os.replace) -> Iterator[BinaryIO]:
    """Yield a temporary file, open for writing, that replaces ``file`` when the block ends.

    Until then ``file`` stays as it was. The new one gets its name when all of it is on the disk, so that not even a
    power cut leaves half of it. If the block fails, it is deleted. No other process, on any machine, writes to it.

    Args:
        file: Its path.
        at: The descriptor of the folder that the path begins in; None: the working folder.
        put: Gives the temporary file its name.
    """
    temporary = f"{file}.{secrets.token_hex(8)}{TEMPORARY}"
    try:
        with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_LINK, 0o666, dir_fd=at), "wb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        put(temporary, file, src_dir_fd=at, dst_dir_fd=at)
    finally:
        with suppress(OSError, ValueError):
            os.unlink(temporary, dir_fd=at)


def _matched(of_names: Mapping[str, Value], name: str) -> list[Value]:
    """The values of the names of a kind that a name matches. There are none for a name that leads out of the folder."""
    stays = PurePath(name).name == name and name not in ("", "..")
    return [value for each, value in of_names.items() if stays and re.fullmatch(each, name)]


def _found(of_names: Mapping[str, Value], name: str, folder: Path) -> Value:
    for value in _matched(of_names, name):
        return value
    raise BvfError(f"{folder}: {name!r} is not the name of a file that such a folder has")


def _refuse(path: Path, found: os.stat_result, wanted: str) -> NoReturn:
    there = CALLED.get(stat.S_IFMT(found.st_mode), "a device")
    raise BvfError(f"{path} is not a {wanted} but {there}", f"put the {wanted} itself in its place, or take it away")


def run_at(folder: Path | str | Folder) -> Folder:
    """Return a folder as that of a run."""
    return folder if isinstance(folder, Folder) else Folder(Path(folder))


def is_run(folder: Path | Folder) -> bool:
    """Whether a folder is that of a run, damaged or not."""
    run = run_at(folder)
    return run.exists(RECORD) or _has_lost_record(run)


def runs_below(folder: Path) -> Iterator[Path]:
    """Yield the folder itself if it is a run's, else the folders of runs below it, but for hidden ones (``.name``).

    Raises:
        BvfError: A run has lost its record.
    """
    if "\0" in str(folder):
        return
    for path, folders, _ in os.walk(folder):
        at = run_at(path)
        if at.exists(RECORD):
            folders.clear()
            yield at.path
        elif _has_lost_record(at):
            raise lost_record(at.path)
        folders[:] = sorted(name for name in folders if not name.startswith("."))


def _has_lost_record(run: Folder) -> bool:
    """Whether a folder has what only a run leaves. To be asked where it has no readable record."""
    return run.sub(SHARDS).is_there() or (run.exists(RESULT) and run.sub(ANALYSES).is_there())


def lost_record(folder: Path) -> BvfError:
    """Return the error for a run whose ``measurement.json`` is missing or cannot be read."""
    return BvfError(
        f"{folder}: a damaged run: its {RECORD} is missing or cannot be read",
        "restore that file, or move the folder away and measure again",
    )
