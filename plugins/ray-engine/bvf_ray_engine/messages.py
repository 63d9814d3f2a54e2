"""Pickled messages between the run and the process that speaks to Ray."""

from dataclasses import dataclass

from bvf_ray_engine.options import RayOptions


@dataclass(frozen=True)
class Begin:
    """To Ray: what is to be done, and where.

    Args:
        options: Of the engine.
        work: Pickled.
        folder: The working folder of the run.
        path: Where the run finds modules.
        versions: Of Python and of the distributions that decide on the answers.
    """

    options: RayOptions
    work: bytes
    folder: str
    path: tuple[str, ...]
    versions: dict[str, str]


@dataclass(frozen=True)
class Tasks:
    """To Ray: tasks, pickled, by number; ``last``: there are no more after these."""

    tasks: dict[int, bytes]
    last: bool


@dataclass(frozen=True)
class Connected:
    """From Ray: it answers."""


@dataclass(frozen=True)
class Wants:
    """From Ray: there is room for this many more tasks."""

    number: int


@dataclass(frozen=True)
class Done:
    """From Ray: the result of a task, pickled."""

    task: int
    made: bytes


@dataclass(frozen=True)
class Raised:
    """From Ray: what the work raised, pickled, and the traceback of where it was raised."""

    error: bytes
    traceback: str


@dataclass(frozen=True)
class GivenUp:
    """From Ray: workers died of a task again and again."""

    task: int
    deaths: int
    reason: str


@dataclass(frozen=True)
class Refused:
    """From Ray: why nothing can be done here."""

    message: str
    hint: str
