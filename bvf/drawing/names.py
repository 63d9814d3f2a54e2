"""Makes names fit for pictures: one short line of visible characters."""

import unicodedata

from bvf.errors import LINES
from bvf.tables.words import NAME_WIDTH, shortened

UNREADABLE = "\N{REPLACEMENT CHARACTER}"
LONGEST = 400
NO_CHARACTER = {"Cc", "Cs", "Cn", "Co"}


def shown_name(name: str, width: int = NAME_WIDTH) -> str:
    r"""Return a name as one line. It is cut in the middle if it is wider than ``width`` columns.

    Invisible characters, such as direction marks, are left out; control characters and lone surrogates are replaced.

    >>> shown_name("one\n two\u202e\x07")
    'one two\ufffd'
    """
    line = unicodedata.normalize("NFC", LINES.sub(" ", name.strip()))
    return shortened("".join(map(_visible, line)), width)


def whole_name(name: str) -> str:
    """Return a name as one line of visible characters, cut only if it is extremely long."""
    return shown_name(name, LONGEST)


def _visible(character: str) -> str:
    category = unicodedata.category(character)
    if category == "Cf":
        return ""
    return UNREADABLE if category in NO_CHARACTER else character
