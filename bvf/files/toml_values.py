"""Writes keys and values as TOML, which the standard library only reads."""

import json
import re

LONGEST_LINE = 100
BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def toml_value(value: object) -> str:
    """Return a value as TOML: in one line, except for a long list, which is wrapped over several.

    >>> toml_value(["a", 2, True]), toml_value({"age group": 0.5})
    ('["a", 2, true]', '{ "age group" = 0.5 }')
    """
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{toml_key(key)} = {toml_value(each)}' for key, each in value.items())} }}"
    if isinstance(value, list | tuple):
        texts = [toml_value(each) for each in value]
        flat = f"[{', '.join(texts)}]"
        return flat if len(flat) <= LONGEST_LINE else "\n".join(["[", *_lines(texts), "]"])
    return _quoted(value) if isinstance(value, str) else str(value).lower()


def toml_key(text: str) -> str:
    """Return a key as TOML, in quotation marks where it needs them."""
    return text if BARE_KEY.fullmatch(text) else _quoted(text)


def _lines(texts: list[str]) -> list[str]:
    """The texts of a list as lines, each with as many texts as fit."""
    lines = [""]
    for text in texts:
        if lines[-1] and len(lines[-1]) + len(text) > LONGEST_LINE:
            lines.append("")
        lines[-1] += f" {text},"
    return [f" {line}" for line in lines]


def _quoted(text: str) -> str:
    """A text as a TOML basic string: a JSON string in which the one other character that TOML forbids is escaped."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
