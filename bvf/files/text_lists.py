"""Reads lists of texts from TOML files, such as the phrases by which a refusal is recognised."""

from importlib.resources.abc import Traversable
from pathlib import Path

from bvf.errors import BvfError
from bvf.files.parsing import parse_toml, read_text


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
