"""Names for pictures: one short line of visible characters from any text."""

import unicodedata

from bvf.errors import LINES
from bvf.tables.words import NAME_WIDTH, shortened

UNREADABLE = "\N{REPLACEMENT CHARACTER}"
LONGEST = 400
NO_CHARACTER = {"Cc", "Cs", "Cn", "Co"}


def shown_name(name: str, width: int = NAME_WIDTH) -> str:
    r"""Return a name in one line, cut in the middle where it is wider than ``width`` columns.

    Invisible characters, such as marks of direction, are left out; control characters and halves of characters are
    replaced.

    >>> shown_name("one\n two\u202e\x07")
    'one two\ufffd'
    """
    line = unicodedata.normalize("NFC", LINES.sub(" ", name.strip()))
    return shortened("".join(map(_visible, line)), width)


def whole_name(name: str) -> str:
    """Return a name as `shown_name` does, but hardly ever cut, for a text with room for it."""
    return shown_name(name, LONGEST)


def _visible(character: str) -> str:
    category = unicodedata.category(character)
    if category == "Cf":
        return ""
    return UNREADABLE if category in NO_CHARACTER else character
