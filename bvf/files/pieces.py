"""Stores the results of separate tasks (pieces) in a folder, so that an interrupted command can continue.

The result of a piece is written whole or not at all, and checked when it is read: a file that was changed, cut off or
renamed counts as missing, and the piece is done again. A numbered piece has the file ``NUMBER.DIGEST.ENDING``, with the
digest of its bytes. A piece of a stream, such as a corpus, has a file named by its key, the digest of all that the
result depends on; the last line of the file is the digest of the key and of the other lines.
"""

import json
import re
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from traceback import walk_tb
from typing import Any, TypeVar

from bvf.errors import BvfError, ContractError, error_text
from bvf.files.digests import KEY_LENGTH, digest_of_bytes, digest_of_texts
from bvf.files.writing import disk_errors_explained, replacing, write_text
from bvf.interfaces.engine import AS_ENGINES_YIELD, Engine, Work

T = TypeVar("T")
R = TypeVar("R")
NUMBERED = re.compile(r"(\d{5,12})\.[^.]+\.[a-z]+")
KEYED = re.compile(rf"[0-9a-f]{{{KEY_LENGTH}}}(\.[0-9a-f]+\.tmp)?")
ONCE_WRITABLE = "what is done is kept; the same command goes on once it can be written"


def write_numbered(folder: Path, number: int, ending: str, content: bytes) -> Path:
    """Write the file of a numbered task's result, and return its path. Raises OSError if that fails."""
    file = folder / f"{number:05d}.{digest_of_bytes(content)}{ending}"
    with replacing(file) as out:
        out.write(content)
    return file


def numbered_files(folder: Path, ending: str) -> dict[int, list[Path]]:
    """Return the files of numbered results, by number; empty if there is no such folder. Damaged files are included.

    Raises:
        BvfError: A folder or a device has the name of a piece's file.
        OSError: The folder cannot be read.
    """
    files: dict[int, list[Path]] = {}
    for file in sorted(folder.iterdir()) if folder.is_dir() else []:
        name = NUMBERED.fullmatch(file.name)
        if name is None or file.suffix != ending:
            continue
        if file.exists() and not file.is_file():
            raise BvfError(f"{file} is not a file", "take it out of that folder, then run the same command again")
        files.setdefault(int(name[1]), []).append(file)
    return files


def read_numbered(file: Path) -> bytes | None:
    """Return the content of a numbered result; None if it is missing or damaged. An unreadable file raises OSError."""
    try:
        content = file.read_bytes()
    except FileNotFoundError:
        return None
    return content if file.name.split(".")[1] == digest_of_bytes(content) else None


def json_lines(rows: Iterable[Any]) -> str:
    """Return rows as the text of JSON lines."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


@dataclass(frozen=True)
class KeyedPieces:
    """A folder of results of separate tasks. Each has a file of JSON lines, named by its key."""

    folder: Path

    @classmethod
    def beside(cls, file: Path) -> "KeyedPieces":
        """Return the folder of results from which ``file`` is made. It lies beside ``file`` until that is complete."""
        return cls(file.with_name(file.name + ".part"))

    def check(self) -> None:
        """Raise `BvfError` if the folder has other files than results, or if a file has the folder's name."""
        folder = self.folder
        if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
            raise BvfError(f"{folder}: is not a folder, and pieces need one of that name", "choose another --out")
        other = [file.name for file in folder.iterdir() if not _is_keyed(file)] if folder.exists() else []
        if other:
            raise BvfError(
                f"{folder}: holds {min(other)}, and pieces need a folder of that name",
                "choose another --out, or delete the folder",
            )

    def write(self, key: str, rows: Iterable[Any]) -> None:
        """Write the rows of the result with this key. Raises `BvfError` if that fails."""
        body = json_lines(rows)
        with disk_errors_explained(self.folder, ONCE_WRITABLE):
            self.folder.mkdir(parents=True, exist_ok=True)
            write_text(self.folder / key, f"{body}{digest_of_texts(key, body)}\n")

    def read(self, key: str) -> list[Any] | None:
        """Return the rows of the result with this key; None if its file is missing or damaged."""
        try:
            text = (self.folder / key).read_bytes().decode()
            body, last_line = text[: -KEY_LENGTH - 1], text[-KEY_LENGTH - 1 :]
            if last_line != f"{digest_of_texts(key, body)}\n":
                return None
            return [json.loads(line) for line in body.split("\n")[:-1]]
        except (OSError, ValueError):
            return None

    def has(self, key: str) -> bool:
        """Return whether there is a file for this key. The file may be damaged."""
        return (self.folder / key).is_file()

    def delete(self) -> None:
        """Delete all files, and the folder if it is then empty."""
        with disk_errors_explained(self.folder, "it can be deleted by hand"):
            for file in filter(_is_keyed, list(self.folder.iterdir())):
                file.unlink(missing_ok=True)
            if not any(self.folder.iterdir()):
                self.folder.rmdir()


def _is_keyed(file: Path) -> bool:
    """Whether a path has the name of a keyed result or its temporary file.

    The file may be being renamed at the time.
    """
    return KEYED.fullmatch(file.name) is not None and not file.is_dir() and not file.is_symlink()


def each_once(
    engine: Engine,
    tasks: Iterable[T],
    work: Work[T, R],
    kinds: tuple[type[T], type[R]],
    belongs: Callable[[T, R], bool] = lambda _task, _result: True,
) -> Generator[tuple[T, R], None, None]:
    """Yield every task with its result as soon as it is done. The engine must do each task once, which is checked.

    Args:
        engine: Where the work is done.
        tasks: Distinct by ``==``: a list, or a stream from which the engine takes a task when it needs one.
        work: What is done with each task.
        kinds: The class of the tasks and the class of the results; only the latter is checked.
        belongs: A function that returns whether a result belongs to a task.

    Raises:
        ContractError: The engine yielded other objects, or a task twice, or left a task out; or it failed itself.
    """
    name, (task_name, result_name) = f"{type(engine).__name__}.map", (kind.__name__.lower() for kind in kinds)
    stream, done = iter(tasks), 0
    waiting = list(tasks) if isinstance(tasks, Sequence) else []
    sent = tasks if isinstance(tasks, Sequence) else _noted(stream, waiting)
    with closing(_yielded(engine, sent, work)) as pairs:
        for pair in pairs:
            if not (isinstance(pair, tuple) and len(pair) == 2 and isinstance(pair[1], kinds[1])):
                wrong = f"something else than a {task_name} and its {result_name}"
                raise ContractError(f"{name} yielded {wrong}", AS_ENGINES_YIELD)
            task, result = pair
            called = f"{task_name} {getattr(task, 'index', task)}"
            if task not in waiting:
                raise ContractError(f"{name} yielded {called}, which is not asked for or done", AS_ENGINES_YIELD)
            if not belongs(task, result):
                raise ContractError(f"{name} yielded {called} with the {result_name} of another", AS_ENGINES_YIELD)
            waiting.remove(task)
            done += 1
            yield task, result
    left = len(waiting) + (0 if isinstance(tasks, Sequence) else sum(1 for _ in stream))
    if left:
        raise ContractError(f"{name} left {left} of {done + left} {task_name}s out", AS_ENGINES_YIELD)


def _noted(tasks: Iterable[T], waiting: list[T]) -> Iterator[T]:
    """Yield tasks, and append each to ``waiting`` before."""
    for task in tasks:
        waiting.append(task)
        yield task


def _yielded(engine: Engine, tasks: Iterable[T], work: Work[T, R]) -> Generator[object, None, None]:
    """Yield what an engine yields. Errors of the engine get its name; errors of the work are unchanged."""
    try:
        yield from engine.map(tasks, work)
    except (BvfError, KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:
        if any(frame.f_globals.get("__name__") == type(work).__module__ for frame, _ in walk_tb(error.__traceback__)):
            raise
        raise ContractError(
            f"{type(engine).__name__}.map failed: {error_text(error)}",
            f"--debug shows where, in the engine or in another process of it; {AS_ENGINES_YIELD}",
        ) from error
