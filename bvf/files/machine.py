"""The processors that this process may use, limited by affinity and the quota of control groups; and free memory."""

import math
import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from bvf.files.parsing import whole_number

ROOT = Path("/")
MEMINFO = Path("/proc/meminfo")
MOST_THREADS = 2**16


def processors(root: Path = ROOT) -> int:
    """Return how many processors this process may use at once, rounded up. ``proc`` and ``sys`` are in ``root``."""
    return math.ceil(min(quota(root), affinity()))


def affinity() -> int:
    """Return the number of processors that the system may run this process on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def quota(root: Path = ROOT) -> float:
    """Return the number of processors that this process may use, above 0; infinity if there is no limit.

    Its unit is CPU seconds per second.

    It is the smallest quota of its control group and of all groups above that one. In a container some groups may be
    missing or unreadable, which then set no limit. ``proc`` and ``sys`` are in ``root``.
    """
    return min(_quotas(root), default=math.inf)


def threads(wanted: int | None = None) -> int:
    """Return how many threads the libraries of a run may start in all.

    It is ``wanted`` (``--threads``) if given, else the value of ``OMP_NUM_THREADS``, else the number of processors.
    """
    first = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0].strip()
    return wanted or whole_number(first, 1, MOST_THREADS) or processors()


def free_memory() -> int | None:
    """Return how many bytes of the main memory programs may still take; None: not known, as outside of Linux."""
    for line in MEMINFO.read_text(encoding="ascii").splitlines() if MEMINFO.exists() else ():
        if line.startswith("MemAvailable:"):
            return 1024 * int(line.split()[1])
    return None


def _quotas(root: Path) -> Iterator[float]:
    mount = root / "sys/fs/cgroup"
    for line in _text(root / "proc/self/cgroup").splitlines():
        _, _, named = line.partition(":")
        controllers, _, group = named.partition(":")
        if not controllers:
            for folder in (*_upwards(mount, group), *_upwards(mount / "unified", group)):
                yield _in_processors(_text(folder / "cpu.max"))
        elif "cpu" in controllers.split(","):
            for folder in (*_upwards(mount / "cpu", group), *_upwards(mount / controllers, group)):
                yield _in_processors(f"{_text(folder / 'cpu.cfs_quota_us')} {_text(folder / 'cpu.cfs_period_us')}")


def _upwards(mount: Path, group: str) -> Iterator[Path]:
    """Yield the folders of a control group and of all groups above it."""
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
