"""English wording: the article before a group, and the capital at the start of a sentence."""

import re
from collections.abc import Mapping

from bvf.domain.context import Template
from bvf.domain.prompt import Prompt
from bvf.interfaces.language import Language
from bvf_en.placebo import harmless

ARTICLE = re.compile(r"\b([Aa])n? \[X\]")
ARTICLE_OF_A_SLOT = re.compile(r"\b([Aa])n? \[([^\[\]]+)\]")
FIRST_WORD = re.compile(r"[^\W_]+")

# The article follows the sound, not the letter. Each list holds how words begin.
SILENT_H = ("heir", "honest", "honor", "honour", "hour")
FIRST_SOUND_IS_CONSONANT = (
    *("once", "one"),
    *("eu", "ewe", "ubiq", "ufo", "ugand", "uigh", "ukrain", "unanim", "unic", "unif", "unio", "uniq", "unis"),
    *("unit", "univ", "uran", "urin", "uro", "urug", "us", "utah", "util", "utop", "uygh"),
)
BUT_NOT = ("onerous", "usher")
# Written in lower case and said letter by letter; words of up to three capitals are too (an MP, a UN envoy).
LETTER_BY_LETTER = frozenset({"ceo", "cfo", "cio", "cmo", "coo", "cso", "cto", "hr", "md", "mp", "phd", "rn", "vp"})
LETTERS_WITH_VOWEL = frozenset("aefhilmnorsx")
NUMBERS_WITH_VOWEL = re.compile(r"8|1[18]$")


class English(Language):
    """The wording rules of English.

    ``a [X]`` and ``an [X]`` get the article that the group asks for. An article before ``[Y]`` is left as it is
    written, since every word is scored after the same text.
    """

    code = "en"
    default_topic = "gender"
    default_model = "bundled:en-causal"

    def render(self, template: Template, group: str) -> Prompt:
        """Fill ``[X]``, mend its article, capitalise it at the start, and cut at ``[Y]``."""
        text = ARTICLE.sub(lambda phrase: f"{phrase[1]}{article(group)[1:]} [X]", template.text)
        before, _, right = text.partition("[Y]")
        left = _filled(before, group)
        spaced = not left or left != left.rstrip()
        return Prompt(left.rstrip(), right.replace("[X]", group), group, template.text, spaced)

    def harmless(self, template: str) -> Mapping[str, str]:
        """Change the full stop, a comma, *the* before ``[X]`` to *that*, or a year to the next."""
        return harmless(template)

    def phrase(self, pattern: str, words: Mapping[str, str]) -> str:
        """Fill a pattern such as ``"a [race] [gender]"``, with the article that the word after it asks for."""
        mended = ARTICLE_OF_A_SLOT.sub(
            lambda phrase: f"{phrase[1]}{article(words[phrase[2]])[1:]} [{phrase[2]}]", pattern
        )
        return super().phrase(mended, words)


def article(noun: str) -> str:
    """Return ``"a"`` or ``"an"``, whichever is said before ``noun``.

    >>> article("engineer"), article("university"), article("MP")
    ('an', 'a', 'an')
    """
    first_word = FIRST_WORD.search(noun)
    if first_word is None:
        return "a"
    return "an" if _starts_with_vowel_sound(first_word[0]) else "a"


def _starts_with_vowel_sound(word: str) -> bool:
    lower = word.lower()
    if lower[0].isdigit():
        return NUMBERS_WITH_VOWEL.match(lower) is not None
    if len(word) == 1 or lower in LETTER_BY_LETTER or (word.isupper() and len(word) <= 3):
        return lower[0] in LETTERS_WITH_VOWEL
    if lower.startswith(FIRST_SOUND_IS_CONSONANT) and not lower.startswith(BUT_NOT):
        return False
    return lower.startswith((*"aeiou", *SILENT_H))


def _filled(left: str, group: str) -> str:
    starts = left.startswith("[X]")
    return left.replace("[X]", group[:1].upper() + group[1:] if starts else group)
