"""Seconds that programs take."""

import time
from collections.abc import Callable
from typing import Any

import torch


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the seconds of a call, until the GPU has done it, too, and its answer."""
    wait()
    began = clock()
    answer = work()
    wait()
    return clock() - began, answer


def fastest(runs: list[Any]) -> Any:
    """Return the run of the least seconds, which stand first in each."""
    return min(runs, key=lambda run: run[0])


def wait() -> None:
    """Wait for the GPU, if there is one."""
    if torch.cuda.is_available():
        torch.cuda.synchronize()


def clock() -> float:
    """Seconds; where torch has one thread, those of the processor, which other programs change less."""
    return time.process_time() if torch.get_num_threads() == 1 else time.perf_counter()
