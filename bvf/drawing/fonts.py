"""Finds fonts that have all characters of names, and makes names fit for pictures and for matplotlib."""

import unicodedata
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from rich.cells import cell_len

from bvf.drawing.style import FONT, POINTS_PER_INCH
from bvf.errors import LINES, BvfError
from bvf.tables.words import NAME_WIDTH, shortened

UNREADABLE = "\N{REPLACEMENT CHARACTER}"
NO_CHARACTER = {"Cc", "Cs", "Cn", "Co"}
LONGEST_NAME = 400


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
    return shown_name(name, LONGEST_NAME)


def _visible(character: str) -> str:
    category = unicodedata.category(character)
    if category == "Cf":
        return ""
    return UNREADABLE if category in NO_CHARACTER else character


FALLBACK = "DejaVu Sans"
"""The font that is part of matplotlib."""
NO_LETTERS = ("lastresort", "blank")
"""Parts of the names of fonts that only have placeholders for characters."""
INSTEAD = "\N{WHITE SQUARE}"
NAMED = 4
NO_FONT = "no font that is installed has"
LONGEST, SHORTEST, WHOLE = 40, 5, 200
"""The most and the fewest columns of a label that is cut, and the most of a text that should be whole."""
FONTS = (
    "apt install fonts-noto-cjk (Debian, Ubuntu), brew install --cask font-noto-sans-cjk (macOS), or another Noto font"
)


@dataclass(frozen=True)
class Lettering:
    """Fonts for the names in a picture, and the characters missing in all of them.

    Args:
        families: Fonts in the order in which they are searched for a character.
        missing: Characters, other than letters, that no font has.
    """

    families: tuple[str, ...]
    missing: frozenset[str]

    def label(self, name: str, inches: float = np.inf, font: float = FONT) -> str:
        """Return ``name`` as one line, escaped for matplotlib, and cut in the middle if it is wider than ``inches``.

        ``font`` is the font size in points.
        """
        columns = LONGEST
        while True:
            text = self.written(name, columns)
            too_wide = self.inches(text, font) / inches
            if too_wide <= 1.0 or columns <= SHORTEST:
                return text
            columns = max(SHORTEST, min(columns - 1, int(cell_len(text) / too_wide)))

    def inches(self, text: str, font: float = FONT) -> float:
        """Return the width in inches of a label in these fonts, at the size ``font`` in points."""
        from matplotlib.font_manager import FontProperties
        from matplotlib.textpath import text_to_path

        letters = FontProperties(family=list(self.families), size=font)
        width, _, _ = text_to_path.get_text_width_height_descent(text, letters, False)
        return float(width) / POINTS_PER_INCH

    def written(self, name: str, columns: int = WHOLE) -> str:
        """Return ``name`` as one line, escaped for matplotlib, and cut if it is wider than ``columns``."""
        shown = shown_name(name, columns)
        known = "".join(INSTEAD if character in self.missing else character for character in shown)
        return known.replace("$", r"\$")


def lettering(*names: Iterable[str]) -> Lettering:
    """Return fonts for lists of names: those configured in matplotlib, and others for characters that these lack.

    Raises:
        BvfError: No installed font has some letter; the message says how to get one.
    """
    from matplotlib import rcParams
    from matplotlib.font_manager import FontProperties, findfont

    chosen = [*rcParams["font.family"], FALLBACK]
    wanted = {character for group in names for name in group for character in shown_name(name) if character != " "}
    for family in chosen:
        wanted -= _characters(str(findfont(FontProperties(family=[family]))))
    others = _others(wanted) if wanted else []
    for _, characters in others:
        wanted -= characters
    letters = sorted(character for character in wanted if unicodedata.category(character).startswith("L"))
    if letters:
        more = f" and {len(letters) - NAMED} others" if len(letters) > NAMED else ""
        raise BvfError(f"{NO_FONT} {', '.join(letters[:NAMED])}{more}", f"install one: {FONTS}")
    return Lettering((*chosen, *(family for family, _ in others)), frozenset(wanted))


def _others(wanted: set[str]) -> list[tuple[str, frozenset[str]]]:
    """Font families, chosen greedily, that cover the wanted characters.

    Each is paired with the wanted characters that it has.
    """
    has = {family: characters & wanted for family, characters in _installed().items() if characters & wanted}
    families, left = list[tuple[str, frozenset[str]]](), set(wanted)
    while has:
        best = max(has, key=lambda family: (len(has[family] & left), *_looks(family), family))
        if not has[best] & left:
            break
        families.append((best, has.pop(best)))
        left -= families[-1][1]
    return families


def _looks(family: str) -> tuple[bool, bool, bool]:
    """Sort key that prefers fonts similar to the default: sans-serif, not monospaced, simplified Chinese."""
    words = family.lower().split()
    return "sans" in words, "mono" not in words, "sc" in words


def _installed() -> dict[str, frozenset[str]]:
    """The characters of each upright font family. Fonts that matplotlib has not listed yet are included."""
    from matplotlib.font_manager import findSystemFonts, fontManager

    known = {entry.fname for entry in fontManager.ttflist}
    for file in findSystemFonts():
        if file not in known:
            with suppress(OSError, RuntimeError, ValueError):  # matplotlib cannot read every file of a font
                fontManager.addfont(file)
    files = {entry.name: str(entry.fname) for entry in fontManager.ttflist if entry.style == "normal"}
    return {
        name: _characters(file)
        for name, file in files.items()
        if not any(each in name.lower().replace(" ", "") for each in NO_LETTERS)
    }


@lru_cache(maxsize=4096)
def _characters(file: str) -> frozenset[str]:
    from matplotlib.font_manager import get_font

    try:
        return frozenset(map(chr, get_font(file).get_charmap()))
    except (OSError, RuntimeError, ValueError):  # damaged
        return frozenset()
