"""Checks: named functions that test one requirement each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from bvf import BvfError
from bvf.errors import error_text, in_one_line
from bvf.hooks import place_in_plugin


@dataclass(frozen=True)
class Check:
    """A named check of one object. Calling it raises AssertionError if the check fails, with what would be right."""

    name: str
    run: Callable[[], None]

    def __call__(self) -> None:
        self.run()

    def __str__(self) -> str:
        return self.name


def checks_of(functions: Sequence[Callable[..., None]], *arguments: Any) -> list[Check]:
    """Return one check per function, under the function's name."""
    return [Check(function.__name__, partial(function, *arguments)) for function in functions]


def require(holds: object, message: str) -> None:
    """Raise AssertionError unless ``holds`` is true. Unlike ``assert``, it does so under ``python -O`` too."""
    if not holds:
        raise AssertionError(message)


def problem_of(check: Check) -> str:
    """Run a check, and return the message of its failure; empty if it passes. Any error is a failure."""
    try:
        check()
    except KeyboardInterrupt:
        raise
    except BvfError as error:
        return f"{check.name}: {in_one_line(error.message)}"
    except AssertionError as error:
        return f"{check.name}: {in_one_line(str(error))}"
    except BaseException as error:  # noqa: BLE001 - what is checked may fail in any way
        _, where = place_in_plugin(error)
        return f"{check.name}: {error_text(error)}" + (f" ({where})" if where else "")
    return ""
