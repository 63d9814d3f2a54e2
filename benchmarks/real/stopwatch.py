"""A stopwatch with stages inside each other: time counts for the innermost one."""

import os
import threading
import time
from collections.abc import Callable
from typing import Any


class Stopwatch:
    """Measures stages of the thread that made it. It runs from the start of the process, which is in the first one."""

    def __init__(self, first: str) -> None:
        self._thread = threading.get_ident()
        self._stages, self._taken = [first], {first: (0.0, 0.0)}
        self._since = (0.0, 0.0)
        self._began = time.perf_counter() - _seconds_since_start()

    def begin(self, stage: str) -> None:
        """Begin a stage inside the current one."""
        self._count()
        self._stages.append(stage)

    def end(self) -> None:
        """End the current stage, and go on with the one around it."""
        self._count()
        self._stages.pop()

    def timed(self, function: Callable[..., Any], stage: str, outside: str = "") -> Callable[..., Any]:
        """Return a function whose calls are a stage, unless they are inside the stage ``outside``."""

        def call(*args: Any, **options: Any) -> Any:
            if threading.get_ident() != self._thread or outside in self._stages:
                return function(*args, **options)
            self.begin(stage)
            try:
                return function(*args, **options)
            finally:
                self.end()

        return call

    def taken(self) -> dict[str, tuple[float, float]]:
        """Return the seconds of each stage, by the clock and of the processors (of all threads)."""
        self._count()
        return dict(self._taken)

    def _count(self) -> None:
        now = (time.perf_counter() - self._began, time.process_time())
        seconds, processor = self._taken.get(self._stages[-1], (0.0, 0.0))
        before = self._since
        self._taken[self._stages[-1]] = (seconds + now[0] - before[0], processor + now[1] - before[1])
        self._since = now


def _seconds_since_start() -> float:
    """Seconds since the process began, by Linux."""
    with open("/proc/self/stat") as stat, open("/proc/uptime") as uptime:
        ticks = int(stat.read().rsplit(")", 1)[1].split()[19])
        return float(uptime.read().split()[0]) - ticks / os.sysconf("SC_CLK_TCK")
