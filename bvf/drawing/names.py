"""Names from strangers, made fit for a picture: one line, of characters that draw something, and short."""

import unicodedata

from bvf.errors import LINES
from bvf.tables.words import NAME_WIDTH, shortened

UNREADABLE = "\N{REPLACEMENT CHARACTER}"
LONGEST = 400
NO_CHARACTER = {"Cc", "Cs", "Cn", "Co"}


def shown_name(name: str, width: int = NAME_WIDTH) -> str:
    r"""Return a name in one line, cut in the middle where it is wider than ``width`` columns.

    Characters that draw nothing, such as marks of direction, are left out; control characters and halves of
    characters are replaced.

    >>> shown_name("one\n two\u202e\x07")
    'one two\ufffd'
    """
    line = unicodedata.normalize("NFC", LINES.sub(" ", name.strip()))
    return shortened("".join(map(_shown, line)), width)


def whole_name(name: str) -> str:
    """Return a name as `shown_name` does, for a text, which has room for it: a model, or a sentence."""
    return shown_name(name, LONGEST)


def _shown(character: str) -> str:
    category = unicodedata.category(character)
    if category == "Cf":
        return ""
    return UNREADABLE if category in NO_CHARACTER else character
