"""How many processors this process may use: those of its affinity, or fewer by the quota of its control groups."""

import math
import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from bvf.files.parsing import whole_number

ROOT = Path("/")
GROUPS = "proc/self/cgroup"
MOUNT = "sys/fs/cgroup"
MOST_THREADS = 2**16


def processors(root: Path = ROOT) -> int:
    """Return how many processors this process may use at once, at least 1; a part of one counts as one.

    Args:
        root: Where ``proc`` and ``sys`` are.
    """
    return math.ceil(min(quota(root), affinity()))


def affinity() -> int:
    """Return on how many processors the system may place this process."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def quota(root: Path = ROOT) -> float:
    """Return the processor time per time that this process may take, as containers limit it.

    It is the smallest quota of its control group and of all groups above that one. A container may see only a part of
    the groups, and name others: what is not there, or not to be read, sets no limit.

    Args:
        root: Where ``proc`` and ``sys`` are.

    Returns:
        In processors, > 0; infinity if there is no limit.
    """
    return min(_quotas(root), default=math.inf)


def threads(wanted: int | None = None) -> int:
    """Return how many threads the libraries of a run may start in all.

    Args:
        wanted: What ``--threads`` says; None or 0: it says nothing. Then ``OMP_NUM_THREADS`` counts, where it is set,
            and otherwise the number of processors.
    """
    first = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0].strip()
    return wanted or whole_number(first, 1, MOST_THREADS) or processors()


def _quotas(root: Path) -> Iterator[float]:
    mount = root / MOUNT
    for line in _text(root / GROUPS).splitlines():
        _, _, named = line.partition(":")
        controllers, _, group = named.partition(":")
        if not controllers:
            for folder in (*_upwards(mount, group), *_upwards(mount / "unified", group)):
                yield _in_processors(_text(folder / "cpu.max"))
        elif "cpu" in controllers.split(","):
            for folder in (*_upwards(mount / "cpu", group), *_upwards(mount / controllers, group)):
                yield _in_processors(f"{_text(folder / 'cpu.cfs_quota_us')} {_text(folder / 'cpu.cfs_period_us')}")


def _upwards(mount: Path, group: str) -> Iterator[Path]:
    """The folder of a group, and those of all groups above it."""
    path = PurePosixPath(group.lstrip("/"))
    for each in (path, *path.parents):
        if ".." not in each.parts:
            yield mount / each


def _in_processors(quota_and_period: str) -> float:
    try:
        allowed, period = map(int, quota_and_period.split())
        return allowed / period if allowed > 0 and period > 0 else math.inf
    except (ValueError, OverflowError):  # "max", one file missing, or damaged
        return math.inf


def _text(file: Path) -> str:
    try:
        return file.read_text("ascii", "replace")
    except (OSError, ValueError):
        return ""
