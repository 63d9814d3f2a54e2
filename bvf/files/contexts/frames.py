"""Reads frames (words around a template) from a TOML file."""

from importlib.resources.abc import Traversable
from pathlib import Path

from bvf.domain.frames import Frame
from bvf.errors import BvfError
from bvf.files.parsing import parse_toml, read_text


def read_frames(file: Traversable | Path) -> dict[str, Frame]:
    """Return the frames of a file by name. Each is a table such as ``[year]`` with ``pattern`` and ``levels``.

    Raises:
        BvfError: Not TOML, no frame, or a wrong field; the message names the file and the frame.
    """
    tables = parse_toml(read_text(file), str(file))
    lost = [name for name, table in tables.items() if not isinstance(table, dict)]
    if lost or not tables:
        what = f"{lost[0]} is no table" if lost else "there is no frame"
        example = '[year], pattern = "In [level], [template]" and levels = ["1990", "2030"]'
        raise BvfError(f"{file}: {what}", f"write {example}")
    return {name: Frame.checked(table, f"{file}: [{name}]") for name, table in tables.items()}
