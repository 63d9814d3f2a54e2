"""The main memory that is free."""

from pathlib import Path

MEMINFO = Path("/proc/meminfo")


def free_memory(meminfo: Path = MEMINFO) -> int | None:
    """Return how many bytes of the main memory programs may still take; None: not known, as outside of Linux."""
    if not meminfo.exists():
        return None
    for line in meminfo.read_text(encoding="ascii").splitlines():
        if line.startswith("MemAvailable:"):
            return 1024 * int(line.split()[1])
    return None
