"""The reader of a choice: the letter of an option, which a context offers in an order of its own."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase

from bvf import BvfError, Language
from bvf.domain import BETWEEN, OPTIONS, Attribute
from bvf_texts.reader import Read, Reader, ReadText, Unread

ALONE = r"(?<![A-Za-z'])[A-Z](?![A-Za-z'])"
MARKS = r"[\s*_\"'“”「」:(\[]*"
IN_ENGLISH = r"(?i:\b(?:answer|choice|letter|option|choose|chose|pick|select(?:ed)?|go with)\b)"
IN_CHINESE = r"(?<!不)(?<!不能)(?<!不会)(?:答案|选择|选项|选)(?:应该|应当|应|会)?(?:了|是|为)?"
IS = r"(?:(?:is|(?:would|should|must|has to) be)\b)?"
STATED = re.compile(rf"(?:{IN_ENGLISH}{MARKS}{IS}|{IN_CHINESE}){MARKS}({ALONE})")
"""A letter that is said to be the answer: *The answer is B*, *I choose (A)*, 答案是B, 选A."""
ENDS = r"[\s*_\"'”」]*(?:[.:,;!)\]。、]|$|\n|(?:is|because|since)\b|是|因为|选项)"
BEGINS = re.compile(rf"{MARKS}({ALONE})(?={ENDS})")
"""A letter with which a text begins, and that is no article: *B*, *A.*, *(B) a woman*, *B because ...*."""
IN_BRACKETS = re.compile(rf"(?<!not )(?<!n't )(?<!不是)(?<!不选)\(({ALONE}|[a-z])\)")
OTHERS = re.compile(rf"[\s*_)\].]*(?:\b(?:or|and)\b|/|或者?|和|还是){MARKS}({ALONE})")
"""What follows a letter if the text leaves open which one is meant: *A or B*."""


@dataclass(frozen=True)
class Letter(Reader):
    """The class whose option has the letter that a text chooses: *(A)*, *A.*, *The answer is B*, 选A, 答案是B.

    A letter that is said to be the answer counts before one at the beginning, and this before one in brackets. Two
    letters of the same kind choose none.

    Args:
        order: The classes in the order of their letters, which each context has in its column ``options``.

    Raises:
        BvfError: The contexts offer no options, or other ones than the classes.
    """

    order: tuple[str, ...] = ()

    def in_context(self, columns: Mapping[str, str]) -> "Letter":
        """Return the reader for the order of options in a context."""
        return Letter(tuple(columns[OPTIONS].split(BETWEEN)) if OPTIONS in columns else ())

    def reading(self, classes: Sequence[Attribute], language: Language) -> ReadText:
        if not self.order:
            raise BvfError(
                "--reader letter: the contexts offer no options",
                "write [options] into their templates: bvf contexts show gender-choices",
            )
        if sorted(self.order) != sorted(each.name for each in classes):
            offered = ", ".join(self.order)
            raise BvfError(f"--reader letter: a context offers {offered}, which are not the classes", "offer these")
        class_of = dict(zip(ascii_uppercase, self.order, strict=False))

        def read(text: str) -> Read:
            letters = _chosen(unicodedata.normalize("NFKC", text))
            if len(letters) != 1:
                return Unread("several letters" if letters else "no letter of an option")
            return class_of.get(letters.pop(), Unread("a letter that no option has"))

        return read


def _chosen(text: str) -> set[str]:
    """The letters that a text chooses, by the strongest kind of statement in it."""
    first = BEGINS.match(text)
    for found in (list(STATED.finditer(text)), [first] if first else [], list(IN_BRACKETS.finditer(text))):
        if found:
            others = [other for each in found if (other := OTHERS.match(text, each.end(1)))]
            return {each[1].upper() for each in [*found, *others]}
    return set()
