"""Letters that look alike: one spelling for text of users, corpora and logs, so that what looks equal is equal."""

import re
import unicodedata

from bvf.errors import BvfError

SPACES = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
HIDDEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u2800\u3164\ufeff\uffa0\ufff9-\ufffb]"
)
"""Letters without ink: joiners, soft hyphens, marks of direction, fillers."""
JOINERS = "\u200c\u200d"
FORMS = re.compile(
    "[\ufb00-\ufb06\ufe70-\ufefc\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff66-\uff9f\U0001d400-\U0001d7ff]+"
)
"""Other forms of letters and digits: ligatures, Arabic by position, full and half width, mathematical alphabets."""
SHOWN_AROUND = 8


def spelt(text: str) -> str:
    r"""Return a text with composed letters (NFC) and plain spaces.

    >>> spelt("the\u00a0e\u0301tude") == "the \u00e9tude"
    True
    """
    return text if text.isascii() else SPACES.sub(" ", unicodedata.normalize("NFC", text))


def plain_letters(text: str) -> str:
    r"""Return a text as `spelt`, without hidden letters, and with other forms of a letter as the letter itself.

    Joiners stay where a script needs them: in Persian, in Hindi, in emoji.

    >>> plain_letters("\ufeffshe\u200b"), plain_letters("\uff53\uff48\uff45"), plain_letters("\ufb01reman")
    ('she', 'she', 'fireman')
    """
    if text.isascii():
        return text
    text = spelt(text)
    text = HIDDEN.sub(lambda letter: letter[0] if _joins(text, letter.start()) else "", text)
    return spelt(FORMS.sub(lambda letters: unicodedata.normalize("NFKC", letters[0]), text))


def written(text: str, where: str = "") -> str:
    """Return a text that a user wrote as `spelt`; ``where`` is its place, with which a message begins.

    Raises:
        BvfError: It has a letter that `plain_letters` would change; the message names the letter and what is around it.
    """
    if text.isascii():
        return text
    text, place = spelt(text), f"{where}: " if where else ""
    hidden = next((each for each in HIDDEN.finditer(text) if not _joins(text, each.start())), None)
    if hidden:
        message = f"{place}the invisible letter {_name(hidden[0])} is {_place(text, hidden.start())}"
        raise BvfError(message, "delete it there: type the text again, or copy it as plain text")
    form = FORMS.search(text)
    if form:
        message = f'{place}the letter "{form[0][0]}", {_name(form[0][0])}, is {_place(text, form.start())}'
        raise BvfError(message, f'write "{unicodedata.normalize("NFKC", form[0])}"')
    return text


def visible(text: str) -> str:
    r"""Return a text for a message, in which hidden letters are written as their codes.

    >>> visible("3\u200b")
    '3\\u200b'
    """
    return HIDDEN.sub(lambda letter: f"\\u{ord(letter[0]):04x}", text)


def _joins(text: str, place: int) -> bool:
    """Whether a joiner follows a letter of a script, or a picture, that is shaped by joiners."""
    if text[place] not in JOINERS or place == 0:
        return False
    before = text[place - 1]
    category = unicodedata.category(before)
    letter_of_a_script = category == "Lo" and unicodedata.east_asian_width(before) not in "WF"
    return letter_of_a_script or category in ("Mn", "Mc", "So", "Sk")


def _name(letter: str) -> str:
    return f"U+{ord(letter):04X} {unicodedata.name(letter, 'without a name')}"


def _place(text: str, place: int) -> str:
    before, after = visible(text[max(place - SHOWN_AROUND, 0) : place]), visible(text[place + 1 :][:SHOWN_AROUND])
    if not before:
        return f'before "{after}"'
    return f'between "{before}" and "{after}"' if after else f'after "{before}"'


def scripts_of(text: str) -> set[str]:
    """Return the scripts of the letters of a text.

    >>> sorted(scripts_of("she said 他"))
    ['CJK', 'LATIN']
    """
    return {unicodedata.name(letter, "").partition(" ")[0] for letter in text if letter.isalpha()}
