"""Pickled messages between the run and the process that talks to Ray."""

from dataclasses import dataclass

from bvf_ray_engine.options import RayOptions


@dataclass(frozen=True)
class Begin:
    """To Ray: the pickled work, and the run's folder, search path for modules, and versions by distribution."""

    options: RayOptions
    work: bytes
    folder: str
    path: tuple[str, ...]
    versions: dict[str, str]


@dataclass(frozen=True)
class Tasks:
    """To Ray: pickled tasks by number; ``last``: there are no more after these."""

    tasks: dict[int, bytes]
    last: bool


@dataclass(frozen=True)
class Connected:
    """From Ray: the cluster answers."""


@dataclass(frozen=True)
class Wants:
    """From Ray: there is room for this many more tasks."""

    number: int


@dataclass(frozen=True)
class Done:
    """From Ray: the pickled result of a task."""

    task: int
    result: bytes


@dataclass(frozen=True)
class Raised:
    """From Ray: the error that the work raised, pickled, and its traceback."""

    error: bytes
    traceback: str


@dataclass(frozen=True)
class GivenUp:
    """From Ray: too many workers died of a task."""

    task: int
    deaths: int
    reason: str


@dataclass(frozen=True)
class Refused:
    """From Ray: the error that ends the work."""

    message: str
    hint: str
