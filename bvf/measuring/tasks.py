"""Checks what an engine yields: every task once, with the result of that task."""

from collections.abc import Iterator, Sequence
from traceback import walk_tb
from typing import TypeVar

from bvf.errors import BvfError, ContractError, said
from bvf.interfaces.engine import AS_ENGINES_YIELD, Engine, Work

T = TypeVar("T")
R = TypeVar("R")


def each_once(engine: Engine, tasks: Sequence[T], work: Work[T, R], results: type[R]) -> Iterator[tuple[T, R]]:
    """Yield every task with what the work made of it, as soon as each is done.

    Args:
        engine: Where the work is done.
        tasks: Of one class, with an ``index``, and told apart by ``==``.
        work: What is done with each.
        results: The class of what the work makes.

    Raises:
        ContractError: The engine yielded something else, a task twice, or left one out; or it failed itself.
    """
    name, left, called = f"{type(engine).__name__}.map", list(tasks), type(tasks[0]).__name__.lower() if tasks else ""
    for pair in _yielded(engine, tasks, work):
        if not (isinstance(pair, tuple) and len(pair) == 2 and isinstance(pair[1], results)):
            raise ContractError(
                f"{name} yielded something else than a {called} and its {results.__name__.lower()}", AS_ENGINES_YIELD
            )
        task, made = pair
        if task not in left:
            index = getattr(task, "index", "of another kind")
            raise ContractError(f"{name} yielded {called} {index}, which is not asked for or done", AS_ENGINES_YIELD)
        left.remove(task)
        yield task, made
    if left:
        raise ContractError(f"{name} left {len(left)} of {len(tasks)} {called}s out", AS_ENGINES_YIELD)


def _yielded(engine: Engine, tasks: Sequence[T], work: Work[T, R]) -> Iterator[object]:
    """What an engine yields. An error of the engine names the engine; a known error of the work stays as it is."""
    try:
        yield from engine.map(tasks, work)
    except (BvfError, KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:
        if any(frame.f_globals.get("__name__") == type(work).__module__ for frame, _ in walk_tb(error.__traceback__)):
            raise
        raise ContractError(
            f"{type(engine).__name__}.map failed: {said(error)}",
            f"--debug shows where, in the engine or in another process of it; {AS_ENGINES_YIELD}",
        ) from error
