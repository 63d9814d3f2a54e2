"""Pickled messages between the run and the process that talks to Ray."""

from dataclasses import dataclass

from bvf_ray_engine.options import RayOptions


@dataclass(frozen=True)
class Ask:
    """Message to the Ray process: it is to answer with the `Capacity` of the cluster, and end."""

    options: RayOptions


@dataclass(frozen=True)
class Begin:
    """Message to the Ray process: the pickled work, and the run's working folder, ``sys.path`` and versions."""

    options: RayOptions
    work: bytes
    folder: str
    path: tuple[str, ...]
    versions: dict[str, str]


@dataclass(frozen=True)
class Tasks:
    """Message to the Ray process: pickled tasks by number. ``last``: no more tasks follow."""

    tasks: dict[int, bytes]
    last: bool


@dataclass(frozen=True)
class Connected:
    """Message from the Ray process: it is connected to the cluster."""


@dataclass(frozen=True)
class Wants:
    """Message from the Ray process: the number of further tasks that it can take."""

    number: int


@dataclass(frozen=True)
class Done:
    """Message from the Ray process: the pickled result of a task."""

    task: int
    result: bytes


@dataclass(frozen=True)
class Raised:
    """Message from the Ray process: the pickled error that the work raised, and its traceback."""

    error: bytes
    traceback: str


@dataclass(frozen=True)
class GivenUp:
    """Message from the Ray process: it gives up a task. Too many workers died doing it."""

    task: int
    deaths: int
    reason: str


@dataclass(frozen=True)
class Refused:
    """Message from the Ray process: message and hint of the `BvfError` that ends the work; ``lost``: a `LostError`."""

    message: str
    hint: str
    lost: bool
