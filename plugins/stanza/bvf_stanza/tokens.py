"""Words and marks of a text, found by their characters alone."""

import re

HAN = "\u3400-\u9fff"
APOSTROPHE = re.compile("[\u2019']")
WORD = re.compile(rf"[{HAN}]|[^\W_{HAN}]+(?:[\u2019'][^\W_{HAN}]+)?")
TOKEN = re.compile(r"[^\W_]+|(?<=\w)[\u2019'][^\W_]+|-{2,}|[^\w\s]")


def uncontracted(word: str) -> str:
    """A word in lower case without its contraction: *he* of *he's*."""
    return APOSTROPHE.split(word.lower(), maxsplit=1)[0]
