"""Ctrl-C and SIGTERM. The program stops at once and prints how to go on."""

import shlex
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any

SIGNAL_EXIT = 128


class Interrupts:
    """The number of the signal that requested the program to stop; 0 if none came."""

    def __init__(self) -> None:
        self.number = 0

    @property
    def exit_code(self) -> int:
        """The exit code that shells expect of a program that SIGINT (130) or SIGTERM (143) ended."""
        return SIGNAL_EXIT + (self.number or signal.SIGINT)

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Raise KeyboardInterrupt in the block when Ctrl-C or SIGTERM comes. Ignored signals stay ignored."""
        defaults: dict[signal.Signals, Any] = {
            signal.SIGINT: signal.default_int_handler,
            signal.SIGTERM: signal.SIG_DFL,
        }
        ours = [number for number, default in defaults.items() if signal.getsignal(number) == default]
        for number in ours:
            signal.signal(number, self._raise)
        try:
            yield
        finally:
            for number in ours:
                signal.signal(number, defaults[number])

    def _raise(self, number: int, _: FrameType | None) -> None:
        self.number = number
        raise KeyboardInterrupt


def farewell(arguments: Sequence[str]) -> str:
    """Return the line that is printed after an interrupt, for the arguments of ``bvf``."""
    command = next((argument for argument in arguments if not argument.startswith("-")), "")
    if command not in ("run", "mine"):
        return "interrupted"
    return f"interrupted; what is finished is kept, go on with: {shlex.join(['bvf', *arguments])}"
