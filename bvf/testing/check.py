"""One thing that must hold, with a name."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any


@dataclass(frozen=True)
class Check:
    """A check of one object. Calling it raises AssertionError, with a message that says what would be right."""

    name: str
    run: Callable[[], None]

    def __call__(self) -> None:
        self.run()

    def __str__(self) -> str:
        return self.name


def checks_of(functions: Sequence[Callable[..., None]], *arguments: Any) -> list[Check]:
    """Return a check a function, under the function's name."""
    return [Check(function.__name__, partial(function, *arguments)) for function in functions]


def require(holds: object, message: str) -> None:
    """Raise AssertionError unless it holds, also where Python drops ``assert``."""
    if not holds:
        raise AssertionError(message)
