"""Reads text, JSON and TOML from the user's files. Errors name the file and the mistake."""

import codecs
import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import partial
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from bvf.errors import BvfError, shortened

LARGEST = 2_000_000_000
"""The most bytes of a file that is read whole."""
DEEPEST = 64
"""Objects and lists inside each other; no file of ours or of a corpus has as many."""
ALWAYS_UNPACKED = 2**26
TIMES_UNPACKED = 100
"""A compressed file unpacks to at most so many times its size, and 64 MB. Logs unpack to 5 to 30 times theirs."""
LARGEST_TOML, DOTS = 10_000_000, 32
"""The most characters of a TOML text, and the most dots of a key in it: reading one takes the square of them."""
NO_KEYS = re.compile(
    r'"""(?:[^"\\]++|\\.|"(?!""))*+(?:""")?|"(?:[^"\\\n]++|\\.)*+"?' r"|'''.*?(?:'''|\Z)|'[^'\n]*+'?|#[^\n]*", re.DOTALL
)
"""Strings and comments of TOML. One that is open ends with the line or the text."""
MANY_DOTS = re.compile(rf"(?:\.[ \t]*+[\w-]*+[ \t]*+){{{DOTS + 1}}}")


def read_text(file: Traversable | Path) -> str:
    """Return the text of a file in UTF-8, or in UTF-16 with a byte order mark. The mark is left out.

    Raises:
        BvfError: The file cannot be read, is a pipe or a device, or is not UTF-8.
    """
    return decoded(read_bytes(file), str(file))


def decoded(content: bytes, name: str) -> str:
    """Return the text of UTF-8, or of UTF-16 that begins with a byte order mark; ``name`` is that of the file.

    Raises:
        BvfError: It is neither; the message names the line and the text before the byte that is wrong.
    """
    marked = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        return content.decode("utf-16" if marked and len(content) > len(codecs.BOM_UTF16_LE) else "utf-8-sig")
    except UnicodeDecodeError as error:
        encoding, before = error.encoding.upper(), content[: error.start].splitlines() or [b""]
        where = f"in line {len(before)}" if encoding == "UTF-8" else "which its first bytes say that it is"
        raise BvfError(f"{name}: not {encoding} at byte {error.start}, {where}", "save it as UTF-8") from error


def read_bytes(file: Traversable | Path) -> bytes:
    """Return the content of a file.

    Raises:
        BvfError: The file cannot be read, or is a pipe or a device.
    """
    try:
        if isinstance(file, Path):
            refuse_no_file(file)
            if is_file(file) and (size := file.stat().st_size) > LARGEST:
                raise BvfError(f"{file}: {size:,} bytes, and {LARGEST:,} at most are read", "split it into several")
        return file.read_bytes()
    except OSError as error:
        raise BvfError(f"{file}: cannot be read: {error.strerror or error}") from error
    except ValueError as error:
        raise BvfError(f"{str(file)!r}: no file can have this name") from error


def refuse_no_file(path: Path) -> None:
    """Raise `BvfError` if a path is a pipe or a device: reading it might not end."""
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise BvfError(f"{path}: is not a file", "a pipe or a device cannot be read; write it to a file first")


def is_file(path: Path) -> bool:
    """Whether a path is an existing file. False also for a name that no file can have."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def whole_number(text: str, least: int, most: int) -> int | None:
    """Parse a text of digits 0 to 9 as a number; None unless it is from ``least`` to ``most``."""
    digits = text.lstrip("0")
    if not (text.isascii() and text.isdecimal()) or len(digits) > len(str(most)):
        return None
    number = int(digits or "0")
    return number if least <= number <= most else None


def parse_json(text: str, where: str, *, keys_once: bool = True) -> Any:
    r"""Return the value of a JSON text.

    Args:
        text: The JSON.
        where: The file and line, with which a message begins.
        keys_once: Refuse an object that has a key twice; otherwise the last value of the key is taken.

    Raises:
        BvfError: Not JSON, nested too deeply, a number that is too long, a lone surrogate (``\ud800``), or a key twice.
    """
    try:
        value = json.loads(text, object_pairs_hook=partial(_each_key_once, where) if keys_once else None)
        if "\\u" in text:
            json.dumps(value, ensure_ascii=False).encode()
        if text.count("[") + text.count("{") > DEEPEST:
            _refuse_depth(value)
    except UnicodeEncodeError as error:
        raise BvfError(f"{where}: not JSON: half a character (\\u{ord(error.object[error.start]):04x})") from error
    except (ValueError, RecursionError) as error:
        raise BvfError(f"{where}: not JSON: {_why(error)}") from error
    return value


def parse_toml(text: str, where: str) -> dict[str, Any]:
    """Return the keys and values of a TOML text.

    Raises:
        BvfError: Not TOML, too long, nested too deeply, or a number that is too long; the message begins with
            ``where``.
    """
    if len(text) > LARGEST_TOML:
        raise BvfError(f"{where}: {len(text):,} characters, and {LARGEST_TOML:,} of TOML at most are read")
    if text.count(".") > DOTS and MANY_DOTS.search(NO_KEYS.sub("", text)):
        raise BvfError(f"{where}: not TOML: nested too deeply: a key has more than {DOTS} dots")
    try:
        values = tomllib.loads(text)
        _refuse_depth(values)
    except (ValueError, RecursionError, OverflowError) as error:
        raise BvfError(f"{where}: not TOML: {_why(error)}") from error
    return values


def files_below(
    folder: Traversable, endings: tuple[str, ...], prefix: str = ""
) -> Iterator[tuple[str, Traversable, Traversable]]:
    """Yield path without ending, folder, and file, for every file below a folder with one of the endings."""
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from files_below(entry, endings, f"{prefix}{entry.name}/")
        elif entry.name.endswith(endings):
            yield prefix + Path(entry.name).stem, folder, entry


def _each_key_once(where: str, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        key = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        raise BvfError(f'{where}: the key "{shortened(key)}" occurs twice in one object', "leave one of them")
    return values


def _refuse_depth(value: object) -> None:
    level: list[Any] = [[value]]
    for _ in range(DEEPEST + 1):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, (dict, list))
        ]
        if not level:
            return
    raise RecursionError


def _why(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "nested too deeply"
    return "a number is too long" if "integer string conversion" in str(error) else str(error)


def refuse_unpacked(size: int, packed: int, where: str) -> None:
    """Raise `BvfError` if ``size`` bytes are more than what ``packed`` bytes may unpack to."""
    most = ALWAYS_UNPACKED + TIMES_UNPACKED * packed
    if size > most:
        raise BvfError(
            f"{where}: {packed:,} bytes unpack to more than {most / 1e6:,.0f} MB",
            "if that is right, unpack it, and name the unpacked file",
        )


def read_lists(file: Traversable | Path) -> dict[str, tuple[str, ...]]:
    """Return the lists of texts in a TOML file, by their names. Nothing else is in it.

    Raises:
        BvfError: Not TOML, or something in it is not a list of texts; the message names file and list.
    """
    lists = parse_toml(read_text(file), str(file))
    for name, texts in lists.items():
        if not isinstance(texts, list) or not texts or not all(isinstance(text, str) and text for text in texts):
            raise BvfError(f"{file}: {name} is not a list of texts", f'write {name} = ["...", "..."]')
    return {name: tuple(texts) for name, texts in lists.items()}
