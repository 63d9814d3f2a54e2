"""Declarations of factors: ``factors.toml``."""

from pathlib import Path

from bvf.domain.factors import Declaration
from bvf.domain.factors import checked_declaration as checked_declaration
from bvf.files.parsing import parse_toml, read_text


def read_declaration(file: Path | str) -> Declaration:
    """Read and check the declaration of a table's factors.

    Raises:
        BvfError: It is missing, not TOML, or no declaration; names the file and the field.
    """
    path = Path(file)
    return checked_declaration(parse_toml(read_text(path), str(path)), str(path))
