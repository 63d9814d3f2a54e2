"""Reads frames (words around a template) and formats (wordings of a request) from TOML files."""

from collections.abc import Mapping
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from bvf.domain.variants.formats import FORMAT, Format
from bvf.domain.variants.frames import Frame
from bvf.errors import BvfError
from bvf.files.parsing import parse_toml, read_text


def read_frames(file: Traversable | Path) -> dict[str, Frame]:
    """Return the frames of a file by name. Each is a table such as ``[year]`` with ``pattern`` and ``levels``.

    Raises:
        BvfError: Not TOML, no frame, one that is called ``format``, or a wrong field; the message names file and frame.
    """
    example = '[year], pattern = "In [level], [template]" and levels = ["1990", "2030"]'
    tables = _tables(file, "frame", example)
    if FORMAT in tables:
        raise BvfError(
            f"{file}: [{FORMAT}] is the frame of formats", "call it otherwise; formats have a file: --formats"
        )
    return {name: Frame.checked(table, f"{file}: [{name}]") for name, table in tables.items()}


def read_formats(file: Traversable | Path) -> dict[str, Format]:
    """Return the formats of a file by name. Each is a table such as ``[tell]`` with the fields of a `Format`.

    Raises:
        BvfError: Not TOML, no format, or a wrong field; the message names file and format.
    """
    example = '[tell], turn = "assistant" and user = "Tell a story."'
    return {name: Format.checked(table, f"{file}: [{name}]") for name, table in _tables(file, FORMAT, example).items()}


def _tables(file: Traversable | Path, kind: str, example: str) -> Mapping[str, Mapping[str, Any]]:
    """The tables of a file by name. At least one is there, and nothing else."""
    tables = parse_toml(read_text(file), str(file))
    lost = [name for name, table in tables.items() if not isinstance(table, dict)]
    if lost or not tables:
        raise BvfError(f"{file}: {f'{lost[0]} is not a table' if lost else f'there is no {kind}'}", f"write {example}")
    return tables
