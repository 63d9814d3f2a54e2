"""What programs take: seconds of the processor and of the clock, and the peak of memory."""

import multiprocessing
import resource
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Used:
    """Seconds of the processor and of the clock, and the peak of memory in GB."""

    processor: float
    seconds: float
    peak: float


def timed(work: Callable[[], Any]) -> tuple[Used, Any]:
    """Return what a call takes in this process, until the GPU has done it, too, and its answer."""
    wait()
    began = time.process_time(), time.perf_counter()
    answer = work()
    wait()
    processor, seconds = time.process_time() - began[0], time.perf_counter() - began[1]
    return Used(processor, seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6), answer


def wait() -> None:
    """Wait for the GPU, if this process uses one."""
    torch = sys.modules.get("torch")
    if torch and torch.cuda.is_available():
        torch.cuda.synchronize()


def in_a_process(function: Callable[..., Any], *arguments: Any) -> Any:
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(function, *arguments).result()


def clock() -> float:
    """Seconds; where torch has one thread, those of the processor, which other programs change less."""
    import torch

    return time.process_time() if torch.get_num_threads() == 1 else time.perf_counter()
