"""Puts back what a plugin changes for everybody while it is loaded, and names the plugin."""

import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass
from typing import Any

from bvf.errors import in_one_line

SLOW = 1.0
"""Seconds that a plugin may take to be loaded; beyond, it is named."""
SAID = set[str]()
UNKNOWN = object()
"""Stands for the state of a module of which nothing is known before it is imported."""


def warn(text: str) -> None:
    """Write a warning to stderr, once in a process and not in the workers that the process starts."""
    workers = sys.modules.get("multiprocessing.process")
    if text in SAID or (workers and workers.parent_process()):
        return
    SAID.add(text)
    with suppress(OSError, ValueError, AttributeError):  # stderr may be closed, or none
        sys.stderr.write(f"warning: {in_one_line(text)}\n")


@contextmanager
def contained(plugin: str) -> Iterator[None]:
    """Put back what the block, which loads a plugin, changes for everybody. A warning names it, or a slow block.

    What the block prints goes to stderr.
    """
    began, filters = time.monotonic(), [*warnings.filters]
    try:
        with warnings.catch_warnings(), redirect_stdout(sys.stderr):
            states = [(state, state.now()) for state in STATES]
            try:
                yield
            finally:
                added = [each for each in warnings.filters if each not in filters]
                kept = all(each in warnings.filters for each in filters)
                changed = [state.what for state, before in states if state.put_back(before)]
    finally:
        for action, message, category, module, line in reversed(added):
            if not _is_for_all((action, message, category, module, line)):
                warnings.filterwarnings(action, _text(message), category, _text(module), line)  # type: ignore[arg-type]
        if any(map(_is_for_all, added)) or not kept:
            changed.append("filters of warnings")
        if changed:
            warn(f"plugin {plugin} changed {', '.join(changed)} while it was loaded: put back as it was")
        if (took := time.monotonic() - began) > SLOW:
            warn(f"plugin {plugin} took {took:.1f} s to load, and every command waits for it")


@dataclass(frozen=True)
class State:
    """Something that a process has once, such as its working directory.

    Args:
        module: It is looked at only where this module is imported already.
        fresh: Its value after that import, by which a plugin is judged that imported the module itself.
    """

    what: str
    module: str
    read: Callable[[Any], Any]
    write: Callable[[Any, Any], object]
    fresh: Callable[[Any], Any] = lambda _: UNKNOWN

    def now(self) -> Any:
        """Return its value; `UNKNOWN` if there is none."""
        with suppress(Exception):
            return self.read(sys.modules[self.module])
        return UNKNOWN

    def put_back(self, before: Any) -> bool:
        """Give it the value of before, and return whether it had another."""
        now = self.now()
        if before is UNKNOWN and now is not UNKNOWN:
            before = self.fresh(sys.modules[self.module])
        if before is UNKNOWN or now == before:
            return False
        self.write(sys.modules[self.module], before)
        return True


def _is_for_all(kept: tuple[Any, ...]) -> bool:
    _, message, category, module, _ = kept  # libraries add narrower ones when they are imported
    return not message and not module and category.__module__ == "builtins"


def _text(pattern: Any) -> str:
    return str(getattr(pattern, "pattern", pattern) or "")


def _set_logging(logging: Any, was: tuple[int, list[Any], int]) -> None:
    logging.root.setLevel(was[0])
    logging.root.handlers[:] = was[1]
    logging.disable(was[2])


def _torch_defaults(torch: Any) -> tuple[Any, ...]:
    exact, precision = torch.are_deterministic_algorithms_enabled(), torch.get_float32_matmul_precision()
    return torch.get_default_dtype(), torch.get_default_device(), torch.is_grad_enabled(), exact, precision


def _set_torch_defaults(torch: Any, was: tuple[Any, ...]) -> None:
    dtype, device, grad, exact, precision = was
    torch.set_default_dtype(dtype)
    torch.set_default_device(None if device.type == "cpu" else device)
    torch.set_grad_enabled(grad)
    torch.use_deterministic_algorithms(exact)
    torch.set_float32_matmul_precision(precision)


STATES = (
    State("the working directory", "os", lambda os: os.getcwd(), lambda os, was: os.chdir(was)),
    State(
        "stdout or stderr",
        "sys",
        lambda sys: (sys.stdout, sys.stderr),
        lambda sys, was: vars(sys).update(stdout=was[0], stderr=was[1]),
    ),
    State(
        "the root of logging",
        "logging",
        lambda logging: (logging.root.level, [*logging.root.handlers], logging.root.manager.disable),
        _set_logging,
        lambda logging: (logging.WARNING, [], 0),
    ),
    State(
        "what numpy does at a wrong number",
        "numpy",
        lambda numpy: numpy.geterr(),
        lambda numpy, was: numpy.seterr(**was),
        lambda _: {"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"},
    ),
    State(
        "numpy's random numbers",
        "numpy.random",
        lambda random: [each.tolist() if hasattr(each, "tolist") else each for each in random.get_state()],
        lambda random, was: random.set_state(tuple(was)),
    ),
    State(
        "torch's defaults",
        "torch",
        _torch_defaults,
        _set_torch_defaults,
        lambda torch: (torch.float32, torch.device("cpu"), True, False, "highest"),
    ),
    State(
        "torch's random numbers",
        "torch",
        lambda torch: torch.get_rng_state().tolist(),
        lambda torch, was: torch.set_rng_state(torch.tensor(was, dtype=torch.uint8)),
    ),
)
