"""Declarations of factors: ``factors.toml``."""

from pathlib import Path
from typing import Any

from pydantic import ValidationError

from bvf.domain.factors import Declaration
from bvf.domain.refusals import first_wrong
from bvf.errors import BvfError
from bvf.files.parsing import parse_toml, read_text

GUIDE = "python -m pydoc bvf.factors.declaring says which fields there are"


def read_declaration(file: Path | str) -> Declaration:
    """Read and check the declaration of a table's factors.

    Raises:
        BvfError: It is missing, not TOML, or no declaration; names the file and the field.
    """
    path = Path(file)
    return checked_declaration(parse_toml(read_text(path), str(path)), str(path))


def checked_declaration(values: dict[str, Any], where: str) -> Declaration:
    """Return the declaration that a table of fields describes.

    Raises:
        BvfError: It describes none; names ``where`` and the field.
    """
    try:
        return Declaration.model_validate(values)
    except ValidationError as error:
        raise BvfError(f"{where}: {first_wrong(error)}", GUIDE) from error
