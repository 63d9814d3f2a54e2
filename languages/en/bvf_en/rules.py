"""English wording: the article before a group, and the capital at the start of a sentence."""

import re
from collections.abc import Mapping, Sequence
from importlib.resources import files

from bvf import Prompt, Template
from bvf.files import LanguageInFiles, parse_toml, read_text

NAMES = files(__package__) / "mining" / "names.toml"
ARTICLE = re.compile(r"\b([Aa])n? \[X\]")
ARTICLE_OF_A_SLOT = re.compile(r"\b([Aa])n? \[([^\[\]]+)\]")
FIRST_WORD = re.compile(r"[^\W_]+")
OPENED, CLOSED = "[\"\u201c'\u2018]?", "[\"\u201d'\u2019]?"
SENTENCE_BEGINS = re.compile(rf"(^{OPENED}|(?<!Dr)(?<!Mr)(?<!Ms)(?<!Mrs)(?<!St)[.!?]{CLOSED}\s+{OPENED})\[X\]")
THE = re.compile(r"\b([Tt])he (?=\[X\])")
YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b(?!s)")
STOP = re.compile(r"[.!?]$")
COMMA = re.compile(r",(?= )")
FUNCTION_WORDS = frozenset(
    (
        *("a", "after", "all", "although", "an", "any", "as", "at", "because", "before", "both", "by", "each"),
        *("either", "even", "every", "everybody", "everyone", "few", "for", "from", "he", "her", "here", "his"),
        *("how", "if", "in", "it", "its", "many", "most", "my", "neither", "never", "no", "nobody", "not", "on"),
        *("once", "one", "only", "our", "people", "several", "she", "since", "so", "some", "somebody", "someone"),
        *("sometimes", "such", "that", "the", "their", "then", "there", "these", "they", "this", "those", "though"),
        *("three", "to", "two", "under", "until", "we", "what", "when", "where", "whether", "which", "while", "who"),
        *("why", "with", "without", "yesterday", "you", "your"),
    )
)
"""Words that begin a sentence with a capital and have none inside it."""

# The article depends on the first sound, not the first letter. Each list has beginnings of words.
SILENT_H = ("heir", "honest", "honor", "honour", "hour")
FIRST_SOUND_IS_CONSONANT = (
    *("once", "one"),
    *("eu", "ewe", "ubiq", "ufo", "ugand", "uigh", "ukrain", "unanim", "unic", "unif", "unio", "uniq", "unis"),
    *("unit", "univ", "uran", "urin", "uro", "urug", "us", "utah", "util", "utop", "uygh"),
)
BUT_NOT = ("onerous", "usher")
# Spelled out when pronounced, even in lower case, as all words of up to three capitals are (an MP, a UN envoy).
LETTER_BY_LETTER = frozenset({"ceo", "cfo", "cio", "cmo", "coo", "cso", "cto", "hr", "md", "mp", "phd", "rn", "vp"})
LETTERS_WITH_VOWEL = frozenset("aefhilmnorsx")
NUMBERS_WITH_VOWEL = re.compile(r"8|1[18]$")


class English(LanguageInFiles):
    """The wording rules of English.

    The article in ``a [X]`` or ``an [X]`` is adapted to the group. An article before ``[Y]`` stays as it is written,
    since every word is scored after the same text.
    """

    code = "en"
    default_topic = "gender"
    default_model = "bundled:en-causal"

    def render(self, template: Template, group: str) -> Prompt:
        """Fill ``[X]``, adapt its article, capitalise it at the start of a sentence, and split at ``[Y]``."""
        text = ARTICLE.sub(lambda phrase: f"{phrase[1]}{article(group)[1:]} [X]", template.text)
        before, _, after = text.partition("[Y]")
        if "[X]" in before:  # else a causal model looks for the group on the right, as it is
            before, after = (_capitalised(part, group) for part in (before, after))
        left, right = before.replace("[X]", group), after.replace("[X]", group)
        spaced = not left or left != left.rstrip()
        return Prompt(left.rstrip(), right, group, template.text, spaced)

    def harmless(self, template: str) -> Mapping[str, str]:
        """Add or remove the full stop, remove commas, change *the* before ``[X]`` to *that*, or a year to the next.

        >>> English().harmless("In 2010, the [X] said that [Y]")["year"]
        'In 2011, the [X] said that [Y]'
        """
        changed = {
            "stop": STOP.sub("", template) if STOP.search(template) else f"{template}.",
            "comma": COMMA.sub("", template),
            "determiner": THE.sub(r"\1hat ", template),
            "year": YEAR.sub(lambda year: str(int(year[0]) + 1), template),
        }
        return {swap: text for swap, text in changed.items() if text != template}

    def passages(self) -> Mapping[str, Sequence[str]]:
        """Return passages in which words of gender are of another person, or mean something else; and given names."""
        lists, given = super().passages(), parse_toml(read_text(NAMES), str(NAMES))
        of = (("names of he", "masculine"), ("names of she", "feminine"))
        names = {key: (*lists[key], *({*given[its].split()} - {*lists["no names"]})) for key, its in of}
        return {**lists, **names}

    def inside(self, template: str) -> str:
        """Write the first letter small if the first word is a function word: names and *I* keep their capital.

        >>> English().inside("The [X] said that [Y]")
        'the [X] said that [Y]'
        """
        first_word = FIRST_WORD.match(template)
        is_function_word = first_word is not None and first_word[0].lower() in FUNCTION_WORDS
        return template[0].lower() + template[1:] if is_function_word else template

    def phrase(self, pattern: str, words: Mapping[str, str]) -> str:
        """Fill a pattern such as ``"a [race] [gender]"``, and adapt the article to the word after it."""
        mended = ARTICLE_OF_A_SLOT.sub(
            lambda phrase: f"{phrase[1]}{article(words[phrase[2]])[1:]} [{phrase[2]}]", pattern
        )
        return super().phrase(mended, words)


def _capitalised(text: str, group: str) -> str:
    """A text in which the group is filled in with a capital where a sentence begins."""
    return SENTENCE_BEGINS.sub(lambda begun: f"{begun[1]}{group[:1].upper()}{group[1:]}", text)


def article(noun: str) -> str:
    """Return ``"a"`` or ``"an"``, whichever stands before ``noun``.

    >>> article("engineer"), article("university"), article("MP")
    ('an', 'a', 'an')
    """
    first_word = FIRST_WORD.search(noun)
    return "an" if first_word and _starts_with_vowel_sound(first_word[0]) else "a"


def _starts_with_vowel_sound(word: str) -> bool:
    lower = word.lower()
    if lower[0].isdigit():
        return NUMBERS_WITH_VOWEL.match(lower) is not None
    if len(word) == 1 or lower in LETTER_BY_LETTER or (word.isupper() and len(word) <= 3):
        return lower[0] in LETTERS_WITH_VOWEL
    if lower.startswith(FIRST_SOUND_IS_CONSONANT) and not lower.startswith(BUT_NOT):
        return False
    return lower.startswith((*"aeiou", *SILENT_H))
