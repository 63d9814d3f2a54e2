"""Text from anywhere, made fit for a terminal."""

import re

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Control characters (C0 and C1) but tab and line feed: a terminal would obey them."""
LINES = re.compile(r"\s*[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]\s*")
LONGEST = 400


def harmless(text: str) -> str:
    r"""Return a text whose control characters, but tab and line feed, are written out.

    >>> harmless("a\x1b[31mb")
    'a\\x1b[31mb'
    """
    return CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


def in_one_line(text: str) -> str:
    r"""Return a text without line breaks and control characters.

    >>> in_one_line("first\n  second\x07")
    'first second\\x07'
    """
    return harmless(LINES.sub(" ", text.strip()))


def said(error: BaseException) -> str:
    """Return what an error of somebody else's code says, in one line, with the name of its class.

    >>> said(KeyError("x"))
    "KeyError: 'x'"
    """
    try:
        message = in_one_line(str(error))
    except Exception as broken:  # noqa: BLE001 - its own __str__ may fail in any way
        message = f"its message cannot be read: {type(broken).__name__}"
    shown = message if len(message) <= LONGEST else f"{message[:LONGEST]}..."
    return f"{type(error).__name__}: {shown}" if shown else type(error).__name__
