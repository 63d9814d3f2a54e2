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
from traceback import walk_tb
from typing import Any, TypeVar

from bvf.errors import BvfError, ContractError, error_text
from bvf.files.digests import digest_of_bytes
from bvf.files.folder import Folder
from bvf.interfaces.engine import AS_ENGINES_YIELD, Engine, Work

T = TypeVar("T")
R = TypeVar("R")
NUMBERED = re.compile(r"(\d{5,12})\.[^.]+\.[a-z]+")


@dataclass(frozen=True)
class NumberedFiles:
    """The files of the results of numbered tasks in a folder, each with its number and the digest of its content."""

    folder: Folder
    ending: str

    def write(self, number: int, content: bytes) -> str:
        """Write the file of a task's result, and return its name. Raises OSError if that fails."""
        name = f"{number:05d}.{digest_of_bytes(content)}{self.ending}"
        self.folder.write(name, content)
        return name

    def names(self) -> dict[int, list[str]]:
        """Return the names of the files by number, also of damaged ones; none if there is no such folder.

        Raises:
            OSError: The folder cannot be read.
        """
        files: dict[int, list[str]] = {}
        for name in self.folder.names():
            numbered = NUMBERED.fullmatch(name)
            if numbered is not None and name.endswith(self.ending):
                files.setdefault(int(numbered[1]), []).append(name)
        return files

    def read(self, name: str) -> bytes | None:
        """Return the content of a file; None if it is missing or damaged. Raises as `Folder.read_bytes`."""
        content = self.folder.read_bytes(name)
        return content if content is not None and name.split(".")[1] == digest_of_bytes(content) else None

    def contents(self) -> Iterator[tuple[int, bytes]]:
        """Yield the number and the content of each result that is not damaged, by number."""
        for number, names in self.names().items():
            for content in map(self.read, names):
                if content is not None:
                    yield number, content


def json_lines(rows: Iterable[Any]) -> str:
    """Return rows as the text of JSON lines."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


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
