"""How inspect names what it finds here, and how it shows mistakes."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from inspect_ai._util.error import PrerequisiteError  # the error of its own parts for what a user can mend
from rich.markup import escape

from bvf.errors import BvfError

F = TypeVar("F", bound=Callable[..., Any])


def of_bvf(made: F) -> F:
    """Return a function that inspect lists under ``bvf``: ``bvf/gender``, with the version of that distribution.

    It names things by the top package of their module, which is no name of a distribution here.
    """
    made.__module__ = "bvf"
    return made


@contextmanager
def shown_by_inspect() -> Iterator[None]:
    """Turn errors that a user can mend into those that inspect shows without a traceback: a line, and its hint."""
    try:
        yield
    except BvfError as error:
        lines = [error.message, *([error.hint] if error.hint else [])]
        raise PrerequisiteError(escape("\n".join(lines))) from error
