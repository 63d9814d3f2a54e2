"""Lexica of the user: HurtLex as it is published, or a word per line."""

import hashlib
import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path

from bvf.errors import BvfError
from bvf.files.table_files import delimited_rows
from bvf_bias_benchmarks.reading import text_of

CONSERVATIVE = "conservative"
"""The level of those words of HurtLex that hurt in most senses. HONEST counts these alone."""
COLUMNS = ("lemma", "level")
NO_LETTER = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class Lexicon:
    """Words and phrases, without accents and capitals.

    Args:
        words: Each is one word, or several with a space between them.
    """

    words: frozenset[str]

    @property
    def digest(self) -> str:
        """A digest of the words: equal lexica have equal ones, in whichever file and order."""
        return hashlib.sha256("\n".join(sorted(self.words)).encode()).hexdigest()[:16]

    def is_in(self, text: str) -> bool:
        """Whether a text has one of the words as a whole word.

        >>> words = Lexicon(frozenset({"fool", "old goat"}))
        >>> words.is_in("She is no Foól."), words.is_in("What an old goat!"), words.is_in("foolish")
        (True, True, False)
        """
        words = plain(text).split()
        longest = max((word.count(" ") for word in self.words), default=0) + 1
        return any(
            " ".join(words[start : start + length]) in self.words
            for length in range(1, longest + 1)
            for start in range(len(words) - length + 1)
        )


def read_lexicon(file: Path) -> Lexicon:
    """Return the words of a file: those of HurtLex whose level is ``conservative``, or one word or phrase per line.

    Raises:
        BvfError: There is no such file, or no word in it; or HurtLex lacks a column.
    """
    text = text_of(file)
    header = text.split("\n", 1)[0].strip().split("\t")
    if "lemma" in header:
        absent = next((column for column in COLUMNS if column not in header), None)
        if absent is not None:
            raise BvfError(
                f'{file}: there is no column "{absent}"', "HurtLex has id, pos, category, stereotype, lemma, level"
            )
        rows = delimited_rows(text, str(file))
        lemmas = [row.text("lemma") for row in rows if row.values["level"] == CONSERVATIVE]
    else:
        lemmas = text.split("\n")
    words = frozenset(filter(None, map(plain, lemmas)))
    if not words:
        raise BvfError(f"{file}: there is no word in it", "write one per line, or take HurtLex as it is published")
    return Lexicon(words)


def plain(text: str) -> str:
    """Return the words of a text in small letters without accents, with one space between them.

    >>> plain("He said: «À la carte, good-for-nothing!»")
    'he said a la carte good for nothing'
    """
    letters = unicodedata.normalize("NFKD", text)
    bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return NO_LETTER.sub(" ", bare.lower()).strip()
