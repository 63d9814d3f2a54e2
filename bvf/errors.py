"""Errors that the user can mend, and functions that make a text safe to print or put it on one line."""

import difflib
import re
from itertools import accumulate

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters (C0 and C1) but tab and line feed, and marks of the direction of writing: terminals obey them."""
LINES = re.compile(r"\s*[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]\s*")
LONGEST = 400
LONGEST_SHOWN = 40
"""Characters of a text in a message."""
LONGEST_LIST = 250
"""Characters of the names that a hint lists, where an unknown one is like none of them."""


class BvfError(Exception):
    """An error that the user can mend. The command line prints its message as one line, and exits with status 2.

    ``str(error)``, which a traceback shows, is the message, and the hint in a second line.

    Args:
        message: What is wrong and where; made one line.
        hint: What would be right; made one line, may be empty.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(_one_line(message))
        self.message = _one_line(message)
        self.hint = _one_line(hint)

    def __str__(self) -> str:
        return f"{self.message}\nhint: {self.hint}" if self.hint else self.message


class ContractError(BvfError):
    """A plugin's object broke the contract of its interface. The message names the class of the object."""


class PluginError(BvfError):
    """A plugin could not be loaded, or a name that plugins offer is unknown or ambiguous."""


class ScoringError(BvfError):
    """A model returned something other than a probability, or one that is too inexact. The message names the model."""


class LostError(BvfError):
    """The model or its server stopped answering. Finished work is kept, and the same command continues from there."""


class NotAllDoneError(BvfError):
    """Some of several runs failed. ``failures`` has a message for each of these. The other runs are done.

    Args:
        message: How many runs failed.
        failures: An error message in one line for each failed run.
    """

    def __init__(self, message: str, *failures: str) -> None:
        super().__init__(message, "correct that and repeat the command: finished runs are not asked again")
        self.failures = tuple(map(_one_line, failures))


class OutOfMemoryError(BvfError):
    """Even the smallest batch did not fit the memory of the device."""


def _one_line(text: str) -> str:
    return " ".join(text.splitlines())


def nearest(name: str, names: list[str]) -> str:
    """Return a hint with up to three ``names`` that are spelt like an unknown ``name``. If none is, it lists the first.

    >>> nearest("zz", ["age", "race"])
    'there are age, race'
    >>> nearest("zz", [f"group {number}" for number in range(120)])[-20:]
    'group 25 and 94 more'
    """
    close = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
    if close:
        return f"did you mean {' or '.join(close)}?"
    ends = accumulate(len(each) + len(", ") for each in names)
    shown = max(1, sum(end <= LONGEST_LIST for end in ends))
    more = f" and {len(names) - shown:,} more" if shown < len(names) else ""
    return f"there are {', '.join(names[:shown])}{more}" if names else "no plugin offers one"


def shortened(text: str) -> str:
    """Return a text for a message, cut at the end if it is long."""
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}..."


def harmless(text: str) -> str:
    r"""Return a text in which all characters of `CONTROL` are escaped.

    >>> harmless("a\x1b[31mb")
    'a\\x1b[31mb'
    """
    return CONTROL.sub(lambda match: f"\\x{code:02x}" if (code := ord(match[0])) < 256 else f"\\u{code:04x}", text)


def in_one_line(text: str) -> str:
    r"""Return a text on one line. White space is collapsed, and control characters are escaped.

    >>> in_one_line("first\n  second\x07")
    'first second\\x07'
    """
    return harmless(LINES.sub(" ", text.strip()))


def _without_links(error: BaseException) -> str:
    """The message of an error. For one of pydantic: the wrong fields, without values and links."""
    problems = getattr(error, "errors", None)
    if type(error).__name__ != "ValidationError" or not callable(problems):
        return str(error)
    return "; ".join(": ".join((".".join(map(str, each["loc"])), each["msg"])) for each in problems())


def error_text(error: BaseException) -> str:
    """Return the class and the message of an error from a library, in one line.

    >>> error_text(KeyError("x"))
    "KeyError: 'x'"
    """
    try:
        message = in_one_line(error.message if isinstance(error, BvfError) else _without_links(error))
    except Exception as broken:  # noqa: BLE001 - its own __str__ may fail in any way
        message = f"its message cannot be read: {type(broken).__name__}"
    shown = message if len(message) <= LONGEST else f"{message[:LONGEST]}..."
    return f"{type(error).__name__}: {shown}" if shown else type(error).__name__
