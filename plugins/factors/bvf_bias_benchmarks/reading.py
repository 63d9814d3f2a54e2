"""Reads tables (with any of three delimiters) and JSON lines of benchmarks, and names groups in one vocabulary."""

import ast
import codecs
import hashlib
import math
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path

from bvf_mining.corpora import COMPRESSIONS, format_of, reading, whole_content

from bvf import BvfError
from bvf.files import Row, delimited_rows, is_file, json_rows, read_rows
from bvf_bias_benchmarks import declared

UTF_8 = "utf-8"
WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
"""A word, without an apostrophe and what follows it: "girl's" is "girl" and "s"."""


def files_in(data: Path, patterns: tuple[str, ...], title: str) -> list[Path]:
    """Return the file, or a folder's files that match the first pattern with matches. Refuses data without files."""
    if is_file(data):
        return [data]
    for pattern in patterns if os.path.isdir(data) else ():
        endings = ("", *COMPRESSIONS)
        files = sorted({file for ending in endings for file in data.glob(pattern + ending) if file.is_file()})
        if files:
            return files
    raise BvfError(f"{data}: no file of {title} found", f"give a folder with {' or '.join(patterns)}")


def name_of(file: Path) -> str:
    """Return the name of a file without the ending of a compression."""
    return file.stem if file.suffix in COMPRESSIONS else file.name


def digest_of(file: Path) -> str:
    """Return the SHA-256 of the content of a file, decompressed."""
    return hashlib.sha256(whole_content(file)).hexdigest()


def text_of(file: Path, encoding: str = UTF_8) -> str:
    """Return the text of a file; a byte order mark is dropped. Refuse a file that is not in this encoding."""
    data = whole_content(file)
    with reading(str(file), encoding):
        try:
            return data.decode("utf-8-sig" if codecs.lookup(encoding).name == UTF_8 else encoding)
        except UnicodeDecodeError as error:
            line = 1 + data.count(b"\n", 0, error.start)
            raise BvfError(
                f"{file}:{line}: not {encoding}: byte {data[error.start]:#04x}",
                "save it as UTF-8, or name its encoding with --encoding: cp1252, mac_roman, utf-16, ...",
            ) from error


def rows_of(file: Path, columns: tuple[str, ...], encoding: str = UTF_8) -> Iterator[Row]:
    """Yield the rows of a table or, by the file's ending, of JSON lines or Parquet.

    The delimiter of a table is found from its header. A row that lacks one of ``columns`` is refused.
    """
    ending = format_of(file)
    if ending == ".parquet":
        rows = read_rows(file)
    else:
        text = text_of(file, encoding)
        rows = (json_rows if ending == ".jsonl" else delimited_rows)(text, str(file))
    for row in rows:
        absent = next((column for column in columns if row.values.get(column) is None), None)
        if absent is not None:
            raise BvfError(f'{row.where}: there is no "{absent}"', f"each line has {', '.join(columns)}")
        yield row


def index_of(row: Row, column: str, below: int) -> int:
    """Return the whole number in a column. Refuses one that is not from 0 to ``below - 1``."""
    value = row.number(column)
    if not (value.is_integer() and 0 <= value < below):
        raise BvfError(f'{row.where}: "{column}" is {value:g}', f"a whole number from 0 to {below - 1}")
    return int(value)


def finite(row: Row, column: str) -> float:
    """Return the number in a column. Refuses NaN and infinity."""
    value = row.number(column)
    if not math.isfinite(value):
        raise BvfError(f'{row.where}: "{value}" in column "{column}" is not a number')
    return value


def one_of(row: Row, column: str, known: Mapping[str, str]) -> str:
    """Return the value of ``known`` for a row's value in a column. Refuses a value that ``known`` lacks."""
    value = row.text(column)
    if value not in known:
        raise BvfError(f'{row.where}: "{column}" is "{value}"', f"it should be {' or '.join(known)}")
    return known[value]


def list_in(value: object) -> list[str] | None:
    """Return a list of texts, also one that a table has as a text in Python's notation; None: it is something else.

    >>> list_in("['woman', 'f']"), list_in("woman")
    (['woman', 'f'], None)
    """
    try:
        listed = ast.literal_eval(value) if isinstance(value, str) else value
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return listed if isinstance(listed, list) and all(isinstance(each, str) for each in listed) else None


def group_called(name: str) -> str:
    """Return the group that a benchmark calls ``name``; a name that the vocabulary lacks stays as it is.

    >>> group_called("F"), group_called("girl"), group_called("\u5973\u6027"), group_called("Muslim")
    ('women', 'women', 'women', 'Muslims')
    """
    plain = " ".join(name.split())
    return _vocabulary().get(plain.casefold(), plain)


@cache
def _vocabulary() -> dict[str, str]:
    return {name.casefold(): group for group, names in declared("groups").items() for name in (group, *names)}


def group_in(sentence: str, other: str, language: str) -> str:
    """Return the group that a sentence names in the words that another one lacks; empty: none, or several.

    >>> group_in("The old man sang.", "The young man sang.", "en"), group_in("Jamal sang.", "John sang.", "en")
    ('older people', '')
    """
    words, others = WORD.findall(sentence.casefold()), WORD.findall(other.casefold())
    blocks = SequenceMatcher(None, words, others, autojunk=False).get_opcodes()
    apart = [words[start:stop] for kind, start, stop, *_ in blocks if kind != "equal"]
    named = {group for span in apart for group in _named_in(span, _words_of_groups(language))}
    return named.pop() if len(named) == 1 else ""


@cache
def _words_of_groups(language: str) -> dict[str, str]:
    return {word: group for group, words in declared("words_of_groups")[language].items() for word in words}


def _named_in(words: Sequence[str], names: Mapping[str, str]) -> Iterator[str]:
    """Yield the groups that words name, alone or two together: the longer name counts."""
    place = 0
    while place < len(words):
        for length in (2, 1):
            group = names.get(" ".join(words[place : place + length]))
            if group is not None:
                yield group
                break
        place += length
