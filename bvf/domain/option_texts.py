"""Parses option values of the form ``name=value``: the words of a class, labels, and options of plugins."""

import json
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from bvf.domain.spelling import plain_letters
from bvf.errors import BvfError


def parse_all_words(texts: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the words of every class, each given as ``class=word,word``.

    Raises:
        BvfError: A text has no words, or two texts have the same class.
    """
    words: dict[str, tuple[str, ...]] = {}
    for name, listed in map(parse_words, texts):
        if name in words:
            both = ",".join((*words[name], *listed))
            raise BvfError(f'--words: the class "{name}" occurs twice', f"write its words once: '{name}={both}'")
        words[name] = listed
    return words


def parse_labels(texts: Sequence[str]) -> dict[str, str]:
    """Return labels by name, each given as ``name=value``.

    Raises:
        BvfError: A text is not of this form, or two texts have the same name.
    """
    labels: dict[str, str] = {}
    for text in texts:
        name, _, value = (part.strip() for part in text.partition("="))
        if not name or not value:
            raise BvfError(f'--label "{text}" is not a label', "write name=value, e.g. --label size=7b")
        if name in labels:
            raise BvfError(f"--label {text}: {name} occurs twice", "name every label once")
        labels[name] = value
    return labels


def parse_words(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the class and its words, given as ``class=word,word``. Raises `BvfError` if there are no words."""
    name, equals, words = plain_letters(text).partition("=")
    listed = tuple(word.strip() for word in words.split(",") if word.strip())
    if not equals or not listed:
        raise BvfError(f'--words "{text}" names no words', "write class=word,word, e.g. --words 'male=he,him'")
    return name.strip(), listed


def parse_values(texts: Sequence[str], option: str, *, what: str = "value", name: str = "NAME") -> dict[str, Any]:
    """Return values by name, each given as ``name=value``. `value_of` reads the value.

    Raises:
        BvfError: A text is not of this form, or two texts have the same name; the message names the ``option``.
    """
    values: dict[str, Any] = {}
    for text in texts:
        key, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not key:
            raise BvfError(f"{option} {text}: no {what} is set", f"write {option} {name}=VALUE")
        if key in values:
            raise BvfError(f"{option} {text}: {key} is set twice", "set it once")
        values[key] = value_of(value)
    return values


def value_of(text: str) -> Any:
    """Return the value that a text is in TOML, if JSON has such a value too. Otherwise it is the text.

    >>> value_of("false"), value_of("26 Jul 2024"), value_of("2024-07-26"), value_of("'3'")
    (False, '26 Jul 2024', '2024-07-26', '3')
    """
    try:
        value = tomllib.loads(f"value = {text}")["value"]
        json.dumps(value, allow_nan=False)
    except (ValueError, TypeError, RecursionError):
        return text
    return value


def text_of(value: Any) -> str:
    """Return the text from which `value_of` makes this value.

    >>> text_of(False), text_of("low"), text_of("3"), text_of({"a": [1, "b"]})
    ('false', 'low', '"3"', '{"a" = [1, "b"]}')
    """
    if isinstance(value, str):
        return value if value == value.strip() and value_of(value) == value else _quoted(value)
    return _toml(value)


def assignments(values: Mapping[str, str]) -> str:
    """Return values by name as one text: ``a=1, b=2``."""
    return ", ".join(f"{name}={value}" for name, value in values.items())


def _toml(value: Any) -> str:
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_quoted(str(key))} = {_toml(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")
