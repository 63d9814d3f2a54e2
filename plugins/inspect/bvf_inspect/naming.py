"""How inspect names what bvf adds, and how it shows bvf's errors."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from inspect_ai._util.error import PrerequisiteError  # inspect's own error for mistakes of the user
from rich.markup import escape

from bvf import BvfError

F = TypeVar("F", bound=Callable[..., Any])


def of_bvf(made: F) -> F:
    """Set a function's module so that inspect lists it as ``bvf/NAME``, and records bvf's version.

    Inspect names a function by the top package of its module, which is not the name of the distribution here.
    """
    made.__module__ = "bvf"
    return made


@contextmanager
def shown_by_inspect() -> Iterator[None]:
    """Turn `BvfError` into an error that inspect shows without a traceback.

    Inspect then shows the message, and a line with the hint.
    """
    try:
        yield
    except BvfError as error:
        lines = [error.message, *([error.hint] if error.hint else [])]
        raise PrerequisiteError(escape("\n".join(lines))) from error
